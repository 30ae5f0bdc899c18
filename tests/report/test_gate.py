"""Gates of studies shown: what has changed is always there, however many test sets have not."""

import json
import math

from adjudge.comparison.plan import Plan
from adjudge.comparison.results import TestFacts
from adjudge.comparison.scoring import TestSetFacts
from adjudge.history.gate import Gate, GateFinding, mean_verdicts
from adjudge.report.render.formats import render, renderer_of
from adjudge.stats.design import Design

PLAN = Plan().with_numbers(3)


def finding(name, verdict="same", p=0.5, system="a"):
    numbers = (50.0, 49.0, -1.0, p, p, p < 0.05)
    return GateFinding(system, system, "chrf", "chrF", *numbers, verdict, True, 1, test_set=name)


def gate(*findings):
    return Gate(
        "old.json",
        {"x": TestSetFacts("x", 9, 1, "")},
        findings,
        TestFacts.of(PLAN, 1, len(findings), (), by_people=False),
        0.0,
        verdicts=mean_verdicts(findings, PLAN, "old.json"),
        study="s",
        plan=PLAN,
        designs={"x": Design("segment", 9)},
    )


def test_many_sets_without_a_change_are_counted():
    own = gate(finding(""), finding("bad", "worse", 0.001), *(finding(f"set{i}") for i in range(60)))
    text = render(renderer_of(own, version="1"), "text")
    assert "mean of 1 set" in text
    assert "bad" in text
    assert "set7" not in text
    assert "60 rows without a significant change: -f json has all." in text
    assert "Gate failed: significantly worse than in old.json: chrF of a on bad (" in text
    assert len(json.loads(render(renderer_of(own, version="1"), "json"))["results"]) == 62


def test_a_set_that_was_not_tested_has_no_p():
    own = gate(finding("", "same"), finding("x", "same", math.nan))
    document = json.loads(render(renderer_of(own, version="1"), "json"))
    assert [entry["p"] for entry in document["results"]] == [0.5, None]
    assert [entry["test_set"] for entry in document["results"]] == [None, "x"]
    assert "Gate passed" in render(renderer_of(own, version="1"), "markdown").splitlines()[0]


def test_the_mean_has_a_verdict_for_every_system():
    own = gate(finding("", "worse", 0.001), finding("x"), finding("", "same", 0.5, system="b"))
    first, second = json.loads(render(renderer_of(own, version="1"), "json"))["verdicts"]
    assert (first["winner"], first["pair"]) == ("a (old.json)", ["a", "a (old.json)"])
    assert first["relevance"]["visibility"] == "doubtful"
    assert (second["winner"], second["certainty"]) == (None, "open")
    assert second["systems"] == ["b", "b (old.json)"]
