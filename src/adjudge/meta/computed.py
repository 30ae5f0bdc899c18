"""Metrics of adjudge computed on the texts of a folder, to be judged beside those whose scores lie in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.scoring import Score, score
from adjudge.data import Outputs, TestSet
from adjudge.data.score_tables import MetaSet, MetaTexts, ScoreTable
from adjudge.errors import UsageError, unknown_name
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
    """Add these metrics to the set, computed once for each set of references; the default is the first reference.

    Names follow those of files: chrf-refA, with dots between several references, and -src without one. Where low
    scores are good, the sign changes.
    """
    metrics = [metric_of(spec) if isinstance(spec, str) else spec for spec in specs]
    if not texts.outputs and not texts.partial:
        raise UsageError(
            "no outputs to score: system-outputs/PAIR/SYSTEM.txt, PAIR/hyp/SYSTEM.LANGUAGE, or a table's column output"
        )
    for name in (name for names in references for name in names):
        if name not in texts.references:
            raise unknown_name("reference", name, texts.references)
    needing = [metric for metric in metrics if "references" in metric.needs]
    if needing and not texts.references:
        raise UsageError(
            f"{needing[0].title} needs a reference: references/PAIR.NAME.txt, ref.NAME.LANGUAGE, or a table's column "
            "reference"
        )
    # A program that can do without references is still given those that there are.
    using = [metric for metric in metrics if texts.references and "references" in metric.uses]
    sets = [tuple(names) for names in references] or [tuple(texts.references)[:1]]
    tables: dict[str, ScoreTable] = {}
    for names in sets:
        tables |= _tables(meta_set, texts, using, names, cache, progress)
    others = [metric for metric in metrics if metric not in using]
    tables |= _tables(meta_set, texts, others, (), cache, progress)
    return replace(meta_set, metrics={**meta_set.metrics, **tables})


def with_sentinels(meta_set: MetaSet, texts: MetaTexts) -> MetaSet:
    """The set with what is no metric but should be beaten: length alone, and likeness to the source.

    `sentinel-length` is minus the number of characters of an output, `sentinel-source` its chrF with the source as
    the reference. What cannot be had because texts are missing is said in the notes.
    """
    outputs = {**texts.outputs, **texts.partial}
    missing = [name for name in meta_set.systems if name not in outputs]
    if missing:
        what = "output" if not outputs else f"output of {', '.join(missing)}"
        note = f"no sentinels ride along (length, likeness to the source): there is no {what}"
        return replace(meta_set, notes=(*meta_set.notes, note))
    lengths = np.array(
        [
            [np.nan if text is None else -float(len(text)) for text in outputs[name]]
            for name in meta_set.systems
        ]
    )
    tables = {LENGTH: replace(ScoreTable.of_segments(LENGTH, lengths), sentinel=True)}
    notes = meta_set.notes
    if texts.sources is None:
        notes = (*notes, "the sentinel that measures likeness to the source is missing: there is no source")
    else:
        copied = replace(texts, references={"source": texts.sources})
        measured = replace(meta_set, metrics=tables)
        (table,) = _tables(measured, copied, [metric_of("chrf")], ("source",), None, None).values()
        tables[SOURCE] = replace(table, name=SOURCE, reference="", sentinel=True)
    return replace(meta_set, metrics={**meta_set.metrics, **tables}, notes=notes)


def sentinels_of(test_set: TestSet, outputs: Sequence[Outputs]) -> MetaSet:
    """The sentinels of some outputs, as a set without people's scores; notes say what is missing."""
    names = tuple(output.title for output in outputs)
    texts = MetaTexts(test_set.sources, {}, dict(zip(names, (o.segments for o in outputs), strict=True)))
    return with_sentinels(MetaSet("", test_set.language or "", names, {}, {}), texts)


def _tables(
    meta_set: MetaSet,
    texts: MetaTexts,
    metrics: Sequence[Metric],
    references: Sequence[str],
    cache: RowCache | None,
    progress: Progress | None,
) -> dict[str, ScoreTable]:
    """The scores of all systems whose output is there and is not one of the references."""
    whole = [name for name in meta_set.systems if name in texts.outputs and name not in references]
    if not metrics or not (whole or texts.partial):
        return {}
    test_set = TestSet(
        references=tuple(texts.references[name] for name in references),
        sources=texts.sources,
        language=meta_set.language,
    )
    # Systems that translated other segments are scored each on its own.
    every = list(range(len(test_set)))
    batches = [(every, [Outputs(name, texts.outputs[name]) for name in whole])] if whole else []
    for name, lines in texts.partial.items():
        rows = [row for row, text in enumerate(lines) if text is not None]
        batches.append((rows, [Outputs(name, tuple(text for text in lines if text is not None))]))
    behind = ".".join(references) or "src"
    tables = {}
    for metric in metrics:
        name = f"{metric.spec}-{behind}"
        segments = np.full((len(meta_set.systems), meta_set.segments), np.nan)
        systems = np.full(len(meta_set.systems), np.nan)
        for rows, outputs in batches:
            part = test_set if rows is every else test_set[rows]
            results = score(part, outputs, metric, segments=True, cache=cache, progress=progress).results
            for output, result in zip(outputs, results, strict=True):
                _fill(segments, systems, meta_set.systems.index(output.system), rows, result)
        tables[name] = ScoreTable(name, segments, systems, ".".join(references))
    return tables


def _fill(segments: Array, systems: Array, at: int, rows: Sequence[int], result: Score) -> None:
    """A system's scores put where they belong; those of which low ones are good with their sign turned."""
    sign = -1.0 if result.higher_is_better is False else 1.0
    segments[at, list(rows)] = sign * np.array(result.segments)
    systems[at] = sign * result.score
