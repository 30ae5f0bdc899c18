"""Power shown: the answer in a sentence, what it rests on, and the tables behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from adjudge.charts import CurveChart, PowerGrid
from adjudge.display import INDENTED, Cell, Column, Data, Displayable, Row, Section, Table
from adjudge.planning import power_documents
from adjudge.planning.interim import SequentialPlan
from adjudge.planning.pilot_power import PilotAnswer, PilotMap
from adjudge.planning.power import PowerAnswer, PowerMap
from adjudge.planning.power_map import cell_text, columns_of, map_lines, map_table
from adjudge.planning.power_words import Result, level_of, notes, test_title, verdict, warnings
from adjudge.wording import MISSING

if TYPE_CHECKING:
    from adjudge.io import Input


@dataclass(frozen=True)
class PowerDisplay(Displayable):
    """Power: the answer, what it rests on, and the tables behind it."""

    result: Result
    inputs: tuple[Input, ...] = ()

    @property
    def title(self) -> str:
        """The answer."""
        return verdict(self.result)

    @property
    def page_warnings(self) -> Sequence[str]:
        """What to beware of."""
        return warnings(self.result)

    def sections(self) -> list[Section]:
        """For a screen: the answer with what it rests on, then the map or the tables behind it."""
        result = self.result
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

    def printed(self) -> list[Section]:
        """The answer first, then the tables, then what it rests on."""
        below = Section(sentences=tuple(notes(self.result)), warnings=warnings(self.result))
        return [Section(lead=verdict(self.result), style="heading"), *_printed(self.result), below]

    def paper(self) -> list[Section]:
        """The tables, with the answer and what it rests on below the first one."""
        first, *others = _printed(self.result) or [Section()]
        headed = (first.lead,) if first.lead else ()
        told = (*notes(self.result), *warnings(self.result), *headed)
        return [replace(first, lead=verdict(self.result), notes=told), *others]

    def page_sections(self) -> list[Section]:
        """A shaded map or a curve, and what the answer rests on."""
        return [*_printed(self.result), Section(notes=tuple(notes(self.result)))]

    def document(self) -> Mapping[str, Any]:
        """All that is known, unrounded; files last."""
        files = {"inputs": [asdict(item) for item in self.inputs]} if self.inputs else {}
        return {**power_documents.document(self.result), **files}

    def data(self) -> Data:
        """A row a cell of a map, a look of a plan or a point of a curve, else one row."""
        return power_documents.data(self.result)


def parts(result: Result) -> list[Section]:
    """Tables beside the answer, each with what is said above it."""
    if isinstance(result, PilotAnswer):
        points = [(p.n, p.power, p.power - p.error, p.power + p.error) for p in result.curve]
        drawn = CurveChart(sorted(points), "power", "across: n")
        sections = [Section(tables=(_curve_table(result),), charts=(drawn,))]
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


def grid(result: PowerMap | PilotMap) -> PowerGrid:
    """A map's cells, with words for its sides."""
    if isinstance(result, PowerMap):
        return PowerGrid(
            title=f"{verdict(result)}: {test_title(result.design.test)}, {level_of(result.design)}",
            across="effect: P(A < B), 0.5 is no difference",
            columns=columns_of(result.effects, 2),
            rows=result.n,
            power=result.power,
            wanted=result.wanted,
            enough=result.enough,
        )
    return PowerGrid(
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
        cells = grid(result)
        return [Section(tables=(map_table(cells),), charts=(cells,), drawn_instead=True)]
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
