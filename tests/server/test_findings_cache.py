"""How often organisers' pages make the server look, and where."""

import threading
from types import SimpleNamespace

import pytest

from adjudge.campaigns.store import events, people, work
from adjudge.server import findings
from adjudge.server.findings_cache import CHEAP_SECONDS, SHARE, FindingsCache

ONE, TWO = SimpleNamespace(id=1), SimpleNamespace(id=2)


class Found:
    """Something that takes so many seconds to find, by its own clock."""

    def __init__(self, seconds, expected=0.0):
        self.seconds, self.expected, self.now = seconds, expected, 1000.0
        self.looked = []

    def clock(self):
        return self.now

    def watching(self):
        return FindingsCache(self.find("here"), self.find("apart"), lambda *_: self.expected, self.clock)

    def find(self, where):
        def look(_store, kept, what):
            self.looked.append((where, kept.id, what))
            self.now += self.seconds
            return {"n": len(self.looked)}, self.seconds

        return look


def test_what_is_cheap_is_always_new_and_found_here():
    findings = Found(CHEAP_SECONDS / 2)
    watching = findings.watching()
    assert [watching.latest(None, ONE, "quality")["n"] for _ in range(3)] == [1, 2, 3]
    assert {where for where, *_ in findings.looked} == {"here"}


def test_what_is_dear_takes_no_more_than_its_share_and_is_found_apart():
    findings = Found(4.0)
    watching = findings.watching()
    for _ in range(1000):  # a page that asks every second
        watching.latest(None, ONE, "quality")
        findings.now += 1.0
    assert 4.0 * len(findings.looked) / (findings.now - 1000.0) <= SHARE
    assert len(findings.looked) > 5  # and it goes on
    assert [where for where, *_ in findings.looked[:3]] == ["here", "apart", "apart"]


def test_what_is_expected_to_be_dear_is_found_apart_at_once():
    findings = Found(4.0, expected=3.0)
    findings.watching().latest(None, ONE, "quality")
    assert findings.looked == [("apart", 1, "quality")]


def test_each_campaign_and_each_question_for_itself():
    findings = Found(4.0)
    watching = findings.watching()
    for _ in range(3):
        watching.latest(None, ONE, "quality")
        watching.latest(None, ONE, "progress")
        watching.latest(None, TWO, "quality")
    assert findings.looked == [("here", 1, "quality"), ("here", 1, "progress"), ("here", 2, "quality")]


def test_it_says_how_old_it_is():
    watching = Found(4.0).watching()
    first = watching.latest(None, ONE, "quality")
    assert watching.latest(None, ONE, "quality")["as_of"] == first["as_of"]


def test_a_fault_is_not_kept():
    faults = iter([RuntimeError(), RuntimeError()])

    def look(_store, _kept, _what):
        for fault in faults:
            raise fault
        return {"n": 1}, 4.0

    watching = FindingsCache(look, look, lambda *_: 0.0)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            watching.latest(None, ONE, "quality")
    assert watching.latest(None, ONE, "quality")["n"] == 1


def test_two_who_ask_at_once_wait_for_one_answer():
    begun, go_on, told = threading.Event(), threading.Event(), []

    def look(_store, _kept, _what):
        begun.set()
        go_on.wait(10)
        return {"n": 1}, 4.0

    watching = FindingsCache(look, look, lambda *_: 0.0)
    asking = [
        threading.Thread(target=lambda: told.append(watching.latest(None, ONE, "quality"))) for _ in range(2)
    ]
    asking[0].start()
    assert begun.wait(10)
    asking[1].start()
    go_on.set()
    for entry in asking:
        entry.join(10)
    assert told[0] is told[1]


def answer_some(made):
    person = people.find(made.store, made.kept, "anna")
    for task in work.tasks(made.store, person)[:5]:
        events.record_answer(
            made.store, person, task.id, key=f"key-{task.id:05}", answer={"score": 40}, seconds=3.0
        )


@pytest.mark.parametrize("what", findings.FINDINGS)
def test_another_process_finds_the_same(made, what):
    answer_some(made)
    here, _ = findings.compute_here(made.store, made.kept, what)
    apart, seconds = findings.compute_in_process(made.store, made.kept, what)
    assert apart == here
    assert seconds > 0


def test_what_is_expected_grows_with_the_answers(made):
    before = findings.expected_seconds(made.store, made.kept)
    answer_some(made)
    assert before == 0
    assert findings.expected_seconds(made.store, made.kept) == 5 * findings.AN_ANSWER


@pytest.mark.parametrize("program", ["false", "there-is-no-such-program"])
def test_where_another_process_fails_this_one_looks(made, monkeypatch, program):
    answer_some(made)
    monkeypatch.setattr(findings.sys, "executable", program)
    result, _ = findings.compute_in_process(made.store, made.kept, "progress")
    assert result["answered"] == 5
