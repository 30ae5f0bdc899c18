"""Segments that got better or worse from one version to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.base import AnalysisInputs, Progress
from adjudge.comparison.comparing import measure
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import Cell, Column, Data, Displayable, Records, Row, Section, Table, visible
from adjudge.errors import UsageError
from adjudge.metrics.base import Metric
from adjudge.stats import multiple
from adjudge.stats.distributions import t_cdf
from adjudge.stats.significance import significant
from adjudge.wording import MISSING, p_number, percent, percent_of, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
Verdict = Literal["better", "worse", "mixed", "even", "same"]
VERDICTS: tuple[Verdict, ...] = ("better", "worse", "mixed", "even", "same")
"""By all metrics alike; by some and not by others; another text with the same scores; the same text."""
SMALL = 1e-9


SIGNS = (
    "Δ above 0 is better, whatever the metric's direction. Gains and losses are sorted by the mean over metrics of Δ "
    "in standard deviations."
)
MEANING = {
    "better": "by every metric that sees a difference",
    "worse": "by every metric that sees a difference",
    "mixed": "better by one metric, worse by another",
    "even": "another text, the same scores",
    "same": "the same text",
}


@dataclass(frozen=True)
class Change:
    """One segment in two versions."""

    segment: int
    """From 1."""
    verdict: Verdict
    deltas: tuple[float, ...]
    """New less old by every metric; above 0 is better, whatever the metric's direction."""
    size: float
    """The mean over metrics of the deltas, each in standard deviations of all segments that changed."""
    p: float
    """Of the first metric over training runs (Welch); NaN where a version has fewer than two."""
    p_adjusted: float
    """Corrected after Benjamini and Hochberg over all segments."""
    source: str
    reference: str
    old: str
    new: str


@dataclass(frozen=True)
class Changes(Displayable):
    """All segments that changed, the largest gains first."""

    old: str
    new: str
    metrics: tuple[str, ...]
    counts: dict[str, int]
    """Segments by verdict."""
    sure_better: int
    """Segments whose gain over training runs is significant; 0 where there are no runs."""
    sure_worse: int
    runs: tuple[int, int]
    changes: tuple[Change, ...]
    alpha: float

    top: int = field(default=3, repr=False, compare=False)
    """Gains and losses that are shown; data and JSON have all."""

    @property
    def title(self) -> str:
        """Of its page."""
        return f"From {visible(self.old)} to {visible(self.new)}"

    def sections(self) -> list[Section]:
        """How many, and the largest gains and losses with their texts."""
        gains, losses = self.gains, self.losses
        notes = (SIGNS,) if gains or losses else ()
        parts = [Section(self.title, (_verdicts(self),), (_sure(self),), notes)]
        parts += [
            Section(title, (_table(self, chosen),))
            for title, chosen in (("Largest gains", gains), ("Largest losses", losses))
            if chosen
        ]
        return parts

    @property
    def gains(self) -> list[Change]:
        """The largest."""
        return [change for change in self.changes if change.size > 0][: self.top]

    @property
    def losses(self) -> list[Change]:
        """The largest."""
        return [change for change in reversed(self.changes) if change.size < 0][: self.top]

    def data(self) -> Data:
        """One row per segment that changed."""
        deltas = [
            Column.of(f"delta {metric}", value=lambda row, place=place: row.deltas[place])
            for place, metric in enumerate(self.metrics)
        ]
        names = ("size", "p", "p_adjusted", "source", "reference")
        columns = (
            Column.of("segment"),
            Column.of("verdict"),
            *deltas,
            *map(Column.of, names),
            Column.of(self.old, value=lambda row: row.old),
            Column.of(self.new, value=lambda row: row.new),
        )
        return Records(columns, self.changes).data()


def changes(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = ("chrf", "ter"),
    *,
    alpha: float = 0.05,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    measured: Sequence[Measured] | None = None,
) -> Changes:
    """What became of every segment between two systems, each with one output or several training runs.

    One output of each says what changed, and by how many metrics alike; only several runs can say what would change
    again, were the systems trained anew. `measured` are rows that are there already.
    """
    outputs = tuple(outputs)
    names = list(dict.fromkeys(output.system for output in outputs))
    if len(names) != 2:
        raise UsageError(f"two versions are needed to see what changed, and there are {len(names)}")
    if measured is None:
        measured = measure(test_set, outputs, metrics, threads=threads, cache=cache, progress=progress)
    old, new = ([output.segments for output in outputs if output.system == name] for name in names)
    same = [{run[i] for run in old} == {run[i] for run in new} for i in range(len(test_set))]
    sources = test_set.sources or [""] * len(test_set)
    references = [_reference(test_set, i) for i in range(len(test_set))]
    texts = list(zip(sources, references, old[0], new[0], strict=True))
    return measured_changes(measured, (names[0], names[1]), np.array(same), texts, alpha=alpha)


def measured_changes(
    measured: Sequence[Measured],
    names: tuple[str, str],
    same: NDArray[np.bool_],
    texts: Sequence[tuple[str, str, str, str]],
    *,
    alpha: float = 0.05,
) -> Changes:
    """Changes between two systems from rows; `texts` are the source, the reference and both outputs of each segment."""
    for own in measured:
        if own.higher_is_better is None:
            raise UsageError(f"by {own.metric} nothing gets better or worse: neither high nor low is")
    scores = [{name: _segments(metric_rows, name) for name in names} for metric_rows in measured]
    deltas = np.array([by[names[1]].mean(0) - by[names[0]].mean(0) for by in scores])
    p_values = _p_values(scores[0][names[0]], scores[0][names[1]])
    adjusted = _adjust(p_values)
    sizes = _sizes(deltas, same)
    verdicts = [_verdict(deltas[:, i], bool(same[i])) for i in range(len(same))]
    sure = significant(adjusted, alpha)
    return Changes(
        old=names[0],
        new=names[1],
        metrics=tuple(metric_rows.metric for metric_rows in measured),
        counts={verdict: verdicts.count(verdict) for verdict in VERDICTS},
        sure_better=int((sure & (deltas[0] > 0)).sum()),
        sure_worse=int((sure & (deltas[0] < 0)).sum()),
        runs=(len(measured[0].rows[names[0]]), len(measured[0].rows[names[1]])),
        changes=tuple(
            Change(
                i + 1,
                verdicts[i],
                tuple(map(float, deltas[:, i])),
                float(sizes[i]),
                float(p_values[i]),
                float(adjusted[i]),
                *texts[i],
            )
            for i in np.argsort(-sizes, kind="stable").tolist()
            if not same[i]
        ),
        alpha=alpha,
    )


def _adjust(p_values: Floats) -> Floats:
    """The p of segments, corrected among those that have one."""
    known = np.isfinite(p_values)
    adjusted = np.full(len(p_values), math.nan)
    adjusted[known] = multiple.adjust_p_values(p_values[known], "bh")
    return adjusted


def _reference(test_set: TestSet, segment: int) -> str:
    """The first reference that a segment has."""
    texts = (column[segment] for column in test_set.references)
    return next((text for text in texts if text is not None), "")


def _segments(measured: Measured, name: str) -> Floats:
    """Scores of a system's runs, runs × segments; the higher the better."""
    sign = 1.0 if measured.higher_is_better else -1.0
    return sign * np.array([measured.segment_scores(rows) for rows in measured.rows[name]])


def _sizes(deltas: Floats, same: NDArray[np.bool_]) -> Floats:
    """Deltas of unlike metrics on one scale."""
    spread = np.sqrt((deltas[:, ~same] ** 2).mean(1)) if not same.all() else np.ones(len(deltas))
    sizes: Floats = (deltas / np.where(spread > 0, spread, 1.0)[:, None]).mean(0)
    return np.where(same, 0.0, sizes)


def _verdict(deltas: Sequence[float] | Floats, same: bool) -> Verdict:
    if same:
        return "same"
    up, down = any(d > SMALL for d in deltas), any(d < -SMALL for d in deltas)
    return "mixed" if up and down else "better" if up else "worse" if down else "even"


def _p_values(old: Floats, new: Floats) -> Floats:
    """Welch's test between runs, segment by segment."""
    if min(len(old), len(new)) < 2:
        return np.full(old.shape[1], math.nan)
    with np.errstate(all="ignore"):
        squares = [runs.var(0, ddof=1) / len(runs) for runs in (new, old)]
        freedom = sum(squares) ** 2 / sum(
            square**2 / (len(runs) - 1) for square, runs in zip(squares, (new, old), strict=True)
        )
        p: Floats = 2 * t_cdf(freedom, -np.abs(new.mean(0) - old.mean(0)) / np.sqrt(sum(squares)))
    flat = (old.std(0) == 0) & (new.std(0) == 0)
    return np.where(flat, np.where(old.mean(0) == new.mean(0), 1.0, math.nan), p)


def analyse(
    inputs: AnalysisInputs,
    *,
    metrics: Annotated[tuple[str, ...], "May be repeated. Default: chrf and ter."] = ("chrf", "ter"),
    top: Annotated[int, "Gains and losses."] = 3,
    threads: int = 0,
    cache: RowCache | None = None,
) -> Changes:
    """Show which segments got better or worse between two versions, the first being the old one.

    A segment is better or worse where all metrics agree. With training runs of both (name.run1.en, name.run2.en),
    gains that would come again are told from luck.

    \b
    adjudge analyse changes -r reference.en old.en new.en
    adjudge analyse changes -r reference.en -f tsv -o changes.tsv old.en new.en
    """
    loaded = inputs.load()
    result = changes(
        loaded.test_set, loaded.outputs, metrics, threads=threads, cache=cache, progress=inputs.progress
    )
    return replace(result, top=top)


def _verdicts(result: Changes) -> Table:
    total = max(1, sum(result.counts.values()))
    columns = (
        Column("Segments", value=lambda row: row[0], name="verdict"),
        Column("which are", value=lambda row: MEANING[row[0]], name="meaning"),
        Column.of("number", "number", 0, value=lambda row: row[1]),
        Column.of("share", "share", 0, text=lambda row: percent_of(row[1] / total)),
    )
    return Records(columns, tuple(result.counts.items())).table()


def _sure(result: Changes) -> str:
    old, new = result.runs
    if min(old, new) < 2:
        return (
            "How sure: of one output each it can only be said what changed and whether metrics agree; give training "
            "runs (name.run1.en, name.run2.en, …) to see what would change again."
        )
    return (
        f"Over {old} and {pluralise(new, 'run')}: {pluralise(result.sure_better, 'segment')} significantly better by "
        f"{visible(result.metrics[0])}, {pluralise(result.sure_worse, 'segment')} worse (Welch, at most "
        f"{percent(result.alpha)} false ones among them after Benjamini and Hochberg)."
    )


def _table(result: Changes, chosen: Sequence[Change]) -> Table:
    head = [Column("Segment"), Column("Text"), *(Column(f"Δ {visible(m)}", True) for m in result.metrics)]
    known = min(result.runs) >= 2
    head += [Column("p", True)] if known else []
    rows = []
    for change in chosen:
        numbers = [Cell(with_sign(delta, 1)) for delta in change.deltas]
        numbers += [Cell(p_number(change.p_adjusted, result.alpha))] if known else []
        # A history keeps no texts: where files have changed since, there is none to show.
        texts = [(name, text) for name, text in ((result.old, change.old), (result.new, change.new)) if text]
        texts += [("reference", change.reference)] if change.reference else []
        shown = [f"{visible(name)}: {visible(text)}" for name, text in texts] or [MISSING]
        rows.append(Row((Cell(str(change.segment)), Cell(shown[0]), *numbers)))
        blank = [Cell("")] * len(numbers)
        rows += [Row((Cell(""), Cell(text), *blank), detail=True) for text in shown[1:]]
    return Table(tuple(head), tuple(rows))
