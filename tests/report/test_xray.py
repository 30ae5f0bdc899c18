"""Drawings of alignments: on any screen, for any text, and as a page that is sound HTML."""

import json

import pytest

from adjudge.analysis.xray import xray
from adjudge.data import Outputs, TestSet
from adjudge.display import cell_width
from adjudge.report.pages.xray import page as xray_page
from adjudge.report.pages.xray import xray as report
from adjudge.report.render.formats import render
from helpers.pages import Page
from helpers.xrays import drawn, looked


def test_sentences_show_chunks_kinds_and_what_is_left_over() -> None:
    text = drawn(looked("the cat sat on Monday", "on Monday the CAT slept deeply"))
    assert "  reference   1[the cat] ×sat 2[↷on ↷monday]\n" in text
    assert "  hypothesis  2[↷on ↷monday] 1[the cat] ×slept +deeply\n" in text
    assert "TER 60.0, P 0.67, R 0.80, fragmentation 0.50, 2 chunks, 4 crossings," in text
    assert "-" not in text.split("reference   ")[1].split("\n")[0]
    assert "Segment 1  moves the system's TER by +60.000\n" in text
    assert "-mat" in drawn(looked("the cat on the mat", "the cat on the"))


def test_two_systems_share_the_reference_where_they_fit() -> None:
    result = looked("a b c", "a b c", "c b x")
    assert "  ■ · ·  a × · ·\n" in drawn(result)
    below = drawn(looked("a b c " * 4, "a b x " * 4, "x x x " * 4), width=34)
    assert "\n  sys1\n" in below
    assert "\n  sys2\n" in below
    assert "  a ■ · · · · · · · · · · ·\n" in below
    assert "  a × · · · · · · · · · · ·\n" in below
    # Of the same words in the same order a matrix would show a diagonal.
    assert "\n  sys1\n" not in drawn(looked("a b c " * 4, "a b c " * 4, "x x x " * 4), width=34)
    outputs = [Outputs("x", ["a b c z"]), Outputs("y", ["d e f z"])]
    apart = xray(TestSet(references=[["a b c"], ["d e f"]]), outputs, "ter", segments=[1])
    assert not apart.segments[0].same_reference
    assert drawn(apart).count("■") >= 6


@pytest.mark.parametrize("width", [40, 80, 120, None])
def test_lines_fit_the_screen(width) -> None:
    long = [" ".join(f"word{i}" for i in range(n)) for n in (3, 30, 200)]
    long[0] += " " + "https://example.org" * 9
    other = [" ".join(f"word{i}" for i in range(n, 0, -1)) for n in (3, 30, 200)]
    for options in ({"segments": [1, 2, 3]}, {"show": "worst", "top": 3}):
        for outputs in ((other,), (long, other)):
            result = looked(long, *outputs, **options)
            lines = drawn(result, width).splitlines()
            drawing = lines[
                lines.index(report.title(result)) : -1
            ]  # tables and signatures have their own ways
            assert max(map(cell_width, drawing)) <= (width or 80)


def test_what_is_too_long_to_draw_says_so() -> None:
    text = drawn(looked("a b " * 500, "b a " * 500, "a"))
    assert "too many words to draw here; -o page.html draws them." in text
    assert "There are too many words" in drawn(looked("a b " * 30, "b a"))
    assert "Others have too many words" in drawn(looked("a b " * 10, "b a", "b a " * 40))


def test_wide_and_right_to_left_words() -> None:
    text = drawn(looked("猫 は 寝 た", "猫 が 寝 た"))
    rows = [line for line in text.splitlines() if "·" in line]
    assert [cell_width(row.rstrip()) for row in rows] == [12, 12, 12, 12]
    hebrew = drawn(looked("שלום עולם טוב", "עולם שלום טוב"))
    assert "1 2 3" in hebrew  # letters from right to left do not stack; columns are numbered


@pytest.mark.parametrize(("reference", "output"), [("", ""), ("a b", ""), ("", "a b"), ("a b", "a b")])
def test_empty_and_identical_segments(reference, output) -> None:
    result = looked(reference, output, output)
    text = drawn(result)
    assert ("(empty)" in text) == (not reference or not output)
    page = Page(xray_page.page(result, version="0"))
    assert ("empty" in page.texts) == (not reference or not output)
    assert (
        json.loads(render(report.renderer(result, version="0"), "json"))["segments"][0]["systems"][0][
            "hypothesis"
        ]
        == output.split()
    )


def test_no_difference_no_segments() -> None:
    result = looked(["a", "b"], ["a", "x"], ["a", "x"], show="different")
    assert result.segments == ()
    told = "None: sys1 and sys2 have the same score in every segment."
    assert told in drawn(result)
    assert "only in the output" not in drawn(result)
    assert told in Page(xray_page.page(result, version="0")).texts
    gains = looked(["a", "b"], ["a", "b"], ["a", "x"], show="gains")
    assert "None: sys2 gains on sys1 in no segment." in drawn(gains)
