"""Files that commands are given: a study, the texts of a test set, judgements, and how all of it was named."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from adjudge.cli import _outputs
from adjudge.cli._options import PROGRAMS
from adjudge.errors import DataError, UsageError

if TYPE_CHECKING:
    from adjudge.comparison.documents import Arguments
    from adjudge.io import Loaded
    from adjudge.io.judgements import LoadedJudgements
    from adjudge.io.streams import FileStream


def study_of(systems: Sequence[str], files: Mapping[str, Any]) -> str | None:
    """The study that was named in place of files; None where there are files."""
    from adjudge.io.names import suffix

    studies = [text for text in systems if suffix(text) == ".toml"]
    if not studies:
        return None
    superfluous = [name for name, value in files.items() if value and name in _STUDY_SAYS]
    if len(systems) > 1 or superfluous:
        what = f" (without --{superfluous[0].replace('_', '-')})" if superfluous else ""
        raise UsageError(f"{studies[0]} is a study, which names all files itself: give it alone{what}")
    return studies[0]


_STUDY_SAYS = (
    "references",
    "source",
    "test_set",
    "labels",
    "language",
    "input_format",
    "level",
    "realign",
    "pseudo_references",
    "back_translations",
    "trees",
    "translator",
    "back_translator",
    "scores",
    "by",
)
"""Options that say of single files what a study says of its own, or that it has no place for."""


def metric_specs(given: Sequence[str]) -> list[str]:
    """The specs in the values of -m, each of which may hold several with commas between them."""
    from adjudge import metrics

    return [spec for text in given for spec in metrics.split(text) or [text]]


def check_files(
    systems: Sequence[str],
    *,
    doing: str,
    references: Sequence[str] = (),
    source: str | None,
    test_set: str | None,
    pseudo_references: Sequence[str] = (),
    **others: Any,
) -> None:
    """Refuse what cannot be scored or compared (`doing`) before anything is read."""
    from adjudge.metrics import names

    for system in systems:
        if not os.path.exists(system) and system.lower() in names():
            raise UsageError(
                f"{system} is a metric, but a file was expected; -m for each: -m bleu -m {system}"
            )
    if not systems and test_set is None:
        raise UsageError(f"no system output to {doing}: adjudge {doing} -r REFERENCE SYS... (- is stdin)")
    if not (references or pseudo_references) and source is None and test_set is None:
        raise UsageError(f"no reference to {doing} against: -r FILE, or -t FILE for a test set in one file")


def load_files(systems: Sequence[str], *, doing: str, **files: Any) -> Loaded:
    """The test set and the outputs that the file options name; what cannot be scored (`doing`) is refused."""
    check_files(systems, doing=doing, **files)
    loaded = load_material(systems, files)
    if not loaded.outputs:
        raise UsageError(f"{files['test_set']} holds no system output to {doing}: -t FILE SYS...")
    return loaded


def load_material(systems: Sequence[str], files: Mapping[str, Any]) -> Loaded:
    """What files hold, outputs or none; stdin is read for `-`, programs translate, and nothing read is written over."""
    from adjudge import io

    programs = {name: files[name] for name in PROGRAMS if files.get(name)}
    named = {name: value for name, value in files.items() if name not in PROGRAMS}
    loaded = io.load(systems=systems, stdin=stdin_bytes(), **named)
    if programs:
        from adjudge.text.translators import with_translations

        loaded = with_translations(loaded, **programs)
    _outputs.check_not_read(loaded.inputs)
    return loaded


def read_judgements(paths: Sequence[str], **how: Any) -> LoadedJudgements:
    """The judgements of files, none of which is written over; stdin is read for `-`."""
    from adjudge.io.judgements import read

    loaded = read(paths, stdin=stdin_bytes(), **how)
    _outputs.check_not_read(loaded.inputs)
    return loaded


def arguments(
    systems: Sequence[str],
    specs: Sequence[str],
    options: Mapping[str, Any] | None = None,
    runs: Sequence[str] = (),
    **files: Any,
) -> Arguments:
    """How files and metrics were named, for results that are to be computed again; patterns are expanded."""
    from adjudge.comparison.documents import Arguments
    from adjudge.io.names import expand_pattern

    lists: dict[str, Any] = {
        name: tuple(path for text in files.pop(name, ()) for path in expand_pattern(text, named=named))
        for name, named in ARGUMENT_LISTS.items()
    }
    return Arguments(
        systems=tuple(argument for text in systems for argument in expand_pattern(text, named=True)),
        **lists,
        metrics=tuple(specs),
        options=options or {},
        runs=tuple(runs),
        **files,
    )


ARGUMENT_LISTS = {"references": False, "pseudo_references": False, "back_translations": True, "trees": True}
"""Options that may be repeated, and whether NAME=FILE is allowed."""


def score_arguments(
    scores: Sequence[str],
    options: Mapping[str, Any],
    labels: str | None,
    *,
    lower_is_better: bool,
    common: bool,
) -> Arguments:
    """How files of scores were named, for results that are to be computed again."""
    from adjudge.comparison.documents import Arguments

    return Arguments(
        scores=tuple(scores), labels=labels, options=options, lower_is_better=lower_is_better, common=common
    )


def stdin_bytes() -> BinaryIO | None:
    """Standard input as it comes, None where there is none."""
    return sys.stdin.buffer if sys.stdin is not None else None


def is_run(text: str) -> bool:
    """Whether an argument is a stored run: JSON that is one object, not a line a segment."""
    from adjudge.io.compression import COMPRESSION, expanded_file
    from adjudge.io.files import read_errors

    stem, ending = os.path.splitext(text.lower())
    if not (stem if ending in COMPRESSION else stem + ending).endswith(".json"):
        return False
    if not os.path.exists(text) and not any(sign in text for sign in "*?[=:"):
        raise DataError(f"{text}: no such file")
    if not os.path.isfile(text):
        return False
    with read_errors(text), open(text, "rb") as file:
        start = expanded_file(text, file).read(1 << 16).removeprefix(b"\xef\xbb\xbf").lstrip()
    first = start.partition(b"\n")[0].strip()
    return first == b"{" or (start.startswith(b"{") and b'"results"' in start and b'"test_set"' in start)


WHOLE = {
    "test_set": ("-t", "name its columns instead: -r FILE.parquet:REFERENCE FILE.parquet:OUTPUT"),
    "level": (
        "--level",
        "documents and windows are put together from segments; --unit document draws whole documents",
    ),
    "realign": ("--realign", "outputs are cut anew from their first word to their last"),
    "trees": ("--trees", "trees are looked up by their text; let the metric parse: ptk(parser=…)"),
    "back_translations": ("--back-translation", "texts are looked up in it"),
    "translator": ("--translator", "translate first, and give the result with --pseudo-reference"),
    "back_translator": ("--back-translator", "translate first, and leave --stream away"),
    "levels": ("--levels", "people gave scores to outputs of test sets, not of corpora"),
    "scores": ("--scores", "scores of segments are small: leave --stream away"),
    "runs": ("a stored run", "its rows are read into memory: leave --stream away"),
}
"""Options that need all segments at once, and what to do instead."""


def opened_stream(systems: Sequence[str], files: Mapping[str, Any], *, doing: str) -> FileStream:
    """The files that options name, to be read in chunks; what needs them whole is refused."""
    from adjudge.io.streams import open_stream
    from adjudge.stats.units import BLOCK

    check_files(systems, doing=doing, **files)
    for name, (option, instead) in WHOLE.items():
        if files.get(name):
            raise UsageError(f"{option} needs all segments at once, and --stream never has them: {instead}")
    known = ("references", "source", "pseudo_references", "labels", "input_format", "language")
    return open_stream(systems=systems, rows=BLOCK, **{name: files[name] for name in known})
