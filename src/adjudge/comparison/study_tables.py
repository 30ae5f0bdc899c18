"""The tables of a study: means over sets, pairs, groups and sets, each short enough for a screen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from adjudge.comparison.results import Comparison, MeasureTable, SetGroup, SetScore, Standing
from adjudge.display import Cell, Column, Row, Table, around, arrow, best_of, visible
from adjudge.wording import MISSING, number, p_number, pluralise, with_sign

MANY = 25
"""Test sets or groups beyond which a table has only the best and the worst; TSV, JSON and heat maps have all."""
ENDS = 10
MANY_PAIRS = 15
"""Pairs beyond which only their numbers are shown."""
FEW_SYSTEMS = 4
"""Beyond so many, intervals of sets and groups are left to TSV and JSON, so that a row fits a screen."""


def means_table(result: Comparison, table: MeasureTable) -> Table:
    """A row a system, in the mean over all sets."""
    group = table.groups[0]
    clusters = any(outcome.cluster is not None for outcome in group.results)
    marks = best_of([s.score for s in group.results], table.decimals, higher_is_better=table.higher_is_better)
    head = [
        Column("System"),
        Column(f"mean of {pluralise(len(group.sets), 'set')}", True, arrow(table.higher_is_better)),
    ]
    head += [Column("cluster", True)] if clusters else []
    head += [Column("sets", True)] if any(outcome.missing for outcome in group.results) else []
    rows = []
    for place in _best_first(group.results, table.higher_is_better):
        own = group.results[place]
        cells = [Cell(visible(own.system)), Cell(_around(own, table.decimals), marks[place])]
        cells += [Cell(MISSING if own.cluster is None else str(own.cluster))] if clusters else []
        cells += [Cell(f"{own.sets} of {len(group.sets)}")] if len(head) > 2 + clusters else []
        rows.append(Row(tuple(cells)))
    return Table(tuple(head), tuple(rows))


def _best_first(scores: Sequence[Standing], higher_is_better: bool | None) -> list[int]:
    """Systems with a mean in the order of it, then the others."""
    sign = 1.0 if higher_is_better is False else -1.0
    return sorted(
        range(len(scores)),
        key=lambda i: (
            math.isnan(scores[i].score),
            0.0 if math.isnan(scores[i].score) else sign * scores[i].score,
        ),
    )


def _around(standing: Standing | SetScore, decimals: int, *, interval: bool = True) -> str:
    if math.isnan(standing.score):
        return MISSING
    if not interval:
        return number(standing.score, decimals)
    missing = " ± –" if math.isnan(standing.low) else ""
    return around(standing.score, standing.low, standing.high, decimals) + missing


def pairs_table(result: Comparison, table: MeasureTable) -> Table:
    """A row a pair; where these are many, a row a system with how many it is better and worse than."""
    return _every_pair(result, table) if len(table.pairs) <= MANY_PAIRS else _wins(result, table)


def _every_pair(result: Comparison, table: MeasureTable) -> Table:
    head = ("System", "against"), (f"Δ {visible(table.label)}", "interval", "p", "sets", "ahead on")
    rows = []
    for pair in table.pairs:
        better = (pair.delta > 0) == (table.higher_is_better is not False)
        style = ("win" if better else "loss") if pair.significant else ""
        star = " *" if pair.significant else ""
        known = not math.isnan(pair.low)
        limits = (
            f"{with_sign(pair.low, table.decimals)} … {with_sign(pair.high, table.decimals)}"
            if known
            else MISSING
        )
        cells = (
            Cell(visible(pair.a)),
            Cell(visible(pair.b)),
            Cell(with_sign(pair.delta, table.decimals), style=style),
            Cell(limits),
            Cell(p_number(pair.p_adjusted, result.plan.alpha) + star),
            Cell(str(pair.sets)),
            Cell(str(pair.sets_better)),
        )
        rows.append(Row(cells))
    return Table((*map(Column, head[0]), *(Column(name, True) for name in head[1])), tuple(rows))


def _wins(result: Comparison, table: MeasureTable) -> Table:
    sign = -1.0 if table.higher_is_better is False else 1.0
    wins, losses, met = (dict.fromkeys(result.systems, 0) for _ in range(3))
    for pair in table.pairs:
        for name in (pair.a, pair.b):
            met[name] += pair.sets > 0
        if pair.significant:
            a, b = (pair.a, pair.b) if sign * pair.delta > 0 else (pair.b, pair.a)
            wins[a] += 1
            losses[b] += 1
    order = sorted(result.systems, key=lambda name: losses[name] - wins[name])
    rows = tuple(
        Row(
            (
                Cell(visible(name)),
                Cell(str(wins[name])),
                Cell(str(losses[name])),
                Cell(str(met[name] - wins[name] - losses[name])),
            )
        )
        for name in order
    )
    return Table(
        (Column("System"), *(Column(n, True) for n in ("better than", "worse than", "not told apart"))), rows
    )


def groups_table(result: Comparison, table: MeasureTable, groups: Sequence[SetGroup]) -> Table:
    """A row a language pair or domain, a column a system."""
    kind = "Domain" if groups[0].by == "domain" else "Language pair"
    named = {group.name: group.results for group in groups}
    chosen = _ends(named, table)
    head = [Column(kind), Column("sets", True)]
    head += [Column(visible(system), True, arrow(table.higher_is_better)) for system in result.systems]
    head.append(Column("told apart", True))
    by_name = {group.name: group for group in groups}
    rows = []
    for place, name in enumerate(chosen):
        group = by_name[name]
        apart = sum(pair.significant for pair in group.pairs)
        tested = sum(pair.sets > 0 for pair in group.pairs)
        cells = [Cell(visible(name)), Cell(str(len(group.sets))), *_cells(group.results, table)]
        cells.append(Cell(f"{apart} of {tested}"))
        rows.append(Row(tuple(cells), rule=len(chosen) < len(groups) and place == ENDS))
    return Table(tuple(head), tuple(rows))


def sets_table(result: Comparison, table: MeasureTable) -> Table:
    """A row a test set, a column a system: all sets, or those with the best and the worst scores."""
    by_set: dict[str, list[SetScore]] = {}
    for score in table.scores:
        by_set.setdefault(score.test_set, []).append(score)
    known = {name: scores for name, scores in by_set.items() if name in table.sets}
    chosen = _ends(known, table)
    head = [Column("Test set"), Column("segments", True)]
    head += [Column(visible(system), True, arrow(table.higher_is_better)) for system in result.systems]
    rows = []
    for place, name in enumerate(chosen):
        cells = [Cell(visible(name)), Cell(f"{result.segments[name]:,}"), *_cells(known[name], table)]
        rows.append(Row(tuple(cells), rule=len(chosen) < len(known) and place == ENDS))
    return Table(tuple(head), tuple(rows))


def _cells(scores: Sequence[Standing | SetScore], table: MeasureTable) -> list[Cell]:
    marks = best_of([s.score for s in scores], table.decimals, higher_is_better=table.higher_is_better)
    return [
        Cell(_around(score, table.decimals, interval=len(scores) <= FEW_SYSTEMS), mark)
        for score, mark in zip(scores, marks, strict=True)
    ]


def _ends(named: Mapping[str, Sequence[Standing | SetScore]], table: MeasureTable) -> list[str]:
    """All names, or those with the best and the worst scores of their best system."""
    if len(named) <= MANY:
        return list(named)
    ranked = ranked_sets(named, table)
    return [*ranked[:ENDS], *ranked[-ENDS:]]


def ranked_sets(named: Mapping[str, Sequence[Standing | SetScore]], table: MeasureTable) -> list[str]:
    """From the best to the worst, by the score of the best system."""
    sign = -1.0 if table.higher_is_better is False else 1.0
    top = {
        name: max((sign * score.score for score in scores if not math.isnan(score.score)), default=-math.inf)
        for name, scores in named.items()
    }
    return sorted(top, key=lambda name: -top[name])
