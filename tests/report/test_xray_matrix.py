"""The matrix of an x-ray has a mark for every link."""

from adjudge.data import Alignment, Link
from adjudge.report.pages.xray import page as xray_page
from helpers.pages import Page
from helpers.xrays import drawn, looked, with_alignment


def test_a_matrix_has_a_mark_for_every_link() -> None:
    text = drawn(looked("the cat sat on Monday", "on Monday the cat slept"))
    rows = [line.split() for line in text.splitlines() if "·" in line]
    assert rows == [
        ["the", "·", "·", "■", "·", "·"],
        ["cat", "·", "·", "·", "■", "·"],
        ["sat", "·", "·", "·", "·", "×"],
        ["on", "↷", "·", "·", "·", "·"],
        ["monday", "·", "↷", "·", "·", "·"],
    ]


def test_phrases_of_several_words_are_blocks() -> None:
    result = with_alignment(Alignment(("a", "b"), ("x", "y", "z"), (Link((0, 2), (0, 3), "paraphrase"),)))
    assert drawn(result).count("▲ ▲") == 3
    page = Page(xray_page.page(result, version="0"))
    assert sum(c.get("data-links") == "7-0-0" for tag, c in page.tags if tag == "li") == 5
    assert sum(c.get("class") == "phrase paraphrase" for tag, c in page.tags if tag == "path") == 1
