"""The tables of a comparison: systems best first, pairs by a metric as a list or, of many, as a triangle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudge.comparison.pairwise_view import PairwiseView, swap_pair
from adjudge.comparison.results import Comparison, Pair, SegmentGroup, Standing, TestFacts
from adjudge.display import Cell, Column, Row, Table, arrow, best_of, rank_range, share, visible
from adjudge.wording import CORRECTIONS, MINUS, digits, number, p_number, percent, with_sign

MANY_PAIRS = 15
"""Beyond so many pairs (six systems) a metric's pairs are a triangle of differences."""
UPSET = "⇄"
"""Mark of a difference that is significant by ranks, which point the other way."""
BETTER, WORSE = "†", "‡"
"""Marks of systems that are significantly better or worse than the baseline."""


@dataclass(frozen=True)
class ComparisonView:
    """One group's results as tables need them."""

    results: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    test: TestFacts
    pairwise: PairwiseView
    """Who is better than whom."""
    decimals: int | None = None

    @classmethod
    def of(cls, part: Comparison | SegmentGroup, test: TestFacts, decimals: int | None) -> ComparisonView:
        """The view of everything or of a group."""
        return cls(part.results, part.pairs, test, PairwiseView.of(part, test), decimals)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order of the table: best first by the first metric with a direction."""
        return tuple(self.pairwise.order)

    @cached_property
    def standings(self) -> Mapping[tuple[str, str], Standing]:
        """By system and metric."""
        return {(s.system, s.metric): s for s in self.results}

    def places(self, metric: str) -> int:
        """How many decimals a metric's scores have."""
        return self.pairwise.metrics[metric].decimals if self.decimals is None else self.decimals

    def tested(self, metric: str) -> list[Pair]:
        """The pairs by a metric, the system that stands higher in the table first, or the baseline last."""
        return [by_metric[metric] for by_metric in self.pairwise.by_pair.values() if metric in by_metric]

    def has_clusters(self, metric: str) -> bool:
        """Whether the systems were put into clusters by this metric."""
        return any(s.cluster is not None for s in self.results if s.metric == metric)


def system_table(view: ComparisonView, *, marks: bool = False) -> Table:
    """A row a system: score with its interval, cluster and ranks by every metric; a line between clusters.

    With `marks`, for print, each row has a number, and a score is marked with the numbers of the systems it is
    better than, instead of columns that a page has no room for.
    """
    metrics = view.pairwise.metrics
    columns = [Column("#")] if marks and view.test.baseline is None else []
    columns.append(Column("System"))
    for metric, standing in metrics.items():
        columns.append(Column(visible(standing.label), True, arrow(standing.higher_is_better)))
        if marks:
            pass
        elif view.has_clusters(metric):
            columns.append(Column("cluster (ranks)", True, joined=True))
        elif view.test.baseline is not None:
            columns.append(Column("Δ", True, joined=True))
    best = {metric: _best(view, metric) for metric in metrics}
    beaten = {metric: _beaten(view, metric) for metric in metrics} if marks else {}
    lead = next((m for m in view.pairwise.directed if view.has_clusters(m)), None)
    rows: list[Row] = []
    above: int | None = None
    for index, system in enumerate(view.systems):
        cells = [Cell(str(index + 1))] if marks and view.test.baseline is None else []
        cells.append(Cell(visible(_title(view, system))))
        for metric in metrics:
            own = view.standings.get((system, metric))
            raised = beaten[metric].get(system, "") if marks else ""
            text = "–" if own is None else _score(own, view.places(metric))
            cells.append(Cell(text, system in best[metric], marks=raised))
            if marks:
                pass
            elif view.has_clusters(metric):
                cells.append(Cell("–" if own is None else _cluster(own), system in best[metric]))
            elif view.test.baseline is not None:
                cells.append(_against(view, metric, system))
        cluster = view.standings[system, lead].cluster if lead and (system, lead) in view.standings else None
        rows.append(Row(tuple(cells), rule=index > 0 and lead is not None and cluster != above))
        above = cluster
    return Table(tuple(columns), tuple(rows))


def pair_tables(view: ComparisonView) -> list[Table]:
    """The pairs of every metric: in full where they are few, as differences with a star where they are many."""
    tables = []
    for metric in view.pairwise.metrics:
        tested = view.tested(metric)
        if tested and is_many(view):
            tables.append(pair_triangle(view, metric))
        elif tested:
            tables.append(pair_table(view, metric))
    return tables


def is_many(view: ComparisonView) -> bool:
    """Whether the pairs are too many for a row each."""
    return view.test.baseline is None and len(view.pairwise.by_pair) > MANY_PAIRS


def pair_table(view: ComparisonView, metric: str) -> Table:
    """A row a pair, with all that is known of it."""
    standing, words = view.pairwise.metrics[metric], view.test.system_test.share
    columns = (
        Column("System"),
        Column("against"),
        Column(visible(f"Δ {standing.label}"), True),
        Column(_interval_heading(view.test), True),
        Column(_p_heading(view.test), True),
        Column("d", True),
        *((Column(f"P ({words.column})", True),) if words else ()),
        Column("would show", True),
    )
    rows = []
    for pair in view.tested(metric):
        decimals = digits([pair.delta, pair.low, pair.high], view.places(metric))
        style = verdict_style(view.pairwise, pair)
        cells = (
            Cell(visible(pair.a)),
            Cell(visible(pair.b)),
            Cell(with_sign(pair.delta, decimals), style=style),
            Cell(_interval(pair.low, pair.high, decimals)),
            Cell(
                p_number(pair.p_adjusted, view.test.alpha) + (" *" if pair.significant else "  "), style=style
            ),
            Cell(number(pair.effect, 2, minus=MINUS)),
            *((Cell(share(pair.share)),) if words else ()),
            Cell(_would_show(pair, decimals)),
        )
        rows.append(Row(cells))
    return Table(columns, tuple(rows))


def pair_triangle(view: ComparisonView, metric: str) -> Table:
    """Differences of many systems: a row minus a column, starred where significant."""
    label = visible(view.pairwise.metrics[metric].label)
    known = {(p.a, p.b): p for p in view.tested(metric)}
    columns = [Column("#"), Column(f"Δ {label}")]
    columns += [Column(str(place), True) for place in range(2, len(view.systems) + 1)]
    rows = []
    for index, a in enumerate(view.systems[:-1]):
        cells = [Cell(str(index + 1)), Cell(visible(a))]
        for place, b in enumerate(view.systems[1:], 1):
            pair = known.get((a, b)) or (swap_pair(known[b, a]) if (b, a) in known else None)
            if place <= index or pair is None:
                cells.append(Cell(""))
                continue
            star = star_of(view.pairwise, pair) or " "
            text = with_sign(pair.delta, view.places(metric))
            cells.append(Cell(text + star, style=verdict_style(view.pairwise, pair)))
        rows.append(Row(tuple(cells)))
    last = len(view.systems)
    rows.append(Row((Cell(str(last)), Cell(visible(view.systems[-1])), *[Cell("")] * (last - 1))))
    return Table(tuple(columns), tuple(rows))


def star_of(pairwise: PairwiseView, pair: Pair) -> str:
    """The mark behind a difference: significant, or so by ranks that point the other way."""
    return UPSET if pairwise.is_upset(pair) else "*" if pair.significant else ""


def _would_show(pair: Pair, decimals: int) -> str:
    """The smallest difference, or of ranks the smallest share, that would show; nothing beside a larger one."""
    if pair.significant or pair.exceeds_detectable:
        return ""
    return number(pair.detectable, decimals) if math.isnan(pair.share) else share(pair.detectable_share)


def verdict_style(pairwise: PairwiseView, pair: Pair) -> str:
    """Green where the first system is significantly better, red where it is worse."""
    if pairwise.metrics[pair.metric].higher_is_better is None:
        return ""
    winner = pairwise.winner(pair)
    return "" if winner is None else "win" if winner == pair.a else "loss"


def numbers_in_ranges(numbers: Sequence[int]) -> str:
    """Whole numbers, runs of three or more as a range: `2, 4–7`."""
    runs: list[list[int]] = []
    for value in sorted(numbers):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    parts = [f"{run[0]}–{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs]
    return ",".join(parts)


def _title(view: ComparisonView, system: str) -> str:
    runs = max(s.runs for s in view.results if s.system == system)
    baseline = " (baseline)" if system == view.test.baseline else ""
    return system + baseline + (f" (mean of {runs})" if runs > 1 else "")


def _score(standing: Standing, decimals: int) -> str:
    if not math.isfinite(standing.score):
        return number(standing.score, decimals)
    half = (standing.high - standing.low) / 2
    return (
        f"{number(standing.score, decimals)} ± {number(abs(half), decimals) if math.isfinite(half) else '–'}"
    )


def _cluster(standing: Standing) -> str:
    return (
        "–"
        if standing.cluster is None or standing.rank is None
        else f"{standing.cluster} ({rank_range(standing.rank)})"
    )


def _best(view: ComparisonView, metric: str) -> set[str]:
    """The first cluster; without clusters, the best score."""
    if view.has_clusters(metric):
        first = {s.system for s in view.results if s.metric == metric and s.cluster == 1}
        return first if len(first) < len(view.systems) else set()
    standing = view.pairwise.metrics[metric]
    standings = [s for s in view.results if s.metric == metric]
    marks = best_of(
        [s.score for s in standings], view.places(metric), higher_is_better=standing.higher_is_better
    )
    return {s.system for s, mark in zip(standings, marks, strict=True) if mark}


def _beaten(view: ComparisonView, metric: str) -> dict[str, str]:
    """The marks of every system: numbers of those it is better than, or daggers against the baseline."""
    place = {system: index for index, system in enumerate(view.systems, 1)}
    beaten: dict[str, list[int]] = {}
    daggers: dict[str, str] = {}
    for pair in view.tested(metric):
        winner = view.pairwise.winner(pair)
        if winner is None or view.pairwise.metrics[metric].higher_is_better is None:
            continue
        loser = pair.b if winner == pair.a else pair.a
        beaten.setdefault(winner, []).append(place[loser])
        daggers[pair.a] = BETTER if winner == pair.a else WORSE
    if view.test.baseline is not None:
        return daggers
    return {system: numbers_in_ranges(places) for system, places in beaten.items()}


def _against(view: ComparisonView, metric: str, system: str) -> Cell:
    for pair in view.tested(metric):
        if pair.a == system:
            star = f" {star_of(view.pairwise, pair) or ' '}"
            text = with_sign(pair.delta, digits([pair.delta], view.places(metric)))
            return Cell(text + star, style=verdict_style(view.pairwise, pair))
    return Cell("")


def _interval(low: float, high: float, decimals: int) -> str:
    if math.isnan(low) or math.isnan(high):
        return "–"
    return f"{with_sign(low, decimals)} to {with_sign(high, decimals)}"


def _interval_heading(test: TestFacts) -> str:
    """Beside corrected p stand corrected intervals, and the head says how."""
    level = f"{percent(test.confidence)} interval"
    if test.comparisons < 2:
        return level
    return f"{level} ({ {'holm': f'of all {test.comparisons}', 'bh': 'BH'}.get(test.correction, 'uncorrected') })"


def _p_heading(test: TestFacts) -> str:
    if test.comparisons < 2:
        return "p"
    short = "BH" if test.correction == "bh" else CORRECTIONS.get(test.correction, test.correction)
    return f"p ({short})"
