"""Lines of systems over their versions, shown: every score with its interval, and the steps that are significant."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from adjudge.comparison.documents import plain
from adjudge.comparison.relevance import size_words
from adjudge.display import FLUSH, Cell, Column, Data, Row, Section, Table, arrow, visible
from adjudge.history.lines import HistoryLine, Lines, Version
from adjudge.report.charts.intervals import Scale
from adjudge.report.render.formats import Forms
from adjudge.report.render.markup import Html
from adjudge.report.render.text import shortened
from adjudge.report.render.tsv import spelled, tsv_line
from adjudge.report.results.gate import caught
from adjudge.report.results.history_list import identity, when
from adjudge.stats.looks import Look
from adjudge.wording import (
    CORRECTIONS,
    MISSING,
    digits,
    join_names,
    number,
    p_number,
    p_text,
    percent,
    pluralise,
    signed,
)

TRACK = 25
"""Characters that an interval is drawn in."""
NAME = 20
VERDICTS = {
    "better": "▲ better",
    "worse": "▼ WORSE",
    "tolerated": "▼ within tolerance",
    "same": "",
    "neutral": "",
}
COLOURS = {"better": "win", "worse": "loss"}
COLUMNS: tuple[str, ...] = (
    "test_set",
    "system",
    "metric",
    "record",
    "made",
    "label",
    "revision",
    "changed",
    "score",
    "low",
    "high",
)
COLUMNS += ("runs", "stretch", "against", "delta", "p", "p_adjusted", "verdict", "broken")


def forms(result: Lines, *, version: str) -> Forms:
    """Lines in every format."""
    return Forms(
        lambda: sections(result),
        lambda: document(result, version),
        tsv=lambda: "".join(
            tsv_line([spelled(cell) for cell in row]) for row in (COLUMNS, *data(result).rows)
        ),
        html=lambda: _page(result, version),
    )


def regression_forms(result: Lines, *, version: str) -> Forms:
    """What became worse: the decision, and the versions behind it."""
    return Forms(lambda: regression_sections(result), lambda: document(result, version))


def _page(result: Lines, version: str) -> Html:
    from adjudge.report.pages.history_page import page

    return page(result, version)


def sections(result: Lines) -> list[Section]:
    """A section a line, what is significant on it in words, and how that was tested at the end."""
    parts = [
        Section(title(line), (version_table(line, result),), tuple(sentences(line, result)), key=str(place))
        for place, line in enumerate(result.lines)
    ]
    return [*parts, Section(notes=(how(result), *result.warnings))]


def regression_sections(result: Lines) -> list[Section]:
    """A row a version that became worse, and the decision."""
    worse = result.regressions
    head = (Column("System"), Column("Metric"), Column("Test set"), Column("Version"), Column("held against"))
    rows = [
        Row(
            tuple(
                Cell(visible(text))
                for text in (line.system, line.label, line.test_set, told(version), _against(line, version))
            )
            + tuple(map(Cell, _numbers(line, version, result)))
        )
        for line, version in worse
    ]
    table = Table((*head, *(Column(name, True) for name in ("Score", "Change", "p"))), tuple(rows))
    if not result.tests:
        lead = "Nothing to compare: no line has two versions that can be compared and differ."
    else:
        on = f"on {pluralise(len(result.lines), 'line')}"
        small = f" by {result.tolerance:g} or more ({result.tolerated:,} smaller)" if result.tolerated else ""
        lead = (
            f"{pluralise(len(worse), 'step')} for the worse{small} {on}, significantly."
            if worse
            else f"No evidence of a step for the worse{small} {on}."
        )
    return [
        Section(tables=(table,) if worse else ()),
        Section(sentences=tuple(filter(None, map(_caught, result.lines))), layout=FLUSH),
        Section(lead=lead, style="loss" if worse else "heading", notes=(how(result), *result.warnings)),
    ]


def _caught(line: HistoryLine) -> str:
    """What the newest look at a line would have caught, where it found no drop."""
    newest = line.versions[-1]
    if newest.step is None or newest.step.verdict != "same" or math.isnan(newest.step.detectable):
        return ""
    drop = "drop" if line.higher_is_better else "rise"
    power = caught(drop, newest.step.detectable, newest.step.delta, line.decimals, by_now=True)
    return f"{visible(line.system)} by {visible(line.label)}: no evidence of a {drop} in {told(newest)}; {power}."


def title(line: HistoryLine) -> str:
    """Whose line, by what, on what."""
    on = f" on {line.test_set}" if line.test_set else ""
    better = f" {arrow(line.higher_is_better)}".rstrip()
    return visible(f"{line.system} by {line.label}{better}{on}, {pluralise(line.segments, 'segment')}")


def told(version: Version) -> str:
    """A version as it is named in sentences and tables: with its number, which is its own."""
    name = shortened(visible(version.name), NAME)
    return name if name == f"#{version.record.id}" else f"{name} (#{version.record.id})"


def version_table(line: HistoryLine, result: Lines) -> Table:
    """A row a version, the newest at the bottom as on a time line."""
    ends = [value for v in line.versions for value in (v.low, v.score, v.high)]
    scale = Scale.over(ends)
    head = (
        Column("Version"),
        Column("When (UTC)"),
        Column(f"{percent(result.plan.confidence)} interval"),
        Column("Step"),
    )
    rows = []
    for version in line.versions:
        texts = [told(version), when(version.made)[:10], drawn(version, scale)]
        verdict = VERDICTS[version.step.verdict] if version.step else ""
        if version.broken:
            verdict = "not compared"
        elif version.step is not None and version.step.unchanged:
            verdict = "unchanged"
        style = COLOURS.get(version.step.verdict, "") if version.step else ""
        cells = (*map(Cell, texts), Cell(verdict, style=style), *map(Cell, _numbers(line, version, result)))
        rows.append(Row(cells, rule=bool(version.broken)))
    return Table((*head, *(Column(name, True) for name in ("Score", "Change", "p"))), tuple(rows))


def drawn(version: Version, scale: Scale) -> str:
    """The interval as a line, the score as a dot on it."""

    def at(value: float) -> int:
        return round(scale.at(value) / 100 * (TRACK - 1))

    marks = [" "] * TRACK
    if math.isfinite(version.low) and math.isfinite(version.high):
        for place in range(at(version.low), at(version.high) + 1):
            marks[place] = "─"
    marks[at(version.score)] = "●"
    # A table's cells have no space at their ends.
    return "".join(marks).replace(" ", "·")


def _numbers(line: HistoryLine, version: Version, result: Lines) -> list[str]:
    step = version.step
    if step is None or step.unchanged:
        return [number(version.score, line.decimals), MISSING, MISSING]
    places = digits([step.delta], line.decimals)
    return [
        number(version.score, line.decimals),
        signed(step.delta, places),
        p_number(step.p_adjusted, result.plan.alpha),
    ]


def sentences(line: HistoryLine, result: Lines) -> list[str]:
    """What is significant on a line, where it breaks, and what became of it as a whole."""
    points = []
    for version in line.marked:
        assert version.step is not None
        change = signed(version.step.delta, digits([version.step.delta], line.decimals))
        verdict = {"better": "better", "worse": "WORSE"}.get(version.step.verdict, "worse")
        tolerance = ", within the tolerance" if version.tolerated else ""
        p = p_text(version.step.p_adjusted, result.plan.alpha)
        size = "" if version.tolerated else f"; {_size(line, version.step.delta, result.tolerance)}"
        points.append(
            f"{told(version)}: {verdict} than {_against(line, version)}{tolerance} ({change}, {p}){size}."
        )
    for version in line.versions:
        if version.broken:
            points.append(f"{told(version)}: the line breaks, {visible(version.broken)}.")
    compared = [v for v in line.versions if v.step is not None]
    if compared and not line.marked:
        unchanged = all(v.step is not None and v.step.unchanged for v in line.versions[1:])
        points.insert(0, "Nothing has changed." if unchanged else "No significant change.")
    if not compared and line.higher_is_better is not None and not any(v.broken for v in line.versions):
        points.append("One version: there is nothing to compare it with yet.")
    if line.higher_is_better is None:
        points.append("No direction is better, so nothing is tested.")
    return points


def _size(line: HistoryLine, delta: float, margin: float) -> str:
    """Whether a change matters, to go on with a sentence."""
    size = size_words(line.metric, delta, margin=margin or None)
    return size or f"how large a difference in {visible(line.label)} must be to matter is not known"


def _against(line: HistoryLine, version: Version) -> str:
    assert version.step is not None
    return next(told(own) for own in line.versions if own.record.id == version.step.against)


def how(result: Lines) -> str:
    """The tests in a line."""
    plan = result.plan
    if not result.tests:
        return f"{result.place}: no two versions that differ can be compared yet."
    which = "the one before it" if result.base_version == "previous" else "the first one"
    tolerance = f", tolerance {result.tolerance:g}" if result.tolerance else ""
    more = (
        f" (up to {result.most_trials:,} where p is small)" if result.most_trials > (plan.trials or 0) else ""
    )
    over = _spent(result)
    return (
        f"Each version against {which} on the same test set by the same signature; {plan.system_test.title}, "
        f"{plan.trials:,} trials{more}, unit {visible(join_names(result.units))}, {over}{tolerance}, seed {plan.seed}; "
        "intervals of scores are not corrected"
    )


def _spent(result: Lines) -> str:
    """How alpha is shared out: between the tests of a look, and between looks."""
    plan, looks = result.plan, result.looks
    tests = f"{pluralise(result.tests, 'test')} on {pluralise(len(result.lines), 'line')}"
    if plan.correction == "none":
        return f"{tests}, not corrected, alpha {plan.alpha:g} each"
    within = f"{CORRECTIONS[plan.correction]} within each look, " if result.tests > 1 else ""
    return (
        f"{tests}, {within}alpha {plan.alpha:g} for all looks that there will ever be "
        f"({_alpha_spent(result):.2g} spent in {pluralise(looks, 'look')})"
    )


def _alpha_spent(result: Lines) -> float | None:
    """What all looks so far have spent; None without a correction, where each test has an alpha of its own."""
    if result.plan.correction == "none":
        return None
    return result.plan.alpha * (Look(result.looks).spent or 0.0) if result.looks else 0.0


def document(result: Lines, version: str) -> dict[str, Any]:
    """All that is known, unrounded."""
    plan = result.plan
    made: dict[str, Any] = plain(
        {
            "version": version,
            "history": result.place,
            "lines": [
                {
                    "test_set": line.test_set,
                    "system": line.system,
                    "metric": line.metric,
                    "higher_is_better": line.higher_is_better,
                    "versions": [_version(own) for own in line.versions],
                }
                for line in result.lines
            ],
            "regressions": [
                {
                    "test_set": line.test_set,
                    "system": line.system,
                    "metric": line.metric,
                    "record": own.record.id,
                }
                for line, own in result.regressions
            ],
            "test": {
                name: getattr(plan, name)
                for name in (
                    "method",
                    "trials",
                    "resamples",
                    "seed",
                    "strata",
                    "correction",
                    "alpha",
                    "confidence",
                )
            }
            | {
                "units": list(result.units),
                "tests": result.tests,
                "base_version": result.base_version,
                "tolerance": result.tolerance,
                "looks": result.looks,
                "alpha_spent": _alpha_spent(result),
                "most_trials": result.most_trials,
            },
            "warnings": list(result.warnings),
        }
    )
    return made


def _version(version: Version) -> dict[str, Any]:
    return {
        **identity(version.record),
        "score": version.score,
        "low": version.low,
        "high": version.high,
        "runs": version.runs,
        "stretch": version.stretch,
        "broken": version.broken or None,
        "step": None if version.step is None else asdict(version.step),
    }


def data(result: Lines) -> Data:
    """A row a version."""
    cells: list[list[Any]] = []
    for line in result.lines:
        for own in line.versions:
            named: dict[str, Any] = {"test_set": line.test_set, "system": line.system, "metric": line.metric}
            named |= _version(own)
            named |= {"against": None, "delta": None, "p": None, "p_adjusted": None, "verdict": None}
            named |= asdict(own.step) if own.step else {}
            cells.append([named[column] for column in COLUMNS])
    return Data(COLUMNS, cells)


def summary(result: Lines) -> str:
    """The whole in a sentence, for the top of a page."""
    verdicts: list[str] = [v.step.verdict for line in result.lines for v in line.marked if v.step]
    if not verdicts:
        return f"No significant change on {pluralise(len(result.lines), 'line')}."
    told = {"better": "the better", "worse": "the worse", "tolerated": "the worse within the tolerance"}
    numbers = {words: verdicts.count(verdict) for verdict, words in told.items()}
    parts = [f"{pluralise(times, 'step')} for {words}" for words, times in numbers.items() if times]
    return f"Significant: {join_names(parts)}, on {pluralise(len(result.lines), 'line')}."
