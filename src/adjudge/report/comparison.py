"""A comparison shown: systems with clusters, pairs, how it was tested, and what may be claimed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.evaluate import Comparison, Group, TestFacts
from adjudge.evaluate.documents import comparison_document
from adjudge.report.comparison_tables import (
    BETTER,
    UPSET,
    WORSE,
    View,
    is_many,
    pair_tables,
    system_table,
)
from adjudge.report.latex import escape as latex_escape
from adjudge.report.latex import latex_table
from adjudge.report.markdown import escape as markdown_escape
from adjudge.report.markdown import markdown_table
from adjudge.report.notes import latex_notes, markdown_notes, note_lines
from adjudge.report.sections import Section, latex_of, markdown_of, sentence_lines, text_of
from adjudge.report.table import group_name, number, visible
from adjudge.report.text import Line, Span, table_lines, wrapped
from adjudge.report.tsv import tsv_line
from adjudge.wording import CORRECTIONS, counted, percent

if TYPE_CHECKING:
    from adjudge.evaluate.documents import Arguments
    from adjudge.io import Input

CLAIMS = "What may be claimed, and what not"
WIDTH_OF_TEXT = 100
"""Sentences are filled into lines no longer than this, however wide the screen."""


def text_lines(
    comparison: Comparison,
    *,
    decimals: int | None = None,
    width: int | None = None,
    rule: bool = False,
    further: Sequence[Section] = (),
) -> list[Line]:
    """All of it for people: systems, pairs, groups, what may be claimed, how it was tested."""
    fill = min(width or WIDTH_OF_TEXT, WIDTH_OF_TEXT)
    view = View.of(comparison, comparison.test, decimals)
    lines = [*table_lines(system_table(view), width=width, rule=rule), []]
    for table in pair_tables(view):
        lines += [*table_lines(table, width=width, rule=rule), []]
    if comparison.claims:
        lines += [[Span(CLAIMS, "heading")], *_claim_lines(comparison.claims, fill), []]
    for group in comparison.groups[1:]:
        part = View.of(group, comparison.test, decimals)
        lines += [[Span(group_title(group), "heading")]]
        lines += [*table_lines(system_table(part), width=width, rule=rule), []]
        lines += [*_claim_lines(group.claims, fill), []] if group.claims else []
    lines += [*text_of(further, width=width, rule=rule), []] if further else []
    below = [[Span(span.text, "note") for span in line] for line in _filled(how(comparison, view), fill)]
    return lines + below + note_lines(comparison.results, comparison.test_set)


def as_markdown(
    comparison: Comparison, *, decimals: int | None = None, further: Sequence[Section] = ()
) -> str:
    """Tables, and what may be claimed as a list."""
    view = View.of(comparison, comparison.test, decimals)
    parts = [markdown_table(system_table(view)), *map(markdown_table, pair_tables(view))]
    if comparison.claims:
        parts.append(f"**{CLAIMS}**\n\n{_markdown_list(comparison.claims)}")
    for group in comparison.groups[1:]:
        parts.append(f"**{markdown_escape(group_title(group))}**\n")
        parts.append(markdown_table(system_table(View.of(group, comparison.test, decimals))))
        parts.append(_markdown_list(group.claims))
    parts += [markdown_of(further)] if further else []
    parts.append(
        _markdown_list(how(comparison, view)) + markdown_notes(comparison.results, comparison.test_set)
    )
    return "\n".join(part for part in parts if part)


def as_latex(comparison: Comparison, *, decimals: int | None = None, further: Sequence[Section] = ()) -> str:
    """A booktabs tabular with significance marks, a note below that explains them; the rest in comments."""
    parts = []
    for group in comparison.groups or (None,):
        part: Comparison | Group = comparison if group is None else group
        table = latex_table(system_table(View.of(part, comparison.test, decimals), marks=True), [])
        if group is not None:
            title = latex_escape(group_title(group))
            table = f"\\par\\medskip\\noindent\\textit{{{title}}}\\par\\noindent\n{table}"
        parts.append(table)
    parts += [latex_of(further)] if further else []
    note = latex_escape(
        " ".join([legend(comparison.test), *method(comparison.test, star="", several=_several(comparison))])
    )
    parts[-1] += f"\\par\\smallskip\\noindent\n{{\\footnotesize {note}}}\n"
    comments = [*map(visible, comparison.claims), *latex_notes(comparison.results, comparison.test_set)]
    return "\n".join(parts) + "".join(f"% {comment}\n" for comment in comments)


def as_tsv(comparison: Comparison, *, decimals: int | None = None, table: str = "results") -> str:
    """A line a system and metric, or with `table="pairs"` a line a pair and metric; unrounded unless asked."""

    def spelled(value: object) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float) and decimals is not None:
            return number(value, decimals)
        return "" if value is None else str(value)

    parts: Iterable[Comparison | Group] = comparison.groups or (comparison,)
    beside = MARGIN_COLUMNS if any(pair.margin for part in parts for pair in part.pairs) else {}
    heads = [*PAIR_COLUMNS, *beside] if table == "pairs" else RESULT_COLUMNS
    lines = [tsv_line(["group", *heads])]
    for part in parts:
        name = group_name(part.by) if isinstance(part, Group) else ""
        if table == "pairs":
            for pair in part.pairs:
                rounded = [spelled(getattr(pair, column)) for column in PAIR_COLUMNS]
                # Rounding is for scores; a p of 0.0 would be wrong.
                exact = {"p", "p_adjusted", "probability", "better_on", "worse_on", "effect"}
                values = [
                    repr(getattr(pair, column)) if column in exact else text
                    for column, text in zip(PAIR_COLUMNS, rounded, strict=True)
                ]
                exactly = [repr if column.endswith("_p") else spelled for column in beside]
                values += [
                    spell(getattr(pair.margin, field)) if pair.margin else ""
                    for spell, field in zip(exactly, beside.values(), strict=True)
                ]
                lines.append(tsv_line([name, *values]))
            continue
        for s in part.results:
            rank, ranks = s.rank or (None, None), s.rank_interval or (None, None)
            values = [s.system, s.metric, *map(spelled, (s.score, s.low, s.high)), spelled(s.cluster)]
            values += [*map(spelled, (*rank, *ranks)), str(s.runs), spelled(s.run_deviation), s.signature]
            lines.append(tsv_line([name, *values]))
    return "".join(lines)


RESULT_COLUMNS = (
    *("system", "metric", "score", "low", "high", "cluster", "rank_low", "rank_high"),
    *("rank_interval_low", "rank_interval_high", "runs", "run_deviation", "signature"),
)
PAIR_COLUMNS = (
    *("metric", "a", "b", "delta", "low", "high", "p", "p_adjusted", "significant", "wins", "ties", "losses"),
    *("probability", "effect", "better_on", "worse_on", "detectable"),
)
MARGIN_COLUMNS = {
    "margin": "margin",
    "margin_low": "low",
    "margin_high": "high",
    "margin_level": "level",
    "margin_p": "p",
    "equivalent": "equivalent",
    "not_worse_p": "p_not_worse",
    "not_better_p": "p_not_better",
}
"""Of pairs beside a margin; positive where the first system is better, also where a lower score is."""


def as_json(
    comparison: Comparison,
    *,
    version: str,
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
    further: Mapping[str, Any] | None = None,
) -> str:
    """All that is known, unrounded; what is not a finite number is null. `further` goes below it."""
    document = comparison_document(comparison, version=version, inputs=inputs, arguments=arguments)
    document |= further or {}
    # ASCII only, so that any terminal, pipe or file can carry it.
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def columns(view: View) -> list[str]:
    """What the columns of the tables mean."""
    if not view.pairs:
        return []
    if is_many(view):
        return [
            "Δ is a row minus a column. Every pair in full, with p, interval, effect and the difference that would "
            "show with 80 % power: -f tsv --table pairs.",
        ]
    known = ("segment", "document", "annotator")
    unit = view.test.unit if view.test.unit in known else f"group by {view.test.unit}"
    if "," in view.test.unit:
        unit = f"{' or '.join(view.test.unit.split(','))}, whichever are fewer,"
    return [
        f"effect: Δ in standard deviations of what one {unit} adds to it; "
        f"{WOULD_SHOW.get(view.test.method, SMALLEST)} with 80 % power.",
        *([UPSETS] if any(view.verdicts.is_upset(pair) for pair in view.pairs) else []),
    ]


SMALLEST = "would show: the smallest Δ that this test shows"
WOULD_SHOW = {
    "rank-sum": "P: of pairs of translations, one of each system, the share in which the first one's is scored better "
    "(ties half), which is what the test asks about; would show: the smallest P that it finds",
    "signed-rank": "P: the share of the ranks of differences that speak for the first system, which is what the test "
    "asks about; would show: the smallest P that it finds",
}
UPSETS = f"{UPSET}: significant, but by ranks, and these point the other way than Δ."


def method(test: TestFacts, star: str = "*", *, several: bool = False) -> list[str]:
    """How differences were tested and intervals made; `several` metrics are corrected together, or each by itself."""
    names = {
        "randomisation": "paired approximate randomisation",
        "bootstrap": "paired bootstrap",
        "rank-sum": "Wilcoxon rank-sum test of translations",
        "signed-rank": "Wilcoxon signed-rank test of the segments both were judged on",
        "clustered-t": "t-test, standard errors by "
        + " and by ".join(f"{name}s" for name in test.unit.split(",")),
    }
    names_of = {"segment": "segments", "document": "whole documents", "annotator": "whole annotators"}
    unit = names_of.get(test.unit, f"groups by {test.unit}")
    drawn = f"{unit} within {test.strata}" if test.strata else unit
    correction = CORRECTIONS.get(test.correction, test.correction)
    over = "one comparison"
    if test.comparisons > 1:
        over = f"{correction} over {counted(test.comparisons, 'comparison')}"
    if several:
        over += " of all metrics together" if test.family == "all" else " of each metric"
    number = ("up to " if test.risk else "") + counted(test.trials, "trial")
    trials = f" of {drawn}, {number}, seed {test.seed}" if test.trials else ""
    if test.risk:
        over += (
            "; pairs that cannot become significant stop before the last trial (chance of another decision: "
            f"{percent(test.risk)})"
        )
    if test.floor:
        over += f"; so many trials give no p below {test.floor:.2g}"
    sides = test.alternative if test.alternative != "better-score" else "one-sided"
    p = (
        f"p: {sides} {names.get(test.method, test.method)}{trials}{_side(test)}; "
        f"{over}{f'; {star} is p < {test.alpha:g}' if star else ''}."
    )
    kind = "bootstrap resample" if test.sampling == "bootstrap" else "half-size subsample"
    resamples = f"of {counted(test.resamples, kind)} of {drawn}"
    percentiles = "percentile" if test.interval == "test" else test.interval
    scores = f"±: {percent(test.level)} {percentiles} {resamples}, for each score by itself."
    if "," in test.unit:
        scores = f"±: {percent(test.level)} by the same errors, for each score by itself."
    return [p, *_chosen_side(test), scores, *_intervals(test, resamples)] if test.comparisons else [scores]


def _side(test: TestFacts) -> str:
    """What a one-sided test asks."""
    if test.alternative != "one-sided":
        return ""
    if test.baseline is not None:
        return f", whether each system is better than {visible(test.baseline)}"
    return f", whether each system is better than those behind it in {visible(' > '.join(test.expected))}"


def _chosen_side(test: TestFacts) -> list[str]:
    """What it means that scores choose the side of a test."""
    if test.alternative != "better-score":
        return []
    return [
        "The side of each test is the one that the scores point to, as WMT does it: two systems that do not differ are "
        f"told apart in {percent(2 * test.alpha)} of cases so, not in {percent(test.alpha)}."
    ]


def _intervals(test: TestFacts, resamples: str) -> list[str]:
    """What the intervals of differences are, what they promise, and whether they say what p says."""
    by_ranks = test.method in ("rank-sum", "signed-rank")
    if test.interval == "test" and not by_ranks:
        what = "the differences that the test would not reject"
    else:
        what = f"{'percentile' if test.interval == 'test' else test.interval} {resamples}"
    each = f"{percent(test.level)} for each alone"
    if test.comparisons > 1 and test.correction == "holm":
        each = f"{percent(test.level)} for all {test.comparisons:,} together"
    elif test.comparisons > 1 and test.correction == "bh":
        each = f"{percent(test.level)} of those that leave out 0 hold the truth, on average"
    said = f"intervals of Δ: {what}; {each}."
    if test.intervals_agree:
        holm = " Where p is starred and an interval ends at 0, Holm's later steps have cut it off there." * (
            test.comparisons > 1 and test.correction == "holm"
        )
        return [f"{said} They leave out 0 where p < {test.alpha:g}, and only there.{holm}"]
    why = "p comes from ranks, not from means" if by_ranks else "p is not made of them"
    why = "p is one-sided" if test.alternative == "one-sided" and not by_ranks else why
    return [f"{said} They may leave out 0 where p does not, or the other way round, for {why}."]


def legend(test: TestFacts) -> str:
    """What the marks in a printed table mean."""
    if test.baseline is not None:
        return f"{BETTER} better, {WORSE} worse than {visible(test.baseline)} (p < {test.alpha:g}). Bold: best score."
    return (
        f"Raised numbers: the systems (#) that a score is significantly better than (p < {test.alpha:g}). "
        "Bold: first cluster. Lines part the clusters by the first metric."
    )


def how(comparison: Comparison, view: View) -> list[str]:
    """All that stands below the tables of a screen: the test, the columns, the groups."""
    sentences = [*method(comparison.test, several=_several(comparison)), *columns(view)]
    if comparison.groups:
        count = counted(len(comparison.groups) - 1, "group")
        sentences.append(f"p is corrected within each group, not for looking at {count}.")
    return sentences


def _several(comparison: Comparison) -> bool:
    return len({standing.metric for standing in comparison.results}) > 1


def _claim_lines(claims: Sequence[str], width: int) -> list[Line]:
    return [line for claim in claims for line in sentence_lines(claim, width)]


def _filled(sentences: Sequence[str], width: int) -> list[Line]:
    return [line for sentence in sentences for line in wrapped(sentence.split(), width=width, indent="")]


def _markdown_list(claims: Sequence[str]) -> str:
    return "".join(f"- {markdown_escape(visible(claim))}\n" for claim in claims)


def group_title(group: Group) -> str:
    """What a group is called, and how large it is."""
    return f"{visible(group_name(group.by)) or 'everything'}: {counted(group.segments, 'segment')}"
