"""The page of a report in a real browser: words first, numbers that lead to segments, and all to be taken along."""

import csv
import io
import re
from pathlib import Path

import pytest

from adjudge.report.pages.manager.page import manager_page
from adjudge.report.pages.report.page import DossierPage
from helpers.dossiers import HARM, example_dossier, harmful_dossier

AUDIT = (Path(__file__).parents[2] / "server" / "browser" / "audit.js").read_text(encoding="utf-8")
FOLLOW = """link => {
  delete document.querySelector(".browser").dataset.milliseconds;
  location.hash = link;
}"""
BARE = """() => [...document.querySelectorAll("#systems td.number, #where td.number, #why td.number")]
  .filter(cell => /[1-9]/.test(cell.textContent) && !cell.querySelector("a"))
  .map(cell => [
    cell.closest("table").querySelectorAll("thead th")[cell.cellIndex].textContent,
    cell.parentElement.cells[0].textContent,
    cell.textContent,
  ])"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of these tests as files."""
    folder = tmp_path_factory.mktemp("reports")
    made = {
        "example": DossierPage(example_dossier(people=True), "1").html(),
        "harmful": DossierPage(harmful_dossier(), "1").html(),
        "manager": manager_page(example_dossier(people=True), "1"),
        "harmful manager": manager_page(harmful_dossier(), "1"),
    }
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


def visit(reader, pages: Path, name: str = "example", **options):
    return reader(**options).go(pages / f"{name}.html")


def test_the_summary_comes_first_and_answers_four_questions(reader, pages):
    opened = visit(reader, pages)
    assert opened.texts(".answer h3") == ["Who wins?", "May I believe it?", "Where and why?", "Show me"]
    first = opened.page.locator("main > section").first
    assert first.get_attribute("id") == "summary"
    box = opened.page.locator(".answer").first.bounding_box()
    assert box["y"] < 400  # seen without scrolling
    assert opened.texts("nav a")[0] == "Summary"


def test_a_number_leads_to_its_segments(reader, pages):
    opened = visit(reader, pages)
    row = opened.page.locator("#where table", has_text="length").first.locator("tbody tr").nth(1)
    count = row.locator("td.number a").first
    expected = count.inner_text()
    count.click()
    opened.wait_for(".status", f"{expected} of 173 segments")
    assert opened.address.startswith("#segments?where=mark")
    opened.page.go_back()
    opened.wait_for(".status", "173 segments")


def test_a_bar_leads_to_its_segments(reader, pages):
    opened = visit(reader, pages)
    figure = opened.page.locator("figure", has_text="Segments by chrF")
    bar = figure.locator("svg a").first
    told = bar.locator("[aria-label]").first.get_attribute("aria-label")
    count = re.search(r": ([\d,]+) segments", told)[1]
    bar.dispatch_event("click")
    opened.wait_for(".status", f"{count} of 173 segments")


def test_every_link_is_a_view_that_has_segments(reader, pages):
    opened = visit(reader, pages)
    every = opened.page.locator("a[href^='#segments?']")
    links = sorted(set(every.evaluate_all("all => all.map(a => a.getAttribute('href'))")))
    assert len(links) > 300
    for link in links[:: max(1, len(links) // 60)]:
        opened.page.evaluate(FOLLOW, link)
        opened.page.wait_for_selector(".browser[data-milliseconds]")
        assert not opened.page.locator(".browser .error:visible").count(), link
        assert not opened.status.startswith("0 of"), link


def test_numbers_of_tables_are_links(reader, pages):
    """All numbers of systems and their differences; what was not counted and the reference have no segments."""
    opened = visit(reader, pages)
    bare = [
        (head, row, text)
        for head, row, text in opened.page.evaluate(BARE)
        if not head.startswith("reference") and row != "reference" and not text.startswith("0.0 (0/")
    ]
    assert bare == []


def test_charts_and_tables_can_be_taken_along(reader, pages, tmp_path):
    opened = visit(reader, pages)
    figure = opened.page.locator("figure.exhibit").first

    def saved(label: str) -> bytes:
        with opened.page.expect_download() as download:
            figure.get_by_role("button", name=f"{label}:").click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path.read_bytes()

    svg = saved("SVG").decode()
    assert svg.startswith("<svg")
    assert "rgb(" in svg
    assert not re.search(r"var\(--|<a\b", svg)
    png = saved("PNG")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(png) > 2000
    lines = list(csv.reader(io.StringIO(saved("CSV").decode())))
    assert lines[0] == ["system", "score", "low", "high"]
    dossier = example_dossier(people=True)
    scores = {s.system: s.score for s in dossier.comparison.results if s.metric == "bleu"}
    assert {line[0]: float(line[1]) for line in lines[1:]} == scores
    assert "\\begin{tabular}" in saved("LaTeX").decode()


@pytest.mark.parametrize("width", [390, 768, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_any_screen_light_and_dark(reader, pages, width, scheme):
    opened = visit(reader, pages, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    paper, ink = opened.page.evaluate(
        """() => { const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]; }"""
    )
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (paper, ink)]
    assert (light[0] > light[1]) == (scheme == "light")
    kind = "narrow" if width == 390 else "wide"
    shown = opened.page.locator("figure.chart svg:visible")
    assert set(shown.evaluate_all("all => all.map(svg => svg.getAttribute('class'))")) == {kind, "any"}
    sizes = shown.evaluate_all(
        "all => all.map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
    )
    assert all(size > 0.85 for size in sizes)  # letters keep their size
    mark = opened.page.locator("figure.chart svg:visible :is(path, rect, circle)[aria-label]").first
    assert mark.evaluate("path => getComputedStyle(path).fill") == (
        "rgb(0, 114, 178)" if scheme == "light" else "rgb(88, 174, 230)"
    )


def test_charts_are_told_to_those_who_do_not_see_them_and_are_reached_by_the_keyboard(reader, pages):
    opened = visit(reader, pages)
    svg = opened.page.locator("figure.chart svg").first
    assert svg.get_attribute("aria-label").startswith("BLEU ↑: dots: scores; lines: 95 % intervals")
    links = svg.locator("a")
    assert links.count() >= 3
    opened.page.locator("nav a").last.focus()
    opened.press("Tab")
    seen = []
    for _ in range(12):
        seen.append(opened.page.evaluate("document.activeElement.closest('svg, .answer') !== null"))
        opened.press("Tab")
    assert any(seen)
    links.first.focus()
    opened.press("Enter")
    opened.page.wait_for_function("location.hash.startsWith('#segments?')")


def test_paper_has_all_but_the_segments_that_nobody_chose(reader, pages):
    opened = visit(reader, pages)
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("#segments").is_visible()
    assert not opened.page.locator(".exports").first.is_visible()
    assert opened.page.locator("details.fold table").first.is_visible()
    opened.page.evaluate("location.hash = '#segments?where=bleu > 50'")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.locator("#segments").is_visible()


@pytest.mark.parametrize("name", ["harmful", "harmful manager"])
def test_texts_names_and_labels_never_run(reader, pages, name):
    opened = reader()
    opened.page.goto((pages / f"{name}.html").as_uri())
    page = opened.settle().page
    assert page.locator("img, iframe, object, embed, form").count() == 0
    handlers = (
        "[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(n => /^on/.test(n))"
    )
    assert page.evaluate(handlers) == []
    addresses = page.locator("[href]").evaluate_all("all => all.map(e => e.getAttribute('href'))")
    assert [address for address in addresses if not address.startswith("#")] == []
    assert page.locator("script:not([type]), script[type='module']").count() == (
        2 if name == "harmful" else 1
    )
    raw = page.evaluate(
        r"/[\u202a-\u202e\u2066-\u2069\u0000]/.test(document.body.innerText + document.title)"
    )
    assert raw is False
    assert r"\u202e" in page.locator("h1, .verdict").first.inner_text() + page.inner_text("main")
    assert HARM.partition("\u202e")[0] in page.inner_text("main")


def test_a_manager_reads_one_short_page_without_a_p(reader, pages):
    opened = reader()
    opened.page.goto((pages / "manager.html").as_uri())
    headings = opened.texts("h2")
    assert headings == ["How sure is that?", "What does it cost?", "Three examples", "Before you decide"]
    text = opened.page.inner_text("main")
    assert not re.search(r"\bp [<=>≤]|p-value|signific|cluster|interval", text)
    assert opened.page.locator(".example").count() == 3


@pytest.mark.parametrize("name", ["example", "manager"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_named_and_hit(reader, pages, name, scheme):
    opened = reader(color_scheme=scheme)
    opened.page.goto((pages / f"{name}.html").as_uri())
    opened.settle()
    opened.page.evaluate("document.querySelector('#segments')?.remove()")  # which has its own tests
    for width in (1280, 390):
        opened.page.set_viewport_size({"width": width, "height": 800})
        assert opened.page.evaluate(AUDIT) == [], width
