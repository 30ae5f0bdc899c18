"""The page of an x-ray is whole, fetches nothing, and draws the alignment."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.analysis.xray import xray
from adjudge.data import Outputs, TestSet
from adjudge.report.pages.xray import page as xray_page
from adjudge.report.pages.xray import xray as report
from adjudge.report.pages.xray.signs import GLYPHS
from adjudge.report.render.formats import render
from helpers.pages import Page, contrast, palettes
from helpers.xrays import drawn, looked

HOSTILE = "<b> & \"quotes\" 'single' </script> <!-- ]]> &amp; \x1b[31m \u202e x\u0301 👩‍👩‍👧 日本語"


def test_the_page_is_whole_and_fetches_nothing() -> None:
    text = xray_page.page(looked(["a b", "c"], ["a b", "d"], ["b a", "c"], top=2, show="best"), version="0")
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
        xray_page.page(looked("the cat sat on Monday", "on Monday the cat slept", "the cat"), version="0")
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
    page = Page(xray_page.page(result, version="0"))
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
    page = xray_page.page(result, version="0")
    half = xray_page.ROW / 2
    for link in result.segments[0].systems[0].alignment.links:
        ours, theirs = (half + xray_page.ROW * side[0] for side in (link.hypothesis, link.reference))
        line = f'd="M0 {ours:g}C50 {ours:g} 50 {theirs:g} 100 {theirs:g}"'
        assert f'<path class="link {link.kind}" ' in page
        assert line in page


def test_colours_stand_out_from_the_paper() -> None:
    text = xray_page.page(looked("a", "a"), version="0")
    for colours in palettes(text):
        for ground in ("paper", "card"):
            for name in ("ink", "soft", "none"):
                assert contrast(colours[name], colours[ground]) >= 4.5, name  # text
            for name in (*GLYPHS, "other", "first", "second"):
                assert contrast(colours[name], colours[ground]) >= 3, name  # lines and shapes


def test_paper_is_light_whatever_the_screen() -> None:
    assert "@media screen and (prefers-color-scheme: dark)" in xray_page.page(looked("a", "a"), version="0")


def test_hostile_text_is_shown_and_nothing_else() -> None:
    test_set = TestSet(references=[[HOSTILE]], sources=[HOSTILE], name=HOSTILE)
    result = xray(
        test_set, [Outputs(HOSTILE, ["x " + HOSTILE]), Outputs("<i>", [HOSTILE])], "ter", segments=[1]
    )
    text = xray_page.page(result, version="<0>")
    page = Page(text)
    assert "\x1b" not in text
    assert "i" not in {tag for tag, _ in page.tags}
    # Scores and shares are bold; no tag comes from the data.
    tame = xray_page.page(looked("a", "x a", "a"), version="0")
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
    Page(xray_page.page(result, version="0"))
    drawn(result)
    json.loads(render(report.renderer(result, version="0"), "json"))


def test_long_segments_are_whole_on_the_page() -> None:
    result = looked(" ".join(map(str, range(1000))), " ".join(map(str, range(999, -1, -1))))
    page = Page(xray_page.page(result, version="0"))
    assert sum(tag == "li" and "tabindex" in c for tag, c in page.tags) == 2000
    assert not any("open" in c for tag, c in page.tags if tag == "details")
