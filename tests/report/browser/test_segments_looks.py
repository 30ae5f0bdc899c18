"""What everybody must be able to see, read, name and hit among segments, in light and dark, on a desk and a phone."""

import pytest

from adjudge.report.pages.report.segment_links import View
from conftest import PROJECT
from helpers.report_pages import large_table, small_table

AUDIT = (PROJECT / "tests" / "server" / "browser" / "audit.js").read_text(encoding="utf-8")
NAME_OF_FOCUS = """((focus) =>
  focus === document.body ? "page" : focus.ariaLabel || focus.id || focus.textContent.trim())(document.activeElement)"""
SIZES = ({"width": 1280, "height": 800}, {"width": 360, "height": 740})


def audited(visit, where):
    """What is wrong with the page in light and dark, wide and narrow."""
    results = []
    for size in SIZES:
        visit.page.set_viewport_size(size)
        for theme in ("light", "dark"):
            visit.page.emulate_media(color_scheme=theme)
            visit.settle()
            results += [f"{where}, {theme}, {size['width']}: {entry}" for entry in visit.page.evaluate(AUDIT)]
    visit.page.set_viewport_size(SIZES[0])
    return results


def test_everything_can_be_read_named_and_hit(reader):
    visit = reader().open(small_table(), View(segment="1", search="house"))
    visit.page.wait_for_selector(".hit")
    visit.card("1").get_by_role("button", name="METEOR").click()
    problems = audited(visit, "opened")
    visit.search("")
    visit.condition("chrf < 70 and doman = news")
    problems += audited(visit, "refused")
    visit.condition("d")
    problems += audited(visit, "offers")
    visit.condition("chrf > 1000")
    problems += audited(visit, "nothing")
    visit.condition("")
    for name in ("Export …", "Keys ?"):
        visit.page.get_by_role("button", name=name).click()
        problems += audited(visit, name)
        visit.press("Escape")
    assert problems == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_tab_key_reaches_everything_and_leaves_again(reader, width):
    visit = reader(viewport={"width": width, "height": 900}).open(large_table(300))
    visit.page.locator("#segments-system").focus()
    seen = []
    for _ in range(25):
        label = visit.page.evaluate(NAME_OF_FOCUS)
        if seen and label in ("page", seen[0]):
            break
        seen.append(label)
        visit.press("Tab")
    for label in (
        "Baseline",
        "Sort by",
        "segments-where",
        "segments-search",
        "Regular expression",
        "Export …",
        "Keys ?",
    ):
        assert label in seen, label
    assert "Segment seg-00000" in seen
    assert "Star segment seg-00000" in seen
    assert len(seen) < 25  # the list is no trap
