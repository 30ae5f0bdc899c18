"""What somebody needs who sits in front of it for hours: everything in sight, nothing that covers it, short ways."""

from itertools import pairwise

import pytest

from adjudge.campaigns.items import Candidate, Item
from adjudge.campaigns.store import events, people, work
from helpers.browsing import TWO_FRAMES

DESK, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
TOUCH = {"viewport": PHONE, "is_mobile": True, "has_touch": True}
SOURCE = (
    "Der Stadtrat hat am Montagabend nach mehr als vier Stunden Debatte beschlossen, die alte Brücke am Hafen "
    "nicht abzureißen, sondern bis zum Herbst des kommenden Jahres zu sanieren und wieder freizugeben."
)
OUTPUT = (
    "On Monday evening, after more than four hours of debate, the city council decided not to demolish the old "
    "bridge at the harbour, but to renovate it by the autumn of next year and to reopen it to traffic."
)
FIVE = [OUTPUT.replace("decided", word) for word in ("decided", "agreed", "resolved", "voted", "chose")]
QUESTIONS = [
    {
        "question": "What was decided?",
        "choices": ["to demolish it", "to renovate it", "to sell it"],
        "answer": 1,
    },
    {"question": "When will it open?", "answer": ["autumn"]},
    {"question": "How long was the debate?", "choices": ["an hour", "four hours"], "answer": 1},
]


def ranking(site, against="both"):
    candidates = tuple(Candidate((f"s{n}",), (text,)) for n, text in enumerate(FIVE))
    items = [Item(f"item-{n}", (0,), candidates) for n in range(2)]
    return site.write(
        {"name": "ranking", "against": against}, [SOURCE], [OUTPUT], language="de-en", items=items
    )


def box(anna, selector, n=0):
    result = anna.page.locator(selector).nth(n).bounding_box()
    assert result is not None, selector
    return result


def boxes(anna, selector):
    return [box(anna, selector, n) for n in range(anna.page.locator(selector).count())]


def room(anna):
    """From below the header to above what is fixed at the bottom."""
    head, foot = box(anna, ".head"), box(anna, ".bottom")
    return head["y"] + head["height"], foot["y"]


def in_sight(anna, *result):
    top, bottom = room(anna)
    return all(entry["y"] >= top - 1 and entry["y"] + entry["height"] <= bottom + 1 for entry in result)


def apart(result):
    """Whether boxes stand below each other without touching."""
    return all(first["y"] + first["height"] <= other["y"] + 1 for first, other in pairwise(result))


@pytest.mark.parametrize("against", ["source", "both"])
def test_five_translations_and_their_source_are_in_sight(site, visit, against):
    anna = visit(ranking(site, against).link(), viewport=DESK)
    rows, texts = boxes(anna, ".candidate"), boxes(anna, ".block")
    assert len(rows) == 5
    assert in_sight(anna, *rows, *texts)
    assert apart([texts[0], *rows])
    assert {round(row["width"]) for row in rows} == {round(box(anna, ".candidates")["width"])}
    for row, text, places in zip(
        rows, boxes(anna, ".candidate .reading"), boxes(anna, ".places"), strict=True
    ):
        assert text["x"] + text["width"] <= places["x"]  # ranks at the right
        assert row["y"] <= places["y"]
        assert places["y"] + places["height"] <= row["y"] + row["height"]
    best, worst = boxes(anna, ".question .ends > span")
    first, last = box(anna, ".places label"), box(anna, ".places label", 4)
    assert abs(best["x"] - first["x"]) < 4
    assert abs(worst["x"] + worst["width"] - last["x"] - last["width"]) < 4
    anna.press("1", "2", "3", "4", "5")
    assert in_sight(anna, box(anna, ".order"))
    assert boxes(anna, ".candidate") == rows  # nothing moved


def test_the_source_stays_while_long_translations_are_read(site, visit):
    anna = visit(ranking(site, "source").link(), viewport={"width": 1400, "height": 700})
    anna.press("+", "+", "+", "+")
    anna.press("1", "1", "1", "1")  # the last one has the focus now
    last, source = box(anna, ".candidate", 4), box(anna, ".block.source")
    assert in_sight(anna, source, box(anna, ".places", 4))
    assert source["y"] + source["height"] <= last["y"] + last["height"]


def test_on_a_phone_the_ends_of_every_line_say_what_they_mean(site, visit):
    anna = visit(ranking(site, "source").link(), **TOUCH)
    for n, places in enumerate(boxes(anna, ".places")):
        best, worst = (box(anna, f".candidate:nth-child({n + 1}) .ends > span", k) for k in (0, 1))
        first, last = (box(anna, f".candidate:nth-child({n + 1}) .places label", k) for k in (0, 4))
        assert best["y"] >= first["y"] + first["height"]
        assert abs(best["x"] - first["x"]) < 4
        assert abs(worst["x"] + worst["width"] - last["x"] - last["width"]) < 4
        assert places["x"] >= 0
        assert places["x"] + places["width"] <= PHONE["width"]
    assert anna.text(".candidate .ends") == "best\nworst"
    names = anna.page.locator(".places input").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert names[:5] == ["Rank 1, best", "Rank 2", "Rank 3", "Rank 4", "Rank 5, worst"]


def test_arrows_move_between_translations_and_ranks(site, visit):
    laid = ranking(site, "source")
    anna = visit(laid.link())
    anna.press("3", "ArrowUp", "ArrowLeft")  # A from 3 to 2
    anna.press("ArrowDown", "ArrowRight")  # B comes in at 1
    anna.press("ArrowDown", "4", "5", "5", "Enter")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"ranks": [2, 1, 3, 4, 4]}]


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("phone", [False, True])
def test_the_score_is_in_sight_beside_the_marks(site, visit, phone, long):
    output = " ".join([OUTPUT] * (6 if long else 1))
    laid = site.write("esa", [SOURCE, "b"], [output, "B"], language="de-en")
    anna = visit(laid.link(), **(TOUCH if phone else {"viewport": DESK}))
    anna.page.locator(".block.translation .unit").nth(3).click()
    anna.page.locator(".chip", has_text="minor").click()
    slider, mark = box(anna, ".slider .line"), box(anna, ".marked")
    assert in_sight(anna, slider, box(anna, ".score"), mark)
    assert mark["y"] + mark["height"] <= box(anna, ".slider")["y"]
    assert phone or anna.page.evaluate("scrollY") < 20  # all that was needed was there
    anna.page.locator(".slider input").evaluate("(line) => line.focus({ preventScroll: true })")
    anna.press("7", "4")
    assert anna.text(".score") == "74"
    assert box(anna, ".slider .line") == slider  # nothing moved
    words = anna.page.locator(".near" if phone else ".anchors li:nth-child(3)").inner_text()
    assert "Most meaning preserved" in words


def test_a_mark_on_a_phone_opens_a_sheet_that_leaves_the_words_in_sight(site, visit):
    laid = site.write("mqm", [SOURCE, "b"], [" ".join([OUTPUT] * 3), "B"], language="de-en")
    anna = visit(laid.link(), **TOUCH)
    for n in (5, 40, 80):
        anna.page.locator(".block.translation .unit").nth(n).tap()
        anna.page.wait_for_selector(".marked.active")
        anna.page.evaluate(TWO_FRAMES)
        sheet, mark = box(anna, ".panel"), box(anna, ".marked.active")
        assert sheet["y"] + sheet["height"] == pytest.approx(PHONE["height"], abs=1)
        assert (sheet["x"], sheet["width"]) == (0, PHONE["width"])
        assert sheet["height"] <= 0.57 * PHONE["height"]
        assert box(anna, ".head")["height"] <= mark["y"]
        assert mark["y"] + mark["height"] <= sheet["y"]
        anna.page.locator(".chip", has_text="minor").tap()
        anna.page.locator(".chip", has_text="Accuracy").tap()
        assert "does not say what the other text says" in anna.text(".definition")
        assert box(anna, ".panel")["height"] <= 0.57 * PHONE["height"]
        anna.page.locator(".chip", has_text="Omission").tap()  # that is all: the sheet goes
        assert anna.page.locator(".panel.open").count() == 0
    assert anna.page.locator(".errors li").count() == 3


@pytest.mark.parametrize("interface", ["en", "de"])
def test_definitions_of_categories_are_within_reach(site, visit, interface):
    laid = site.write("mqm", [SOURCE], [OUTPUT], language="de-en", interface=interface)
    anna = visit(laid.link(), viewport=DESK)
    anna.press("ArrowRight", "Space", "3", {"en": "a", "de": "g"}[interface])
    assert in_sight(anna, box(anna, ".panel"))
    buttons = box(anna, ".panel .buttons")
    text = {"en": "It says something else.", "de": "Sie sagt etwas anderes."}[interface]
    chip = anna.page.locator('.chip:has([value="Mistranslation"])')
    assert chip.locator("input").get_attribute("aria-description") == text
    chip.hover()
    assert text in anna.text(".definition")
    assert box(anna, ".panel .buttons") == buttons  # nothing moved
    anna.page.locator('[data-part="define"]').click()
    told = anna.page.locator("dialog .glossary dd").all_inner_texts()
    assert text in told
    assert all(told)
    anna.press("Escape")
    anna.page.locator(".place").focus()
    anna.press("i")
    assert text in anna.text("dialog .glossary")


def test_no_meaning_is_asked_for_where_nothing_is_shown(site, visit):
    for interface, word in (("en", "meaning"), ("de", "Bedeutung")):
        anna = visit(site.lay({"name": "post-editing", "against": "nothing"}, interface=interface).link())
        anna.press("i")
        told = anna.text("dialog .prose")
        assert word not in told
        assert word not in anna.text(".question")
        anna = visit(site.lay("post-editing", interface=interface).link())
        anna.press("i")
        assert word in anna.text("dialog .prose")


def test_instructions_speak_of_what_is_asked(site, visit):
    anna = visit(site.lay({"name": "adequacy-fluency", "ask": ["fluency"]}).link())
    anna.press("i")
    assert "twice" not in anna.text("dialog .prose")
    anna = visit(site.lay({"name": "mqm", "against": "reference"}).link())
    anna.press("i")
    assert "source" not in anna.text("dialog .prose")


def test_digits_choose_and_enter_goes_from_question_to_question(site, visit):
    item = Item("item", (0,), (Candidate(("one",), (OUTPUT,)),), extra={"questions": QUESTIONS})
    rules = {"questions": "questions.jsonl"}
    laid = site.write("comprehension", [SOURCE], [OUTPUT], language="de-en", items=[item], rules=rules)
    anna = visit(laid.link(), viewport=DESK)
    assert anna.page.locator(".option kbd").all_inner_texts() == ["1", "2", "3", "1", "2"]
    for option, sign in zip(boxes(anna, ".option"), boxes(anna, ".option kbd"), strict=True):
        assert option["y"] <= sign["y"]
        assert sign["x"] + sign["width"] <= option["x"] + option["width"]
    assert in_sight(anna, box(anna, ".keys-hint"), *boxes(anna, ".asked"))
    assert "Enter" in anna.text(".keys-hint")
    anna.press("2")
    anna.page.keyboard.type("in autumn 2")  # the question in words has the focus, and digits are words there
    anna.press("Enter", "2", "Enter")
    anna.page.wait_for_selector(".end .tick-mark")
    assert laid.answers() == [{"answers": [1, "in autumn 2", 1]}]


def test_an_answer_in_words_goes_on_with_enter(site, visit):
    item = Item("item", (0,), (Candidate(("one",), (OUTPUT,)),), extra={"questions": QUESTIONS[:2]})
    rules = {"questions": "questions.jsonl"}
    laid = site.write("comprehension", [SOURCE], [OUTPUT], language="de-en", items=[item], rules=rules)
    anna = visit(laid.link())
    anna.press("3")
    anna.page.keyboard.type("soon")
    anna.press("Enter")
    anna.page.wait_for_selector(".end .tick-mark")
    assert laid.answers() == [{"answers": [2, "soon"]}]


@pytest.mark.parametrize("options", [{"viewport": DESK}, TOUCH])
def test_the_header_says_which_part_this_is(site, visit, options):
    laid = site.write("yes-no", ["a"] * 18, ["A"] * 18, language="pt-en", hit_size=1)
    anna = visit(laid.link(), **options)
    assert anna.text("#part") == "Part 1 of 18"
    width = options["viewport"]["width"]
    header = [box(anna, entry) for entry in ("#part", "#progress", "#progress-text", "#saved")]
    assert all(entry["x"] >= 0 and entry["x"] + entry["width"] <= width for entry in header)
    assert all(first["x"] + first["width"] <= other["x"] for first, other in pairwise(header))
    anna.press("y", "Enter")
    anna.page.get_by_role("button", name="Go on").click()
    anna.page.wait_for_selector('#part:text-is("Part 2 of 18")')
    alone = visit(site.lay("yes-no").link())
    assert not alone.page.locator("#part").is_visible()


def test_the_overview_looks_again_by_itself(site, visit):
    laid = site.write("yes-no", ["a"] * 4, ["A"] * 4, language="pt-en", hit_size=2)
    anna = visit(laid.link())
    anna.press("y", "Enter")
    anna.place(2)
    anna.saved()
    anna.page.clock.install()
    anna.press("o")
    parts = anna.page.locator(".parts .hint")
    assert parts.all_inner_texts() == ["1/2", "0/2"]
    assert anna.page.locator(".overview .done").count() == 1
    who = people.find(site.store, laid.kept, "anna")
    for task in work.tasks(site.store, who)[1:]:  # on another machine
        events.record_answer(
            site.store, who, task.id, key=f"elsewhere-{task.id}", answer={"acceptable": True}, seconds=1.0
        )
    anna.page.clock.run_for(16_000)
    anna.page.wait_for_selector('.parts .hint:text-is("2/2") >> nth=1')
    assert parts.all_inner_texts() == ["2/2", "2/2"]
    assert anna.page.locator(".overview .done").count() == 2


def test_the_organiser_s_page_looks_again_by_itself(site, visit):
    laid, boss = site.lay("yes-no"), visit()
    boss.page.clock.install()
    boss.page.goto(f"/organiser/link/{people.one_time_link(site.store)}")
    boss.page.wait_for_selector(".campaign")
    boss.page.goto(f"/organiser#{laid.kept.name}")
    boss.page.wait_for_selector(f"h1:has-text('{laid.kept.name}')")
    row = boss.page.locator("tr", has_text="anna").first
    assert "0/6" in row.inner_text()
    who = people.find(site.store, laid.kept, "anna")
    task = work.tasks(site.store, who)[0]
    events.record_answer(site.store, who, task.id, key="answered-1", answer={"acceptable": True}, seconds=1.0)
    boss.page.clock.run_for(16_000)
    boss.page.wait_for_selector("tr:has-text('anna') >> text=1/6")


def test_one_s_own_typology_brings_its_own_definitions(site, visit):
    table = {
        "severities": ["schlimm"],
        "categories": {"Ton": [], "Sinn": []},
        "definitions": {"Ton": "Zu frech."},
    }
    anna = visit(site.lay({"name": "mqm", "typology": table}).link())
    anna.press("ArrowRight", "Space", "1", "t")
    assert anna.text(".definition") == "Ton: Zu frech."
    anna.page.locator('.chip:has([value="Sinn"])').hover()
    assert anna.text(".definition") == ""
