"""Links, sessions and sign-in."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from adjudge.campaigns.store import CampaignStore, StoreError, campaigns, people
from helpers import stored


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Argon2 with as little work as it takes: these tests are not about how long it takes."""
    argon2 = pytest.importorskip("argon2")
    monkeypatch.setattr(people, "_hasher", lambda: argon2.PasswordHasher(1, 8, 1))


def everything(store):
    """All that the database holds, as text."""
    with store.reading() as connection:
        tables = ("annotators", "sessions", "one_time_links", "passwords", "attempts", "actions")
        return repr([connection.execute(text(f"SELECT * FROM {table}")).all() for table in tables])


def test_links(store, kept):
    links = people.renew_links(store, kept)
    assert set(links) == {"anna", "ben"}
    assert people.annotator_by_token(store, links["anna"]).name == "anna"
    assert people.annotator_by_token(store, links["anna"][:-1]) is None
    assert people.annotator_by_token(store, "") is None
    assert len(set(links.values())) == 2
    assert all(len(link) >= 32 for link in links.values())


def test_no_secret_is_kept(store, kept, anna):
    people.set_password(store, "correct horse battery")
    secrets = [
        *people.renew_links(store, kept).values(),
        people.open_session(store, anna),
        people.open_session(store, None),
        people.one_time_link(store),
        "correct horse battery",
        "192.0.2.1",
    ]
    people.note_attempt(store, "192.0.2.1")
    held = everything(store)
    assert not [secret for secret in secrets if secret in held]


def test_a_new_link_ends_the_old_one_and_its_sessions(store, kept, anna, ben):
    old = people.renew_links(store, kept)
    mine, other = people.open_session(store, anna), people.open_session(store, ben)
    new = people.renew_links(store, kept, ["anna", "anna"])
    assert list(new) == ["anna"]
    assert people.annotator_by_token(store, old["anna"]) is None
    assert people.session(store, mine) is None
    assert people.annotator_by_token(store, old["ben"]).name == "ben"
    assert people.session(store, other).annotator == ben
    with pytest.raises(StoreError, match="unknown annotator 'ana'; did you mean 'anna'"):
        people.renew_links(store, kept, ["ana"])


def test_links_of_persons_only(store, kept):
    people.find_or_add_visitor(store, kept, "demo", "demo-1")
    people.find_or_add_visitor(store, kept, "crowd", "worker-1")
    assert set(people.renew_links(store, kept)) == {"anna", "ben"}


def test_sessions(store, anna, monkeypatch):
    token, boss = people.open_session(store, anna), people.open_session(store, None)
    assert people.session(store, token) == people.Session(anna, False)
    assert people.session(store, boss) == people.Session(None, True)
    assert people.session(store, "guess") is None
    people.close_session(store, token)
    assert people.session(store, token) is None
    assert people.session(store, boss) is not None


def test_sessions_run_out_and_are_cleared_away(store, anna, monkeypatch):
    token, boss = people.open_session(store, anna), people.open_session(store, None)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + people.ORGANISER_SECONDS + 1)
    assert people.session(store, boss) is None
    assert people.session(store, token) is not None
    monkeypatch.setattr(time, "time", lambda: now + people.SESSION_SECONDS + 1)
    assert people.session(store, token) is None
    people.delete_expired(store)
    with store.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM sessions")).scalar() == 0


def test_a_visitor_comes_again(store, kept):
    first = people.find_or_add_visitor(store, kept, "crowd", "worker-1", "A1B2")
    assert people.find_or_add_visitor(store, kept, "crowd", "worker-1", "A1B2") == first
    assert (first.kind, first.external) == ("crowd", "A1B2")
    with pytest.raises(StoreError, match="'anna' is the name of somebody else"):
        people.find_or_add_visitor(store, kept, "crowd", "anna")


def test_a_visitor_comes_twice_at_once(database):
    stores = [CampaignStore.open(database) for _ in range(4)]
    kept = campaigns.add(stores[0], *stored.crowd())
    with ThreadPoolExecutor(4) as pool:
        distinct = set(
            pool.map(lambda store: people.find_or_add_visitor(store, kept, "crowd", "worker-1"), stores)
        )
    assert len(distinct) == 1
    assert people.annotators(stores[0], kept) == list(distinct)
    for store in stores:
        store.close()


def test_a_one_time_link_is_spent_once(database):
    stores = [CampaignStore.open(database) for _ in range(4)]
    token = people.one_time_link(stores[0])
    with ThreadPoolExecutor(4) as pool:
        used = list(pool.map(lambda store: people.use_one_time_link(store, token), stores * 2))
    assert sorted(used) == [False] * 7 + [True]
    for store in stores:
        store.close()


def test_a_one_time_link_runs_out(store, monkeypatch):
    token, now = people.one_time_link(store), time.time()
    monkeypatch.setattr(time, "time", lambda: now + people.LINK_SECONDS + 1)
    assert not people.use_one_time_link(store, token)
    people.delete_expired(store)
    with store.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM one_time_links")).scalar() == 0


def test_a_password(store):
    assert not people.has_password(store)
    assert not people.check_password(store, "correct horse battery")
    people.set_password(store, "correct horse battery")
    assert people.has_password(store)
    assert people.check_password(store, "correct horse battery")
    for wrong in ("Correct horse battery", "", "\0", "\ud800", "correct horse battery\0"):
        assert not people.check_password(store, wrong)
    assert not people.check_password(store, "correct horse battery", "somebody else")
    boss = people.open_session(store, None)
    people.set_password(store, "another long one é")
    assert people.session(store, boss) is None
    assert not people.check_password(store, "correct horse battery")
    assert people.check_password(store, "another long one e\u0301")  # as a Mac writes it
    with pytest.raises(StoreError, match="at least 10 characters"):
        people.set_password(store, "short")


def test_passwords_are_hashed_as_argon2_advises():
    argon2 = pytest.importorskip("argon2")
    advised = argon2.PasswordHasher()
    assert (advised.type, advised.time_cost >= 2, advised.memory_cost >= 19_456) == (
        argon2.Type.ID,
        True,
        True,
    )


def test_an_unknown_name_costs_as_many_hashes_as_a_known_one(store, monkeypatch):
    argon2 = pytest.importorskip("argon2")
    people.set_password(store, "correct horse battery")
    people.check_password(store, "warm")
    calls = []
    for name in ("hash", "verify"):
        real = getattr(argon2.PasswordHasher, name)
        monkeypatch.setattr(
            argon2.PasswordHasher,
            name,
            lambda self, *a, real=real, name=name: (calls.append(name), real(self, *a))[1],
        )
    people.check_password(store, "a wrong password")
    people.check_password(store, "a wrong password", "nobody")
    assert calls == ["verify", "verify"]


def test_passwords_set_at_once(database):
    stores = [CampaignStore.open(database) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: people.set_password(stores[n], f"long password {n}"), range(3)))
    assert sum(people.check_password(stores[0], f"long password {n}") for n in range(3)) == 1
    for store in stores:
        store.close()


def test_attempts_are_counted_for_each_and_forgotten_after_an_hour(store, monkeypatch):
    assert [people.note_attempt(store, "anna") for _ in range(3)] == [1, 2, 3]
    assert people.note_attempt(store, "ben") == 1
    assert people.attempts(store, "anna", 60) == 3
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    assert people.attempts(store, "anna", 60) == 0
    assert people.note_attempt(store, "anna", 60) == 1
    monkeypatch.setattr(time, "time", lambda: now + 3700)
    people.delete_expired(store)
    assert people.attempts(store, "anna", 10_000) == 0


def test_tries_at_the_same_time_do_not_get_past_a_limit(database):
    stores = [CampaignStore.open(database) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda n: people.note_attempt(stores[n % 4], "anna"), range(20)))
    assert max(counts) == 20
    assert sum(count <= 5 for count in counts) <= 5
    for store in stores:
        store.close()
