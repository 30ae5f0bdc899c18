"""Alignments as a figure: sound XML that shows the alignment and nothing else, in any program."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.analysis.xray import Xray, xray
from adjudge.data import Outputs, TestSet
from adjudge.report.pages.xray import picture as alignment_picture

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<b> & \"quotes\" 'single' ]]> <!-- \x1b[31m \u202e x\u0301 👩‍👩‍👧 日本語"


def looked(references: list[str], *outputs: str, **options: object) -> Xray:
    test_set = TestSet(references=[[text] for text in references])
    systems = [Outputs(f"sys{i}", [text]) for i, text in enumerate(outputs, 1)]
    return xray(test_set, systems, "ter", **(options or {"segments": [1]}))  # type: ignore[arg-type]


def drawn(result: Xray) -> ElementTree.Element:
    return ElementTree.fromstring(alignment_picture.picture(result))


def texts(root: ElementTree.Element) -> list[str]:
    return [str(text.text) for text in root.iter(f"{SVG}text")]


def curves(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "2"]


WORDS = st.lists(st.sampled_from(["a", "b", "c", "dog", "<i>"]), max_size=9).map(" ".join)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=2))
@settings(max_examples=60)
def test_what_is_drawn_is_the_alignment(reference: str, outputs: list[str]) -> None:
    result = looked([reference], *outputs)
    root = drawn(result)
    views = result.segments[0].systems
    assert [path.get("class") for path in curves(root)] == [
        link.kind for v in views for link in v.alignment.links
    ]
    shades = [path for path in root.iter(f"{SVG}path") if path.get("fill-opacity") == "0.08"]
    assert len(shades) == sum(len(view.structure.chunks) for view in views) + 1  # one in the legend
    shown = texts(root)
    words = [*views[0].alignment.reference, *(word for view in views for word in view.alignment.hypothesis)]
    for word in set(words):
        assert shown.count(word) == words.count(word)


def test_everything_lies_on_the_paper() -> None:
    root = drawn(looked(["the cat sat on Monday"], "on Monday the cat slept", "the incomprehensibilities"))
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    for text in root.iter(f"{SVG}text"):
        x, y = float(str(text.get("x"))), float(str(text.get("y")))
        room = 7.5 * len(str(text.text))
        left = x - {"start": 0.0, "middle": room / 2, "end": room}[str(text.get("text-anchor"))]
        assert left >= 0
        assert left + room <= width
        assert 0 <= y <= height


def test_colours_are_attributes_for_programs_without_style_sheets() -> None:
    picture = alignment_picture.picture(looked(["a b c"], "c a x"))
    assert "var(" not in picture
    root = ElementTree.fromstring(picture)
    assert all(path.get("stroke") or path.get("fill") for path in root.iter(f"{SVG}path"))
    assert all(str(text.get("fill")).startswith("#") for text in root.iter(f"{SVG}text"))
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_it_is_told_in_words() -> None:
    root = drawn(looked(["a b c"], "c a x"))
    assert root.findtext(f"{SVG}title") == "sys1 by TER"
    assert root.findtext(f"{SVG}desc") == "segment 1: sys1 66.7 with 1 shift, 1 exact, 1 substitution"


def test_hostile_text_is_shown_and_nothing_else() -> None:
    test_set = TestSet(references=[[HOSTILE]])
    result = xray(
        test_set, [Outputs(HOSTILE, ["x " + HOSTILE]), Outputs("<i>", [HOSTILE])], "ter", segments=[1]
    )
    shown = texts(drawn(result))
    assert "<i>" in shown
    assert "\\x1b[31m" in shown
    assert {element.tag.removeprefix(SVG) for element in drawn(result).iter()} == {
        "svg", "title", "desc", "style", "rect", "g", "path", "text"
    }  # fmt: skip


def test_two_references_are_two_drawings() -> None:
    shown = texts(drawn(looked(["a b c", "d e f"], "d e x", "a b x")))
    assert "reference 1" in shown
    assert "reference 2" in shown
    assert shown.count("Segment 1") == 2


@pytest.mark.parametrize(("reference", "output"), [("", ""), ("a b", ""), ("", "a b")])
def test_empty_segments(reference, output) -> None:
    assert curves(drawn(looked([reference], output))) == []


def test_no_segments() -> None:
    root = drawn(looked(["a"], "a", "a", show="different"))
    assert texts(root) == ["None: sys1 and sys2 have the same score in every segment."]
