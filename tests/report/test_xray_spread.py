"""How scores are spread over segments."""

import pytest

from adjudge.report.pages.xray import page as xray_page
from helpers.pages import Page
from helpers.xrays import drawn, looked


def test_shares_of_words() -> None:
    result = looked("the cat sat on Monday", "on Monday the cat slept deeply")
    text = drawn(result)
    assert "Words  exact ■  shift ↷  substitution ×  extra +  missing -\n" in text
    assert "sys1    33.3 %   33.3 %          16.7 %   16.7 %      0.0 %\n" in text
    page = Page(xray_page.page(result, version="0"))
    widths = [float(str(c["width"])) for tag, c in page.tags if tag == "rect"]
    assert widths == [33.33, 33.33, 16.67, 16.67]
    assert "–" in drawn(looked("a", "")).splitlines()[4]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_spreads_are_not_cut_in_two(width) -> None:
    lines = drawn(looked("a b c", "a c b", "a"), width).splitlines()
    assert sum("median" in line for line in lines) == 1
    (head,) = (line for line in lines if "median" in line)
    assert ("10 %" in head) == (width >= 80)
