"""Every protocol from the link to what is in the store, with nothing but the keyboard."""

import pytest

from adjudge.campaigns.items import Candidate, Item
from helpers import served

QUESTIONS = [
    {"question": "Who slept?", "choices": ["the dog", "the cat"], "answer": 1},
    {"question": "How was the weather?", "answer": "rainy"},
]


@pytest.mark.parametrize("protocol", ["da", {"name": "da", "against": "both"}, "sqm"])
def test_slider(site, visit, protocol):
    laid = site.lay(protocol)
    anna = visit(laid.link())
    assert anna.page.evaluate("document.querySelector('input[type=range]').className") == "unset"
    anna.press("Enter")
    assert anna.note() == "Please set a score on the line."
    assert anna.page.evaluate("document.activeElement.type") == "range"
    anna.press("7", "5", "Enter")  # typed
    anna.place(2)
    anna.press(
        "End", "ArrowLeft", "Enter"
    )  # the heading has the focus: End scrolls, the arrow comes from the end
    anna.place(3)
    anna.press("Tab")
    anna.page.locator("input[type=range]").focus()
    anna.press("Home", "PageUp", "ArrowRight", "Shift+ArrowRight", "Enter")
    anna.saved()
    assert laid.answers() == [{"score": 75}, {"score": 100}, {"score": 21}]


def test_slider_takes_the_middle_by_a_click(site, visit):
    laid = site.lay("da")
    anna = visit(laid.link())
    anna.page.locator("input[type=range]").click()
    assert anna.text(".score") == "50"
    anna.press("Enter")
    anna.saved()
    assert laid.answers() == [{"score": 50}]


def test_document_context(site, visit):
    laid = site.lay({"name": "da", "context": "document", "against": "source"})
    anna = visit(laid.link())
    after = anna.page.locator(".context .translation").all_inner_texts()
    assert after == list(served.OUTPUTS["hidden-one"][1:])
    anna.press("8", "3", "Enter")
    anna.place(2)
    context = anna.page.locator(".context")
    assert context.nth(0).locator(".translation").all_inner_texts() == [served.OUTPUTS["hidden-one"][0]]
    assert context.nth(0).locator(".said").inner_text() == "83"
    assert context.nth(1).locator(".source").all_inner_texts() == [served.SOURCES[2]]
    context.nth(0).locator(".said").press("Enter")  # one's own answer leads back to it
    anna.place(1)
    anna.press("8", "4", "Enter")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"score": 84}]


def test_document_rating(site, visit):
    laid = site.lay({"name": "da", "rate": "document", "against": "source"})
    anna = visit(laid.link())
    assert anna.page.locator(".segment .translation .reading").all_inner_texts() == list(
        served.OUTPUTS["hidden-one"]
    )
    assert "whole document" in anna.text(".question")
    anna.press("6", "0", "Enter")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"score": 60}]


@pytest.mark.parametrize("points", [4, 5, 7, 10])
def test_adequacy_and_fluency(site, visit, points):
    laid = site.lay({"name": "adequacy-fluency", "points": points})
    anna = visit(laid.link())
    page = anna.page
    assert page.locator(".reference, .source").count() == 0
    assert served.REFERENCES[1] not in page.content()
    anna.press("Enter")
    assert anna.note() == "Please choose one of the points."
    anna.press("0" if points == 10 else str(points), "Enter")
    assert page.locator(".reference .reading").inner_text() == served.REFERENCES[0]
    anna.press("Enter")
    assert anna.note() == "Please choose one of the points."
    anna.press("2", "Enter")
    anna.place(2)
    assert page.locator(".reference, .source").count() == 0
    anna.saved()
    assert laid.answers() == [{"fluency": points, "adequacy": 2}]


def test_the_second_question_is_in_sight(site, visit):
    anna = visit(site.lay({"name": "adequacy-fluency", "points": 10}).link())
    anna.page.set_viewport_size({"width": 1280, "height": 560})
    anna.press("5", "Enter")
    question = anna.page.locator(".scale").nth(1).bounding_box()
    assert question["y"] + question["height"] <= anna.page.locator(".bottom").bounding_box()["y"]


def test_fluency_is_judged_without_the_reference_even_when_it_is_changed(site, visit):
    anna = visit(site.lay("adequacy-fluency").link())
    anna.press("3", "Enter", "4")
    anna.page.get_by_role("button", name="Change").press("Enter")
    assert anna.page.locator(".reference").count() == 0
    anna.press("2", "Enter")
    assert anna.page.locator(".scale input:checked").evaluate_all("all => all.map((one) => one.value)") == [
        "2",
        "4",
    ]


def test_ranking(site, visit):
    outputs = ["The cat slept.", "A cat sleeps.", "Cat sleep.", "The cat slept well.", "Slept cat."]
    item = Item("item", (0,), tuple(Candidate((f"s{n}",), (text,)) for n, text in enumerate(outputs)))
    laid = site.write("ranking", ["O gato dormiu."], ["The cat slept."], language="pt-en", items=[item])
    anna = visit(laid.link())
    assert anna.page.locator(".candidate .reading").all_inner_texts() == outputs
    anna.press("2", "1", "5", "Enter")
    assert anna.note() == "Translations D, E have no rank yet."
    anna.press("2", "5")
    assert anna.text(".order") == "B  ›  A = D  ›  C = E"
    anna.press("ArrowUp", "4", "Enter")  # from E back to D
    anna.page.wait_for_selector(".end .tick-mark")
    assert laid.answers() == [{"ranks": [2, 1, 4, 3, 4]}]


def test_ranking_without_ties(site, visit):
    laid = site.lay({"name": "ranking", "ties": False})
    anna = visit(laid.link())
    anna.press("1", "1", "Enter")
    assert anna.note() == "Translations A, B have the same rank; that is not possible here."
    anna.press("2", "Enter")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"ranks": [1, 2]}]


def test_preference(site, visit):
    laid = site.lay("preference")
    anna = visit(laid.link())
    anna.press("Enter")
    assert anna.note() == "Please say which one is better."
    anna.press("2", "Enter", "0", "Enter", "1", "Enter")
    anna.page.wait_for_selector(".end .tick-mark")
    assert laid.answers() == [{"choice": [2, 1]}, {"choice": [1, 1]}, {"choice": [1, 2]}]


@pytest.mark.parametrize(("interface", "yes"), [("en", "y"), ("de", "j")])
@pytest.mark.parametrize("protocol", ["yes-no", "acceptability"])
def test_yes_and_no(site, visit, protocol, interface, yes):
    laid = site.lay(protocol, interface=interface)
    anna = visit(laid.link())
    assert anna.page.locator("html").get_attribute("lang") == interface
    anna.press("Enter")
    assert (
        anna.note() == {"en": "Please choose yes or no.", "de": "Bitte wählen Sie Ja oder Nein."}[interface]
    )
    anna.press(yes, "Enter", "n", "Enter")
    anna.place(3)
    anna.saved()
    assert laid.answers() == [{"acceptable": True}, {"acceptable": False}]


def test_post_editing(site, visit):
    laid = site.lay("post-editing")
    anna = visit(laid.link())
    anna.press("Enter")
    assert anna.note() == "Correct the text, or choose one of the two answers below it."
    anna.press("Control+End")
    anna.page.keyboard.type(" Well!")
    anna.press("Backspace", "Backspace", "Control+z", "Control+Enter")
    anna.place(2)
    anna.page.get_by_label("No corrections needed").press("Space")
    anna.press("Enter")
    anna.place(3)
    anna.page.get_by_label("Unable to correct").press("Space")
    anna.press("Enter")
    anna.place(4)
    anna.saved()
    first, second, third = (answer["edit"] for answer in laid.answers())
    assert first["state"] == "edited"
    assert first["text"] in ("The cat slept. Well!", "The cat slept. Well", "The cat slept. Wel")
    assert first["keystrokes"] == 1 + len(" Well!") + 3  # Control+End, the letters, two deletions and an undo
    assert first["actions"]["insertions"] == len(" Well!")
    assert first["actions"]["deletions"] == 2
    assert first["actions"]["undos"] == 1
    assert second["state"] == "no corrections needed"
    assert second["text"] == served.OUTPUTS["hidden-one"][1]
    assert third["state"] == "unable to correct"


def test_post_editing_counts_pastes_and_cuts(site, visit):
    laid = site.lay("post-editing")
    anna = visit(laid.link())
    anna.press("e", "Control+a", "Control+x", "Enter")
    anna.press("Control+Enter")
    assert anna.note() == "The text is empty. If it cannot be corrected, say so below."
    anna.press("Control+v", "x", "Control+Enter")
    anna.place(2)
    anna.saved()
    (answer,) = laid.answers()
    assert answer["edit"]["text"] == "The cat slept.x"
    assert (answer["edit"]["actions"]["cuts"], answer["edit"]["actions"]["pastes"]) == (1, 1)


def test_esa(site, visit):
    laid = site.lay("esa")
    anna = visit(laid.link())
    # The cat slept . [missing]
    anna.press("ArrowRight", "Shift+ArrowRight", "2")  # cat slept, major
    anna.press("End", "Space", "1", "Enter")  # something is missing, minor
    anna.press("Control+Enter")
    assert anna.note() == "Please set a score on the line."
    anna.press("4", "0", "Enter")
    anna.place(2)
    assert anna.text(".context .said") == "2 errors · 40"
    anna.press("9", "9", "Enter")
    anna.place(3)
    anna.saved()
    result, none = laid.answers()
    assert result["score"] == 40
    assert [
        (error["start"], error["end"], error["severity"], error["side"]) for error in result["errors"]
    ] == [
        (4, 13, "major", "target"),
        (None, None, "minor", "target"),
    ]
    assert none == {"errors": [], "score": 99}


def test_mqm(site, visit):
    laid = site.lay("mqm")
    anna = visit(laid.link())
    assert anna.text("#next-text") == "No errors, next"
    anna.press("ArrowRight", "Space")  # cat
    anna.press("Control+Enter")
    assert anna.note() == "Error 1 has no severity yet."
    anna.press("3", "Control+Enter")
    assert anna.note() == "Error 1 has no category yet."
    anna.press(
        "a", "Tab", "Space", "ArrowRight", "ArrowRight"
    )  # accuracy: addition, omission, mistranslation
    anna.press("Enter")
    anna.page.get_by_role("listbox", name="Words of the source").focus()
    anna.press("End", "ArrowLeft", "Space", "1", "s", "s", "Enter")  # dormiu: style, then source error
    anna.page.evaluate("window.stopped = performance.now(); performance.now = () => stopped")
    anna.press("Enter")
    anna.place(2)
    anna.press("Enter")  # so soon it is a key that was pressed twice
    anna.place(2)
    anna.page.evaluate("performance.now = () => stopped + 1000")
    anna.press("Enter")  # no errors
    anna.place(3)
    anna.saved()
    first, second = laid.answers()
    assert [
        (error["start"], error["end"], error["severity"], error["category"], error["side"])
        for error in first["errors"]
    ] == [
        (4, 7, "major", "Accuracy/Mistranslation", "target"),
        (7, 13, "neutral", "Source error", "source"),
    ]
    assert second == {"errors": []}


def test_comprehension(site, visit):
    item = Item("item", (0, 1), (Candidate(("one",), ("A", "B")),), extra={"questions": QUESTIONS})
    laid = site.write(
        "comprehension",
        ["a", "b"],
        ["A", "B"],
        language="pt-en",
        items=[item],
        rules={"questions": "questions.jsonl"},
    )
    anna = visit(laid.link())
    assert "answer" not in anna.context.request.get("/api/work").json()["tasks"][0]["questions"][0]
    anna.press("Enter")
    assert anna.note() == "Question 1 is not answered yet."
    anna.press("ArrowDown", "Enter")
    assert anna.note() == "Question 2 is not answered yet."
    anna.page.keyboard.type("rainy, it  seems")
    anna.press("Control+Enter")
    anna.page.wait_for_selector(".end .tick-mark")
    assert laid.answers() == [{"answers": [1, "rainy, it seems"]}]
