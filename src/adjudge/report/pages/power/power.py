"""Power shown: the answer in a sentence, what it rests on, and the tables behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.display import INDENTED, Cell, Column, Row, Section, Table
from adjudge.planning.interim import SequentialPlan
from adjudge.planning.pilot_power import PilotAnswer, PilotMap
from adjudge.planning.power import PowerAnswer, PowerMap
from adjudge.report.charts.intervals import curve
from adjudge.report.pages.power import documents as power_documents
from adjudge.report.pages.power.map import Grid, cell_text, columns_of, html_map, map_lines, map_table, svg
from adjudge.report.pages.power.words import Result, level_of, notes, test_title, verdict, warnings
from adjudge.report.render.formats import Renderer
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html
from adjudge.report.render.section_page import section_page
from adjudge.wording import MISSING

if TYPE_CHECKING:
    from adjudge.io import Input


def renderer(result: Result, *, version: str, inputs: Sequence[Input] = ()) -> Renderer:
    """Power in every format; a picture only of maps."""
    return Renderer(
        lambda: sections(result),
        lambda: power_documents.document(result, version=version, inputs=inputs),
        tsv=lambda: power_documents.as_tsv(result),
        markdown=lambda: printed_sections(result),
        latex=lambda: commented_sections(result),
        html=lambda: page(result, version=version, inputs=inputs),
        svg=lambda: svg(grid(result)),  # type: ignore[arg-type]
    )


def sections(result: Result) -> list[Section]:
    """For a screen: the answer with what it rests on, then the map or the tables behind it."""
    answer = Section(
        lead=verdict(result),
        style="heading",
        sentences=tuple(notes(result)),
        warnings=warnings(result),
        layout=INDENTED,
    )
    if isinstance(result, (PowerMap, PilotMap)):
        cells = grid(result)
        return [answer, Section(drawn=lambda width, rule: map_lines(cells, width=width, rule=rule))]
    return [answer, *parts(result)]


def printed_sections(result: Result) -> list[Section]:
    """The answer first, then the tables, then what it rests on."""
    below = Section(sentences=tuple(notes(result)), warnings=warnings(result))
    return [Section(lead=verdict(result), style="heading"), *_printed(result), below]


def commented_sections(result: Result) -> list[Section]:
    """The tables, with the answer and what it rests on below the first one."""
    first, *others = _printed(result) or [Section()]
    headed = (first.lead,) if first.lead else ()
    told = (*notes(result), *warnings(result), *headed)
    return [replace(first, lead=verdict(result), notes=told), *others]


def page(result: Result, *, version: str, inputs: Sequence[Input] = ()) -> Html:
    """The answer, a shaded map or a curve, and what it rests on."""
    drawings = {}
    if isinstance(result, (PowerMap, PilotMap)):
        drawings["map"] = Drawing(html_map(grid(result)), for_tables=True)
    if isinstance(result, PilotAnswer):
        points = [(p.n, p.power, p.power - p.error, p.power + p.error) for p in result.curve]
        drawings["curve"] = Drawing(curve(sorted(points), caption="power", across="across: n"))
    shown = [*_printed(result), Section(notes=tuple(notes(result)))]
    told = warnings(result)
    return section_page(verdict(result), "", shown, drawings, version=version, inputs=inputs, warnings=told)


def parts(result: Result) -> list[Section]:
    """Tables beside the answer, each with what is said above it."""
    if isinstance(result, PilotAnswer):
        sections = [Section(tables=(_curve_table(result),), key="curve")]
        if result.alternatives:
            sections.append(Section(tables=(_tests_table(result),), lead="The same campaign by other tests:"))
        return sections
    if not isinstance(result, PowerAnswer):
        return []
    sections = []
    if result.plan is not None:
        sections.append(Section(tables=(_plan_table(result.plan),), lead=_plan_heading(result.plan)))
    if result.alternatives:
        sections.append(
            Section(
                tables=(_pairing_table(result),),
                lead="Where both systems' translations of the same segments are judged, the paired test is right, and "
                "stronger the more their scores correlate:",
            )
        )
    return sections


def grid(result: PowerMap | PilotMap) -> Grid:
    """A map's cells, with words for its sides."""
    if isinstance(result, PowerMap):
        return Grid(
            title=f"{verdict(result)}: {test_title(result.design.test)}, {level_of(result.design)}",
            across="effect: P(A < B), 0.5 is no difference",
            columns=columns_of(result.effects, 2),
            rows=result.n,
            power=result.power,
            wanted=result.wanted,
            enough=result.enough,
        )
    return Grid(
        title=f"{verdict(result)}, {test_title(result.test)}, {level_of(result.campaign)}",
        across=f"difference in {result.pilot.label}",
        columns=columns_of(result.differences, result.pilot.decimals),
        rows=result.n,
        power=result.power,
        wanted=result.wanted,
        enough=result.enough,
    )


def _printed(result: Result) -> list[Section]:
    if isinstance(result, (PowerMap, PilotMap)):
        return [Section(tables=(map_table(grid(result)),), key="map")]
    return parts(result)


def _pairing_table(result: PowerAnswer) -> Table:
    rows = [
        Row(
            (Cell(result.design.test), Cell(MISSING), Cell(cell_text(result.power)), _n_cell(result.n_wanted))
        )
    ]
    rows += [
        Row(
            (
                Cell(alternative.test),
                Cell(f"{alternative.correlation:.2f}"),
                Cell(cell_text(alternative.power)),
                _n_cell(alternative.n),
            )
        )
        for alternative in result.alternatives
    ]
    heads = ("Correlation", f"Power at n {result.n:,}", f"n for {result.wanted:g}")
    return Table((Column("Test"), *(Column(head, True) for head in heads)), tuple(rows))


def _tests_table(result: PilotAnswer) -> Table:
    rows = [
        Row((Cell(test_title(test)), Cell(cell_text(power)), _n_cell(n)))
        for test, power, n in [
            (result.test, result.power, result.n_wanted),
            *((alternative.test, alternative.power, alternative.n) for alternative in result.alternatives),
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


def _plan_heading(plan: SequentialPlan) -> str:
    stops = "without and with the effect" if plan.power is not None else "without an effect"
    told = f"{plan.expected_null:,.0f} if there is no difference"
    if plan.expected is not None:
        told = f"{plan.expected:,.0f} with this effect, " + told
    return (
        "Looks on the way, each with the z and p that end the campaign, the alpha spent so far, and the chance to stop "
        f"there {stops}. Translations a system on average: {told}."
    )


def _plan_table(plan: SequentialPlan) -> Table:
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
