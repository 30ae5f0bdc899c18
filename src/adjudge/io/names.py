"""File arguments and what their names say: PATH:COLUMN, NAME=PATH, patterns, systems and training runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from glob import glob
from typing import NamedTuple

from adjudge.errors import DataError, UsageError
from adjudge.io.compression import COMPRESSION
from adjudge.io.remote import is_url, shown_address
from adjudge.wording import pluralise

_RUN = re.compile(r"(?P<system>.+)(?:[.-]run|\.opt)(?P<run>\d+)", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"\.\d+")
_PATTERN = re.compile(r"[*?\[]")
_PARTS = re.compile(r"[^._\-\s]+")
_REFERENCE_PART = re.compile(r"(?:ref|reference)s?(?:[a-z]|\d{1,2})?", re.IGNORECASE)
_ORDINAL = re.compile(r"[a-z]|\d{1,2}", re.IGNORECASE)
_NO_SYSTEM_PART = re.compile(r"[a-z]{1,2}|\d{1,4}|human|gold", re.IGNORECASE)
"""Parts of reference names besides kind and test set: letters, languages, numbers and years."""
NAMED_SET = "sacrebleu:"
"""Prefix of a test set by name, which is read through sacreBLEU."""


class Argument(NamedTuple):
    """A file as the user asked for it."""

    path: str
    column: str = ""
    name: str = ""


def is_named_set(path: str) -> bool:
    """Whether a test set of sacreBLEU's catalogue is meant, and not a file."""
    return path.startswith(NAMED_SET) and not os.path.exists(path)


def parse(text: str, *, named: bool = False) -> Iterator[Argument]:
    """The files of one argument: one file, or all that a pattern matches; `named` allows NAME=PATH."""
    name, equals, rest = text.partition("=")
    named = named and bool(equals and name) and not is_url(name)
    if is_url(text):
        yield Argument(*_split_address(text))
        return
    if text == "-" or os.path.exists(text):
        if named and os.sep not in name and os.path.isfile(rest) and os.path.isfile(text):
            raise UsageError(
                f"{text!r} is a file, and so is {rest!r}; write ./{text} for the first, {name}=./{rest} for the second"
            )
        yield Argument(text)
        return
    whole, column = _split_column(text)
    if named and column and "=" in whole and os.path.exists(whole):
        yield Argument(whole, column)  # lr=0.1.tsv:mt
        return
    if named and not (_PATTERN.search(text) and glob(text, recursive=True)):  # lr=*
        if not rest:
            raise UsageError(f"{text!r}: a name, but no file; write NAME=FILE")
        arguments = list(parse(rest))
        if len(arguments) != 1:
            raise UsageError(
                f"{text!r}: one name for {pluralise(len(arguments), 'file')}; name each of them: NAME=FILE"
            )
        yield Argument(arguments[0].path, arguments[0].column, name)
        return
    path, column = _split_column(text)
    if os.path.exists(path) or not _PATTERN.search(path):
        yield Argument(path, column)
        return
    matches = sorted(glob(path, recursive=True))
    if not matches:
        raise DataError(f"no file matches {path}")
    yield from (Argument(match, column) for match in matches)


def expand_pattern(text: str, *, named: bool = False) -> list[str]:
    """An argument as it is, or one for each file that its pattern matches now."""
    return [
        (f"{argument.name}=" if argument.name else "")
        + argument.path
        + (f":{argument.column}" if argument.column else "")
        for argument in parse(text, named=named)
    ]


def _split_column(text: str) -> tuple[str, str]:
    """PATH and COLUMN; the longest PATH that exists or matches wins, as columns and files may have colons."""
    if is_named_set(text):
        name, _, column = text.removeprefix(NAMED_SET).partition(":")
        return NAMED_SET + name, column
    at = len(text)
    while (at := text.rfind(":", 0, at)) > 0:
        path = text[:at]
        if path == "-" or os.path.exists(path) or (_PATTERN.search(path) and glob(path, recursive=True)):
            return path, text[at + 1 :]
    return text, ""


def _split_address(text: str) -> tuple[str, str]:
    """An address and COLUMN, which stands behind a colon in its last part: the query, if it has one."""
    address, mark, query = text.partition("?")
    folder, slash, name = address.rpartition("/")
    last, _, column = (query if mark else name).partition(":")
    return (f"{address}?{last}" if mark else f"{folder}{slash}{last}"), column


def shown_argument(text: str) -> str:
    """An argument as results show it: addresses without possible secrets."""
    name, equals, rest = text.partition("=")
    if equals and not is_url(text) and is_url(rest):
        return f"{name}={shown_argument(rest)}"
    path, column = _split_address(text) if is_url(text) else (text, "")
    return shown_address(path) + (f":{column}" if column else "")


def leads_to_file(text: str) -> bool:
    """Whether PATH or PATH:COLUMN is a file or a folder, a test set by name, or an address: opening it will tell."""
    return is_named_set(text) or is_url(text) or os.path.exists(_split_column(text)[0])


def suffix(path: str) -> str:
    """The extension that tells the format, in lower case: that of the file within the archive."""
    stem, extension = os.path.splitext(shown_address(path))
    if extension.lower() in COMPRESSION:
        extension = os.path.splitext(stem)[1]
    return extension.lower()


def stem(path: str) -> str:
    """The name of a file or folder without folder, compression suffix and last extension."""
    if path == "-":
        return "stdin"
    if is_named_set(path):
        return path.split(":")[1]
    name = os.path.basename(os.path.normpath(shown_address(path)))
    base, extension = os.path.splitext(name)
    if extension.lower() in COMPRESSION:
        name = base
        base, extension = os.path.splitext(name)
    # What looks like an extension is the training run of "system.run1", and part of the number of "lr=0.1".
    return name if _RUN.fullmatch(name) or _NUMBER.fullmatch(extension) else base


def looks_like_reference(path: str, references: Sequence[str]) -> bool:
    """Whether a file is called as references are: `ref.B.en`, `newstest-refB.de`, or `gold.2.en` beside `gold.1.en`.

    All parts of the name must be those of a reference: `reference-free.en` and `preference-tuned.en` are systems.
    """
    parts = _PARTS.findall(stem(path))
    known = {part.lower() for other in references for part in _PARTS.findall(os.path.basename(other))}
    if any(map(_REFERENCE_PART.fullmatch, parts)):
        return all(
            _REFERENCE_PART.fullmatch(part) or _NO_SYSTEM_PART.fullmatch(part) or part.lower() in known
            for part in parts
        )
    return any(
        os.path.dirname(path) == os.path.dirname(other)
        and _differ_in_number(parts, _PARTS.findall(stem(other)))
        for other in references
    )


def _differ_in_number(parts: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two names are equal except for one letter or number."""
    if len(parts) != len(others) or len(parts) < 2:
        return False
    differing = [pair for pair in zip(parts, others, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and all(map(_ORDINAL.fullmatch, differing[0]))


def system_and_run(name: str) -> tuple[str, str]:
    """A system's name and its training run, "" where the name tells none."""
    match = _RUN.fullmatch(name)
    return (match["system"], match["run"]) if match else (name, "")


def qualify_name(system: str, path: str) -> str:
    """The system's name with the folder of its file, to tell two of one name apart."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    return f"{folder}/{system}" if folder else system
