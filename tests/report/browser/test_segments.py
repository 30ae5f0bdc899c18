"""The segment browser as people use it: sorted, filtered, searched, compared, starred, sent on and printed."""

import json

from adjudge.dossiers.segment_table import SegmentTable
from adjudge.report.pages.report.segment_links import View, of_label, of_mark, segment_link
from adjudge.report.render.markup import html
from helpers.report_pages import large_table, small_table

SMALL = small_table()
LARGE = large_table()


def test_all_segments_are_shown_in_their_order_with_scores_and_texts(reader):
    visit = reader().open(SMALL)
    assert visit.shown == ["1", "2", "3", "4", "5", "6"]
    assert visit.status == "6 segments"
    head = visit.card("1").locator(".head").inner_text()
    for part in ("news", "d1", "chrF 65.5 −5.0", "TER 28.6 +14.3", "QE 0.50"):
        assert part in head
    names = visit.card("2").locator("dt").all_inner_texts()
    assert names == ["Source", "Reference 1", "Reference 2", "A", "B", ""]


CONDITIONS = {
    "chrf < 70 and ter > 20": "1 6",
    "Δchrf > 10": "4 5",
    "delta chrf < -20": "3",
    "domain = news": "1 2 3",
    'domain = "social media"': "6",
    "domain = social media or domain = social": "4 5 6",
    "domain in (social, news) and not domain = news": "4 5",
    "domain ~ SOC": "4 5 6",
    "lexical >= 3 or system:C.chrf < 15": "3 5",
    "20 < da <= 88": "4",
    "da = missing": "1 5 6",
    "da != missing and missing words = 0": "2 3 4",
    "chrf - baseline.chrf >= 20": "4 5",
    "(chrf - baseline.chrf) >= 20 and (domain = social)": "4 5",
    "abs(Δter) > 20": "3 4",
    "different": "1 3 4 5 6",
    'mark:"1–4 words"': "4 6",
    "mark:with a number": "3",
    "marked > 0": "1",
    "number >= 5": "5 6",
    "id = 3": "3",
    "CHRF ≥ 100": "2 4 5",
}


def test_conditions_choose_segments(reader):
    visit = reader().open(SMALL)
    chosen = {}
    for condition in CONDITIONS:
        visit.condition(condition)
        refused = visit.page.locator("#segments-where-error").inner_text()
        chosen[condition] = refused or " ".join(visit.shown)
    assert chosen == CONDITIONS


def test_a_condition_that_is_not_understood_is_told_with_its_place_and_near_names(reader):
    visit = reader().open(SMALL).condition("chrf < 70")
    assert visit.shown == ["1", "6"]
    visit.condition("chrf < 70 and doman = news")
    error = visit.page.locator("#segments-where-error")
    assert "no name 'doman'" in error.inner_text()
    assert "Shown are still those of: chrf < 70" in error.inner_text()
    assert visit.texts("#segments-where-error mark") == ["doman "]
    assert visit.shown == ["1", "6"]
    error.get_by_role("button", name="domain").click()
    written = visit.page.locator("#segments-where").input_value()
    assert " ".join(written.split()) == "chrf < 70 and domain = news"
    assert visit.shown == ["1"]
    assert not error.is_visible()


def test_names_and_values_are_completed_with_the_keyboard(reader):
    visit = reader().open(SMALL)
    visit.page.locator("#segments-where").focus()
    visit.page.keyboard.type("dom")
    assert visit.page.locator("#segments-where").get_attribute("aria-expanded") == "true"
    visit.press("ArrowDown", "Enter")
    visit.page.keyboard.type(" = soc")
    assert visit.texts('#segments-offers [role="option"]') == ["social", "social media"]
    visit.press("ArrowDown", "ArrowDown", "Enter")
    assert visit.page.locator("#segments-where").input_value() == 'domain = "social media"'
    assert visit.shown == ["6"]


ORDERS = {
    "chrf": "6 1 3 2 4 5",  # the worst first
    "ter": "6 1 3 2 4 5",
    "Δchrf": "3 6 1 2 5 4",  # the greatest loss first
    "lexical": "3 1 6 2 4 5",
    "domain": "1 2 3 4 5 6",
    "document": "1 2 3 4 5 6",  # d10 after d3
    "da": "3 4 2 1 5 6",  # what is missing comes last
}


def test_segments_are_sorted_by_any_name_and_the_other_way_round(reader):
    visit = reader().open(SMALL)
    orders, turned = {}, {}
    for sort in ORDERS:
        visit.choose("Sort by", sort)
        orders[sort] = " ".join(visit.shown)
        visit.page.locator(".order").click()
        turned[sort] = visit.address.rpartition("order=")[2]
    assert orders == ORDERS
    assert turned == {sort: "up" if sort in ("ter", "lexical") else "down" for sort in ORDERS}


def test_any_system_can_be_looked_at_and_be_the_baseline(reader):
    visit = reader().open(SMALL).choose("System", "C").choose("Baseline", "B")
    head = visit.card("1").locator(".head").inner_text()
    assert "chrF 20.0 −45.5" in head
    assert visit.address == "#segments?system=C&baseline=B"
    visit.choose("Baseline", "-")
    assert "chrF 20.0\n" in visit.card("1").locator(".head").inner_text() + "\n"
    visit.condition("Δchrf > 0")
    assert "needs a baseline" in visit.page.locator("#segments-where-error").inner_text()
    assert visit.page.locator('[data-show="different"]').is_disabled()


def test_words_that_differ_are_marked_against_the_baseline_or_the_reference(reader):
    visit = reader().open(SMALL)
    assert visit.marked("1", "added") == ["ancient", "stood", "a"]
    assert visit.marked("1", "removed") == ["old", "was", "the"]
    visit.choose("Words against", "reference")
    assert visit.marked("1", "added") == ["was", "ancient", "a"]  # of A and of B
    assert visit.marked("1", "removed") == ["old", "the"]
    visit.choose("Words against", "nothing")
    assert visit.marked("1", "added") == []


def test_scripts_without_spaces_are_compared_character_by_character(reader):
    visit = reader().open(SMALL)
    assert (visit.marked("5", "added"), visit.marked("5", "removed")) == (["い"], ["悪"])


def test_texts_of_the_right_run_from_the_right(reader):
    visit = reader().open(SMALL)
    directions = (
        visit.card("6").locator(".text").evaluate_all("all => all.map((e) => getComputedStyle(e).direction)")
    )
    assert directions == ["ltr", "rtl", "rtl", "rtl"]


def test_only_what_differs_and_only_words_that_changed(reader):
    visit = reader().open(SMALL)
    visit.page.get_by_role("button", name="Different").click()
    assert visit.shown == ["1", "3", "4", "5", "6"]
    visit.page.get_by_role("button", name="Changed words").click()
    assert visit.address == "#segments?show=changed"
    long = large_table(3)
    visit.open(long, View(show="changed"))
    output = visit.page.locator(".segment").first.locator("dd").last.inner_text()
    assert output.startswith("… ")
    assert output.endswith("more")
    assert len(output.split()) == 1 + 3 + 1  # dots, three words around it, the word


def test_words_and_regular_expressions_are_searched_in_all_texts_or_in_some(reader):
    visit = reader().open(SMALL).search("ancient")
    assert visit.shown == ["1"]
    visit.page.wait_for_selector(".hit")
    assert visit.marked("1", "hit") == ["ancient"]
    visit.search("HOUSE")
    assert visit.shown == []  # capitals are meant as they are written
    visit.search("house")
    assert visit.shown == ["1"]
    visit.search("prices")
    visit.choose("in", "output")
    assert visit.shown == ["3"]
    visit.choose("in", "source")
    assert visit.shown == []
    visit.choose("in", "")
    visit.page.get_by_role("button", name="Regular expression").click()
    visit.search(r"\d+ percent|^She")
    assert visit.shown == ["3", "4"]
    visit.page.locator("#segments-search").fill("(")
    visit.page.wait_for_selector('.browser[data-refused="("]')
    assert "No regular expression: " in visit.page.locator("#segments-search-error").inner_text()
    assert visit.shown == ["3", "4"]


def test_an_expression_without_end_does_not_hold_up_the_page(reader):
    visit = reader()
    visit.open(large_table(300), View(search="word1", regex=True))
    visit.page.evaluate("window.ticks = 0; setInterval(() => window.ticks++, 50)")
    visit.page.locator("#segments-search").fill(r"^(\w+\s?)*!$")
    visit.page.wait_for_selector(r".browser[data-refused]", timeout=30_000)
    assert "takes longer than 2 seconds" in visit.page.locator("#segments-search-error").inner_text()
    assert visit.page.evaluate("window.ticks") >= 10
    visit.search("word12 ")  # and a new worker answers
    assert 0 < len(visit.shown) < 300


def test_the_address_keeps_the_view_and_a_colleague_opens_the_same(reader):
    visit = reader().open(
        LARGE, before=html('<p><a href="#segments?where=half%20%3D%20second&sort=chrf">to them</a></p>')
    )
    visit.page.get_by_role("link", name="to them").click()
    visit.wait_for(".status", "1,000 of 2,000 segments")
    visit.condition("half = second and chrf < 50").press("Enter", "j", "Enter")
    address, shown, status = visit.address, visit.shown[:3], visit.status
    assert "segment=seg-" in address
    colleague = reader()
    colleague.go(visit.folder / "report.html", address)
    assert (colleague.shown[:3], colleague.status) == (shown, status)
    assert (
        colleague.page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Segment {shown[1]}"
    )
    assert colleague.page.locator(".details").count() == 1


def test_going_back_shows_what_was_shown_before(reader):
    visit = reader().open(SMALL)
    visit.choose("Sort by", "chrf").condition("chrf < 90").press("Enter")
    visit.page.locator("#segments-where").focus()
    visit.press("End")
    visit.page.keyboard.type(" and ter = 50")  # letter by letter, one step back
    assert visit.shown == ["6"]
    visit.page.go_back()
    visit.wait_for(".status", "3 of 6 segments")
    assert visit.shown == ["6", "1", "3"]
    visit.page.go_back()
    visit.wait_for(".status", "6 segments")
    visit.page.go_back()
    visit.wait_for(".segment:first-child .identifier", "1")
    visit.page.go_forward()
    visit.wait_for(".segment:first-child .identifier", "6")


def test_links_made_in_python_lead_to_their_segments(reader):
    visit = reader().open(SMALL)
    label = of_label("domain", "social media")
    views = {
        "6": View(where=label, system="C", baseline="A", sort="Δter", order="up"),
        "4": View(where=of_mark("1–4 words"), search="tea", show="different"),
    }
    for expected, view in views.items():
        visit.go(visit.folder / "report.html", view)
        assert visit.shown == [expected]
        assert not visit.page.locator(".error:visible").count()
        assert visit.address == segment_link(view)


def test_details_have_all_systems_people_estimates_marks_and_alignments(reader):
    visit = reader().open(SMALL, View(segment="1"))
    details = visit.card("1").locator(".details")
    table = details.locator("table").inner_text()
    for part in ("chrF ↑", "TER ↓", "DA ↑", "QE ↑", "lexical", "marked", "A baseline", "20.0 −50.5"):
        assert part in table
    assert details.locator(".errors li").all_inner_texts() == [
        "ancient major accuracy/mistranslation (rater1) “not that old”",
        "missing minor omission (rater2)",
    ]
    assert visit.card("1").locator(".span.major").inner_text().endswith("ancient")
    assert "House." in details.inner_text()  # what C said
    details.get_by_role("button", name="METEOR").click()
    cells = [text.split("\n")[:2] for text in details.locator(".cells li").all_inner_texts()]
    assert cells == [["the", "="], ["ancient", "old"], ["house", "="], ["∅", "stood"]]
    details.get_by_role("button", name="edit distance").click()
    cells = [text.split("\n")[:2] for text in details.locator(".cells li").all_inner_texts()]
    assert cells[:3] == [["The", "="], ["ancient", "old"], ["house", "="]]
    assert "not METEOR's alignment" in details.inner_text()


def test_stars_and_comments_stay_and_go_with_a_file(reader, tmp_path):
    visit = reader().open(SMALL)
    visit.card("2").locator(".star").click()
    visit.page.get_by_label("More of segment 4").click()
    visit.page.get_by_label("Comment on segment 4").fill('"quoted"\tand a tab')
    visit.page.reload()
    visit.page.wait_for_selector(".browser[data-ready]")
    assert visit.card("2").locator(".star").get_attribute("aria-pressed") == "true"
    assert visit.condition("starred").shown == ["2"]
    assert visit.condition('comment ~ "and a"').shown == ["4"]
    visit.page.get_by_role("button", name="Export").click()
    with visit.page.expect_download() as saved:
        visit.page.get_by_role("button", name="Save as a file").click()
    stars = tmp_path / "stars.json"
    saved.value.save_as(stars)
    assert json.loads(stars.read_text())["segments"]["2"] == {"star": True, "comment": ""}
    other = reader().open(SMALL)
    other.page.get_by_role("button", name="Export").click()
    other.page.get_by_label("File of stars").set_input_files(stars)
    other.page.wait_for_selector("text=2 segments taken over.")
    other.page.get_by_label("File of stars").set_input_files(
        {"name": "x.json", "mimeType": "", "buffer": b"{}"}
    )
    other.page.wait_for_selector("text=this is no file of stars that adjudge wrote")
    other.press("Escape")
    assert other.condition("starred or commented").shown == ["2", "4"]


def test_everything_goes_by_the_keyboard_alone(reader):
    visit = reader().open(LARGE, View())
    focused = (
        "document.activeElement.closest('.segment')?.getAttribute('aria-label') ?? document.activeElement.id"
    )
    visit.press("j")
    assert visit.page.evaluate(focused) == "Segment seg-00000"
    visit.press("j", "j", "k")
    assert visit.page.evaluate(focused) == "Segment seg-00001"
    outline = visit.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    visit.press("s")
    assert visit.card("seg-00001").locator(".star").get_attribute("aria-pressed") == "true"
    visit.press("Enter")
    assert visit.card("seg-00001").locator(".details").count() == 1
    visit.press("c")
    visit.page.keyboard.type("j? no")
    assert visit.page.get_by_label("Comment on segment seg-00001").input_value() == "j? no"
    visit.press("Escape", "G")
    assert visit.page.evaluate(focused) == "Segment seg-01999"
    visit.press("/")
    assert visit.page.evaluate(focused) == "segments-search"
    visit.press("Escape", "f")
    assert visit.page.evaluate(focused) == "segments-where"
    visit.page.keyboard.type("starred")
    visit.press("Escape", "Escape")
    assert visit.page.evaluate(focused) == "Segment seg-00001"
    visit.press("?")
    assert "next and previous segment" in visit.page.get_by_role("dialog").inner_text()
    visit.press("Escape")
    assert visit.page.get_by_role("dialog").count() == 0


CARDS_THAT_FILL_THE_FRAME = """(place) => {
  const frame = document.querySelector(".frame");
  const edges = frame.getBoundingClientRect();
  const cards = [...document.querySelectorAll(".segment")];
  const boxes = cards.map((card) => card.getBoundingClientRect());
  const there = Math.abs(frame.scrollTop - place * (frame.scrollHeight - frame.clientHeight)) < frame.clientHeight;
  const full = Math.min(...boxes.map((box) => box.top)) <= edges.top + 1
    && Math.max(...boxes.map((box) => box.bottom)) >= edges.bottom - 1;
  return there && full
    && cards.map((card) => [
      card.querySelector(".identifier").innerText, Number(card.ariaPosInSet), Number(card.ariaSetSize)]);
}"""
"""The cards of the list with their places, as soon as they fill the frame there."""


def test_a_long_list_is_made_as_it_is_scrolled_and_never_out_of_order(reader):
    visit = reader().open(LARGE, View(sort="chrf"))
    order = sorted(range(2000), key=lambda n: (LARGE.scores[0].values["B"][n], n))
    expected = [f"seg-{n:05}" for n in order]
    assert len(visit.shown) < 60
    feed = visit.page.locator(".frame")
    for place in (0.1, 0.55, 0.9, 1.0, 0.3, 0.0):
        feed.evaluate(f"(frame) => frame.scrollTo(0, {place} * frame.scrollHeight)")
        cards = visit.page.wait_for_function(CARDS_THAT_FILL_THE_FRAME, arg=place).json_value()
        shown = [identifier for identifier, *_ in cards]
        first = expected.index(shown[0])
        assert shown == expected[first : first + len(shown)]
        assert [(position, size) for _, position, size in cards] == [
            (first + i + 1, 2000) for i in range(len(shown))
        ]


def test_a_short_list_is_whole_for_the_search_of_the_browser_itself(reader):
    visit = reader().open(LARGE, View(where="chrf > 96"))
    assert 30 < len(visit.shown) <= 100
    assert visit.status == f"{len(visit.shown)} of 2,000 segments"


def test_paper_has_the_segments_that_are_chosen(reader):
    visit = reader().open(LARGE, View(where="half = second and chrf < 50", sort="chrf"))
    visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    visit.page.emulate_media(media="print")
    assert len(visit.shown) == 200
    assert (
        "where half = second and chrf < 50; the first 200 are printed."
        in visit.page.locator(".paper").inner_text()
    )
    assert not visit.page.locator(".toolbar").is_visible()
    assert (
        visit.page.evaluate(
            "document.querySelector('.frame').scrollHeight - document.querySelector('.frame').clientHeight"
        )
        <= 1
    )
    visit.page.emulate_media(media="screen")
    visit.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(visit.shown) < 60


def test_it_fits_any_screen_light_and_dark(reader):
    visit = reader().open(SMALL, View(segment="1"))
    frame = "document.querySelector('.frame')"
    for width in (390, 768, 1600):
        visit.page.set_viewport_size({"width": width, "height": 844})
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        assert visit.page.evaluate(f"{frame}.scrollWidth <= {frame}.clientWidth")
    for scheme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(28, 32, 38)")):
        visit.page.emulate_media(color_scheme=scheme)
        assert visit.page.evaluate(f"getComputedStyle({frame}).backgroundColor") == colour


def test_one_system_and_no_segments_are_enough(reader):
    alone = SegmentTable(identifiers=("1",), outputs={"only": ("a b",)}, references=(("a c",),))
    visit = reader().open(alone, View())
    assert visit.marked("1", "added") == ["b"]
    assert visit.page.get_by_label("Baseline", exact=True).input_value() == "-"
    visit.press("j", "Enter", "s")
    assert visit.page.locator(".details").count() == 1
    nothing = SegmentTable(identifiers=(), outputs={"only": ()})
    visit.open(nothing, View(sort="chrf"))
    assert visit.status == "0 segments"
    visit.press("j", "G", "Enter", "s", "c")
