"""Where commands write: one guard for every output of every command.

An option that names a file to be written is one of the kinds here. Before its command runs, the name is held
against everything the command reads, against databases, against its other outputs, and its ending against what the
command can write; `write` then writes it whole or not at all. `tests/cli/test_outputs.py` goes through all commands.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input

ENDINGS = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".svg": "svg",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".xml": "xml",
    ".rst": "rst",
    ".rtf": "rtf",
    ".pdf": "pdf",
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".gif": "gif",
    ".ps": "ps",
    ".eps": "eps",
    ".docx": "docx",
    ".doc": "doc",
    ".odt": "odt",
    ".xlsx": "xlsx",
    ".xls": "xls",
    ".ods": "ods",
    ".pptx": "pptx",
    ".gz": "gzip",
    ".bz2": "bzip2",
    ".xz": "xz",
    ".zst": "zstd",
    ".zip": "zip",
    ".db": "a database",
    ".sqlite": "a database",
    ".sqlite3": "a database",
}
"""What a file is by the end of its name; any other name may hold anything."""
_ALSO = {"jsonl": ("json",)}  # lines of JSON lie in files of either name

_READ = re.compile(r"FILE|FOLDER|TSV|JSON|SYS\b|METRIC|URL|RESULT|RUN")
_DATABASE_PARTS = ("", "-wal", "-shm", "-journal")
_SQLITE = b"SQLite format 3\0"


class FormatOption(click.Option):
    """-f, with what each format is: a file's ending must not say anything else."""

    def __init__(self, *args: Any, kinds: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.kinds = kinds


class _Output(click.Parameter):
    """A file that a command writes.

    `holds` is what the file can be, where -f does not say it; `folders` are formats that are a folder of files;
    `private` says that names of annotators, their links or paid answers stand in it: a new file is its owner's alone.
    """

    def __init__(
        self,
        *args: Any,
        holds: tuple[str, ...] = (),
        folders: tuple[str, ...] = (),
        private: bool = False,
        **facts: Any,
    ) -> None:
        super().__init__(*args, **facts)
        self.holds, self.folders, self.private = holds, folders, private


class OutputOption(_Output, click.Option):
    """-o or --save."""


class OutputArgument(_Output, click.Argument):
    """An argument that names a new file."""


def check_not_read(inputs: Iterable[Input]) -> None:
    """Refuse to write over a file that was read, also one that nobody named: a folder's, or a stored run's."""
    for _, path in _outputs(click.get_current_context()):
        for item in inputs:
            if _is_same(item.path, path):
                raise _refusal(path, f"it is an input ({item.role.replace('_', ' ')})")


def check_file(path: str) -> None:
    """Refuse a file in a folder of outputs that may not be written over."""
    _check_place(path)
    _check_named(click.get_current_context(), path)
    _check_database(path)


def write(path: str, data: bytes | Callable[[], Iterable[bytes]]) -> None:
    """Write an output, whole or not at all; it may be made piece by piece."""
    from adjudge.io.atomic_write import write_pieces  # late: what writes no file starts faster

    outputs = (param for param in click.get_current_context().command.params if isinstance(param, _Output))
    private = any(output.private for output in outputs)
    write_pieces(path, (lambda: (data,)) if isinstance(data, bytes) else data, private=private)


def check(context: click.Context) -> None:
    """Refuse names of outputs before anything is read; the format is that of -f, or of the file's name."""
    seen: list[str] = []
    for parameter, path in _outputs(context):
        if context.params.get("form") not in parameter.folders:
            _check_place(path)
        _check_named(context, path)
        _check_database(path)
        if any(_is_same(other, path) or _leads_to(other) == _leads_to(path) for other in seen):
            raise UsageError(f"cannot write {path} twice: every output needs a name of its own")
        seen.append(path)
        named = _named_kind(path)
        if parameter.holds and named and named not in {k for held in parameter.holds for k in _kinds(held)}:
            raise UsageError(
                f"cannot write {path}: by its name it is {named}, but {parameter.opts[0]} writes "
                f"{' or '.join(parameter.holds)}"
            )
    if "form" in context.params:
        context.params["form"] = _form(context)


def write_folder(folder: str, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is made where it is missing; none of them over what may not be written over."""
    places = {os.path.join(folder, *name.split("/")): data for name, data in files.items()}
    for parent in dict.fromkeys([folder, *map(os.path.dirname, places)]):
        try:
            os.makedirs(parent, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {parent}: {error.strerror}") from None
    for place in places:
        check_file(place)
    for place, data in places.items():
        write(place, data)


def _form(context: click.Context) -> str:
    """The format that was asked for, by -f or by the name of the file; they must not say different things."""
    form = str(context.params["form"])
    option = next(
        (parameter for parameter in context.command.params if isinstance(parameter, FormatOption)), None
    )
    if option is None or form not in option.kinds:
        return form
    given = context.get_parameter_source("form") is ParameterSource.COMMANDLINE
    for parameter, path in _outputs(context):
        named = _named_kind(path)
        if parameter.holds or named is None or named in _kinds(option.kinds[form]):
            continue
        if given:
            raise UsageError(
                f"cannot write {path} as {form}: by its name it is {named}; leave -f away, or choose another name"
            )
        if named not in option.kinds:
            raise UsageError(
                f"cannot write {path}: {context.command_path} does not write {named}; -f has "
                f"{', '.join(option.kinds)}, and a name without a known ending may hold any of them"
            )
        form = named
    return form


def _check_place(path: str) -> None:
    """Complain about a place where no file can be before the work is done, not after it."""
    if not path:
        raise UsageError("cannot write a file without a name: the name of the output is empty")
    if path == "-":
        raise UsageError("cannot write -: it stands for stdin; give a file's name, or leave the option away")
    from adjudge.io.atomic_write import own_descriptor  # late, as above

    if own_descriptor(path) is not None:
        return
    if os.path.isdir(path):
        raise UsageError(f"cannot write {path}: it is a directory")
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(f"cannot write {path}: there is no directory {folder}")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise UsageError(f"cannot write {path}: no permission")


def _check_named(context: click.Context, path: str) -> None:
    """Refuse what is named on the command line to be read."""
    for parameter in context.command.params:
        if isinstance(parameter, _Output) or not _READ.search(_metavar(parameter)):
            continue
        for value in _texts(context.params.get(parameter.name or "")):
            if parameter.name == "database":
                file = re.sub(r"^sqlite[^:]*:///", "", value)
                if any(_is_same(file + part, path) for part in _DATABASE_PARTS):
                    raise _refusal(path, "it is the campaigns' database")
            elif any(_is_same(candidate, path) for candidate in _candidates(parameter, value)):
                raise _refusal(path, f"it is an input ({_title(parameter)})")


def _check_database(path: str) -> None:
    """Refuse any database, and what SQLite keeps beside one."""
    for part in _DATABASE_PARTS:
        base = os.path.realpath(path).removesuffix(part) if path.endswith(part) else ""
        if base and os.path.isfile(base) and _is_database(base):
            raise _refusal(
                path, "it is a database" if not part else f"{base} is a database, and this a part of it"
            )


def _is_database(path: str) -> bool:
    # No connection is open: closing a file would take SQLite's locks on it away (docs/reliability.md).
    try:
        with open(path, "rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _outputs(context: click.Context) -> Iterator[tuple[_Output, str]]:
    for parameter in context.command.params:
        if isinstance(parameter, _Output):
            for path in _texts(context.params.get(parameter.name or "")):
                yield parameter, path


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for part in value for text in _texts(part)] if isinstance(value, tuple) else []


def _candidates(parameter: click.Parameter, value: str) -> Iterator[str]:
    """Files that an argument may mean: FILE, NAME=FILE, a pattern, or `meteor(parameters=FILE)`."""
    if "METRIC" in _metavar(parameter):
        yield from re.split(r"[=(),+]", value)[1:]
        return
    for text in (value, value.partition("=")[2]):
        yield "/dev/stdin" if text == "-" else text
        if glob.has_magic(text):
            yield from glob.iglob(text)


def _is_same(read: str, written: str) -> bool:
    """Whether two names are of one file, by links of either kind; of pipes and devices it does not matter."""
    try:
        return os.path.isfile(written) and os.path.samefile(read, written)
    except (OSError, ValueError):
        return False


def _leads_to(path: str) -> object:
    """The place of a file that need not be there yet; of a pipe or a device, nothing that another leads to."""
    return object() if os.path.exists(path) and not os.path.isfile(path) else os.path.realpath(path)


def _named_kind(path: str) -> str | None:
    return None if path.startswith("/dev/") else ENDINGS.get(os.path.splitext(path)[1].lower())


def _kinds(kind: str) -> tuple[str, ...]:
    return (kind, *_ALSO.get(kind, ()))


def _metavar(parameter: click.Parameter) -> str:
    return (parameter.metavar or parameter.name or "").upper()


def _title(parameter: click.Parameter) -> str:
    return parameter.opts[-1].lstrip("-") if isinstance(parameter, click.Option) else _metavar(parameter)


def _refusal(path: str, why: str) -> UsageError:
    return UsageError(f"cannot write {path}: {why}; choose another name")
