"""From every number of a report a click leads to its segments: a walk over all numbers of all tables and drawings."""

import re
from functools import cache
from pathlib import Path

import pytest

from adjudge.report.pages.report.page import DossierPage, StudyPage
from helpers.dossiers import example_study, judged_dossier

KINDS = ("da", "mqm", "rankings", "edits")
NUMBERS = """() => {
  const found = [];
  const cells = "main td, main th[scope=row], main .bars .value";
  for (const cell of document.querySelectorAll(cells)) {
    if (cell.closest("#segments") || !/\\d/.test(cell.textContent)) continue;
    const table = cell.closest("table");
    const head = table ? table.querySelectorAll("thead tr:last-child th")[cell.cellIndex]?.textContent ?? "" : "bars";
    const link = cell.querySelector("a")?.getAttribute("href") ?? "";
    found.push({
      part: cell.closest("section").id, head, text: cell.textContent, link,
      kind: cell.parentElement.className, tag: cell.localName,
    });
  }
  return found;
}"""
FOLLOW = """link => {
  delete document.querySelector(".browser").dataset.milliseconds;
  location.hash = link;
}"""
EXPLAINED = {
    "the number of a point of a checklist": lambda n: n["head"] == "#" and "believe" in n["part"],
    "a number that a question of the checklist names": lambda n: n["head"] == "Question",
    "a text below the row that leads to its segment": lambda n: n["kind"] == "detail",
    "the place of a system that names a row": lambda n: n["tag"] == "th",
}
"""What leads nowhere, and why that is as it should be."""


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The file of a page by its kind, made when it is first asked for."""
    folder = tmp_path_factory.mktemp("numbers")

    @cache
    def made(kind: str) -> Path:
        page = StudyPage(example_study(), "1", charts=False) if kind == "study" else None
        page = page or DossierPage(judged_dossier(kind), "1", charts=False)
        (folder / f"{kind}.html").write_text(page.html(), encoding="utf-8")
        return folder / f"{kind}.html"

    return made


def bare(numbers: list[dict[str, str]]) -> list[tuple[str, str, str]]:
    """Those that lead nowhere without a reason."""
    return [
        (n["part"], n["head"], n["text"])
        for n in numbers
        if not n["link"] and not any(fits(n) for fits in EXPLAINED.values())
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_leads_somewhere(reader, page_of, kind: str):
    opened = reader().go(page_of(kind))
    numbers = opened.page.evaluate(NUMBERS)
    assert len(numbers) > 300
    assert {"systems", "people", "believe", "where", "why"} == {n["part"] for n in numbers}
    assert bare(numbers) == []


def test_every_number_of_a_study_leads_somewhere(reader, page_of):
    opened = reader().go(page_of("study"))
    numbers = opened.page.evaluate(NUMBERS)
    assert {"sets", "set-1-systems", "set-2-why", "set-3-where"} <= {n["part"] for n in numbers}
    assert bare(numbers) == []
    links = sorted({n["link"] for n in numbers if n["link"].startswith("#segments")})
    for link in links[:: max(1, len(links) // 50)]:
        opened.page.evaluate(FOLLOW, link)
        opened.page.wait_for_selector(".browser[data-milliseconds]")
        assert not opened.page.locator(".browser .error:visible").count(), link
        assert not opened.status.startswith("0 of"), link


@pytest.mark.parametrize(
    "kind", ["da", "mqm", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("rankings", "edits"))]
)
def test_where_people_and_points_lead_there_are_segments_or_a_part_of_the_page(reader, page_of, kind):
    opened = reader().go(page_of(kind))
    found = opened.page.evaluate(NUMBERS)
    links = {n["link"] for n in found if n["part"] in ("people", "believe") and n["link"]}
    links |= set(
        opened.page.locator("#people a.show").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    )
    assert len(links) > 8
    for link in sorted(links):
        if not link.startswith("#segments"):
            assert opened.page.locator(f"[id='{link[1:]}']").count() == 1, link
            continue
        opened.page.evaluate(FOLLOW, link)
        opened.page.wait_for_selector(".browser[data-milliseconds]")
        assert not opened.page.locator(".browser .error:visible").count(), link
        assert not opened.status.startswith("0 of"), link
        assert opened.address == link  # which a colleague opens


def test_a_cell_of_who_beats_whom_leads_to_the_segments_that_the_row_wins(reader, page_of):
    opened = reader().go(page_of("mqm"))
    cell = opened.page.locator("#people .shades tbody tr").nth(0).locator("td a").first
    share, of = cell.locator("..").get_attribute("title"), None
    won, of = (
        float(n.replace(",", "")) for n in re.search(r"wins ([\d.]+), .* of ([\d,]+) items", share).groups()
    )
    cell.focus()
    opened.press("Enter")
    opened.page.wait_for_function("location.hash.startsWith('#segments?')")
    count = int(re.match(r"[\d,]+", opened.status)[0].replace(",", ""))
    assert abs(count / of - won) < 0.006  # a share in two digits


def test_a_kind_of_error_leads_to_the_segments_in_which_it_was_marked(reader, page_of):
    opened = reader().go(page_of("mqm"))
    row = opened.page.locator(
        "#people tr", has=opened.page.locator("th, td", has_text="accuracy/mistranslation")
    ).first
    row.locator("td.number a").first.click()
    opened.page.wait_for_function("location.hash.startsWith('#segments?')")
    assert "accuracy/mistranslation" in opened.page.locator("#segments-where").input_value()
    card = opened.page.locator(".segment").first
    assert card.locator(".span, mark, [class*=severity], [class*=error]").count() >= 1


def test_agreement_leads_to_what_several_people_judged(reader, page_of):
    opened = reader().go(page_of("mqm"))
    opened.page.locator("#people li", has_text="Krippendorff").locator("a.show").click()
    opened.wait_for(".status", "60 of 173 segments")


def test_an_annotator_leads_to_what_they_judged(reader, page_of):
    opened = reader().go(page_of("mqm"))
    row = opened.page.locator("#people tr", has_text="ida").first
    row.locator("a").nth(1).click()
    opened.wait_for(".status", "60 of 173 segments")
