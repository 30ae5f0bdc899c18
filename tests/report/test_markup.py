"""Pages escape by construction: no name, label, text or sentence can become markup, whoever forgets what."""

import ast
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import adjudge.report
from adjudge.charts import Folded, Remarks
from adjudge.display import Section
from adjudge.report.render.markup import NOTHING, Html, html, prose, text
from adjudge.report.render.page import page
from adjudge.report.render.section_page import section_page
from helpers.pages_of_all import HOSTILE, assert_harmless

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
    remarks = Remarks([HOSTILE])
    section = Section(HOSTILE, charts=(remarks,), below=(Folded(HOSTILE, remarks),))
    for made in (
        page(HOSTILE, [HOSTILE]),  # type: ignore[list-item]
        section_page(HOSTILE, HOSTILE, [section], version=HOSTILE),
    ):
        assert_harmless(made)
