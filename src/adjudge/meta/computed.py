"""Metrics of adjudge computed on the texts of a folder, to be judged beside those whose scores lie in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Outputs, TestSet
from adjudge.data.score_tables import MetaSet, MetaTexts, ScoreTable
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.scoring import Score, score
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Array = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
LENGTH = "sentinel-length"
SOURCE = "sentinel-source"


def with_metrics(
    meta_set: MetaSet,
    texts: MetaTexts,
    specs: Sequence[Metric | str],
    references: Sequence[Sequence[str]] = (),
    *,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> MetaSet:
    """The set with these metrics computed, once for each of the sets of references; the first reference is usual.

    They are called as files are: chrf-refA, with dots between several references, -src without one. Scores of which
    low ones are good have their sign turned.
    """
    metrics = [metric_of(spec) if isinstance(spec, str) else spec for spec in specs]
    if not texts.outputs:
        raise UsageError("no outputs to score: system-outputs/PAIR/SYSTEM.txt or PAIR/hyp/SYSTEM.LANGUAGE")
    for name in (name for names in references for name in names):
        if name not in texts.references:
            raise unknown_name("reference", name, texts.references)
    reading = [metric for metric in metrics if "references" in metric.needs]
    if reading and not texts.references:
        raise UsageError(
            f"{reading[0].title} needs a reference: references/PAIR.NAME.txt or ref.NAME.LANGUAGE"
        )
    sets = [tuple(names) for names in references] or [tuple(texts.references)[:1]]
    tables: dict[str, ScoreTable] = {}
    for names in sets:
        tables |= _tables(meta_set, texts, reading, names, cache, progress)
    others = [metric for metric in metrics if metric not in reading]
    tables |= _tables(meta_set, texts, others, (), cache, progress)
    return replace(meta_set, metrics={**meta_set.metrics, **tables})


def with_sentinels(meta_set: MetaSet, texts: MetaTexts) -> MetaSet:
    """The set with what is no metric but should be beaten: length alone, and likeness to the source.

    `sentinel-length` is minus the number of characters of an output, `sentinel-source` its chrF with the source as
    the reference. What cannot be had because texts are missing is said in the notes.
    """
    missing = [name for name in meta_set.systems if name not in texts.outputs]
    if missing:
        what = "outputs" if not texts.outputs else f"output of {', '.join(missing)}"
        note = f"no sentinels ride along (length, likeness to the source): the folder has no {what}"
        return replace(meta_set, notes=(*meta_set.notes, note))
    lengths = np.array([[-float(len(text)) for text in texts.outputs[name]] for name in meta_set.systems])
    tables = {LENGTH: replace(ScoreTable.of_segments(LENGTH, lengths), sentinel=True)}
    notes = meta_set.notes
    if texts.sources is None:
        notes = (*notes, "the sentinel that measures likeness to the source is missing: there is no source")
    else:
        copied = replace(texts, references={"source": texts.sources})
        (table,) = _tables(meta_set, copied, [metric_of("chrf")], ("source",), None, None).values()
        tables[SOURCE] = replace(table, name=SOURCE, reference="", sentinel=True)
    return replace(meta_set, metrics={**meta_set.metrics, **tables}, notes=notes)


def _tables(
    meta_set: MetaSet,
    texts: MetaTexts,
    metrics: Sequence[Metric],
    references: Sequence[str],
    cache: RowCache | None,
    progress: Progress | None,
) -> dict[str, ScoreTable]:
    """The scores of all systems whose output is there and is not one of the references."""
    systems = [name for name in meta_set.systems if name in texts.outputs and name not in references]
    if not metrics or not systems:
        return {}
    test_set = TestSet(
        references=tuple(texts.references[name] for name in references),
        sources=texts.sources,
        language=meta_set.language,
    )
    outputs = [Outputs(name, texts.outputs[name]) for name in systems]
    behind = ".".join(references) or "src"
    tables = {}
    for metric in metrics:
        results = score(test_set, outputs, metric, segments=True, cache=cache, progress=progress).results
        name = f"{metric.spec}-{behind}"
        tables[name] = _table(name, meta_set, systems, results, ".".join(references))
    return tables


def _table(
    name: str, meta_set: MetaSet, systems: Sequence[str], results: Sequence[Score], reference: str
) -> ScoreTable:
    rows = {system: row for row, system in enumerate(meta_set.systems)}
    segments = np.full((len(rows), meta_set.segments), np.nan)
    whole = np.full(len(rows), np.nan)
    for system, result in zip(systems, results, strict=True):
        sign = -1.0 if result.higher_is_better is False else 1.0
        segments[rows[system]] = sign * np.array(result.segments)
        whole[rows[system]] = sign * result.score
    return ScoreTable(name, segments, whole, reference)
