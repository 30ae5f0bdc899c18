"""Drawings of alignments: on any screen, for any text, and as a page that is sound HTML."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.analysis.alignments import structure
from adjudge.analysis.xray import SegmentView, SystemView, Xray, xray
from adjudge.data import Alignment, Link, Outputs, TestSet
from adjudge.report import xray as report
from adjudge.report import xray_html
from adjudge.report.formats import render
from adjudge.report.text import cell_width, plain
from adjudge.report.xray_signs import GLYPHS
from helpers.pages import Page, contrast, palettes

HOSTILE = "<b> & \"quotes\" 'single' </script> <!-- ]]> &amp; \x1b[31m \u202e x\u0301 👩‍👩‍👧 日本語"


def looked(reference: str | list[str], *outputs: str | list[str], **options: object) -> Xray:
    def column(text: str | list[str]) -> list[str]:
        return [text] if isinstance(text, str) else text

    test_set = TestSet(
        references=[column(reference)], sources=[f"src {i}" for i in range(len(column(reference)))]
    )
    systems = [Outputs(f"sys{i}", column(text)) for i, text in enumerate(outputs, 1)]
    options = options or {"segments": [1]}
    return xray(test_set, systems, "ter", **options)  # type: ignore[arg-type]


def drawn(result: Xray, width: int | None = 80) -> str:
    return plain(report.forms(result, version="0").lines(width=width))


def with_alignment(*alignments: Alignment) -> Xray:
    result = looked("a", *("a" for _ in alignments))
    views = tuple(
        SystemView(f"sys{i}", 0.5, 0.25, 0.75, 0.5, a, structure(a), 1) for i, a in enumerate(alignments, 1)
    )
    segment = SegmentView(7, None, ("a",), views, 0.25)
    return Xray(**{**vars(result), "segments": (segment,)})


def test_sentences_show_chunks_kinds_and_what_is_left_over() -> None:
    text = drawn(looked("the cat sat on Monday", "on Monday the CAT slept deeply"))
    assert "  reference   1[the cat] ×sat 2[↷on ↷monday]\n" in text
    assert "  hypothesis  2[↷on ↷monday] 1[the cat] ×slept +deeply\n" in text
    assert "TER 60.0, P 0.67, R 0.80, fragmentation 0.50, 2 chunks, 4 crossings," in text
    assert "-" not in text.split("reference   ")[1].split("\n")[0]
    assert "Segment 1  moves the system's TER by +60.000\n" in text
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
    page = Page(xray_html.page(result, version="0"))
    assert ("empty" in page.texts) == (not reference or not output)
    assert (
        json.loads(render(report.forms(result, version="0"), "json"))["segments"][0]["systems"][0][
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
    assert told in Page(xray_html.page(result, version="0")).texts
    gains = looked(["a", "b"], ["a", "b"], ["a", "x"], show="gains")
    assert "None: sys2 gains on sys1 in no segment." in drawn(gains)


def test_all_kinds_have_signs_and_unknown_ones_do_not_fail() -> None:
    kinds = ["exact", "stem", "synonym", "paraphrase", "substitution", "brand<new"]
    links = tuple(Link((i, i + 1), (i, i + 1), kind) for i, kind in enumerate(kinds))
    result = with_alignment(Alignment(tuple("abcdef"), tuple("ABCDEF"), links))
    text = drawn(result)
    assert "1[a ◆b ●c ▲d] ×e 2[◆f]" in text
    assert "◆ brand<new: brand<new" in " ".join(text.split())
    page = Page(xray_html.page(result, version="0"))
    assert {c["class"] for tag, c in page.tags if tag == "path" and "link" in str(c["class"]).split()} == {
        f"link {kind}" for kind in ["exact", "stem", "synonym", "paraphrase", "substitution", "other"]
    }


def test_phrases_of_several_words_are_blocks() -> None:
    result = with_alignment(Alignment(("a", "b"), ("x", "y", "z"), (Link((0, 2), (0, 3), "paraphrase"),)))
    assert drawn(result).count("▲ ▲") == 3
    page = Page(xray_html.page(result, version="0"))
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
    # Every picture is told in words, by a label or by its title and description.
    drawn = [c for tag, c in page.tags if tag == "svg" and c.get("aria-hidden") != "true"]
    unlabelled = [c for c in drawn if not c.get("aria-label")]
    titles, descriptions = ([tag for tag, _ in page.tags].count(tag) for tag in ("title", "desc"))
    assert descriptions == len(unlabelled) == 4
    assert titles > descriptions


def test_every_link_joins_words_that_are_there() -> None:
    page = Page(
        xray_html.page(looked("the cat sat on Monday", "on Monday the cat slept", "the cat"), version="0")
    )
    lines = {c["data-links"] for tag, c in page.tags if tag == "path" and c.get("class") == "hit"}
    words = [str(c["data-links"]).split() for tag, c in page.tags if tag == "li" and "data-links" in c]
    assert lines == {name for names in words for name in names}
    assert all(sum(name in names for names in words) == 2 for name in lines)


WORDS = st.lists(st.sampled_from(["a", "b", "c", "dogs", "dog", "<i>"]), max_size=9).map(" ".join)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=2), st.sampled_from(["ter", "wer"]))
@settings(max_examples=80)
def test_what_is_drawn_is_the_alignment(reference: str, outputs: list[str], name: str) -> None:
    systems = [Outputs(f"sys{i}", [text]) for i, text in enumerate(outputs)]
    result = xray(TestSet(references=[[reference]]), systems, name, segments=[1])
    views = result.segments[0].systems
    page = Page(xray_html.page(result, version="0"))
    drawn = [str(c.get("class")).split()[0] for tag, c in page.tags if tag == "path"]
    assert drawn.count("link") == sum(len(view.alignment.links) for view in views)
    assert drawn.count("chunk") == sum(len(view.structure.chunks) for view in views)
    for index, view in enumerate(views):
        for side in ("hypothesis", "reference"):
            words = [n for link in view.alignment.links for n in range(*getattr(link, side))]
            assert len(words) == len(set(words))  # each word in one link at most
        for n, link in enumerate(view.alignment.links):
            ends = [c for tag, c in page.tags if tag == "li" and f"1-{index}-{n}" in str(c.get("data-links"))]
            assert len(ends) == sum(b - a for a, b in (link.hypothesis, link.reference))
    unmatched = [c for tag, c in page.tags if tag == "mark" and c.get("class") == "none"]
    assert len(unmatched) == sum(view.structure.extra for view in views)


def test_a_line_runs_from_its_word_to_its_word() -> None:
    result = looked("a b c", "c a x")
    page = xray_html.page(result, version="0")
    half = xray_html.ROW / 2
    for link in result.segments[0].systems[0].alignment.links:
        ours, theirs = (half + xray_html.ROW * side[0] for side in (link.hypothesis, link.reference))
        line = f'd="M0 {ours:g}C50 {ours:g} 50 {theirs:g} 100 {theirs:g}"'
        assert f'<path class="link {link.kind}" ' in page
        assert line in page


def test_shares_of_words() -> None:
    result = looked("the cat sat on Monday", "on Monday the cat slept deeply")
    text = drawn(result)
    assert "Words  exact ■  shift ↷  substitution ×  extra +  missing -\n" in text
    assert "sys1    33.3 %   33.3 %          16.7 %   16.7 %      0.0 %\n" in text
    page = Page(xray_html.page(result, version="0"))
    widths = [float(str(c["width"])) for tag, c in page.tags if tag == "rect"]
    assert widths == [33.33, 33.33, 16.67, 16.67]
    assert "–" in drawn(looked("a", "")).splitlines()[4]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_spreads_are_not_cut_in_two(width) -> None:
    lines = drawn(looked("a b c", "a c b", "a"), width).splitlines()
    assert sum("median" in line for line in lines) == 1
    (head,) = (line for line in lines if "median" in line)
    assert ("10 %" in head) == (width >= 80)


def test_colours_stand_out_from_the_paper() -> None:
    text = xray_html.page(looked("a", "a"), version="0")
    for colours in palettes(text):
        for ground in ("paper", "card"):
            for name in ("ink", "soft", "none"):
                assert contrast(colours[name], colours[ground]) >= 4.5, name  # text
            for name in (*GLYPHS, "other", "first", "second"):
                assert contrast(colours[name], colours[ground]) >= 3, name  # lines and shapes


def test_paper_is_light_whatever_the_screen() -> None:
    assert "@media screen and (prefers-color-scheme: dark)" in xray_html.page(looked("a", "a"), version="0")


def test_hostile_text_is_shown_and_nothing_else() -> None:
    test_set = TestSet(references=[[HOSTILE]], sources=[HOSTILE], name=HOSTILE)
    result = xray(
        test_set, [Outputs(HOSTILE, ["x " + HOSTILE]), Outputs("<i>", [HOSTILE])], "ter", segments=[1]
    )
    text = xray_html.page(result, version="<0>")
    page = Page(text)
    assert "\x1b" not in text
    assert "i" not in {tag for tag, _ in page.tags}
    # Scores and shares are bold; no tag comes from the data.
    tame = xray_html.page(looked("a", "x a", "a"), version="0")
    assert text.count("<b>") == text.count("</b>") == tame.count("<b>")
    assert any(
        "<b> & \"quotes\" 'single' </script> <!-- ]]> &amp; \\x1b[31m" in piece for piece in page.texts
    )
    assert "\x1b" not in drawn(result)


@given(st.text(max_size=30), st.text(max_size=30), st.text(min_size=1, max_size=10))
@settings(max_examples=60)
def test_any_text_makes_a_sound_page(reference: str, output: str, name: str) -> None:
    try:
        result = xray(TestSet(references=[[reference]]), [Outputs(name, [output])], "ter", segments=[1])
    except Exception as error:  # surrogates, which are no text
        assert "surrogate" in str(error)  # noqa: PT017
        return
    Page(xray_html.page(result, version="0"))
    drawn(result)
    json.loads(render(report.forms(result, version="0"), "json"))


def test_long_segments_are_whole_on_the_page() -> None:
    result = looked(" ".join(map(str, range(1000))), " ".join(map(str, range(999, -1, -1))))
    page = Page(xray_html.page(result, version="0"))
    assert sum(tag == "li" and "tabindex" in c for tag, c in page.tags) == 2000
    assert not any("open" in c for tag, c in page.tags if tag == "details")
