"""Rows of systems, for whatever compares them: of outputs in files, whole or in chunks, and of stored runs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.cli._files import check_files, load_files
from adjudge.errors import DataError, UsageError

if TYPE_CHECKING:
    from adjudge.cli._run import Workers
    from adjudge.comparison import Measured, TestSetFacts
    from adjudge.history.stored import StoredResult
    from adjudge.io import Input, Loaded
    from adjudge.io.streams import FileStream
    from adjudge.metrics.base import Metric


class RowsToCompare(NamedTuple):
    """Rows to compare, and where they come from."""

    test_set: TestSetFacts
    measured: tuple[Measured, ...]
    labels: Mapping[str, Sequence[str]]
    inputs: tuple[Input, ...]
    warnings: tuple[str, ...]
    files: Mapping[str, Any]
    """The files of the test set, of which a stored run may have told."""
    loaded: Loaded | None = None
    """Outputs that were read for it."""
    language: str = ""
    """The language pair or target language that a stored run tells, where nothing was read."""


def of_files(
    work: Workers, systems: Sequence[str], specs: Sequence[str], files: Mapping[str, Any]
) -> RowsToCompare:
    """The rows of outputs."""
    from adjudge import comparison

    asked, loaded = outputs_to_compare(systems, specs, files)
    labels = comparison.labels_of(loaded.test_set, ("length",))
    chosen, test_set = comparison.resolved(asked, loaded.test_set)
    measured = comparison.measure(test_set, loaded.outputs, chosen, **work.options, engine=work.engine)
    facts = comparison.facts_of(test_set, chosen)
    warnings = (*loaded.notes, *comparison.language_warnings(chosen, test_set))
    return RowsToCompare(facts, measured, labels, loaded.inputs, warnings, files, loaded)


def of_scores(paths: Sequence[str], labels: str | None, *, lower: bool, common: bool) -> RowsToCompare:
    """Scores of segments that were made elsewhere."""
    from adjudge.comparison.outside import outside_scores

    outside = outside_scores(paths, labels, lower_is_better=lower, common=common)
    return RowsToCompare(
        outside.test_set,
        outside.measured,
        outside.labels,
        outside.inputs,
        outside.notes,
        {"labels": labels},
    )


def of_runs(
    work: Workers, runs: Sequence[str], systems: Sequence[str], specs: Sequence[str], files: Mapping[str, Any]
) -> RowsToCompare:
    """The rows of stored runs, and beside them those of new outputs on the same test set."""
    from adjudge import metrics
    from adjudge.history import stored
    from adjudge.history.merge import NEW, MeasuredPart, merge_parts, part_of
    from adjudge.history.reload import files_of

    read = [stored.read(path, study=False) for path in runs]
    elsewhere = {name for run in read if run.made_elsewhere for name in run.metrics}
    chosen = [spec if spec in elsewhere else metrics.metric(spec).spec for spec in specs]
    parts = [part_of(run, chosen or None) for run in read]
    inputs = [_run_input(path) for path in runs]
    warnings: list[str] = []
    loaded = None
    if systems:
        files = files_of(read[0], **files)
        new = of_files(work, systems, chosen or read[0].metrics, files)
        parts.append(MeasuredPart(NEW, new.test_set, new.measured, new.labels))
        inputs += new.inputs
        warnings += new.warnings
        loaded = new.loaded
    merged = merge_parts(parts)
    warnings += merged.warnings
    return RowsToCompare(
        merged.test_set,
        merged.measured,
        merged.labels,
        tuple(inputs),
        tuple(warnings),
        files,
        loaded,
        _language(read[0]),
    )


def _language(run: StoredResult) -> str:
    """The language that a stored run was told, or that the names of its references tell."""
    from adjudge.io.language import of_suffix

    told = run.arguments.language if run.arguments is not None else None
    return told or next((of_suffix(item.path) for item in run.inputs if item.role == "reference"), "")


def outputs_to_compare(
    systems: Sequence[str], specs: Sequence[str], files: Mapping[str, Any]
) -> tuple[list[Metric], Loaded]:
    """The metrics that were asked for, or the usual ones, and what the files hold."""
    from adjudge import comparison, metrics

    asked = list(map(metrics.metric, specs or comparison.DEFAULT_METRICS))
    return asked, load_files(systems, doing="compare", **files)


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


def _run_input(path: str) -> Input:
    from adjudge.io import Input

    return Input("run", path, hashlib.sha256(Path(path).read_bytes()).hexdigest())


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
