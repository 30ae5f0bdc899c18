"""Answers about power as JSON and TSV hold everything."""

import json

from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.planning.power import power_for
from helpers.powers import HOSTILE, rendered


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
    early = power_for(CampaignPlan(looks=(0.0001, 1.0)), n=100, effect=0.4)
    assert json.loads(rendered(early, "json"))["plan"]["stages"][0]["z"] is None


def test_tsv_has_a_line_a_cell(results):
    for name, rows in (("power", 1), ("plan", 4), ("map", 80), ("more", 1), ("pilot map", 4)):
        lines = rendered(results[name], "tsv").splitlines()
        assert len(lines) == 1 + rows, name
        assert len({line.count("\t") for line in lines}) == 1
    cell = rendered(results["map"], "tsv").splitlines()[5].split("\t")
    assert (cell[0], cell[1], float(cell[2])) == ("55", "0.44", results["map"].power[0][4])
    assert len(rendered(results["pilot"], "tsv").splitlines()) == 1 + len(results["pilot"].curve)
