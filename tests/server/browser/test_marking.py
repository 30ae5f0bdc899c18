"""Errors marked by mouse, by finger and by keyboard, in every script, counted in code points."""

import pytest

ENGLISH = ["Work began on 😀 the old bridge.", "It is open."]
ARABIC = ["بدأ العمل في الجسر القديم.", "إنه مفتوح."]
CHINESE = ["旧桥的工程👩‍👩‍👧已经开始了。", "它开放了。"]


def spans(laid, text):
    """What is marked in the first item: the words themselves, and how grave the error is."""
    (answer, *_) = laid.answers()
    return [
        (error["start"] is not None and text[error["start"] : error["end"]], error["severity"])
        for error in answer["errors"]
    ]


def unit(anna, words):
    return anna.page.locator(".block.translation .unit", has_text=words).first


def drag(anna, first, last):
    start, end = unit(anna, first).bounding_box(), unit(anna, last).bounding_box()
    mouse = anna.page.mouse
    mouse.move(start["x"] + 3, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(end["x"] + 3, end["y"] + end["height"] / 2, steps=3)
    mouse.up()


def choose(anna, severity):
    anna.page.locator(".chip", has_text=severity).click()


def finish(anna):
    anna.press("9", "Control+Enter")
    anna.place(2)
    anna.saved()


def test_the_mouse(site, visit):
    laid = site.write("esa", ENGLISH, ENGLISH, language="pt-en")
    anna = visit(laid.link())
    drag(anna, "began", "😀")
    choose(anna, "minor")
    drag(anna, "old", "the")  # backwards, and over nothing that is marked
    choose(anna, "major")
    drag(anna, "on", "old")  # over both
    choose(anna, "minor")
    unit(anna, "[missing]").click()
    choose(anna, "major")
    assert anna.page.locator(".errors .what").all_inner_texts() == [
        "began on 😀",
        "on 😀 the old",
        "the old",
        "[missing]",
    ]
    assert anna.page.locator(".marked.overlapping").count() > 0
    anna.page.get_by_label("Remove error 3").click()
    unit(anna, "bridge").click()
    unit(anna, "old").click()  # makes the new mark longer, as no severity is chosen yet
    choose(anna, "minor")
    anna.page.locator(".slider input").focus()
    finish(anna)
    assert spans(laid, ENGLISH[0]) == [
        ("began on 😀", "minor"),
        ("on 😀 the old", "minor"),
        ("old bridge", "minor"),
        (False, "major"),
    ]


def test_a_finger(site, visit):
    laid = site.write("esa", ENGLISH, ENGLISH, language="pt-en")
    anna = visit(laid.link(), has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    unit(anna, "the").tap()
    unit(anna, "bridge").tap()
    anna.page.locator(".chip", has_text="major").tap()
    unit(anna, "Work").tap()
    anna.page.locator(".chip", has_text="minor").tap()
    unit(anna, "old").tap()  # opens the mark that is there
    anna.page.locator(".chip", has_text="minor").tap()
    anna.page.locator(".slider input").tap()
    anna.page.locator("#next").tap()
    anna.place(2)
    anna.saved()
    assert spans(laid, ENGLISH[0]) == [("Work", "minor"), ("the old bridge", "minor")]


def test_letters_that_are_several_units(site, visit):
    laid = site.write("esa", ENGLISH, ENGLISH, language="pt-en")
    anna = visit(laid.link())
    anna.page.get_by_label("letters").check()
    anna.page.locator(".block.translation .surface").focus()
    place = ENGLISH[0].index("😀")  # as Python counts
    anna.press("Home", *["ArrowRight"] * (place - 1), "Shift+ArrowRight", "Shift+ArrowRight", "1")
    finish(anna)
    (answer,) = laid.answers()
    (error,) = answer["errors"]
    assert (error["start"], error["end"]) == (place - 1, place + 2)
    anna.press("b")
    anna.place(1)
    assert anna.text(".errors .what") == " 😀 "
    assert "".join(anna.page.locator(".block.translation .marked").all_text_contents()) == "1 😀 "


def test_arrows_follow_the_text_from_right_to_left(site, visit):
    laid = site.write("esa", ENGLISH, ARABIC, language="en-ar")
    anna = visit(laid.link())
    surface = anna.page.locator(".block.translation .surface")
    assert surface.get_attribute("dir") == "rtl"
    assert surface.get_attribute("lang") == "ar"
    assert anna.page.locator(".block.source .reading").get_attribute("dir") == "ltr"
    surface.focus()
    anna.press("ArrowLeft", "Shift+ArrowLeft", "2")  # the second and the third word: forwards is to the left
    drag(anna, "القديم", "الجسر")
    choose(anna, "minor")
    anna.page.locator(".slider input").focus()
    finish(anna)
    assert spans(laid, ARABIC[0]) == [("العمل في", "major"), ("الجسر القديم", "minor")]


def test_words_without_spaces(site, visit):
    laid = site.write("esa", ENGLISH, CHINESE, language="en-zh")
    anna = visit(laid.link())
    units = anna.page.locator(".block.translation .unit:not(.missing)").all_inner_texts()
    assert "".join(units) == CHINESE[0]
    assert 4 < len(units) < len(CHINESE[0])
    family = units.index("👩‍👩‍👧")
    anna.page.locator(".block.translation .surface").focus()
    anna.press(*["ArrowRight"] * family, "Shift+ArrowRight", "1")
    finish(anna)
    assert spans(laid, CHINESE[0]) == [("👩‍👩‍👧" + units[family + 1], "minor")]


def test_marks_are_taken_back_and_removed(site, visit):
    laid = site.write("esa", ENGLISH, ENGLISH, language="pt-en")
    anna = visit(laid.link())
    errors = anna.page.locator(".errors li")
    anna.press("ArrowRight", "Shift+ArrowRight", "1")
    assert errors.count() == 1
    anna.press("Control+z")
    assert errors.count() == 0
    anna.press("Control+a", "2")
    assert anna.text(".errors .what") == ENGLISH[0]
    anna.press("Delete")
    assert errors.count() == 0
    anna.press("Space", "Escape")  # nothing was said of it
    assert errors.count() == 0
    assert anna.page.locator(".surface:focus").count() == 1


@pytest.mark.parametrize("key", ["Enter", "Control+Enter"])
def test_a_mark_needs_a_severity_before_somebody_goes_on(site, visit, key):
    anna = visit(site.write("mqm", ENGLISH, ENGLISH, language="pt-en", interface="de").link())
    unit(anna, "old").click()
    anna.page.locator(".place").focus()
    anna.press(key)
    assert anna.note() == "Fehler 1 hat noch keine Schwere."
    assert anna.page.evaluate("document.activeElement.dataset.part") == "severity"
