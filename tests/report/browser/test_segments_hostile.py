"""No text of a system, a label, a name or a note runs, leaves the page, or looks like what it is not."""

import numpy as np

from adjudge.dossiers.segment_table import MarkedSpan, ScoreColumn, SegmentTable
from adjudge.report.pages.report.segment_links import View, of_label, of_mark
from helpers.report_pages import small_table

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script><!--",
    '"><img src=x onerror=alert(3)><svg onload=alert(4)>',
    "javascript:alert(5) https://evil.example/x.png &lt;b&gt; {{x}} ${x} `x`",
    "a\u202eevil\u202c \u2066isolated\u2069 \u200fmark\u200e",
    "nul\0 tab\t line\nfeed \x1b[31mred \x7f \u2028",
    "half \ud800 of a pair \udc00 and \U0001f600 whole",
    "x" * 100_000,
    " ".join(["word"] * 20_000),
    "",
)
NAME = "\"'><script>alert(6)</script><img src=x onerror='alert(7)'>&amp;{0}\u202e"
NUMBER = len(HOSTILE)


def hostile_table() -> SegmentTable:
    values = {NAME: np.arange(NUMBER, dtype=float), "plain": np.arange(NUMBER, dtype=float)[::-1].copy()}
    span = MarkedSpan(0, 5, NAME, NAME, NAME, comment=NAME)
    return SegmentTable(
        identifiers=tuple(f"{NAME}{number}" for number in range(NUMBER)),
        outputs={NAME: HOSTILE, "plain": tuple(f"plain {text}" for text in HOSTILE)},
        sources=HOSTILE,
        references=(HOSTILE, tuple(text or None for text in HOSTILE)),
        labels={NAME: HOSTILE, "document": (NAME,) * NUMBER},
        scores=(ScoreColumn(NAME, NAME, True, "metric", values),),
        counts={f"class {NAME}": {NAME: np.arange(NUMBER)}},
        spans={NAME: ((span,),) * NUMBER},
        marks={NAME: np.array([1, 2])},
        name=NAME,
        language="",
    )


def test_hostile_texts_stay_texts(reader):
    visit = reader().open(hostile_table())
    assert visit.status == f"{NUMBER} segments"
    assert visit.page.locator(".browser script, .browser img, .browser svg, .browser iframe").count() == 0
    handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => /^on/.test(n))"
    assert visit.page.evaluate(handlers) == []
    texts = visit.texts(".segment .text")
    for text in HOSTILE[:4]:
        assert text in texts
    for number in range(NUMBER):
        visit.page.get_by_role("button", name="More of segment").nth(number).click()
        for button in visit.page.locator(".details .choices button").all():
            button.click()
        visit.page.get_by_role("button", name="Less of segment").click()
    assert visit.page.evaluate("document.title") == "Segments"


def test_controls_and_directions_are_seen(reader):
    visit = reader().open(hostile_table(), View(show="all", against="nothing"))
    shown = visit.page.locator(".segment").nth(4).inner_text()
    for name in ("RLO", "PDF", "LRI", "PDI", "RLM", "LRM"):
        assert f"⟨{name}⟩" in shown
    shown = visit.page.locator(".segment").nth(5).inner_text()
    for name in ("NUL", "TAB", "LF", "ESC", "DEL", "LSEP"):
        assert f"⟨{name}⟩" in shown
    assert "half � of a pair � and 😀 whole" in visit.page.locator(".segment").nth(6).inner_text()
    raw = visit.page.evaluate(r"/[\u202a-\u202e\u2066-\u2069\u0000]/.test(document.body.innerText)")
    assert raw is False


def test_long_lines_are_folded_and_can_be_unfolded(reader):
    visit = reader().open(hostile_table(), View(against="nothing"))
    card = visit.page.locator(".segment").nth(7)
    assert card.bounding_box()["height"] < 4000
    card.get_by_role("button", name="Show all 100,000 characters").first.click()
    assert "x" * 100_000 in visit.page.locator(".segment").nth(7).inner_text()


def test_hostile_names_work_in_conditions_links_searches_and_notes(reader):
    view = View(
        where=f"{of_mark(NAME)} and {of_label('document', NAME)}", sort=f'"{NAME}"'.replace('""', '"\\"')
    )
    visit = reader().open(hostile_table(), view)
    assert visit.status == f"2 of {NUMBER} segments"
    visit.search("<script>alert(1)")
    assert visit.status == f"0 of {NUMBER} segments"
    visit.condition("").press("Enter")
    visit.condition("<img src=x onerror=alert(8)>")
    assert "expected a name" in visit.page.locator("#segments-where-error").inner_text()
    visit.condition("")
    visit.page.get_by_role("button", name="More of segment").first.click()
    visit.page.locator(".details textarea").fill("<img src=x onerror=alert(9)>\u202e")
    visit.page.get_by_role("button", name="Less of segment").first.click()
    assert "<img src=x onerror=alert(9)>⟨RLO⟩" in visit.texts(".segment .comment")


def test_addresses_that_nobody_made_do_no_harm(reader):
    visit = reader().open(small_table())
    path = visit.folder / "report.html"
    for address in (
        "#segments?where=%E0%A4%A&sort=nothing&order=sideways&system=%00&segment=%ZZ",
        "#segments?show=x&within=y&search=%3Cscript%3E&regex=1",
        "#segments?" + "where=" + "(" * 5000,
        "#segments?where=" + "not%20" * 5000,
        "#segments?__proto__=1&constructor=2&where=constructor%20%3E%201",
    ):
        visit.go(path, address)
        assert visit.page.locator(".toolbar").count() == 1
