"""Power shown: the answer in a sentence, what it rests on, and the tables behind it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.evaluate.campaign import Campaign, Design
from adjudge.evaluate.documents import finite
from adjudge.evaluate.looks import Interim, More, Plan
from adjudge.evaluate.pilot import PilotAnswer, PilotMap
from adjudge.evaluate.power import Answer, PowerMap
from adjudge.evaluate.wording import counted, digits, p_text, signed
from adjudge.report.latex import latex_table
from adjudge.report.markdown import escape, markdown_table
from adjudge.report.power_map import Grid, cell_text, columns_of, map_lines, map_table
from adjudge.report.table import MISSING, Cell, Column, Row, Table, number, visible
from adjudge.report.text import Line, Span, table_lines, wrapped
from adjudge.report.tsv import tsv_line

if TYPE_CHECKING:
    from adjudge.io import Input

Result = Answer | PowerMap | Interim | PilotAnswer | PilotMap

DECIMALS = 3
WIDTH_OF_TEXT = 100
"""Sentences are filled into lines no longer than this, however wide the screen."""
TESTS = {
    "rank-sum": "Wilcoxon rank-sum test",
    "signed-rank": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "randomisation": "paired approximate randomisation",
    "bootstrap": "paired bootstrap",
}
METHODS = {
    "shieh": "power by Shieh's formula (normal scores, one system's shifted)",
    "noether": "power by Noether's formula",
    "exact": "exact power",
}


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


def as_tsv(result: Result) -> str:
    """Numbers without rounding: a line a cell of a map, a look of a plan or a point of a curve, else one line."""
    if isinstance(result, PowerMap):
        cells = [
            (n, effect, power)
            for n, row in zip(result.n, result.power, strict=True)
            for effect, power in zip(result.effects, row, strict=True)
        ]
        return _lines(("n", "effect", "power"), cells)
    if isinstance(result, PilotMap):
        cells = [
            (n, difference, power)
            for n, row in zip(result.n, result.power, strict=True)
            for difference, power in zip(result.differences, row, strict=True)
        ]
        return _lines(("n", "difference", "power"), cells)
    if isinstance(result, PilotAnswer):
        return _lines(("n", "power", "error"), [(p.n, p.power, p.error) for p in result.curve])
    if isinstance(result, Interim):
        names = ("look", "n", "z", "p", "limit", "verdict", "chance", "trend")
        return _lines(names, [tuple(getattr(result, name) for name in names)])
    if result.plan is not None:
        return _lines(
            ("look", "n", "fraction", "z", "p", "spent", "null", "alternative"),
            [tuple(asdict(stage).values()) for stage in result.plan.stages],
        )
    return _lines(
        ("n", "effect", "power", "alpha", "test", "method"),
        [
            (
                result.n,
                result.effect,
                result.power,
                result.design.alpha,
                result.design.test,
                result.design.method,
            )
        ],
    )


def as_json(result: Result, *, version: str, inputs: Sequence[Input] = ()) -> str:
    """All that is known, unrounded; what is not a finite number is null."""
    document = {"version": version} | _document(result)
    if inputs:
        document["inputs"] = [asdict(item) for item in inputs]
    return json.dumps(_plain(document), indent=2, allow_nan=False) + "\n"


def _document(result: Result) -> dict[str, Any]:
    if isinstance(result, Answer):
        plan = None if result.plan is None else asdict(result.plan)
        budget: dict[str, Any] | None = None
        if result.budget is not None:
            budget = {
                "judgements": result.budget.judgements,
                "n": result.budget.n,
                "spare": result.budget.spare,
            }
            if (alone := result.budget.alone) is not None:
                budget["judged_once"] = {"n": alone.n, "effect": alone.effect, "power": alone.power}
        return {
            **{name: getattr(result, name) for name in ("power", "n", "effect")},
            **_design(result.design),
            **{
                name: getattr(result, name) for name in ("asked", "wanted", "n_wanted", "judgements", "error")
            },
            "budget": budget,
            "plan": plan,
            "alternatives": [asdict(one) for one in result.alternatives],
            "warnings": list(result.warnings),
        }
    if isinstance(result, PowerMap):
        return {
            **{name: getattr(result, name) for name in ("n", "effects", "power", "wanted", "enough")},
            **_design(result.design),
            "warnings": list(result.warnings),
        }
    if isinstance(result, Interim):
        return asdict(result)
    shared = {
        "method": "pilot",
        "test": result.test,
        **_campaign(result.campaign),
        "pilot": asdict(result.pilot),
    }
    if isinstance(result, PilotMap):
        shown = ("n", "differences", "power", "wanted", "enough", "warnings")
        return {**{name: getattr(result, name) for name in shown}, **shared}
    names = ("asked", "wanted", "n_wanted", "error", "scale", "difference", "judgements", "budget", "trials")
    return {
        "power": result.power,
        "n": result.n,
        "effect": result.pilot.effect,
        **shared,
        **{name: getattr(result, name) for name in names},
        "curve": [asdict(point) for point in result.curve],
        "alternatives": [asdict(one) for one in result.alternatives],
        "warnings": list(result.warnings),
    }


def _design(design: Design) -> dict[str, Any]:
    names = ("test", "method", "ratio", "correlation", "ties", "icc", "looks", "spending")
    return _campaign(design) | {name: getattr(design, name) for name in names}


def _campaign(campaign: Campaign) -> dict[str, Any]:
    return {
        "alpha": campaign.alpha,
        "alpha_each": campaign.alpha_each,
        "sides": campaign.sides,
        "systems": campaign.systems,
        "comparisons": campaign.tests,
        "correction": campaign.correction,
        "annotators_per_item": campaign.annotators,
        "controls": campaign.controls,
        "simulations": campaign.simulations,
        "seed": campaign.seed,
    }


def verdict(result: Result) -> str:
    """The answer in a sentence."""
    if isinstance(result, Interim):
        return _look_verdict(result)
    if isinstance(result, PowerMap):
        return "Power for n distinct translations a system"
    if isinstance(result, PilotMap):
        return f"Power for n {_unit(result)}s like the pilot's: {_who(result)}"
    found = f"{100 * result.power:.0f}" if 0.005 <= result.power < 0.995 else f"{100 * result.power:.3g}"
    campaigns = f"of 100 such campaigns {found} would find the difference"
    units = "translations a system" if isinstance(result, Answer) else f"{_unit(result)}s"
    if result.asked == "power":
        enough = ""
        if result.n_wanted is not None and result.power < result.wanted:
            enough = f"; a power of {result.wanted:g} takes n = {result.n_wanted:,}"
        return f"Power {number(result.power, DECIMALS)}: {campaigns}{enough}."
    if result.asked == "n":
        return f"n = {result.n:,} {units}: {campaigns} (power {number(result.power, DECIMALS)})."
    effect = result.effect if isinstance(result, Answer) else result.pilot.effect
    return f"Effect {number(effect, DECIMALS)}, or one further from 0.5: {campaigns}."


def _look_verdict(look: Interim) -> str:
    p = p_text(look.p, look.limit_p)
    where = f"look {look.look} of {look.looks}"
    if look.verdict == "stop":
        return f"Stop: {where} is significant ({p}, less than {look.limit_p:.3g})."
    short = f"{where} is not significant ({p}, not below {look.limit_p:.3g})"
    if look.verdict == "end":
        return f"The end: {short}, and no alpha is left for another one."
    return f"{'Go on' if look.verdict == 'go on' else 'Plan more, or stop'}: {short}."


def notes(result: Result) -> list[str]:
    """What an answer rests on, and what to think of it."""
    if isinstance(result, Interim):
        return _look_notes(result)
    if isinstance(result, PowerMap):
        return [_tested(result.design), *_of_n(result.design)]
    if isinstance(result, PilotMap):
        return [_seen(result), _piloted(result)]
    if isinstance(result, PilotAnswer):
        aim = f"difference to be found: {signed(result.difference, _places(result))}"
        if result.scale != 1:
            aim += f", {result.scale:.3g} times the pilot's"
        return [_seen(result), aim, *_counts(result), _piloted(result)]
    return [*_counts(result), _effect(result), _tested(result.design), *_of_n(result.design)]


def warnings(result: Result) -> tuple[str, ...]:
    """What to beware of."""
    return () if isinstance(result, Interim) else result.warnings


def _counts(result: Answer | PilotAnswer) -> list[str]:
    """Both n and N, which are never told one without the other, and the budget."""
    if isinstance(result, PilotAnswer):
        if result.budget is None:
            return []
        return [_n_and_judgements(result.campaign, result.n), f"budget {counted(result.budget, 'judgement')}"]
    lines = [_n_and_judgements(result.design, result.n)]
    if result.budget is None:
        return lines
    lines.append(
        f"budget {counted(result.budget.judgements, 'judgement')}, {result.budget.spare:,} left over"
    )
    if (alone := result.budget.alone) is not None:
        name, value = ("power", alone.power) if result.asked == "power" else ("effect", alone.effect)
        lines.append(
            f"the same budget with every translation judged once: n {alone.n:,}, {name} {number(value, DECIMALS)}; "
            "distinct translations count, not judgements of the same one"
        )
    return lines


def _n_and_judgements(campaign: Campaign, n: int) -> str:
    second = ""
    if isinstance(campaign, Design) and campaign.ratio != 1:
        second = f" ({campaign.second(n):,} of the second)"
    each = f", {campaign.annotators} of each translation" if campaign.annotators > 1 else ""
    controls = f", {100 * campaign.controls:g} % of them control items" if campaign.controls else ""
    return (
        f"n {n:,} distinct translations a system{second}; "
        f"N {counted(campaign.judgements(n), 'judgement')} of {campaign.systems} systems{each}{controls}"
    )


def _effect(result: Answer) -> str:
    worse = min(result.effect, 1 - result.effect)
    said = f"effect {result.effect:.4g}: of two translations, one of each system, "
    if abs(result.effect - 0.5) < 1e-9:
        return said + "either is better half the time"
    return said + f"the worse system's is better in {100 * worse:.3g} of 100 cases"


def _tested(design: Design) -> str:
    sides = "one-sided" if design.one_sided else "two-sided"
    method = METHODS.get(design.method, "")
    if design.method == "simulation":
        method = f"power from {design.simulations:,} simulations with normal scores, seed {design.seed}"
    pairing = "unpaired"
    if design.paired:
        pairing = "paired: both systems on the same segments"
        pairing += f", whose scores correlate {design.correlation:g}" if design.correlation else ""
    ties = f", {100 * design.ties:g} % ties" if design.ties else ""
    return f"{TESTS[design.test]} ({pairing}), {sides}{ties}; {_level(design)}; {method}"


def _level(campaign: Campaign) -> str:
    level = f"alpha {campaign.alpha:g}"
    if campaign.tests == 1:
        return level
    if campaign.correction == "none":
        return f"{level} for each of {campaign.tests} pairs, uncorrected"
    return f"{level} for {campaign.tests} pairs: the hardest must reach {campaign.alpha_each:.3g} (Holm)"


def _of_n(design: Design) -> list[str]:
    """What several judgements of one translation are worth."""
    if design.annotators == 1:
        return []
    if design.icc is None:
        return [
            "more judgements of one translation are taken to add nothing; --icc, the share of variance that lies "
            "between translations, says how much they do"
        ]
    worth = 1 / design.variance
    return [
        f"icc {design.icc:g}: {design.annotators} judgements of one translation are worth {worth:.3g} translations "
        "judged once; the effect is that of single judgements"
    ]


def _who(result: PilotAnswer | PilotMap) -> str:
    return visible(f"{result.pilot.a} and {result.pilot.b} by {result.pilot.label}")


def _unit(result: PilotAnswer | PilotMap) -> str:
    return result.pilot.unit


def _places(result: PilotAnswer | PilotMap) -> int:
    pilot = result.pilot
    return digits([pilot.difference, pilot.low, pilot.high], pilot.decimals)


def _seen(result: PilotAnswer | PilotMap) -> str:
    pilot, places = result.pilot, _places(result)
    shared = "" if math.isnan(pilot.correlation) else f", correlation {number(pilot.correlation, 2)}"
    return (
        f"pilot: {_who(result)} on {counted(pilot.units, pilot.unit)}: {signed(pilot.difference, places)} "
        f"[{signed(pilot.low, places)}, {signed(pilot.high, places)}], effect {number(pilot.effect, DECIMALS)}{shared}"
    )


def _piloted(result: PilotAnswer | PilotMap) -> str:
    campaign = result.campaign
    sides = "one-sided" if campaign.one_sided else "two-sided"
    trials = getattr(result, "trials", None)
    how = f", {trials:,} trials each" if trials is not None else ""
    return (
        f"{TESTS[result.test]}, {sides}; {_level(campaign)}; {campaign.simulations:,} campaigns drawn from the "
        f"pilot{how}, seed {campaign.seed}"
    )


def _look_notes(look: Interim) -> list[str]:
    lines = [
        f"n {look.n:,} of {look.planned_n:,} translations a system are in; z {look.z:.3f}, limit {look.limit:.3f}"
    ]
    chances = []
    if look.chance is not None:
        chances.append(f"{number(look.chance, 2)} if the planned effect is true")
    if look.trend is not None:
        chances.append(f"{number(look.trend, 2)} if it goes on as it did so far")
    if chances:
        lines.append(f"chance of a finding as planned: {', '.join(chances)}")
    if look.verdict == "plan more":
        if look.more is not None:
            lines.append(_extension(look, look.more, "if the planned effect is true"))
        if look.more_trend is not None:
            lines.append(_extension(look, look.more_trend, "if it goes on as it did so far"))
        lines.append("such a plan has one test when all is in and no look before it, so that alpha is kept")
    return lines


def _extension(look: Interim, more: More, when: str) -> str:
    return (
        f"for a chance of {look.wanted:g}, {when}: n {more.n:,} a system in all, significant if z of all of them is "
        f"{more.z:.3f} or more (p {more.p:.3g} or less)"
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
            title=f"{verdict(result)}: {TESTS[result.design.test]}, {_level(result.design)}",
            across="effect: P(A < B), 0.5 is no difference",
            columns=columns_of(result.effects, 2),
            rows=result.n,
            power=result.power,
            wanted=result.wanted,
            enough=result.enough,
        )
    return Grid(
        title=f"{verdict(result)}, {TESTS[result.test]}, {_level(result.campaign)}",
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


def _lines(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    def text(value: Any) -> str:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        return repr(value) if isinstance(value, float) else str(value)

    return tsv_line(names) + "".join(tsv_line([text(value) for value in row]) for row in rows)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return finite(value) if isinstance(value, float) else value
