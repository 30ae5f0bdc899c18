"""What the tests of pages share: a page of everything, with hostile names."""

from adjudge.display import Cell, Column, Row, Section, Signature, Table
from adjudge.io import Input
from adjudge.report.render.markup import Html
from helpers.pages import Page

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;{0}"


FILES = (Input("system", HOSTILE, "0" * 64),)


def everything() -> Section:
    table = Table(
        (Column(HOSTILE), Column(HOSTILE, True, HOSTILE)),
        (Row((Cell(HOSTILE), Cell(HOSTILE, marks=HOSTILE))),),
    )
    text = (HOSTILE,)
    notes = (HOSTILE, Signature(HOSTILE, HOSTILE))
    return Section(HOSTILE, (table,), text, notes, table, HOSTILE, HOSTILE, warnings=text)


def assert_harmless(made: str) -> None:
    assert isinstance(made, Html)
    result = Page(made)  # attributes that are there once, elements that are closed in order
    scripts = [tag for tag, _ in result.tags if tag == "script"]
    assert len(scripts) == made.count("<script>\n")  # none but what is shipped
    assert "img" not in {tag for tag, _ in result.tags}
    assert not [name for _, attributes in result.tags for name in attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in "".join(result.texts) + str(result.tags)
