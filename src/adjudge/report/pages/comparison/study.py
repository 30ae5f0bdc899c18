"""A study shown: test sets and systems in a table, shaded on a page, means over sets, and who is better in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import Arguments, study_document
from adjudge.comparison.pairwise_view import too_few
from adjudge.comparison.relevance import size_words, unknown_size
from adjudge.comparison.results import Comparison, MeasureTable, Pair
from adjudge.comparison.verdict import (
    comparison_sentence,
    comparison_verdict,
    matter_sentence,
    segments_scored,
)
from adjudge.display import Bar, Data, Section, arrow, visible
from adjudge.report.charts.intervals import intervals
from adjudge.report.pages.addresses import NOWHERE, Addresses
from adjudge.report.pages.comparison.study_tables import (
    ENDS,
    MANY,
    MANY_PAIRS,
    groups_table,
    heat_map,
    means_table,
    pairs_table,
    sets_table,
)
from adjudge.report.render.formats import Renderer
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING, Html
from adjudge.report.render.section_page import section_page
from adjudge.report.render.tsv import tsv_text
from adjudge.stats.design import drawn_words, reservation_sentences
from adjudge.wording import CORRECTIONS, are, join_names, number, p_text, percent, pluralise, signed

if TYPE_CHECKING:
    from adjudge.io import Input

MOST_SENTENCES = 8


def renderer(
    result: Comparison,
    *,
    name: str,
    version: str,
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
) -> Renderer:
    """A study in every format; `arguments` say in JSON how it was run, so that it can be verified."""
    return Renderer(
        lambda: [verdict_section(result), *sections(result)],
        lambda: study_document(result, name=name, version=version, inputs=inputs, arguments=arguments),
        tsv=lambda: tsv_text(data(result)),
        html=lambda: page(result, name=name, version=version, inputs=inputs),
    )


def page(
    result: Comparison,
    *,
    name: str,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
) -> Html:
    """The page of a study without its segments."""
    return section_page(
        _title(result, name),
        _about(result),
        [verdict_section(result), *sections(result)],
        drawings(result),
        version=version,
        inputs=inputs,
        warnings=warnings,
    )


def _title(result: Comparison, name: str) -> str:
    return f"{name}: {pluralise(len(result.systems), 'system')} on {pluralise(len(result.sets), 'test set')}"


def _about(result: Comparison) -> str:
    return f"{sum(result.segments.values()):,} segments"


def verdict_section(result: Comparison) -> Section:
    """Which system is better in the mean, and whether the difference matters."""
    verdict = comparison_verdict(result)
    matter = matter_sentence(verdict)
    return Section(
        lead=comparison_sentence(result, verdict),
        sentences=(matter,) if matter else (),
        style="heading",
        key="verdict",
    )


def sections(result: Comparison) -> list[Section]:
    """Per measure: means over sets, pairs, language pairs and domains, and the sets one by one."""
    parts = []
    for table in result.tables:
        label = visible(table.label)
        means = Section(
            f"{label}: mean over test sets",
            (means_table(result, table),),
            tuple(_sentences(result, table)),
            key=f"means {table.metric}",
        )
        parts.append(means)
        if table.pairs:
            more = (f"{len(table.pairs)} pairs; -f json has each.",) if len(table.pairs) > MANY_PAIRS else ()
            parts.append(
                Section(
                    f"{label}: every two systems",
                    (pairs_table(result, table),),
                    more,
                    key=f"pairs {table.metric}",
                )
            )
        for by, name in (("language", "language pair"), ("domain", "domain")):
            groups = [group for group in table.groups if group.by == by]
            if any(len(group.sets) > 1 for group in groups):  # else the sets say the same
                shown = _ends_only(len(groups), name)
                key = f"{by} {table.metric}"
                parts.append(
                    Section(f"{label} by {name}", (groups_table(result, table, groups),), shown, key=key)
                )
        shown = _ends_only(len(table.sets), "test set")
        parts.append(
            Section(f"{label}: test sets", (sets_table(result, table),), shown, key=f"sets {table.metric}")
        )
    return [*parts, Section(notes=(_how(result),))]


def _ends_only(count: int, noun: str) -> tuple[str, ...]:
    if count <= MANY:
        return ()
    return (
        f"The {ENDS} best and the {ENDS} worst of {pluralise(count, noun)}; -f tsv has all, and so has the heat map "
        "of a page.",
    )


def _how(result: Comparison) -> str:
    plan = result.plan
    correction = "" if plan.correction == "none" else f", corrected ({CORRECTIONS[plan.correction]})"
    within = "measure" if plan.family == "metric" else "study"
    unit = f", {drawn_words(result.designs)} drawn" if result.designs else ""
    return (
        f"Each test set counts alike in the mean. ± is half of the {percent(plan.confidence)} interval of "
        f"{plan.resamples:,} resamples within each set; p: {plan.system_test.short_title} within each set, "
        f"{plan.trials:,} trials, seed {plan.seed}{unit}{correction} over the pairs of a {within}, intervals of "
        "differences as well. "
        f"{_clustered(result)}{_scope(result)}"
    )


def _scope(result: Comparison) -> str:
    """Which texts all of it holds for."""
    segments = sum(result.segments.values())
    if too_few(segments):
        return f"All of it holds for these {segments} segments, too few to speak for other texts."
    return "All of it holds for other texts of these kinds, not for other kinds."


def _clustered(result: Comparison) -> str:
    """Which measures are tested otherwise, because annotators are drawn as well."""
    crossed = [own for own in result.tables if any("," in design.unit for design in own.designs.values())]
    if not crossed:
        return ""
    verb = "is" if len(crossed) == 1 else "are"
    drawn = drawn_words({**crossed[0].designs})
    return f"{join_names([visible(own.label) for own in crossed])} {verb} tested by t with errors by {drawn} at once. "


def _sentences(result: Comparison, table: MeasureTable) -> list[str]:
    """Who is better in the mean, and whose mean there is not."""
    sentences = []
    if table.pairs and table.design is not None and table.design.refusal:
        sentences.append(f"Nothing is claimed: {visible(table.design.refusal)}.")
    elif table.higher_is_better is not None:
        apart = [pair for pair in table.pairs if pair.significant]
        apart.sort(key=lambda pair: -abs(pair.delta))
        tested = sum(pair.sets > 0 for pair in table.pairs)
        if len(table.pairs) > MANY_PAIRS:
            sentences.append(f"{len(apart)} of {pluralise(tested, 'pair')} of systems are told apart.")
            apart = [
                pair for pair in reversed(apart) if _best(table) in ("", pair.a, pair.b)
            ]  # the nearest first
        sentences += [better_sentence(result, table, pair) for pair in apart[:MOST_SENTENCES]]
        if len(apart) > MOST_SENTENCES:
            left = len(apart) - MOST_SENTENCES
            best = _best(table) if len(table.pairs) > MANY_PAIRS else ""
            of_it = f" with {visible(best)}" if best else ""
            sentences.append(f"{pluralise(left, 'further pair')}{of_it} {are(left)} told apart.")
        if not apart and tested:
            sentences.append("No two systems are told apart in the mean.")
        sentences += _margins(table)
        if apart and not _size(result, table, apart[0]):
            sentences.append(unknown_size([visible(table.label)]))
    if table.pairs:
        sentences += reservation_sentences(table.designs)
        sentences += table.design.scope() if table.design is not None else []
    return sentences + _left_out(result, table)


def _best(table: MeasureTable) -> str:
    """The best system in the mean; '' where nobody has one."""
    sign = -1.0 if table.higher_is_better is False else 1.0
    known = [own for own in table.results if not math.isnan(own.score)]
    return max(known, key=lambda own: sign * own.score).system if known else ""


def better_sentence(result: Comparison, table: MeasureTable, pair: Pair) -> str:
    """Which of two systems that are told apart is better, by how much, and on how many sets."""
    sign = -1.0 if table.higher_is_better is False else 1.0
    ahead = sign * pair.delta > 0
    a, b = (pair.a, pair.b) if ahead else (pair.b, pair.a)
    on = pair.sets_better if ahead else pair.sets_worse
    where = f"in the mean of {pair.sets} test sets" if pair.sets > 1 else "on the one test set that both have"
    only = f" (of {len(table.sets)}, for lack of outputs)" if 1 < pair.sets < len(table.sets) else ""
    only += f" {table.design.opinion}" if table.design is not None and table.design.opinion else ""
    return (
        f"{visible(a)} is better than {visible(b)} {where}{only} "
        f"({signed(abs(pair.delta) * sign, table.decimals)}, {p_text(pair.p_adjusted, result.plan.alpha)})"
        f"{f', ahead on {on} of them' if pair.sets > 1 else ''}{_size(result, table, pair)}."
    )


def _size(result: Comparison, table: MeasureTable, pair: Pair) -> str:
    if too_few(segments_scored(table, pair, result)):
        return "; so few segments do not tell how large the difference is"
    margin = None if pair.margin is None else pair.margin.margin
    words = size_words(table.metric, pair.delta, margin=margin, language=result.language)
    return f"; {words}" if words else ""


def _margins(table: MeasureTable) -> list[str]:
    """Which pairs are the same within a margin, where one was given."""
    same = [pair for pair in table.pairs if pair.margin is not None and pair.margin.equivalent]
    if not any(pair.margin is not None for pair in table.pairs):
        return []
    if not same:
        return ["No two systems are shown to be the same within the margin."]
    names = join_names([f"{visible(pair.a)} and {visible(pair.b)}" for pair in same], 5)
    margin = same[0].margin
    assert margin is not None
    return [f"The same within a margin of {margin.margin:g} in the mean: {names}."]


def _left_out(result: Comparison, table: MeasureTable) -> list[str]:
    """Who has no mean, together where it is for lack of the same sets."""
    by_missing: dict[tuple[str, ...], list[str]] = {}
    for own in table.results:
        if own.missing:
            by_missing.setdefault(own.missing, []).append(visible(own.system))
    sentences = []
    for missing, systems in by_missing.items():
        names = join_names([visible(name) for name in missing], 5)
        verb = "has" if len(systems) == 1 else "have"
        what = "output" if table.is_metric else "score"
        sentences.append(f"{join_names(systems, 5)} {verb} no {what} for {names}, and so no mean.")
    if by_missing:
        sentences.append("Pairs are compared on the sets that both have.")
    other = [name for name in result.sets if name not in table.sets]
    if other:
        sentences.append(f"{join_names([visible(name) for name in other], 5)}: nothing by this measure.")
    return sentences


def drawings(
    result: Comparison, addresses: Callable[[MeasureTable], Addresses] = lambda table: NOWHERE
) -> Mapping[str, Drawing]:
    """The means as bars, the sets as shades; `addresses` say of a measure where its numbers lead."""
    figures: dict[str, Drawing] = {}
    for table in result.tables:
        lead = addresses(table)
        bars = [
            Bar(
                visible(s.system),
                s.score,
                s.low,
                s.high,
                None,
                number(s.score, table.decimals),
                lead.system(s.system),
            )
            for s in table.results
            if math.isfinite(s.score)
        ]
        if bars:
            figures[f"means {table.metric}"] = Drawing(
                intervals(
                    bars,
                    label=visible(table.label),
                    better=arrow(table.higher_is_better),
                    interval=f"{percent(result.plan.confidence)} interval",
                )
            )
        shades = heat_map(result, table, lead.cell)
        few = len(table.sets) <= MANY
        figures[f"sets {table.metric}"] = (
            Drawing(shades, for_tables=True) if few else Drawing(NOTHING, below=shades)
        )
    return figures


def data(result: Comparison) -> Data:
    """A row a metric, test set and system; the means as the test set `mean`."""
    rows: list[list[Any]] = []
    for table in result.tables:
        for own in table.scores:
            rows.append([table.metric, own.test_set, own.system, own.score, own.low, own.high])
        for group in table.groups:
            for mean in group.results:
                name = "mean" if group.by == "all" else f"mean {group.by}={group.name}"
                rows.append([table.metric, name, mean.system, mean.score, mean.low, mean.high])
    return Data(["metric", "test_set", "system", "score", "low", "high"], rows)
