"""Pages for people: what a browser gets where a script would get JSON."""

import pytest
from starlette.testclient import TestClient

from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings
from helpers import served

ADDRESS = "http://127.0.0.1:8080"

HTML = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/a/wrong", 404, "This link does not work"),
        ("/demo/wrong", 404, "This link does not work"),
        ("/organiser/link/wrong", 404, "This link was used already"),
        ("/nowhere", 404, "There is nothing here"),
        ("/join/wrong", 404, "This link does not work"),
        ("/join/wrong?workerId=a%20b", 422, "That did not work"),
    ],
)
def test_a_person_gets_a_page_and_a_script_gets_json(browser, path, status, words):
    page = browser.get(path, headers=HTML)
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert words in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    response = browser.get(path)
    assert response.status_code == status
    assert set(response.json()) == {"error"}


def test_the_api_speaks_json_to_everyone(browser):
    assert browser.get("/api/work", headers=HTML).json()["error"]["code"] == "signed out"
    assert browser.get("/api/nowhere", headers=HTML).json()["error"]["code"] == "not found"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "Dieser Link funktioniert nicht"),
        ("fr, de;q=0.5", "Dieser Link funktioniert nicht"),
        ("fr", "This link does not work"),
        ("", "This link does not work"),
        (";;,=-", "This link does not work"),
    ],
)
def test_pages_speak_the_browser_s_language(browser, wish, words):
    page = browser.get("/a/wrong", headers={**HTML, "accept-language": wish})
    assert words in page.text


def test_a_fault_has_a_page_without_its_trace(made, store, monkeypatch):
    def fail(*_args, **_options):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("adjudge.server.pages.campaigns.all_campaigns", fail)
    reply = TestClient(create_app(store), base_url=ADDRESS, raise_server_exceptions=False).get(
        "/", headers=HTML
    )
    assert reply.status_code == 500
    assert "That did not work" in reply.text
    assert "secret" not in reply.text


def test_what_is_said_is_escaped(browser):
    page = browser.get("/join/x?workerId=%3Cscript%3Ealert(1)%3C/script%3E", headers=HTML)
    assert "<script>alert" not in page.text


def test_the_front_page_offers_what_can_be_tried(store, browser):
    served.make(store, title="News & <b>more</b>")
    served.make(store, name="private", rules={"demo": False})
    page = browser.get("/").text
    assert "/demo/small" in page
    assert "News &amp; &lt;b&gt;more" in page
    assert "private" not in page
    closed = TestClient(create_app(store, ServerSettings(demo=False)), base_url=ADDRESS).get("/").text
    assert "/demo/" not in closed


def test_the_work_page_carries_its_words_and_its_token(store, browser):
    made = served.make(store, interface="de")
    browser.enter(f"/a/{made.tokens['anna']}")
    page = browser.get("/work").text
    assert '<html lang="de"' in page
    assert "Speichern und weiter" in page


def test_files_of_pages_are_asked_about_each_time(browser):
    reply = browser.get("/static/work.js")
    assert reply.headers["cache-control"] == "no-cache"
    again = browser.get("/static/work.js", headers={"if-none-match": reply.headers["etag"]})
    assert again.status_code == 304


def test_who_is_there(anna):
    document = anna.get("/api/me").json()
    assert document["annotator"] == anna.get("/api/work").json()["annotator"]
    assert document["csrf"] == anna.token


def test_where_answers_are_final(store, browser):
    made = served.make(store, rules={"corrections": False})
    browser.enter(f"/a/{made.tokens['anna']}")
    task = browser.get("/api/work").json()["tasks"][0]["id"]
    sent = {"task": task, "key": "k" * 8, "answer": {"score": 1}}
    assert browser.tell("/api/answers", sent).status_code == 200
    assert browser.tell("/api/answers", sent).json()["again"] is True  # sent twice it is still the same
    late = browser.tell("/api/answers", {**sent, "key": "l" * 8})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "answered")
    assert browser.tell("/api/undo", {"task": task, "key": "m" * 8}).status_code == 409


def test_time_spent_comes_back(made, anna):
    task = anna.get("/api/work").json()["tasks"][0]["id"]
    anna.tell("/api/answers", {"task": task, "key": "k" * 8, "answer": {"score": 1}, "seconds": 7.5})
    assert [task["seconds"] for task in anna.get("/api/work").json()["tasks"]][:2] == [7.5, None]


def test_pages_of_workers_say_nothing_of_how_they_are_checked(anna, organiser):
    page = anna.get("/work").text
    for word in ("amaged", "less than 300", '"flag.', '"organiser.', '"agreement.'):
        assert word not in page, word
    assert "HIT in less than 300 s" in organiser.get("/organiser").text
