"""Nothing that somebody answered is lost: reload, two tabs, no network, a paused campaign, a session that ended."""

import json

from playwright.sync_api import expect

from adjudge.campaigns.store import campaigns, people

OFFLINE = "ERR_INTERNET_DISCONNECTED|Failed to load resource"


def test_a_draft_outlives_a_reload(site, visit):
    laid = site.lay("esa")
    anna = visit(laid.link())
    anna.press("6", "6", "Enter")
    anna.place(2)
    anna.press("ArrowRight", "Space", "2", "Enter", "3", "7")
    anna.page.reload()
    anna.ready()
    anna.place(2)
    assert anna.text(".score") == "37"
    assert anna.page.locator(".errors li").count() == 1
    assert anna.page.locator("dialog[open]").count() == 0
    anna.press("Control+Enter")
    anna.place(3)
    anna.saved()
    assert [answer["score"] for answer in laid.answers()] == [66, 37]
    kept = anna.page.evaluate("Object.keys(localStorage).filter((key) => /\\.(draft|out)\\./.test(key))")
    assert not any(key.endswith(f".draft.{entry.task}") for entry in laid.given() for key in kept)
    assert not any(".out." in key for key in kept)


def test_a_text_that_is_half_corrected_outlives_a_reload(site, visit):
    laid = site.lay("post-editing")
    anna = visit(laid.link())
    anna.press("e", "Control+End", "!", "?")
    anna.page.reload()
    anna.ready()
    assert anna.page.locator("textarea").input_value() == "The cat slept.!?"
    anna.press("e", "Control+End", "Backspace", "Control+Enter")
    anna.place(2)
    anna.saved()
    (answer,) = laid.answers()
    assert answer["edit"]["text"] == "The cat slept.!"
    assert answer["edit"]["actions"]["insertions"] == 2
    assert answer["edit"]["actions"]["deletions"] == 1


def test_the_reference_stays_hidden_through_a_reload(site, visit):
    anna = visit(site.lay("adequacy-fluency").link())
    anna.press("3")
    anna.page.reload()
    anna.ready()
    assert anna.page.locator(".reference").count() == 0
    anna.press("Enter", "2")
    anna.page.reload()
    anna.ready()
    assert anna.page.locator(".reference").count() == 1
    assert anna.page.locator("fieldset.scale:disabled").count() == 1


def test_two_tabs(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    first = anna.page
    anna.page = second = anna.context.new_page()
    anna.enter("/work")
    anna.press("8", "0", "Enter")
    anna.place(2)
    anna.saved()
    anna.page = first
    first.wait_for_selector("#note:has-text('another tab')")
    assert anna.text(".score") == "80"
    first.bring_to_front()
    anna.press("Enter")
    anna.place(2)
    anna.press("7", "0", "Enter")
    anna.place(3)
    anna.saved()
    anna.page = second
    expect(second.locator("#progress")).to_have_js_property("value", 2)
    assert anna.text(".score") == "70"
    assert laid.answers() == [{"score": 80}, {"score": 70}]
    assert len(events(laid)) == 2


def events(laid):
    """Every event of a campaign as the log has it: keys and kinds."""
    from sqlalchemy import select

    from adjudge.campaigns.store import schema

    e, t, h = schema.events, schema.tasks, schema.hits
    query = (
        select(e.c.key, e.c.kind, e.c.task, e.c.seconds)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
    )
    with laid.store.reading() as connection:
        return connection.execute(query.where(h.c.campaign == laid.kept.id).order_by(e.c.id)).all()


def test_offline_and_back(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE
    anna.context.set_offline(True)
    for number, score in enumerate(("10", "20", "30"), 1):
        anna.press(*score, "Enter")
        anna.place(number + 1)
    anna.page.wait_for_selector("#saved:has-text('Waiting to send (3)')")
    assert laid.answers() == []
    kept = [
        json.loads(entry)
        for entry in anna.page.evaluate(
            "Object.keys(localStorage).filter((key) => key.includes('.out.')).sort().map((key) => localStorage[key])"
        )
    ]
    assert [entry["answer"]["score"] for entry in kept] == [10, 20, 30]
    anna.press("b", "1", "5", "Enter")  # a correction waits behind them
    anna.context.set_offline(False)
    anna.saved()
    assert laid.answers() == [{"score": 10}, {"score": 20}, {"score": 15}]
    assert [key for key, *_ in events(laid)][:3] == [entry["key"] for entry in kept]


def test_answers_that_wait_outlive_the_page(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE
    anna.page.route("**/api/answers", lambda route: route.abort())
    anna.press("4", "2", "Enter")
    anna.state("waiting")
    anna.page.unroute("**/api/answers")
    anna.page.goto("about:blank")
    anna.page.goto("/work")
    anna.ready()
    anna.place(2)  # what waits counts as answered
    anna.saved()
    assert laid.answers() == [{"score": 42}]


def test_pressing_twice_answers_once(site, visit):
    laid = site.lay("yes-no")
    anna = visit(laid.link())
    anna.press("y")
    anna.page.locator("#next").dblclick()
    anna.place(2)
    anna.press("n", "Enter", "Enter", "Enter")
    anna.place(3)
    anna.saved()
    assert laid.answers() == [{"acceptable": True}, {"acceptable": False}]
    assert len(events(laid)) == 2


def test_a_lost_reply_is_sent_again_and_counts_once(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE
    lost = []

    def lose(route):
        """The server takes the answer, but the browser never hears of it."""
        lost.append(route.fetch())
        route.abort()

    anna.page.route("**/api/answers", lose, times=1)
    anna.press("4", "2", "Enter")
    anna.saved()
    assert len(lost) == 1
    assert len(events(laid)) == 1
    assert laid.answers() == [{"score": 42}]


def test_a_database_that_is_gone(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE
    body = json.dumps({"error": {"code": "unavailable", "message": "nothing is lost"}})
    anna.page.route(
        "**/api/answers",
        lambda route: route.fulfill(status=503, body=body, content_type="application/json"),
        times=1,
    )
    anna.press("4", "2", "Enter")
    anna.state("waiting")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"score": 42}]


def test_a_paused_campaign(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE

    def become(status):
        campaigns.set_status(laid.store, laid.kept, status)
        site.app.state.cache.forget(laid.kept.id)

    become(campaigns.PAUSED)
    anna.press("4", "2", "Enter")
    anna.state("paused")
    assert "The campaign is paused" in anna.text("#banner")
    anna.place(2)
    become(campaigns.CLOSED)
    anna.page.wait_for_selector("#banner:has-text('closed and takes no more')")
    become(campaigns.RUNNING)
    anna.saved()
    assert not anna.page.locator("#banner").is_visible()
    assert laid.answers() == [{"score": 42}]


def test_a_session_that_ended(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE
    tokens = people.renew_links(laid.store, laid.kept, ["anna"])
    anna.press("4", "2", "Enter")
    anna.state("signed-out")
    assert "1 answer waits here" in anna.text("#banner")
    old = anna.page
    anna.page = anna.context.new_page()
    anna.enter(f"/a/{tokens['anna']}")
    anna.place(2)
    anna.saved()
    assert laid.answers() == [{"score": 42}]
    anna.page = old  # the old tab gets a new token by itself
    anna.press("4", "3", "Enter")
    anna.saved()
    assert laid.answers() == [{"score": 42}, {"score": 43}]


def test_somebody_else_s_link_in_the_same_browser(site, visit):
    laid = site.lay()
    anna = visit(laid.link("anna"))
    anna.expected = OFFLINE
    old = anna.page
    anna.page = anna.context.new_page()
    anna.enter(laid.link("ben"))
    anna.press("1", "1", "Enter")
    anna.saved()
    anna.page = old
    anna.press("4", "2", "Enter")
    anna.state("someone-else")
    assert laid.answers("ben") == [{"score": 11}]
    assert laid.answers("anna") == []
    anna.page = anna.context.new_page()
    anna.enter(laid.link("anna"))
    anna.saved()
    assert laid.answers("anna") == [{"score": 42}]


def test_what_the_server_refuses_becomes_a_draft_again(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.expected = OFFLINE
    body = json.dumps({"error": {"code": "answer", "message": "a reason", "field": "score"}})
    anna.page.route(
        "**/api/answers",
        lambda route: route.fulfill(status=422, body=body, content_type="application/json"),
        times=1,
    )
    anna.press("4", "2", "Enter")
    anna.page.wait_for_selector(".notice:has-text('item 1 was not taken (a reason)')")
    anna.page.get_by_role("button", name="Go there").click()
    anna.place(1)
    assert anna.text(".score") == "42"
    anna.press("Enter")
    anna.saved()
    assert laid.answers() == [{"score": 42}]


def test_looking_through_correcting_and_undoing(site, visit):
    laid = site.lay()
    anna = visit(laid.link())
    anna.press("1", "0", "Enter", "2", "0", "Enter", "3", "0", "Enter")
    anna.place(4)
    anna.press("o")
    anna.page.locator(".overview button").nth(0).click()
    anna.place(1)
    assert anna.text(".score") == "10"
    anna.press("Enter")  # nothing was changed, so nothing is sent
    anna.place(2)
    anna.press("2", "5")
    assert anna.text("#next-text") == "Save correction"
    anna.press("Enter")
    anna.page.get_by_role("button", name="To the next open item").click()
    anna.place(4)
    anna.saved()
    assert laid.answers() == [{"score": 10}, {"score": 25}, {"score": 30}]
    anna.press("u")  # the last thing that was sent: the correction
    anna.place(2)
    assert anna.text(".score") == "25"
    anna.saved()
    assert laid.answers() == [{"score": 10}, {"score": 30}]
    anna.press("Enter")
    anna.saved()
    assert laid.answers() == [{"score": 10}, {"score": 25}, {"score": 30}]
    assert [kind for _, kind, *_ in events(laid)] == ["answer"] * 4 + ["undo", "answer"]


def test_where_answers_are_final(site, visit):
    laid = site.lay(rules={"corrections": False})
    anna = visit(laid.link())
    anna.press("1", "0", "Enter")
    anna.place(2)
    assert not anna.page.locator("#back").is_visible()
    assert not anna.page.locator("#undo").is_visible()
    anna.press("b", "u")
    anna.place(2)
    anna.press("o")
    assert anna.page.locator(".overview button:enabled").count() == 1
    anna.saved()
    task = laid.given()[0].task
    token = anna.page.locator("meta[name=csrf]").get_attribute("content")
    sent = {"task": task, "key": "another-key", "answer": {"score": 11}}
    reply = anna.context.request.post("/api/answers", data=sent, headers={"x-csrf-token": token})
    assert (reply.status, reply.json()["error"]["code"]) == (409, "answered")
    reply = anna.context.request.post(
        "/api/undo", data={"task": task, "key": "one-more-key"}, headers={"x-csrf-token": token}
    )
    assert reply.status == 409
    assert laid.answers() == [{"score": 10}]


def test_idle_time_does_not_count(site, visit):
    laid = site.lay(rules={"idle_seconds": 20})
    anna = visit(viewport={"width": 1000, "height": 700})  # its clock cannot be set right again
    anna.page.clock.install()
    anna.enter(laid.link())
    anna.page.clock.run_for(15_000)
    anna.press("5")
    anna.page.clock.run_for(600_000)  # somebody was called away
    anna.press("0", "Enter")
    anna.saved()
    (first,) = laid.given()
    assert 35 <= first.seconds < 36
    anna.place(2)
    anna.page.clock.run_for(3_000)
    anna.press("5")
    anna.page.evaluate(  # another tab is in front for a minute
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'));"
    )
    anna.page.clock.run_for(60_000)
    anna.page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'));")
    anna.page.clock.run_for(4_000)
    anna.page.reload()
    anna.ready()
    anna.page.clock.run_for(2_000)
    anna.press("5", "Enter")
    anna.saved()
    second = laid.given()[1]
    assert 9 <= second.seconds < 10.5


def test_parts_one_after_the_other_and_the_end(site, visit):
    laid = site.write("yes-no", ["a", "b", "c"], ["A", "B", "C"], language="pt-en", hit_size=2)
    anna = visit(laid.link())
    anna.press("y", "Enter", "n", "Enter")
    anna.page.wait_for_selector("h2:has-text('1 of 2 parts done')")
    anna.press("Enter")
    anna.place(1)
    assert anna.text(".reading") == "C"
    anna.press("y", "Enter")
    anna.page.wait_for_selector("h2:has-text('Thank you')")
    assert "All your 3 answers are saved" in anna.text(".end")
    anna.page.get_by_role("button", name="Look through").click()
    anna.place(1)
    assert laid.answers() == [{"acceptable": True}, {"acceptable": False}, {"acceptable": True}]
