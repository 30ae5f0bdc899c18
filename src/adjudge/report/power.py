"""Power shown: the answer in a sentence, what it rests on, and the tables behind it."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.planning.interim import Plan
from adjudge.planning.pilot_power import PilotAnswer, PilotMap
from adjudge.planning.power import Answer, PowerMap
from adjudge.report.latex import latex_table
from adjudge.report.markdown import escape, markdown_table
from adjudge.report.power_map import Grid, cell_text, columns_of, map_lines, map_table
from adjudge.report.power_words import TESTS, Result, level_of, notes, verdict, warnings
from adjudge.report.table import MISSING, Cell, Column, Row, Table
from adjudge.report.text import Line, Span, table_lines, wrapped

WIDTH_OF_TEXT = 100
"""Sentences are filled into lines no longer than this, however wide the screen."""


@dataclass(frozen=True)
class Part:
    """A table with what is said above it."""

    heading: str
    table: Table


def text_lines(result: Result, *, width: int | None = None, rule: bool = False) -> list[Line]:
    """All of it for people."""
    fill = min(width or WIDTH_OF_TEXT, WIDTH_OF_TEXT)
    lines = _filled(verdict(result), "heading", fill)
    for sentence in notes(result):
        lines += _filled(sentence, "", fill, indent="  ")
    for sentence in warnings(result):
        lines += _filled(sentence, "loud", fill, indent="  ")
    if isinstance(result, (PowerMap, PilotMap)):
        lines += [[], *map_lines(grid(result), width=width, rule=rule)]
    for part in parts(result):
        lines.append([])
        lines += _filled(part.heading, "", fill) if part.heading else []
        lines += table_lines(part.table, width=width, rule=rule)
    return lines


def as_markdown(result: Result) -> str:
    """The answer first, then the tables, then what it rests on."""
    blocks = [f"**{escape(verdict(result))}**\n"]
    for part in _printed(result):
        blocks += [f"{escape(part.heading)}\n"] if part.heading else []
        blocks.append(markdown_table(part.table))
    blocks.append("".join(f"- {escape(sentence)}\n" for sentence in (*notes(result), *warnings(result))))
    return "\n".join(blocks)


def as_latex(result: Result) -> str:
    """The tables, with the answer as a comment."""
    told = [verdict(result), *notes(result), *warnings(result)]
    printed = _printed(result)
    if not printed:
        return "".join(f"% {sentence}\n" for sentence in told)
    return "\n".join(
        latex_table(part.table, told if not i else [part.heading]) for i, part in enumerate(printed)
    )


def parts(result: Result) -> list[Part]:
    """Tables beside the answer."""
    if isinstance(result, PilotAnswer):
        found = [Part("", _curve_table(result))]
        if result.alternatives:
            found.append(Part("The same campaign by other tests:", _tests_table(result)))
        return found
    if not isinstance(result, Answer):
        return []
    found = []
    if result.plan is not None:
        found.append(Part(_plan_heading(result.plan), _plan_table(result.plan)))
    if result.alternatives:
        found.append(
            Part(
                "Where both systems' translations of the same segments are judged, the paired test is right, and "
                "stronger the more their scores correlate:",
                _pairing_table(result),
            )
        )
    return found


def grid(result: PowerMap | PilotMap) -> Grid:
    """A map's cells, with words for its sides."""
    if isinstance(result, PowerMap):
        return Grid(
            title=f"{verdict(result)}: {TESTS[result.design.test]}, {level_of(result.design)}",
            across="effect: P(A < B), 0.5 is no difference",
            columns=columns_of(result.effects, 2),
            rows=result.n,
            power=result.power,
            wanted=result.wanted,
            enough=result.enough,
        )
    return Grid(
        title=f"{verdict(result)}, {TESTS[result.test]}, {level_of(result.campaign)}",
        across=f"difference in {result.pilot.label}",
        columns=columns_of(result.differences, result.pilot.decimals),
        rows=result.n,
        power=result.power,
        wanted=result.wanted,
        enough=result.enough,
    )


def _printed(result: Result) -> list[Part]:
    if isinstance(result, (PowerMap, PilotMap)):
        return [Part("", map_table(grid(result)))]
    return parts(result)


def _pairing_table(result: Answer) -> Table:
    rows = [
        Row(
            (Cell(result.design.test), Cell(MISSING), Cell(cell_text(result.power)), _n_cell(result.n_wanted))
        )
    ]
    rows += [
        Row((Cell(one.test), Cell(f"{one.correlation:.2f}"), Cell(cell_text(one.power)), _n_cell(one.n)))
        for one in result.alternatives
    ]
    heads = ("Correlation", f"Power at n {result.n:,}", f"n for {result.wanted:g}")
    return Table((Column("Test"), *(Column(head, True) for head in heads)), tuple(rows))


def _tests_table(result: PilotAnswer) -> Table:
    rows = [
        Row((Cell(TESTS[test]), Cell(cell_text(power)), _n_cell(n)))
        for test, power, n in [
            (result.test, result.power, result.n_wanted),
            *((one.test, one.power, one.n) for one in result.alternatives),
        ]
    ]
    heads = (f"Power at n {result.n:,}", f"n for {result.wanted:g}")
    return Table((Column("Test"), *(Column(head, True) for head in heads)), tuple(rows))


def _curve_table(result: PilotAnswer) -> Table:
    rows = [
        Row(
            (
                Cell(f"{point.n:,}"),
                Cell(cell_text(point.power), best=point.power >= result.wanted),
                Cell(f"±{point.error:.3f}".replace("0.", ".")),
            )
        )
        for point in result.curve
    ]
    return Table((Column("n"), Column("Power", True), Column("Error", True, joined=True)), tuple(rows))


def _plan_heading(plan: Plan) -> str:
    stops = "without and with the effect" if plan.power is not None else "without an effect"
    told = f"{plan.expected_null:,.0f} if there is no difference"
    if plan.expected is not None:
        told = f"{plan.expected:,.0f} with this effect, " + told
    return (
        "Looks on the way, each with the z and p that end the campaign, the alpha spent so far, and the chance to stop "
        f"there {stops}. Translations a system on average: {told}."
    )


def _plan_table(plan: Plan) -> Table:
    rows = []
    for stage in plan.stages:
        ends = [stage.null] + ([] if stage.alternative is None else [stage.alternative])
        cells = [
            f"{stage.n:,}",
            f"{stage.fraction:.2f}",
            f"{stage.z:.3f}",
            f"{stage.p:.3g}",
            f"{stage.spent:.3g}",
        ]
        rows.append(Row((Cell(str(stage.look)), *map(Cell, cells), *(Cell(cell_text(end)) for end in ends))))
    heads = ["n", "Share", "z from", "p below", "Alpha", "Stop (none)"]
    if plan.power is not None:
        heads.append("Stop (effect)")
    return Table((Column("Look"), *(Column(head, True) for head in heads)), tuple(rows))


def _n_cell(n: int | None) -> Cell:
    return Cell(MISSING if n is None else f"{n:,}")


def _filled(sentence: str, style: str, width: int, indent: str = "") -> list[Line]:
    """A sentence in lines, all but the first a little further in where they are indented."""
    lines = wrapped(sentence.split(" "), width=width - 2 * len(indent), indent="")
    return [[Span((indent * (2 if i else 1)) + line[0].text, style)] for i, line in enumerate(lines)]
