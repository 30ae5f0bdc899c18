"""What is promised in docs/security.md."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from adjudge.campaigns.store import people, schema
from adjudge.server import sessions
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings
from helpers import served

POSTS = ("/api/answers", "/api/undo")


def test_every_reply_carries_the_headers(anna):
    for path in ("/", "/work", "/api/work", "/nowhere", "/static/base.css", "/a/wrong"):
        headers = anna.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
    assert anna.get("/api/work").headers["cache-control"] == "no-store"


def test_secure_cookies_where_it_is_reached_by_https(store, made):
    browser = TestClient(
        create_app(store, ServerSettings(base_url="https://example.org")), base_url="https://example.org"
    )
    reply = browser.get(f"/a/{made.tokens['anna']}", follow_redirects=False)
    assert "Secure" in reply.headers["set-cookie"]
    assert "strict-transport-security" in reply.headers


@pytest.mark.parametrize("token", [None, "", "wrong", "ä"])
def test_a_request_without_the_page_s_token_changes_nothing(anna, token):
    headers = {} if token is None else {"x-csrf-token": token.encode()}
    for path in POSTS:
        reply = anna.post(path, json={"task": 1, "key": "k" * 8, "answer": {"score": 1}}, headers=headers)
        assert reply.status_code in (403, 422), path
    sent = {"task": anna.get("/api/work").json()["tasks"][0]["id"], "key": "k" * 8, "answer": {"score": 1}}
    assert anna.post("/api/answers", json=sent, headers=headers).json()["error"]["code"] == "csrf"


def test_another_site_is_refused_even_with_the_token(anna):
    sent = {"task": anna.get("/api/work").json()["tasks"][0]["id"], "key": "k" * 8, "answer": {"score": 1}}
    headers = {"x-csrf-token": anna.token, "sec-fetch-site": "cross-site"}
    assert anna.post("/api/answers", json=sent, headers=headers).status_code == 403


def test_without_a_cookie_nothing_is_told(browser, made):
    assert browser.get("/api/work").status_code == 401
    assert browser.get("/work", follow_redirects=False).status_code == 303
    assert browser.get("/api/organiser/campaigns").status_code == 401
    assert browser.get("/organiser", follow_redirects=False).headers["location"] == "/organiser/sign-in"
    browser.cookies.set("adjudge", "guessed")
    browser.cookies.set("adjudge_organiser", "guessed")
    assert browser.get("/api/work").status_code == 401
    assert browser.get("/api/organiser/campaigns").status_code == 401


def test_an_annotator_is_no_organiser(anna):
    assert anna.get("/api/organiser/campaigns").status_code == 401
    anna.cookies.set("adjudge_organiser", anna.cookies["adjudge"])
    assert anna.get("/api/organiser/campaigns").status_code == 401


def test_a_new_link_ends_the_old_one(made, anna):
    people.renew_links(made.store, made.kept, ["anna"])
    assert anna.get("/api/work").status_code == 401
    assert anna.get(f"/a/{made.tokens['anna']}").status_code == 404


def test_a_one_time_link_works_once(store, browser):
    token = people.one_time_link(store)
    assert browser.get(f"/organiser/link/{token}", follow_redirects=False).status_code == 303
    browser.cookies.clear()
    assert browser.get(f"/organiser/link/{token}", follow_redirects=False).status_code == 404


def test_a_password_and_a_limit_on_guessing(store, browser):
    people.set_password(store, "a long password")
    browser.enter("/organiser/sign-in", sessions.VISIT)
    for _ in range(ServerSettings().sign_in_tries):
        assert browser.tell("/api/organiser/sign-in", {"password": "guess"}).status_code == 403
    late = browser.tell("/api/organiser/sign-in", {"password": "a long password"})
    assert (late.status_code, late.json()["error"]["code"]) == (429, "too many tries")


def test_guesses_at_the_same_time_are_limited_too(store, browser, monkeypatch):
    """Each guess takes its time; all that came meanwhile are counted all the same."""
    tries = ServerSettings().sign_in_tries
    together, checked = threading.Barrier(2 * tries), []

    def slow(_store, password):
        checked.append(password)
        time.sleep(0.05)
        return False

    monkeypatch.setattr(people, "check_password", slow)
    browser.enter("/organiser/sign-in", sessions.VISIT)

    def guess(number):
        together.wait()
        return browser.tell("/api/organiser/sign-in", {"password": f"guess {number}"}).status_code

    with ThreadPoolExecutor(2 * tries) as pool:
        codes = sorted(pool.map(guess, range(2 * tries)))
    assert codes == [403] * tries + [429] * tries
    assert len(checked) == tries


def test_a_class_opens_its_links_at_the_same_time(browser, made):
    codes = [
        browser.get(f"/a/{made.tokens['anna']}").status_code
        for _ in range(2 * ServerSettings().sign_in_tries)
    ]
    assert set(codes) == {200}


def test_what_has_run_out_is_taken_away_while_the_server_runs(store, made, monkeypatch):
    people.note_attempt(store, "somebody")
    people.open_session(store, None)
    now = time.time()
    monkeypatch.setattr(people.time, "time", lambda: now + people.ORGANISER_SECONDS + 1)
    with TestClient(create_app(store, ServerSettings())):
        for _ in range(2000):
            if people.attempts(store, "somebody", 10**6) == 0:
                break
            time.sleep(0.005)
        else:
            pytest.fail("it is still there")
    with store.reading() as connection:
        assert connection.execute(select(schema.sessions)).all() == []


def test_the_right_password(store, browser):
    people.set_password(store, "a long password")
    browser.enter("/organiser/sign-in", sessions.VISIT)
    assert browser.tell("/api/organiser/sign-in", {"password": "a long password"}).json() == {
        "next": "/organiser"
    }
    assert browser.get("/api/organiser/campaigns").status_code == 200
    with store.reading() as connection:
        assert "a long password" not in "".join(connection.connection.iterdump())


def test_guessing_links_is_limited(browser, made):
    codes = [browser.get(f"/a/guess-{n}").status_code for n in range(ServerSettings().sign_in_tries + 1)]
    assert codes == [404] * ServerSettings().sign_in_tries + [429]
    # Others behind the same address still get in.
    assert browser.get(f"/a/{made.tokens['anna']}", follow_redirects=False).status_code == 303


def test_bodies_have_a_limit(anna):
    large = {"task": 1, "key": "k" * 8, "answer": {"x": "y" * 300_000}}
    assert anna.tell("/api/answers", large).status_code == 413

    def chunks():
        for _ in range(400):
            yield b"x" * 1000

    headers = {"x-csrf-token": anna.token, "content-type": "application/json"}
    assert anna.post("/api/answers", content=chunks(), headers=headers).status_code == 413


def test_no_trace_of_a_fault_gets_out(made, anna, monkeypatch):
    def fail(*_args, **_options):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("adjudge.server.work.work.task", fail)
    reply = anna.tell("/api/answers", {"task": 1, "key": "k" * 8, "answer": {}})
    assert reply.status_code == 500
    assert "secret" not in reply.text
    assert "Traceback" not in reply.text
    assert reply.json()["error"]["code"] == "internal"


def test_a_fault_leaves_no_link_in_the_log(made, browser, monkeypatch, caplog):
    def fail(*_args, **_options):
        raise RuntimeError("a fault")

    monkeypatch.setattr("adjudge.server.links.people.annotator_by_token", fail)
    assert browser.get(f"/a/{made.tokens['anna']}").status_code == 500
    assert "/a/{token}" in caplog.text
    assert "a fault" in caplog.text
    assert made.tokens["anna"] not in caplog.text


def test_texts_are_data_everywhere(store, browser):
    made = served.make(store, title="<script>alert(1)</script>", name="nasty")
    browser.enter(f"/a/{made.tokens['anna']}")
    assert "<script>alert" not in browser.get("/work").text
