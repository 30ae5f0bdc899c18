"""Pages escape by construction: no name, label, text or sentence can become markup, whoever forgets what."""

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge.report
from adjudge.analysis.xray import xray
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.evaluate import Score, Scores, TestSetFacts
from adjudge.io import Input
from adjudge.planning.design import CampaignDesign, Design
from adjudge.planning.pilot import pilot_of_scores
from adjudge.planning.pilot_power import map_power_from_pilot, power_from_pilot
from adjudge.planning.power import power_for
from adjudge.report import comparison as comparisons
from adjudge.report import power as powers
from adjudge.report import score as scoring
from adjudge.report import xray as xrays
from adjudge.report.formats import Forms, render
from adjudge.report.html import Drawing
from adjudge.report.markup import NOTHING, Html, html, prose, text
from adjudge.report.page import page
from adjudge.report.section_page import section_page
from adjudge.report.sections import Section, Signature
from adjudge.report.table import Cell, Column, Row, Table
from helpers.comparisons import comparison
from helpers.pages import Page

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;{0}"
FILES = (Input("system", HOSTILE, "0" * 64),)
ROOM = Path(adjudge.report.__file__).parent


def test_what_is_put_into_html_is_text():
    assert html("<b>{}</b>", "<i>") == "<b>&lt;i&gt;</b>"
    assert html('<b title="{}">{}</b>', "\"'", 1) == '<b title="&quot;&#x27;">1</b>'
    assert html("<b>{}</b>", html("<i>{}</i>", "&")) == "<b><i>&amp;</i></b>"
    assert html("{:.2f} {:,}", 1 / 3, 1000) == "0.33 1,000"
    assert html("{{}}") == "{}"
    assert html("<b/>") + "<" == "<b/>&lt;"
    assert "<" + html("<b/>") == "&lt;<b/>"
    assert html(" · ").join(["<", html("<b/>")]) == "&lt; · <b/>"
    assert prose("n < 5 & 80 %") == "n\u00a0&lt;\u00a05 &amp; 80\u00a0%"


@given(st.text(), st.text())
def test_whatever_is_done_with_html_gives_html(a, b):
    for made in (text(a), prose(a), html("<p>{}</p>", a), NOTHING.join([a, b]), text(a) + b, a + text(b)):
        assert isinstance(made, Html)
        assert "<" not in made.replace("<p>", "").replace("</p>", "")
        assert text(made) is made


def test_templates_stand_in_the_code():
    """What `html` takes for markup is written by us, and nobody else may call a string HTML."""
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "html":
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Html":
                assert path.name in ("markup.py", "page.py"), f"{path.name}:{node.lineno}"


def test_a_string_that_is_no_html_is_shown_where_html_was_expected():
    drawing = Drawing(HOSTILE, HOSTILE, below=HOSTILE)  # type: ignore[arg-type]
    for made in (
        page(HOSTILE, [HOSTILE]),  # type: ignore[list-item]
        section_page(HOSTILE, HOSTILE, [Section(key="x")], {"x": drawing}, version=HOSTILE),
    ):
        assert_harmless(made)


def everything() -> Section:
    table = Table(
        (Column(HOSTILE), Column(HOSTILE, True, HOSTILE)),
        (Row((Cell(HOSTILE), Cell(HOSTILE, marks=HOSTILE))),),
    )
    text = (HOSTILE,)
    notes = (HOSTILE, Signature(HOSTILE, HOSTILE))
    return Section(HOSTILE, (table,), text, notes, table, HOSTILE, HOSTILE, warnings=text)


def score_forms() -> Forms:
    facts = TestSetFacts(HOSTILE, 2, 1, HOSTILE)
    first = Score(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1.0, HOSTILE, True, 1, (1.0, 2.0))
    return scoring.forms(Scores(facts, (first,), (HOSTILE,)), version=HOSTILE, inputs=FILES)


def comparison_forms() -> Forms:
    result = comparison({"bleu": {HOSTILE: 50.0, "b": 53.6}}, by={HOSTILE: [HOSTILE]})
    result = replace(
        result,
        test_set=replace(result.test_set, name=HOSTILE),
        results=tuple(replace(s, label=HOSTILE, signature=HOSTILE) for s in result.results),
        claims=(HOSTILE,),
        warnings=(HOSTILE,),
    )
    further = comparisons.Further([everything()], {}, {})
    return comparisons.forms(result, version=HOSTILE, inputs=FILES, further=further)


def baseline_forms() -> Forms:
    result = comparison({"bleu": {HOSTILE: 50.0, "b": 53.6}}, baseline=HOSTILE)
    return comparisons.forms(replace(result, claims=(), warnings=(HOSTILE,)), version=HOSTILE)


def xray_forms() -> Forms:
    words = f"a {HOSTILE} b c"
    test_set = TestSet(references=[[words], [words]], sources=[words], name=HOSTILE)
    systems = [Outputs(HOSTILE, [words]), Outputs("b", [f"c a {HOSTILE} d"])]
    return xrays.forms(xray(test_set, systems, "ter", segments=[1]), version=HOSTILE)


def pilot():
    matrix = ScoreMatrix((HOSTILE, "B"), np.random.default_rng(1).normal(size=(2, 30)))
    return pilot_of_scores(matrix, name=HOSTILE, seed=1)


def pilot_forms() -> Forms:
    return powers.forms(
        power_from_pilot(pilot(), CampaignDesign(simulations=100)), version=HOSTILE, inputs=FILES
    )


def map_forms() -> Forms:
    power_map = map_power_from_pilot(pilot(), CampaignDesign(simulations=100), n=(20, 40), scales=(0.5, 1.0))
    return powers.forms(replace(power_map, warnings=(HOSTILE,)), version=HOSTILE, inputs=FILES)


def answer_forms() -> Forms:
    answer = power_for(Design(), n=55, effect=0.44)
    return powers.forms(replace(answer, warnings=(HOSTILE,)), version=HOSTILE, inputs=FILES)


KINDS: list[Callable[[], Forms]] = [
    *(score_forms, comparison_forms, baseline_forms, xray_forms, pilot_forms, map_forms, answer_forms),
]


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_or_text_of_any_page_becomes_markup(kind):
    forms = kind()
    assert_harmless(render(forms, "html"))
    if kind in (xray_forms, map_forms):
        picture = render(forms, "svg")
        assert isinstance(picture, Html)
        assert "<script" not in picture
        assert "<img" not in picture


def test_every_part_of_a_section_is_text_on_a_page():
    made = section_page(
        HOSTILE, HOSTILE, [everything()], {}, version=HOSTILE, inputs=FILES, warnings=(HOSTILE,)
    )
    assert_harmless(made)
    assert "".join(Page(made).texts).count("<script>alert(1)</script>") >= 15


def assert_harmless(made: str) -> None:
    assert isinstance(made, Html)
    result = Page(made)  # attributes that are there once, elements that are closed in order
    scripts = [tag for tag, _ in result.tags if tag == "script"]
    assert len(scripts) == made.count("<script>\n")  # none but what is shipped
    assert "img" not in {tag for tag, _ in result.tags}
    assert not [name for _, attributes in result.tags for name in attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in "".join(result.texts) + str(result.tags)
