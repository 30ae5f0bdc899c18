"""A comparison in every format: what stands where, and that no comparison makes a renderer fail."""

import json
import math
import re

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from adjudge.comparison import Comparison
from adjudge.comparison.comparison_display import ComparisonDisplay
from adjudge.comparison.comparison_tables import numbers_in_ranges, pair_tables, system_table
from adjudge.report.render.formats import render, renderer_of
from helpers.compared import TWO, text, view
from helpers.comparisons import comparison, comparisons, many

BASELINE = comparison({"bleu": {"old": 50.0, "new": 53.6, "bad": 40.0}}, baseline="old")


RUNS = comparison({"bleu": {"A": 53.6, "B": 50.0}}, runs={"A": 3})


GROUPS = comparison({"bleu": {"A": 53.6, "B": 50.0}}, by={"domain": ["news", "support"]})


MISSING = comparison({"bleu": {"A": 53.6, "B": math.nan}})


def rendered(c: Comparison, form: str) -> str:
    return render(renderer_of(c, version="1.2", inputs=()), form)


def tsv(c: Comparison, **options) -> str:
    return render(renderer_of(ComparisonDisplay(c, **options), version="1.2"), "tsv")


def test_lower_is_better_keeps_its_sign_and_effects_count_for_the_better():
    table = pair_tables(view(TWO))[1]
    (_, _, delta, _, _, effect, _) = table.rows[1].cells
    assert (delta.text, delta.style) == ("−7.0", "win")
    assert effect.text == "7.00"


def test_against_a_baseline():
    lines = text(BASELINE).splitlines()
    assert [line.split() for line in lines[:5]] == [
        ["System", "BLEU", "↑", "Δ"],
        ["new", "53.6", "±", "1.6", "+3.6", "*"],
        ["old", "(baseline)", "50.0", "±", "1.6"],
        ["bad", "40.0", "±", "1.6", "−10.0", "*"],
        [],
    ]
    table = system_table(view(BASELINE))
    assert [row.cells[2].style for row in table.rows] == ["win", "", "loss"]
    assert "cluster" not in text(BASELINE).partition("\n- ")[0]


def test_runs():
    assert text(RUNS).splitlines()[2].startswith("A (mean of 3)  53.6 ± 1.6")


def test_a_missing_score_is_a_dash():
    row = next(line for line in text(MISSING).splitlines() if line.startswith("B "))
    assert row.split() == ["B", "–", "–"]


def test_groups_have_their_own_table_and_claims():
    shown = text(GROUPS)
    assert shown.index("domain=news: 40 segments") < shown.index("domain=support: 40 segments")
    assert shown.count("A       53.6 ± 1.6    1 (1)") == 3
    assert shown.count("- A claim of this group.") == 2
    assert "p is corrected within each group, not for looking at 2 groups." in shown


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("systems", [2, 5, 10, 20])
@pytest.mark.parametrize("metrics", [1, 4])
def test_it_fits_the_screen(width, systems, metrics):
    c = many(systems, ["bleu", "chrf", "ter", "length-ratio"][:metrics])
    for line in text(c, width=width, rule=True).splitlines():
        assert len(line) <= width or "|version:" in line


def test_decimals():
    assert "53.6000 ± 1.6000" in text(TWO, decimals=4)
    assert "+3.6000" in text(TWO, decimals=4)


def test_json_is_the_shape_others_build_on():
    document = strict(rendered(GROUPS, "json"))
    assert list(document) == [
        *(
            "version",
            "inputs",
            "test_set",
            "results",
            "pairs",
            "test",
            "claims",
            "design",
            "warnings",
            "groups",
        ),
        "verdict",
    ]
    assert {"system", "metric", "score", "low", "high", "signature", "cluster", "rank"} <= set(
        document["results"][0]
    )
    assert document["results"][0]["rank"] == [1, 1]
    assert {
        *("metric", "a", "b", "delta", "p", "p_adjusted", "wins", "ties", "losses", "significant"),
    } <= set(document["pairs"][0])
    assert {"method", "resamples", "seed", "unit", "correction", "alpha"} <= set(document["test"])
    assert [group["by"] for group in document["groups"]] == [{}, {"domain": "news"}, {"domain": "support"}]
    assert document["groups"][0]["results"] == document["results"]
    assert document["pairs"][0]["delta"] == pytest.approx(3.6)
    assert "groups" not in strict(rendered(TWO, "json"))


def test_json_has_null_for_what_is_no_number():
    document = strict(rendered(MISSING, "json"))
    assert document["results"][1]["score"] is None
    assert document["pairs"][0]["p"] is None
    assert document["pairs"][0]["significant"] is False


def test_tsv_of_results():
    lines = [line.split("\t") for line in tsv(GROUPS).splitlines()]
    assert lines[0][:9] == [
        "group",
        "system",
        "metric",
        "score",
        "low",
        "high",
        "cluster",
        "rank_low",
        "rank_high",
    ]
    assert [line[:4] for line in lines[1:4]] == [
        ["", "A", "bleu", "53.6"],
        ["", "B", "bleu", "50.0"],
        ["domain=news", "A", "bleu", "53.6"],
    ]
    assert len({len(line) for line in lines}) == 1
    assert tsv(TWO, decimals=0).splitlines()[1].split("\t")[3] == "50"


def test_tsv_of_pairs_never_rounds_p():
    lines = [line.split("\t") for line in tsv(TWO, table="pairs", decimals=0).splitlines()]
    assert lines[0][:9] == ["group", "metric", "a", "b", "delta", "low", "high", "p", "p_adjusted"]
    first = dict(zip(lines[0], lines[1], strict=True))
    assert (first["a"], first["b"], first["delta"]) == ("worse", "best", "-4")
    assert float(first["p"]) == TWO.pairs[0].p
    assert first["significant"] == "true"
    assert len(lines) == 7


def test_markdown():
    shown = rendered(GROUPS, "markdown")
    assert "| A | **53.6 ± 1.6** | **1 (1)** |\n" in shown
    assert "**domain=news: 40 segments**" in shown
    assert "- A claim of this group.\n" in shown
    assert "- BLEU: `nrefs:1|case:mixed|version:x`\n" in shown


def test_latex_marks_systems_that_are_beaten_by_number():
    shown = rendered(many(30, ["bleu"]), "latex")
    assert r"1 & system-A & \textbf{50.0 $\pm$ 1.6}\textsuperscript{2--30} \\" in shown
    assert r"28 & system-27 & 14.9 $\pm$ 1.6\textsuperscript{29,30} \\" in shown
    assert "Raised numbers: the systems (\\#) that a score is significantly better than" in shown
    assert shown.count("\\midrule") == 30


def test_latex_has_daggers_against_a_baseline():
    shown = rendered(BASELINE, "latex")
    assert r"new & \textbf{53.6 $\pm$ 1.6}\textsuperscript{\dag{}} \\" in shown
    assert r"bad & 40.0 $\pm$ 1.6\textsuperscript{\ddag{}} \\" in shown
    assert r"\dag{} better, \ddag{} worse than old (p $\le$ 0.05)." in shown


def test_latex_of_groups_has_titles():
    shown = rendered(GROUPS, "latex")
    assert r"\textit{everything: 173 segments}" in shown
    assert r"\textit{domain=news: 40 segments}" in shown
    assert shown.count("Raised numbers") == 1


def test_numbers_in_ranges():
    assert numbers_in_ranges([]) == ""
    assert numbers_in_ranges([3, 2]) == "2,3"
    assert numbers_in_ranges([7, 2, 4, 5, 6]) == "2,4–7"


def strict(document: str):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(document, parse_constant=refuse)


@settings(max_examples=60, deadline=None)
@given(comparisons())
def test_no_comparison_makes_a_renderer_fail(c):
    names = {s.system for s in c.results}
    for width in (None, 30, 80):
        shown = text(c, width=width, rule=width is not None)
        shown.encode("utf-8")
        assert "\x1b" not in shown
    document = rendered(c, "json")
    assert document.isascii()
    assert {result["system"] for result in strict(document)["results"]} == names
    for table in ("results", "pairs"):
        lines = tsv(c, table=table).split("\n")
        assert len({line.count("\t") for line in lines[:-1]}) == 1
    rows = [line for line in rendered(c, "latex").split("\n") if line.endswith(r" \\")]
    assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1
    tokens = MarkdownIt("commonmark").enable("table").parse(rendered(c, "markdown"))
    cells = [token for token in tokens if token.type == "td_open"]
    assert len(cells) >= len(names)
