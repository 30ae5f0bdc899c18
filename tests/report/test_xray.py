"""Drawings of alignments: on any screen, for any text, and as a page that is sound HTML."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.analysis.alignments import structure
from adjudge.data import Alignment, Link, Outputs, TestSet
from adjudge.evaluate.xray import SegmentView, SystemView, Xray, xray
from adjudge.report import xray as report
from adjudge.report import xray_html
from adjudge.report.text import cell_width, plain

VOID = {"meta", "link", "br", "hr", "img"}
HOSTILE = "<b> & \"quotes\" 'single' </script> <!-- ]]> &amp; \x1b[31m \u202e x\u0301 👩‍👩‍👧 日本語"


class Page(HTMLParser):
    """Elements closed in order, their texts and attributes; anything else is a failure."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def looked(reference: str | list[str], *outputs: str | list[str], **options: object) -> Xray:
    def column(text: str | list[str]) -> list[str]:
        return [text] if isinstance(text, str) else text

    test_set = TestSet(
        references=[column(reference)], sources=[f"src {i}" for i in range(len(column(reference)))]
    )
    systems = [Outputs(f"sys{i}", column(text)) for i, text in enumerate(outputs, 1)]
    options = options or {"segments": [1]}
    return xray(test_set, systems, "ter", **options)  # type: ignore[arg-type]


def drawn(found: Xray, width: int | None = 80) -> str:
    return plain(report.text_lines(found, width=width))


def with_alignment(*alignments: Alignment) -> Xray:
    found = looked("a", *("a" for _ in alignments))
    views = tuple(
        SystemView(f"sys{i}", 0.5, 0.25, 0.75, 0.5, a, structure(a)) for i, a in enumerate(alignments, 1)
    )
    segment = SegmentView(7, None, ("a",), views)
    return Xray(**{**vars(found), "segments": (segment,)})


def test_sentences_show_chunks_kinds_and_what_is_left_over() -> None:
    text = drawn(looked("the cat sat on Monday", "on Monday the CAT slept deeply"))
    assert "  reference   1[the cat] ×sat 2[↷on ↷monday]\n" in text
    assert "  hypothesis  2[↷on ↷monday] 1[the cat] ×slept +deeply\n" in text
    assert "TER 60.0, P 0.67, R 0.80, 2 chunks, 4 crossings, 1 shift" in text
    assert "-" not in text.split("reference   ")[1].split("\n")[0]
    assert "-mat" in drawn(looked("the cat on the mat", "the cat on the"))


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


def test_two_systems_share_the_reference_where_they_fit() -> None:
    found = looked("a b c", "a b c", "c b x")
    assert "  ■ · ·  a × · ·\n" in drawn(found)
    assert "  ■··········· a ×···········\n" in drawn(
        looked("a b c " * 4, "a b c " * 4, "x x x " * 4), width=34
    )
    assert "  a ■·················\n" in drawn(looked("a b c " * 6, "a b c " * 6, "x x x " * 6), width=34)
    outputs = [Outputs("x", ["a b c"]), Outputs("y", ["d e f"])]
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
            found = looked(long, *outputs, **options)
            lines = drawn(found, width).splitlines()
            drawing = lines[
                lines.index(report.title(found)) : -1
            ]  # tables and signatures have their own ways
            assert max(map(cell_width, drawing)) <= (width or 80)


def test_what_is_too_long_to_draw_says_so() -> None:
    text = drawn(looked("a b " * 500, "b a " * 500))
    assert "1,000 words are too many to draw in 80 columns; -o page.html draws them" in " ".join(text.split())


def test_wide_and_right_to_left_words() -> None:
    text = drawn(looked("猫 は 寝 た", "猫 が 寝 た"))
    rows = [line for line in text.splitlines() if "·" in line]
    assert [cell_width(row.rstrip()) for row in rows] == [12, 12, 12, 12]
    hebrew = drawn(looked("שלום עולם טוב", "עולם שלום טוב"))
    assert "1 2 3" in hebrew  # letters from right to left do not stack; columns are numbered


@pytest.mark.parametrize(("reference", "output"), [("", ""), ("a b", ""), ("", "a b"), ("a b", "a b")])
def test_empty_and_identical_segments(reference, output) -> None:
    found = looked(reference, output, output)
    text = drawn(found)
    assert ("(empty)" in text) == (not reference or not output)
    page = Page(xray_html.page(found, version="0"))
    assert ("empty" in page.texts) == (not reference or not output)
    assert (
        json.loads(report.as_json(found, version="0"))["segments"][0]["systems"][0]["hypothesis"]
        == output.split()
    )


def test_no_difference_no_segments() -> None:
    found = looked(["a", "b"], ["a", "x"], ["a", "x"], show="different")
    assert found.segments == ()
    assert "There is no such segment." in drawn(found)
    assert "There is no such segment." in Page(xray_html.page(found, version="0")).texts


def test_all_kinds_have_signs_and_unknown_ones_do_not_fail() -> None:
    kinds = ["exact", "stem", "synonym", "paraphrase", "substitution", "brand<new"]
    links = tuple(Link((i, i + 1), (i, i + 1), kind) for i, kind in enumerate(kinds))
    found = with_alignment(Alignment(tuple("abcdef"), tuple("ABCDEF"), links))
    text = drawn(found)
    assert "1[a ◆b ●c ▲d] ×e 2[◆f]" in text
    assert "◆ brand<new: brand<new" in " ".join(text.split())
    page = Page(xray_html.page(found, version="0"))
    assert {c["class"] for tag, c in page.tags if tag == "path" and "link" in str(c["class"]).split()} == {
        f"link {kind}" for kind in ["exact", "stem", "synonym", "paraphrase", "substitution", "other"]
    }


def test_phrases_of_several_words_are_blocks() -> None:
    found = with_alignment(Alignment(("a", "b"), ("x", "y", "z"), (Link((0, 2), (0, 3), "paraphrase"),)))
    assert drawn(found).count("▲ ▲") == 3
    page = Page(xray_html.page(found, version="0"))
    assert sum(c.get("data-links") == "7-0-0" for tag, c in page.tags if tag == "li") == 5
    assert sum(c.get("class") == "phrase paraphrase" for tag, c in page.tags if tag == "path") == 1


def test_the_page_is_whole_and_fetches_nothing() -> None:
    text = xray_html.page(looked(["a b", "c"], ["a b", "d"], ["b a", "c"], top=2, show="best"), version="0")
    page = Page(text)
    assert not [c for _, c in page.tags if {"src", "srcset"} & set(c)]
    assert all(str(c.get("href", "#")).startswith("#") for _, c in page.tags)
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text
    targets = {str(c["id"]) for _, c in page.tags if "id" in c}
    links = [str(c["href"])[1:] for tag, c in page.tags if tag == "a"]
    assert links
    assert set(links) <= targets
    ids = [c["id"] for _, c in page.tags if "id" in c]
    assert len(ids) == len(set(ids))
    assert all(c.get("aria-label") for tag, c in page.tags if tag == "svg")


def test_every_link_joins_words_that_are_there() -> None:
    page = Page(
        xray_html.page(looked("the cat sat on Monday", "on Monday the cat slept", "the cat"), version="0")
    )
    lines = {c["data-links"] for tag, c in page.tags if tag == "path" and c.get("class") == "hit"}
    words = [str(c["data-links"]).split() for tag, c in page.tags if tag == "li" and "data-links" in c]
    assert lines == {name for names in words for name in names}
    assert all(sum(name in names for names in words) == 2 for name in lines)


def test_hostile_text_is_shown_and_nothing_else() -> None:
    test_set = TestSet(references=[[HOSTILE]], sources=[HOSTILE], name=HOSTILE)
    found = xray(
        test_set, [Outputs(HOSTILE, ["x " + HOSTILE]), Outputs("<i>", [HOSTILE])], "ter", segments=[1]
    )
    text = xray_html.page(found, version="<0>")
    page = Page(text)
    assert "\x1b" not in text
    assert "i" not in {tag for tag, _ in page.tags}
    assert text.count("<b>") == text.count("</b>") == 2  # the scores; none of those in the data
    assert any(
        "<b> & \"quotes\" 'single' </script> <!-- ]]> &amp; \\x1b[31m" in piece for piece in page.texts
    )
    assert "\x1b" not in drawn(found)


@given(st.text(max_size=30), st.text(max_size=30), st.text(min_size=1, max_size=10))
@settings(max_examples=60)
def test_any_text_makes_a_sound_page(reference: str, output: str, name: str) -> None:
    try:
        found = xray(TestSet(references=[[reference]]), [Outputs(name, [output])], "ter", segments=[1])
    except Exception as error:  # surrogates, which are no text
        assert "surrogate" in str(error)  # noqa: PT017
        return
    Page(xray_html.page(found, version="0"))
    drawn(found)
    json.loads(report.as_json(found, version="0"))


def test_long_segments_are_whole_on_the_page() -> None:
    found = looked(" ".join(map(str, range(1000))), " ".join(map(str, range(999, -1, -1))))
    page = Page(xray_html.page(found, version="0"))
    assert sum(tag == "li" and "data-tell" in c for tag, c in page.tags) == 2000
    assert not any("open" in c for tag, c in page.tags if tag == "details")
