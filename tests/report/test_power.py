"""Power shown: on any screen, for print, for machines; a map that is read with and without colours."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import ScoreMatrix
from adjudge.planning.design import CampaignDesign, Design
from adjudge.planning.interim import interim_result
from adjudge.planning.pilot import pilot_of_scores
from adjudge.planning.pilot_power import map_power_from_pilot, power_from_pilot
from adjudge.planning.power import map_power, power_for
from adjudge.report import power as report
from adjudge.report import power_documents, power_map
from adjudge.report.formats import render
from adjudge.report.power_words import Result
from adjudge.report.text import STYLES, cell_width, plain

HOSTILE = "<b>|&\"'_\x1b[31m\u202e日本"
QUARTERS = (0.25, 0.5, 0.75, 1.0)


def rendered(result: Result, form: str) -> str:
    return render(report.forms(result, version="1"), form)


@pytest.fixture(scope="module")
def results():
    rng = np.random.default_rng(1)
    matrix = ScoreMatrix((HOSTILE, "B"), rng.normal(size=(2, 60)) + np.array([[0.0], [0.7]]))
    pilot, campaign = pilot_of_scores(matrix, name="z", seed=1), CampaignDesign(simulations=100)
    plan = Design(looks=QUARTERS)
    return {
        "power": power_for(Design(), n=55, effect=0.44),
        "n": power_for(Design(systems=10, one_sided=True), effect=0.45, power=0.9),
        "effect": power_for(Design(test="sign", ties=0.1), n=200),
        "budget": power_for(Design(systems=5, annotators=2, icc=0.4, controls=0.3), budget=3000, effect=0.44),
        "nothing": power_for(Design(), n=55, effect=0.5),
        "plan": power_for(plan, effect=0.44),
        "map": map_power(Design()),
        "stop": interim_result(plan, 369, 2, p=0.002, effect=0.44),
        "go on": interim_result(plan, 369, 2, z=2.4, effect=0.44),
        "more": interim_result(plan, 369, 2, p=0.3, effect=0.44),
        "end": interim_result(plan, 369, 4, p=0.3, effect=0.44),
        "pilot": power_from_pilot(pilot, campaign),
        "pilot budget": power_from_pilot(pilot, campaign, budget=100, scale=0.5),
        "pilot map": map_power_from_pilot(pilot, campaign, n=(20, 80), scales=(0.5, 1.0)),
    }


def test_lines_fit_any_screen(results):
    for name, result in results.items():
        for width in (40, 60, 80, 120):
            for line in report.forms(result, version="1").lines(width=width, rule=True):
                shown = "".join(span.text for span in line).rstrip()
                assert cell_width(shown) <= width, (name, width, shown)
                assert {span.style for span in line} <= {"", *STYLES}
        told = rendered(result, "text")
        assert "\x1b" not in told
        assert "nan" not in told


def test_answers_in_words(results):
    by_name = {name: rendered(result, "text") for name, result in results.items()}
    assert by_name["power"].startswith(
        "Power 0.190: of 100 such campaigns 19 would find the difference; a power of 0.8 takes n = 362.\n"
    )
    assert "n 55 distinct translations a system; N 110 judgements of 2 systems" in by_name["power"]
    assert "the paired test is right" in by_name["power"]
    assert "signed-rank" in by_name["power"]
    assert by_name["n"].startswith("n = ")
    assert "one-sided; alpha 0.05 for 45 pairs: the hardest must reach 0.00111 (Holm)" in " ".join(
        by_name["n"].split()
    )
    assert by_name["effect"].startswith("Effect 0.")
    assert "10 % ties; alpha 0.05; exact power" in " ".join(by_name["effect"].split())
    budget = " ".join(by_name["budget"].split())
    for words in (
        "n 210 distinct translations a system; N 3,000 judgements of 5 systems, 2 of each translation, 30 % of them",
        "budget 3,000 judgements, 0 left over",
        "every translation judged once: n 420, power 0.581; distinct translations count",
        "icc 0.4: 2 judgements of one translation are worth 1.43 translations judged once",
    ):
        assert words in budget
    assert "no difference: what is found there is found by chance" in " ".join(by_name["nothing"].split())
    assert "369 if" not in by_name["plan"]
    assert "304 with this effect, 367 if there is no difference" in " ".join(by_name["plan"].split())
    assert by_name["stop"].startswith("Stop: look 2 of 4 is significant (p = 0.002, less than 0.00305).")
    assert by_name["go on"].startswith("Go on: look 2 of 4 is not significant")
    assert "n 505 a system in all" not in by_name["go on"]
    assert by_name["more"].startswith(
        "Plan more, or stop: look 2 of 4 is not significant (p = 0.30, not below 0.00305)."
    )
    assert "n 505 a system in all, significant if z of all of them is 2.054 or more" in " ".join(
        by_name["more"].split()
    )
    assert by_name["end"].startswith("The end: look 4 of 4 is not significant")
    assert "difference to be found: −" in by_name["pilot"]
    assert "0.5 times the pilot's" in by_name["pilot budget"]
    assert "budget 100 judgements" in by_name["pilot budget"]


def test_json_holds_everything(results):
    for name, result in results.items():
        document = json.loads(rendered(result, "json"))
        assert document["version"] == "1", name
    power = json.loads(rendered(results["power"], "json"))
    assert {key: power[key] for key in ("n", "effect", "alpha", "method", "test", "asked")} == {
        "n": 55, "effect": 0.44, "alpha": 0.05, "method": "shieh", "test": "rank-sum", "asked": "power",
    }  # fmt: skip
    assert power["power"] == results["power"].power
    assert json.loads(rendered(results["n"], "json"))["n"] == results["n"].n
    budget = json.loads(rendered(results["budget"], "json"))["budget"]
    assert budget["judged_once"]["n"] == 420
    plan = json.loads(rendered(results["plan"], "json"))["plan"]
    assert [stage["n"] for stage in plan["stages"]] == [92, 184, 277, 369]
    assert json.loads(rendered(results["more"], "json"))["more"]["n"] == 505
    whole = json.loads(rendered(results["map"], "json"))
    assert whole["power"][0][4] == results["map"].power[0][4]
    pilot = json.loads(rendered(results["pilot"], "json"))
    assert (pilot["method"], pilot["test"], pilot["pilot"]["a"]) == ("pilot", "rank-sum", HOSTILE)
    assert pilot["effect"] == results["pilot"].pilot.effect
    # An early look that cannot end a campaign has no limit that JSON could say.
    early = power_for(Design(looks=(0.0001, 1.0)), n=100, effect=0.4)
    assert json.loads(rendered(early, "json"))["plan"]["stages"][0]["z"] is None


def test_tsv_has_a_line_a_cell(results):
    for name, rows in (("power", 1), ("plan", 4), ("map", 80), ("more", 1), ("pilot map", 4)):
        lines = power_documents.as_tsv(results[name]).splitlines()
        assert len(lines) == 1 + rows, name
        assert len({line.count("\t") for line in lines}) == 1
    cell = power_documents.as_tsv(results["map"]).splitlines()[5].split("\t")
    assert (cell[0], cell[1], float(cell[2])) == ("55", "0.44", results["map"].power[0][4])
    assert len(power_documents.as_tsv(results["pilot"]).splitlines()) == 1 + len(results["pilot"].curve)


def test_print(results):
    for name, result in results.items():
        assert rendered(result, "markdown").startswith("**"), name
        latex = rendered(result, "latex")
        assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}")
    assert "| 55 | .438 | .367 |" in rendered(results["map"], "markdown")
    assert r"55 & .438 & .367" in rendered(results["map"], "latex")
    assert r"\textbf{.824}" in rendered(results["map"], "latex")


def test_the_map_without_colours(results):
    lines = plain(power_map.map_lines(report.grid(results["map"]))).splitlines()
    assert lines[2].split()[:3] == ["55", ".438▄", ".367▃"]
    assert lines[-1].split()[-1] == "13080"
    styles = [span.style for line in power_map.map_lines(report.grid(results["map"])) for span in line]
    assert {f"power{k}" for k in range(5)} <= set(styles)
    # Eighty columns are enough for the whole of it, and fewer make two parts.
    assert len(power_map.map_lines(report.grid(results["map"]), width=80, rule=True)) == len(lines) + 1
    assert len(power_map.map_lines(report.grid(results["map"]), width=50)) > len(lines)


def test_the_picture_is_sound(results):
    for name in ("map", "pilot map"):
        root = ET.fromstring(power_map.svg(report.grid(results[name])))
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        powers = [power for row in results[name].power for power in row]
        assert [power_map.cell_text(power) for power in powers] == [
            text for text in texts if text in {power_map.cell_text(power) for power in powers}
        ][: len(powers)]
        assert root.attrib["aria-label"]
    mapped = replace(results["map"], n=(100,), power=((0.1,) * 10,))
    assert ET.fromstring(power_map.svg(report.grid(mapped))) is not None


@given(st.floats(0, 1))
def test_a_power_in_a_cell(power):
    text = power_map.cell_text(power)
    assert float(text) == pytest.approx(power, abs=0.0005001)
    assert len(text) <= 4
    assert power_map.bar(power) in power_map.BARS
    assert power_map.bar(0.0) == "▁"
    assert power_map.bar(1.0) == "█"


def test_heads_of_columns_are_told_apart():
    assert power_map.columns_of((0.4, 0.41), 2) == ("0.40", "0.41")
    assert power_map.columns_of((0.4, 0.401, -0.5), 1) == ("0.400", "0.401", "−0.500")
