"""The page of a study in several languages: means first, every set by itself, all segments with set and language."""

import pytest

from adjudge.charts import Matrix
from adjudge.report.charts.shades import shades
from adjudge.report.pages.manager.page import manager_page
from adjudge.report.pages.report.page import StudyPage
from adjudge.report.render.page import page
from helpers.dossiers import example_study, many_sets


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.html").write_text(StudyPage(example_study(), "1").html(), encoding="utf-8")
    (folder / "manager.html").write_text(manager_page(example_study(), "1"), encoding="utf-8")
    matrix = shades(
        Matrix.of([f"system-{n}" for n in range(16)], {}, alpha=0.05, corrected=False, corner="row", share="")
    )
    (folder / "matrix.html").write_text(page("Matrix", [matrix], styles=["analysis.css"]), encoding="utf-8")
    many = StudyPage(many_sets(), "1", charts=False).html()
    (folder / "many.html").write_text(many, encoding="utf-8")
    return folder


def test_the_mean_comes_first_then_the_sets_and_then_each_of_them(reader, pages):
    opened = reader().go(pages / "study.html")
    parts = opened.page.locator("main > section").evaluate_all("all => all.map(part => part.id)")
    assert parts[:3] == ["summary", "sets", "set-1-summary"]
    assert parts[-1] == "segments"
    assert [name for name in parts if name.endswith("-systems")] == [
        "set-1-systems",
        "set-2-systems",
        "set-3-systems",
    ]
    assert len(set(parts)) == len(parts)
    first = opened.texts("#summary .answer li")[0]
    assert first.startswith(
        "neural wins: by BLEU and chrF it is better than rulebased and shortened, in the mean"
    )
    assert "shortened has no output for talks" in opened.page.inner_text("#summary")
    assert opened.texts("nav a")[2:5] == ["news (pt-en)", "tea (en-zh)", "talks (en-he)"]


def test_a_cell_of_the_heat_map_leads_to_the_segments_of_a_set_by_the_keyboard(reader, pages):
    opened = reader().go(pages / "study.html")
    row = opened.page.locator("#sets .shades tbody tr", has_text="tea").first
    row.locator("a").nth(1).focus()
    opened.press("Enter")
    opened.wait_for(".status", "40 of 253 segments")
    assert "tokenize" in opened.address  # of Chinese, by the tokenizer of Chinese
    assert opened.page.locator(".segment .text[lang^=zh]").count() > 0


def test_segments_are_filtered_by_set_and_language(reader, pages):
    opened = reader().go(pages / "study.html")
    opened.condition('"language pair" = en-he')
    opened.wait_for(".status", "40 of 253 segments")
    assert opened.page.locator(".segment .text[lang=he]").count() > 0
    opened.condition('"test set" in (tea, talks)')
    opened.wait_for(".status", "80 of 253 segments")


def test_a_system_without_outputs_for_a_set_is_shown_as_missing(reader, pages):
    opened = reader().go(
        pages / "study.html",
        "#segments?system=shortened&baseline=neural&where=%22test%20set%22%20%3D%20talks",
    )
    opened.wait_for(".status", "40 of 253 segments")
    assert "none" in opened.page.locator(".segment").first.inner_text()
    opened.press("j", "Enter").settle()


def test_a_link_of_a_set_opens_one_of_its_segments(reader, pages):
    opened = reader().go(pages / "study.html")
    link = opened.page.locator("#set-2-where a[href*='segment=']").first
    link.click()
    opened.page.wait_for_function("location.hash.includes('segment=tea')")
    assert opened.page.locator(".segment[aria-label^='Segment tea:']").count() >= 1


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["study", "manager", "matrix", "many"])
def test_it_fits(reader, pages, width, name):
    opened = reader(viewport={"width": width, "height": 800})
    opened.page.goto((pages / f"{name}.html").as_uri())
    opened.settle()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_of_many_sets_a_link_opens_the_one_it_is_about(reader, pages):
    opened = reader().go(pages / "many.html")
    assert opened.page.locator("details.set[open]").count() == 0
    opened.page.locator("#summary a[href='#set-1-believe']").first.click()
    opened.page.wait_for_selector("details.set[open]")
    assert opened.page.locator("details.set[open] summary").inner_text().startswith("s1 (en-he)")
    assert opened.page.locator("#set-1-believe").is_visible()


def test_a_manager_reads_which_engine_over_all_and_test_by_test(reader, pages):
    opened = reader()
    opened.page.goto((pages / "manager.html").as_uri())
    assert opened.page.inner_text(".verdict").startswith(
        "neural. By every measure it translates these tests, taken together, better than"
    )
    rows = opened.texts("main table tbody tr")
    assert len(rows) >= 3
    text = opened.page.inner_text("main")
    assert "p <" not in text
    assert "shortened was not tested on talks (en-he), and is compared on the other tests." in text


@pytest.mark.parametrize("width", [390, 1280])
def test_headings_of_tables_stay_in_their_columns(reader, pages, width):
    opened = reader(viewport={"width": width, "height": 800}).go(pages / "study.html")
    wider = opened.page.locator("main section:not(#segments) thead th.number").evaluate_all(
        "all => all.filter(head => head.scrollWidth > head.clientWidth + 1).map(head => head.textContent)"
    )
    assert wider == []
