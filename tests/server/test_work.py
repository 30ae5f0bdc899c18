"""The annotators' API: answers are taken once, checked, and never tell who made what."""

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from adjudge.campaigns import protocols
from adjudge.campaigns.store import answers, campaigns, next_hit, people, stages
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings
from helpers import served


def first_task(browser):
    return browser.get("/api/work").json()["tasks"][0]["id"]


def counting(made):
    return {answer.task: answer.answer for answer in answers.counted_answers(made.store, made.kept)}


def test_a_link_becomes_a_cookie_and_leaves_the_address_bar(made, browser):
    reply = browser.get(f"/a/{made.tokens['anna']}", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/work")
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert made.tokens["anna"] not in cookie
    assert browser.get("/api/work").json()["annotator"]["name"] == "anna"


def test_the_link_itself_is_kept_nowhere(made, anna):
    anna.get("/api/work")
    with made.store.reading() as connection:
        dump = "".join(connection.connection.iterdump())
    assert made.tokens["anna"] not in dump
    assert anna.cookies["adjudge"] not in dump
    assert "anna" in dump


def test_an_answer_under_the_longest_key_can_be_changed(made, anna):
    """The key of what was written last is what the next answer comes after; a longer one is refused as both."""
    sent = {"task": first_task(anna), "key": "k" * 64, "answer": {"score": 70}}
    assert anna.tell("/api/answers", sent).status_code == 200
    changed = {**sent, "key": "l" * 64, "after": "k" * 64, "answer": {"score": 60}}
    assert anna.tell("/api/answers", changed).status_code == 200
    for longer in ({"key": "m" * 65}, {"after": "m" * 65, "key": "m" * 8}):
        assert anna.tell("/api/answers", {**changed, **longer}).status_code == 422


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_no_name_of_a_system_leaves_the_server(store, browser, name, tmp_path):
    more = {"rules": {"questions": "q.jsonl"}} if name == "comprehension" else {}
    made = served.make(store, name, **more)
    browser.enter(f"/a/{made.tokens['anna']}")
    for path in ("/work", "/api/work"):
        reply = browser.get(path)
        assert not any(system in reply.text for system in served.OUTPUTS)
        assert "item-" not in reply.text
        assert "ordinary" not in reply.text
    sheet = browser.get("/api/work").json()
    assert sheet["tasks"]
    assert all(task["answer"] is None for task in sheet["tasks"])


def test_an_answer_is_kept_and_comes_back(made, anna):
    task = first_task(anna)
    reply = anna.tell("/api/answers", {"task": task, "key": "k" * 8, "answer": {"score": 70}, "seconds": 4.5})
    assert reply.json() == {"event": 1, "again": False}
    assert anna.get("/api/work").json()["tasks"][0]["answer"] == {"score": 70}
    (answer,) = answers.counted_answers(made.store, made.kept)
    assert (answer.annotator, answer.answer, answer.seconds) == ("anna", {"score": 70}, 4.5)


def test_sent_twice_it_counts_once(made, anna):
    sent = {"task": first_task(anna), "key": "k" * 8, "answer": {"score": 70}}
    first, second = anna.tell("/api/answers", sent), anna.tell("/api/answers", sent)
    assert second.json() == {**first.json(), "again": True}
    other = anna.tell("/api/answers", {**sent, "answer": {"score": 71}})
    assert (other.status_code, other.json()["error"]["code"]) == (409, "conflict")
    assert list(counting(made).values()) == [{"score": 70}]


def test_what_an_answer_costs(store, anna):
    """Who it is, what was asked, and the answer: more the database is not asked."""
    task, asked = first_task(anna), []
    event.listen(store.engine, "before_cursor_execute", lambda *told: asked.append(told[2].split()[0]))
    anna.tell("/api/answers", {"task": task, "key": "k" * 8, "answer": {"score": 70}})
    assert asked == ["SELECT", "SELECT", "BEGIN", "INSERT"]


def test_a_correction_is_appended_and_an_undo_too(made, anna):
    task = first_task(anna)
    for number, score in enumerate((70, 80)):
        anna.tell("/api/answers", {"task": task, "key": f"{number}" * 8, "answer": {"score": score}})
    assert counting(made) == {task: {"score": 80}}
    assert anna.tell("/api/undo", {"task": task, "key": "u" * 8}).status_code == 200
    assert counting(made) == {}
    assert anna.get("/api/work").json()["tasks"][0]["answer"] is None


@pytest.mark.parametrize(
    ("answer", "field", "message"),
    [
        ({}, "score", "no score is set"),
        ({"score": 101}, "score", "from 0 to 100"),
        ({"score": 1, "more": 2}, "more", "unknown field"),
    ],
)
def test_an_answer_that_is_not_whole_is_refused(made, anna, answer, field, message):
    reply = anna.tell("/api/answers", {"task": first_task(anna), "key": "k" * 8, "answer": answer})
    assert reply.status_code == 422
    error = reply.json()["error"]
    assert (error["code"], error["field"]) == ("answer", field)
    assert message in error["message"]
    assert counting(made) == {}


def test_nobody_answers_for_somebody_else(made, anna, browser):
    mine = {task["id"] for task in anna.get("/api/work").json()["tasks"]}
    theirs = next(n for n in range(1, 100) if n not in mine)
    reply = anna.tell("/api/answers", {"task": theirs, "key": "k" * 8, "answer": {"score": 1}})
    assert reply.status_code == 404
    assert anna.get("/api/work", params={"hit": 2}).status_code == 404


def test_a_paused_campaign_takes_nothing_and_loses_nothing(made, anna):
    sent = {"task": first_task(anna), "key": "k" * 8, "answer": {"score": 70}}
    campaigns.set_status(made.store, made.kept, campaigns.PAUSED)
    reply = anna.tell("/api/answers", sent)
    assert (reply.status_code, reply.json()["error"]["code"]) == (423, "paused")
    campaigns.set_status(made.store, made.kept, campaigns.RUNNING)
    assert anna.tell("/api/answers", sent).json() == {"event": 1, "again": False}


def test_the_next_hit_comes_when_one_is_done(made, anna):
    sheet = anna.get("/api/work").json()
    hit = served.hits(made.kept.campaign)[0]
    campaigns.extend(made.store, made.kept, [type(hit)("hit-anna-2", hit.items[:2], "anna")])
    for number, task in enumerate(sheet["tasks"]):
        anna.tell(
            "/api/answers", {"task": task["id"], "key": f"key-{number:05}", "answer": {"score": number}}
        )
    following = anna.get("/api/work").json()
    assert len(following["tasks"]) == 2
    assert [(hit["tasks"], hit["answered"]) for hit in following["hits"]] == [(6, 6), (2, 0)]
    past = anna.get("/api/work", params={"hit": sheet["hit"]}).json()
    assert [task["answer"]["score"] for task in past["tasks"]] == list(range(6))


def test_a_demo_is_open_and_never_exported(made, browser):
    browser.enter("/demo/small")
    task = first_task(browser)
    assert (
        browser.tell("/api/answers", {"task": task, "key": "k" * 8, "answer": {"score": 70}}).status_code
        == 200
    )
    assert answers.counted_answers(made.store, made.kept) == []
    assert len(answers.counted_answers(made.store, made.kept, demo=True)) == 1


def test_a_campaign_without_a_demo(store, browser):
    served.make(store, rules={"demo": False})
    assert browser.get("/demo/small").status_code == 404
    assert browser.get("/demo/none").status_code == 404


def test_a_crowd_takes_hits_one_by_one(store, browser, another):
    made = served.make(store, annotators={"crowd": True}, assignment={"judgements": 1})
    browser.enter("/join/small?workerId=W1&hit=")
    assert len(browser.get("/api/work").json()["tasks"]) == 6
    browser.enter("/join/small?workerId=W1")
    assert len(browser.get("/api/work").json()["hits"]) == 1  # the same one again
    other = another().enter("/join/small?workerId=W2")
    assert other.get("/api/work").json()["tasks"] == []  # nothing is left
    first, second = people.annotators(store, made.kept)
    assert next_hit.take_hit(store, made.kept, first) is not None  # the one that is not finished
    assert next_hit.take_hit(store, made.kept, second) is None


def test_a_second_stage_is_for_editors_who_judge(store, browser):
    """Only who edits in a campaign with a second stage gets there, and only with the page's token."""
    protocol = {"name": "post-editing", "against": "nothing", "acceptability": True}
    made = served.make(store, protocol)
    anna = browser.enter(f"/a/{made.tokens['anna']}")
    assert anna.tell("/api/next-stage", {}).status_code == 404  # it has not begun
    second = stages.begin_second_stage(store, made.kept)
    assert anna.get("/api/work").json()["next_stage"] is None  # there is something left to edit
    assert anna.post("/api/next-stage").status_code == 403
    before = anna.cookies["adjudge"]
    assert anna.tell("/api/next-stage", {}).json() == {"next": "/work"}
    assert anna.cookies["adjudge"] != before
    sheet = anna.get("/api/work").json()
    assert (sheet["campaign"]["protocol"], sheet["more_later"]) == ("acceptability", True)
    assert sheet["campaign"]["name"] == second.name
    assert anna.tell("/api/next-stage", {}).status_code == 404


def test_a_server_without_demos_opens_none(made):
    """The link is closed too, not only left out of the front page."""
    for demo, status in ((False, 404), (True, 303)):
        client = TestClient(
            create_app(made.store, ServerSettings(demo=demo)), base_url="http://127.0.0.1:8080"
        )
        assert client.get("/demo/small", follow_redirects=False).status_code == status
