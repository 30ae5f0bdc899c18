"""A tab with an older draft writes over nothing that was said elsewhere: somebody is told, and chooses."""

from playwright.sync_api import expect

from adjudge.campaigns.store import events, people, work


def answered_elsewhere(laid, score, key="elsewhere"):
    """Another device answers the first item: no tab hears of it."""
    anna = people.find(laid.store, laid.kept, "anna")
    task = work.outline(laid.store, anna)[0].id
    events.record_answer(laid.store, anna, task, key=key, answer={"score": score})


def two_tabs(site, visit):
    """Two tabs of anna's: a draft of 30 lies on the first item in one, and she answers it with 80 in the other."""
    laid = site.lay()
    anna = visit(laid.link())
    anna.press("3", "0")
    first = anna.page
    anna.page = second = anna.context.new_page()
    anna.enter("/work")
    anna.page.evaluate("sessionStorage.clear()")
    anna.press("8", "0", "Enter")
    anna.place(2)
    anna.saved()
    anna.page = first
    first.bring_to_front()
    first.wait_for_selector(".notice:has-text('answered elsewhere')")
    assert "80" in anna.text(".notice")
    assert anna.text(".score") == "30"  # nothing is taken away
    return laid, anna, second


def test_the_newer_answer_is_taken(site, visit):
    laid, anna, _ = two_tabs(site, visit)
    anna.page.click("text=The one from there")
    assert anna.text(".score") == "80"
    anna.press("Enter")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"score": 80}]


def test_one_s_own_is_kept(site, visit):
    laid, anna, second = two_tabs(site, visit)
    anna.page.click("text=Mine, from here")
    assert anna.text(".score") == "30"
    anna.press("Enter")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"score": 30}]
    expect(second.locator("#progress")).to_have_js_property("value", 1)


def test_who_does_not_choose_is_asked_again(site, visit):
    laid, anna, _ = two_tabs(site, visit)
    anna.expected = "409"
    anna.page.evaluate("document.querySelector('.notice').dataset.first = 'yes'")
    anna.press("Enter")
    anna.place(2)
    anna.page.wait_for_selector(".notice:not([data-first]):has-text('answered elsewhere')")
    anna.saved()
    assert laid.answers() == [{"score": 80}]
    anna.page.click("text=Mine, from here")
    anna.saved()
    anna.page.wait_for_selector(".notice", state="detached")
    assert laid.answers() == [{"score": 30}]


def test_what_another_device_answered_is_not_written_over(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = "409"
    anna.press("3", "0")
    answered_elsewhere(laid, 90)
    anna.press("Enter")
    anna.page.wait_for_selector(".notice:has-text('90')")
    assert laid.answers() == [{"score": 90}]
    anna.page.click("text=The one from there")
    anna.press("b")
    anna.place(1)
    assert anna.text(".score") == "90"
    anna.saved()
    assert laid.answers() == [{"score": 90}]


def test_a_draft_that_is_older_is_said_so_when_it_is_opened(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.press("3", "0")
    anna.page.evaluate("dispatchEvent(new Event('pagehide'))")
    answered_elsewhere(laid, 90)
    anna.page.reload()
    anna.ready()
    anna.page.wait_for_selector(".notice:has-text('90')")
    assert anna.text(".score") == "30"
    assert laid.answers() == [{"score": 90}]


def test_corrections_without_a_network_wait_in_order(site, visit):
    """Each was given in sight of the one before, though none is with the server yet."""
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = "ERR_INTERNET_DISCONNECTED|Failed to load resource"
    anna.context.set_offline(True)
    for score in ("10", "20", "35"):
        anna.press(*score, "Enter")
        anna.place(2)
        anna.press("b")
        anna.place(1)
    anna.press("u")
    anna.press("4", "0", "Enter")
    anna.place(2)
    anna.context.set_offline(False)
    anna.saved()
    assert laid.answers() == [{"score": 40}]
    assert anna.page.locator(".notice").count() == 0
