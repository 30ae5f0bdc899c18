"""Rows of systems, for whatever compares them: of outputs, of scores from elsewhere, and of stored runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from adjudge.comparison import Measured, TestSetFacts
    from adjudge.history.stored import StoredResult
    from adjudge.io import Input, Loaded


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


def rows_of_outputs(
    loaded: Loaded, specs: Sequence[str], files: Mapping[str, Any], **computing: Any
) -> RowsToCompare:
    """The rows of outputs by these metrics or the usual ones; `computing` is what `measure` takes beside them."""
    from adjudge import comparison

    chosen, test_set = comparison.resolve_metrics(specs or comparison.DEFAULT_METRICS, loaded.test_set)
    labels = comparison.labels_of(loaded.test_set, ("length",))
    measured = comparison.measure(test_set, loaded.outputs, chosen, **computing)
    facts = comparison.facts_of(test_set, chosen)
    warnings = (*loaded.notes, *comparison.language_warnings(chosen, test_set))
    return RowsToCompare(facts, measured, labels, loaded.inputs, warnings, files, loaded)


def rows_of_scores(
    paths: Sequence[str], labels: str | None, *, lower_is_better: bool = False, common: bool = False
) -> RowsToCompare:
    """Scores of segments that were made elsewhere."""
    from adjudge.comparison.outside import outside_scores

    outside = outside_scores(paths, labels, lower_is_better=lower_is_better, common=common)
    facts = (outside.test_set, outside.measured, outside.labels, outside.inputs, outside.notes)
    return RowsToCompare(*facts, {"labels": labels})


def rows_of_runs(
    paths: Sequence[str],
    specs: Sequence[str] = (),
    *,
    files: Mapping[str, Any] | None = None,
    load: Callable[..., Loaded] | None = None,
    **computing: Any,
) -> RowsToCompare:
    """The rows of stored runs, and beside them those of the new outputs on the same test set that `load` reads.

    `load` gets the files of the first run, of which `files` may name others.
    """
    from adjudge import metrics
    from adjudge.history import stored
    from adjudge.history.merge import NEW, MeasuredPart, merge_parts, part_of
    from adjudge.history.reload import files_of

    runs = [stored.read(path, study=False) for path in paths]
    elsewhere = {name for run in runs if run.made_elsewhere for name in run.metrics}
    chosen = [spec if spec in elsewhere else metrics.metric(spec).spec for spec in specs]
    parts = [part_of(run, chosen or None) for run in runs]
    inputs = [_run_input(path) for path in paths]
    named: Mapping[str, Any] = files or {}
    warnings: list[str] = []
    loaded = None
    if load is not None:
        named = files_of(runs[0], **named)
        measured = list(map(metrics.metric, chosen or runs[0].metrics))  # refused before anything is read
        loaded = load(**named)
        new = rows_of_outputs(loaded, [metric.spec for metric in measured], named, **computing)
        parts.append(MeasuredPart(NEW, new.test_set, new.measured, new.labels))
        inputs += new.inputs
        warnings += new.warnings
    merged = merge_parts(parts)
    warnings += merged.warnings
    facts = (merged.test_set, merged.measured, merged.labels, tuple(inputs), tuple(warnings))
    return RowsToCompare(*facts, named, loaded, _language(runs[0]))


def _language(run: StoredResult) -> str:
    """The language that a stored run was told, or that the names of its references tell."""
    from adjudge.io.language import of_suffix

    told = run.arguments.language if run.arguments is not None else None
    return told or next((of_suffix(item.path) for item in run.inputs if item.role == "reference"), "")


def _run_input(path: str) -> Input:
    from adjudge.io import Input

    return Input("run", path, hashlib.sha256(Path(path).read_bytes()).hexdigest())
