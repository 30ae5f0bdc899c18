"""Guessing is slowed down, and nobody can use that to keep the organiser out."""

import threading
import time

import pytest
from starlette.testclient import TestClient

from adjudge.campaigns.store import people
from adjudge.server import limits, sessions
from adjudge.server.app import create_app
from adjudge.server.limits import EVERYBODY, HASHED_AT_ONCE, ONE, RequestBudget
from adjudge.server.settings import ServerSettings
from helpers import served

PASSWORD = "a long password"
ADDRESS = "http://127.0.0.1:8080"


class Crowd:
    """People at many addresses before one server."""

    def __init__(self, store):
        self.app = create_app(store, ServerSettings())

    def at(self, address):
        return TestClient(self.app, base_url=ADDRESS, client=(address, 50000))

    def guess(self, address, password="guess"):
        return sign_in(self.at(address), password)


def sign_in(browser, password):
    browser.get("/organiser/sign-in")
    token = sessions.csrf(browser.cookies[sessions.VISIT])
    sent = {"json": {"password": password}, "headers": {"x-csrf-token": token}}
    return browser.post("/api/organiser/sign-in", **sent)


@pytest.fixture
def crowd(store):
    people.set_password(store, PASSWORD)
    return Crowd(store)


@pytest.fixture
def spent(crowd):
    """A server at whose door everybody together has tried as often as they may, each from an address of their own."""
    for budget in crowd.app.state.limits._everybody.values():  # nothing refills, however long this takes
        budget._clock = lambda now=budget._at: now
    codes = [crowd.guess(f"10.0.{n}.1").status_code for n in range(EVERYBODY["password"] * 10)]
    assert set(codes) == {403}
    return crowd


def test_everybody_together_is_slowed_down(spent):
    reply = spent.guess("192.0.2.1")
    assert (reply.status_code, reply.json()["error"]["code"]) == (429, "busy")


def test_a_budget_refills_and_what_is_refused_costs_nothing():
    now = 0.0
    budget = RequestBudget(60, 300, lambda: now)
    assert [budget.take() for _ in range(70)] == [True] * 60 + [False] * 10
    for _ in range(20):  # a flood all the while: one gets in every five seconds
        now += 5.001
        assert [budget.take() for _ in range(50)] == [True] + [False] * 49


def test_the_organiser_s_browser_gets_in_whatever_others_try(crowd):
    mine = crowd.at("192.0.2.9")
    assert sign_in(mine, PASSWORD).status_code == 200
    for number in range(EVERYBODY["password"] * 10 + 5):
        crowd.guess(f"10.0.{number}.1")
    for _ in range(15):
        crowd.guess("192.0.2.9")  # also somebody behind the organiser's own address
    assert crowd.guess("192.0.2.9", PASSWORD).status_code == 429
    assert sign_in(mine, PASSWORD).status_code == 200


def test_a_link_from_the_command_line_gets_in_whatever_others_try(spent, store):
    link = people.one_time_link(store)
    reply = spent.at("10.0.1.1").get(f"/organiser/link/{link}", follow_redirects=False)
    assert reply.status_code == 303
    assert sessions.KNOWN in reply.headers["set-cookie"]


def test_a_browser_that_is_known_cannot_guess_for_ever(crowd):
    mine = crowd.at("192.0.2.9")
    sign_in(mine, PASSWORD)
    assert [sign_in(mine, "guess").status_code for _ in range(11)] == [403] * 10 + [429]


@pytest.mark.parametrize("cookie", ["made-up.0000", "made-up", ".", "", "ä.ö"])
def test_a_made_up_browser_is_not_known(store, crowd, cookie):
    assert limits.known_browser(store, cookie) == ""


def test_a_new_password_makes_every_browser_unknown(store):
    assert limits.new_browser(store) == ""
    people.set_password(store, PASSWORD)
    cookie = limits.new_browser(store)
    assert limits.known_browser(store, cookie)
    people.set_password(store, "another password")
    assert not limits.known_browser(store, cookie)


def test_a_household_of_ipv6_is_one_address(crowd):
    codes = [crowd.guess(f"2001:db8:1:2::{n:x}").status_code for n in range(1, 12)]
    assert codes == [403] * 10 + [429]
    assert crowd.guess("2001:db8:1:3::1").status_code == 403
    assert crowd.guess("::ffff:10.0.0.1").status_code == 403


def test_whoever_is_over_the_limit_writes_nothing_more(crowd, store):
    for _ in range(30):
        crowd.guess("10.0.0.1")
    assert people.attempts(store, "password 10.0.0.1", 3600) == 10


def test_few_passwords_are_hashed_at_once(crowd, monkeypatch):
    lock, now, most = threading.Lock(), 0, 0

    def slow(_store, _password):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1
        return False

    monkeypatch.setattr(people, "check_password", slow)
    people_at_once = [
        threading.Thread(target=crowd.guess, args=(f"10.0.{n}.1",)) for n in range(4 * HASHED_AT_ONCE)
    ]
    for entry in people_at_once:
        entry.start()
    for value in people_at_once:
        value.join(20)
    assert most == HASHED_AT_ONCE


def test_coming_under_new_ids_is_limited_and_coming_back_is_not(store, another):
    served.make_crowd(store, hits=2)
    first = another()
    assert first.get("/join/crowd?workerId=W0", follow_redirects=False).status_code == 303
    codes = [
        another_one(store, first).get(f"/join/crowd?workerId=W{n}", follow_redirects=False).status_code
        for n in range(1, 10 * ONE["join"] + 1)
    ]
    assert codes == [303] * (10 * ONE["join"] - 1) + [429]
    assert first.get("/join/crowd?workerId=W0", follow_redirects=False).status_code == 303


def another_one(store, first):
    """A browser of somebody else at the same address."""
    return TestClient(first.app, base_url=ADDRESS)


def test_a_thousand_addresses_join_no_faster_than_sixty(store):
    """Workers of a marketplace come from everywhere, and yet each of them costs the database a write."""
    served.make_crowd(store, hits=2)
    app = create_app(store, ServerSettings(sign_in_tries=1, sign_in_seconds=10**9))
    codes = [
        TestClient(app, base_url=ADDRESS, client=(f"10.0.{n}.1", 50000))
        .get(f"/join/crowd?workerId=W{n}", follow_redirects=False)
        .status_code
        for n in range(62)
    ]
    assert codes == [303] * 60 + [429] * 2
