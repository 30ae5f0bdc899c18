"""A study shown: test sets and systems in a table, shaded on a page, means over sets, and who is better in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudge.charts import Bar, IntervalChart, SetShades
from adjudge.comparison.documents import study_content
from adjudge.comparison.pairwise_view import too_few
from adjudge.comparison.relevance import size_words, unknown_size
from adjudge.comparison.results import Comparison, MeasureTable, Pair, SetScore
from adjudge.comparison.study_tables import (
    ENDS,
    MANY,
    MANY_PAIRS,
    groups_table,
    means_table,
    pairs_table,
    ranked_sets,
    sets_table,
)
from adjudge.comparison.verdict import (
    comparison_sentence,
    comparison_verdict,
    matter_sentence,
    segments_scored,
)
from adjudge.display import Data, Displayable, Section, arrow, visible
from adjudge.stats.design import drawn_words, reservation_sentences
from adjudge.wording import CORRECTIONS, are, join_names, number, p_text, percent, pluralise, with_sign

MOST_SENTENCES = 8


@dataclass(frozen=True)
class StudyDisplay(Displayable):
    """A study: its verdict, and measure by measure what all test sets say."""

    comparison: Comparison
    name: str = ""

    @property
    def title(self) -> str:
        """The study, and how large it is."""
        systems = pluralise(len(self.comparison.systems), "system")
        return f"{self.name}: {systems} on {pluralise(len(self.comparison.sets), 'test set')}"

    @property
    def about(self) -> str:
        """Segments of all test sets."""
        return f"{sum(self.comparison.segments.values()):,} segments"

    def sections(self) -> list[Section]:
        """The verdict, then every measure."""
        return [verdict_section(self.comparison), *measure_sections(self.comparison)]

    def page_sections(self) -> list[Section]:
        """The means as bars, the sets as shades."""
        return [verdict_section(self.comparison), *drawn_sections(self.comparison)]

    def notebook_sections(self) -> list[Section]:
        """As on its page."""
        return self.page_sections()

    def document(self) -> Mapping[str, Any]:
        """All that is known, unrounded."""
        return study_content(self.comparison)

    def data(self) -> Data:
        """A row a metric, test set and system; the means as the test set `mean`."""
        rows: list[list[Any]] = []
        for table in self.comparison.tables:
            for score in table.scores:
                rows.append([table.metric, score.test_set, score.system, score.score, score.low, score.high])
            for group in table.groups:
                for mean in group.results:
                    name = "mean" if group.by == "all" else f"mean {group.by}={group.name}"
                    rows.append([table.metric, name, mean.system, mean.score, mean.low, mean.high])
        return Data(["metric", "test_set", "system", "score", "low", "high"], rows)


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


def measure_sections(result: Comparison) -> list[Section]:
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


def drawn_sections(result: Comparison) -> list[Section]:
    """Every measure for a page: the means as bars, the sets as shades."""
    tables = {f"{kind} {table.metric}": table for table in result.tables for kind in ("means", "sets")}
    shown = []
    for section in measure_sections(result):
        table = tables.get(section.key)
        if table is None:
            shown.append(section)
        elif section.key.startswith("means "):
            shown.append(replace(section, charts=_means_chart(result, table)))
        elif len(table.sets) <= MANY:
            shown.append(replace(section, charts=(_shades(result, table),), drawn_instead=True))
        else:
            shown.append(replace(section, below=(_shades(result, table),)))
    return shown


def _means_chart(result: Comparison, table: MeasureTable) -> tuple[IntervalChart, ...]:
    bars = [
        Bar(s.system, s.score, s.low, s.high, None, number(s.score, table.decimals))
        for s in table.results
        if math.isfinite(s.score)
    ]
    interval = f"{percent(result.plan.confidence)} interval"
    better = arrow(table.higher_is_better)
    return (IntervalChart(bars, visible(table.label), better, interval),) if bars else ()


def _shades(result: Comparison, table: MeasureTable) -> SetShades:
    """Every test set and system; many sets from the best to the worst."""
    by_set: dict[str, list[SetScore]] = {name: [] for name in table.sets}
    for score in table.scores:
        if score.test_set in by_set:
            by_set[score.test_set].append(score)
    many = len(by_set) > MANY
    names = ranked_sets(by_set, table) if many else list(by_set)
    rows = [(visible(name), [entry.score for entry in by_set[name]]) for name in names]
    return SetShades(visible(table.label), result.systems, rows, table.decimals, table.higher_is_better, many)


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
    crossed = [
        table for table in result.tables if any("," in design.unit for design in table.designs.values())
    ]
    if not crossed:
        return ""
    verb = "is" if len(crossed) == 1 else "are"
    drawn = drawn_words({**crossed[0].designs})
    return (
        f"{join_names([visible(units.label) for units in crossed])} {verb} tested by t with errors by {drawn} "
        "at once. "
    )


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
    known = [result for result in table.results if not math.isnan(result.score)]
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
        f"({with_sign(abs(pair.delta) * sign, table.decimals)}, {p_text(pair.p_adjusted, result.plan.alpha)})"
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
