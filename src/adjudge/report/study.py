"""A study shown: test sets and systems in a table, shaded on a page, means over sets, and who is better in them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from adjudge.evaluate.studies import StudyGroup, StudyResult, StudyTable
from adjudge.report.analysis_forms import Lines, analysis_forms
from adjudge.report.charts import Bar, intervals
from adjudge.report.formats import Forms
from adjudge.report.html import Drawing
from adjudge.report.markup import NOTHING, Html, html
from adjudge.report.sections import Section
from adjudge.report.table import Cell, Column, Row, Table, around, arrow, best_of, visible
from adjudge.wording import MISSING, counted, listed, number, p_number, p_text, percent, signed

if TYPE_CHECKING:
    from adjudge.io import Input

MANY = 25
"""Test sets beyond which a screen has only the best and the worst; TSV, JSON and pages have all."""
ENDS = 10


def forms(result: StudyResult, *, name: str, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A study in every format."""
    return analysis_forms(
        f"{name}: {counted(len(result.systems), 'system')} on {counted(len(result.sets), 'test set')}",
        lambda: sections(result),
        lambda: asdict(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
        about=f"{sum(result.segments.values()):,} segments",
    )


def sections(result: StudyResult) -> list[Section]:
    """Per metric: means over sets, pairs, and the sets one by one."""
    parts = []
    for table in result.tables:
        label = visible(table.label)
        parts.append(
            Section(
                f"{label}: mean over test sets",
                (_means(result, table),),
                tuple(_sentences(result, table)),
                key=f"means {table.metric}",
            )
        )
        if table.pairs:
            parts.append(Section(f"{label}: every two systems", (_pairs(result, table),), key="pairs"))
        parts.append(
            Section(
                f"{label}: test sets",
                (_sets(result, table),),
                tuple(_left_out(result)),
                key=f"sets {table.metric}",
            )
        )
    notes = (
        f"Each test set counts alike in the mean. ± is half of the {percent(1 - result.alpha)} interval of "
        f"{result.resamples:,} bootstrap resamples within each set; p: paired randomisation within each set, "
        f"{result.trials:,} trials, seed {result.seed}, corrected after Holm over the pairs of a metric. All of it "
        "holds for other texts of these kinds, not for other kinds.",
    )
    return [*parts, Section(notes=notes)]


def _means(result: StudyResult, table: StudyTable) -> Table:
    head = [
        Column("System"),
        *(Column(_group_name(g), True, arrow(table.higher_is_better)) for g in table.groups),
    ]
    best = [
        best_of([s.score for s in g.scores], table.decimals, higher_is_better=table.higher_is_better)
        for g in table.groups
    ]
    rows = []
    for place, system in enumerate(result.systems):
        cells = [
            Cell(_around(g, place, table.decimals), marks[place])
            for g, marks in zip(table.groups, best, strict=True)
        ]
        rows.append(Row((Cell(visible(system)), *cells)))
    return Table(tuple(head), tuple(rows))


def _group_name(group: StudyGroup) -> str:
    count = counted(len(group.sets), "set")
    return f"all {count}" if group.by == "all" else f"{visible(group.name)} ({count})"


def _around(group: StudyGroup, place: int, decimals: int) -> str:
    own = group.scores[place]
    return MISSING if math.isnan(own.score) else around(own.score, own.low, own.high, decimals)


def _sentences(result: StudyResult, table: StudyTable) -> list[str]:
    """Who is better in the mean, and whose mean there is not."""
    sentences = []
    sign = -1.0 if table.higher_is_better is False else 1.0
    for pair in table.pairs:
        if not pair.significant or table.higher_is_better is None:
            continue
        ahead = sign * pair.delta > 0
        a, b = (pair.a, pair.b) if ahead else (pair.b, pair.a)
        on = pair.better_on if ahead else pair.sets - pair.better_on
        delta = abs(pair.delta) * sign
        where = (
            f"in the mean of {pair.sets} test sets" if pair.sets > 1 else "on the one test set that both have"
        )
        sentences.append(
            f"{visible(a)} is better than {visible(b)} {where} "
            f"({signed(delta, table.decimals)}, {p_text(pair.p_adjusted, result.alpha)})"
            f"{f', ahead on {on} of them' if pair.sets > 1 else ''}."
        )
    for own in table.groups[0].scores:
        if own.missing:
            names = listed([visible(name) for name in own.missing], 5)
            sentences.append(
                f"{visible(own.system)} has no output for {names}, and so no mean; pairs are compared on the sets that "
                "both have."
            )
    return sentences


def _pairs(result: StudyResult, table: StudyTable) -> Table:
    head = ("System", "against"), (f"Δ {visible(table.label)}", "p", "sets", "ahead on")
    rows = []
    for pair in table.pairs:
        better = (pair.delta > 0) == (table.higher_is_better is not False)
        style = ("win" if better else "loss") if pair.significant else ""
        star = " *" if pair.significant else ""
        cells = (
            Cell(visible(pair.a)),
            Cell(visible(pair.b)),
            Cell(signed(pair.delta, table.decimals), style=style),
            Cell(p_number(pair.p_adjusted, result.alpha) + star),
            Cell(str(pair.sets)),
            Cell(str(pair.better_on)),
        )
        rows.append(Row(cells))
    return Table((*map(Column, head[0]), *(Column(name, True) for name in head[1])), tuple(rows))


def _order(result: StudyResult, table: StudyTable) -> list[str]:
    """The test sets that are shown: all, or those with the best and the worst scores."""
    if len(result.sets) <= MANY:
        return list(result.sets)
    top: dict[str, float] = {}
    for own in table.scores:
        if math.isfinite(own.score):
            top[own.test_set] = max(own.score, top.get(own.test_set, -math.inf))
    ranked = sorted(top, key=lambda name: top[name], reverse=table.higher_is_better is not False)
    return [*ranked[:ENDS], *ranked[-ENDS:]]


def _sets(result: StudyResult, table: StudyTable) -> Table:
    head = [Column("Test set"), Column("segments", True)]
    head += [Column(visible(system), True, arrow(table.higher_is_better)) for system in result.systems]
    by_place = {(own.test_set, own.system): own for own in table.scores}
    rows = []
    for place, name in enumerate(_order(result, table)):
        own = [by_place[name, system] for system in result.systems]
        best = best_of([s.score for s in own], table.decimals, higher_is_better=table.higher_is_better)
        cells = [
            Cell(MISSING if math.isnan(s.score) else around(s.score, s.low, s.high, table.decimals), mark)
            for s, mark in zip(own, best, strict=True)
        ]
        gap = len(result.sets) > MANY and place == ENDS
        rows.append(Row((Cell(visible(name)), Cell(f"{result.segments[name]:,}"), *cells), rule=gap))
    return Table(tuple(head), tuple(rows))


def _left_out(result: StudyResult) -> list[str]:
    more = len(result.sets) - 2 * ENDS
    if len(result.sets) <= MANY:
        return []
    return [
        f"The {ENDS} best and the {ENDS} worst; {counted(more, 'test set')} between them: -f tsv, or -o page.html."
    ]


def drawings(result: StudyResult) -> Mapping[str, Drawing]:
    """The means as bars, the sets as shades."""
    figures: dict[str, Drawing] = {}
    for table in result.tables:
        bars = [
            Bar(visible(s.system), s.score, s.low, s.high, None, number(s.score, table.decimals))
            for s in table.groups[0].scores
            if math.isfinite(s.score)
        ]
        if bars:
            figures[f"means {table.metric}"] = Drawing(
                intervals(
                    bars,
                    label=visible(table.label),
                    better=arrow(table.higher_is_better),
                    interval=f"{percent(1 - result.alpha)} interval",
                )
            )
        figures[f"sets {table.metric}"] = Drawing(
            heat_map(result, table), for_tables=True, for_sentences=True
        )
    return figures


def heat_map(result: StudyResult, table: StudyTable) -> Html:
    """A cell for every test set and system, the darker the better within its test set's column of systems."""
    values = [own.score for own in table.scores if math.isfinite(own.score)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    by_place = {(own.test_set, own.system): own.score for own in table.scores}
    head = NOTHING.join(html('<th scope="col">{}</th>', visible(system)) for system in result.systems)
    rows = []
    for name in result.sets:
        cells = []
        for system in result.systems:
            score = by_place[name, system]
            if math.isnan(score):
                cells.append(html('<td class="self">{}</td>', MISSING))
                continue
            part = (score - low) / (high - low) if high > low else 0.5
            shade = round(6 + 50 * (part if table.higher_is_better is not False else 1 - part))
            cells.append(
                html(
                    '<td style="background:rgb(0 114 178 / {}%)">{}</td>',
                    shade,
                    number(score, table.decimals),
                )
            )
        rows.append(html('<tr><th scope="row">{}</th>{}</tr>', visible(name), NOTHING.join(cells)))
    return html(
        '<div class="scroll" role="region" aria-label="{}" tabindex="0"><table class="shades"><thead><tr>'
        '<th scope="col">Test set</th>{}</tr></thead><tbody>{}</tbody></table></div>',
        f"{visible(table.label)} by test set",
        head,
        NOTHING.join(rows),
    )


def lines(result: StudyResult) -> Lines:
    """A line a metric, test set and system; the means as the test set `mean`."""
    yield ["metric", "test_set", "system", "score", "low", "high"]
    for table in result.tables:
        for own in table.scores:
            yield [table.metric, own.test_set, own.system, own.score, own.low, own.high]
        for group in table.groups:
            for mean in group.scores:
                name = "mean" if group.by == "all" else f"mean {group.by}={group.name}"
                yield [table.metric, name, mean.system, mean.score, mean.low, mean.high]
