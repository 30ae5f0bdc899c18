"""What was said in one window is not written over by another that had not seen it."""

import pytest

from adjudge.campaigns.store import events, work
from adjudge.campaigns.store.admission import AdmissionError


@pytest.fixture
def task(store, anna):
    return work.tasks(store, anna)[0].id


def say(store, anna, task, key, score, after):
    return events.record_answer(store, anna, task, key=key, answer={"score": score}, after=after)


def refused(store, anna, task, key, score, after):
    with pytest.raises(AdmissionError, match="answered elsewhere") as caught:
        say(store, anna, task, key, score, after)
    return caught.value.code


def now(store, anna):
    first = work.tasks(store, anna)[0]
    return first.answer, first.revision


def test_an_answer_is_given_in_sight_of_the_last_one(store, kept, anna, task):
    assert now(store, anna) == (None, "")
    say(store, anna, task, "one", 80, "")
    assert now(store, anna) == ({"score": 80}, "one")
    assert refused(store, anna, task, "two", 30, "") == "newer"
    assert refused(store, anna, task, "two", 30, "zero") == "newer"
    assert now(store, anna) == ({"score": 80}, "one")
    say(store, anna, task, "two", 30, "one")
    assert now(store, anna) == ({"score": 30}, "two")


def test_taking_back_is_a_revision_too(store, kept, anna, task):
    say(store, anna, task, "one", 80, "")
    with pytest.raises(AdmissionError):
        events.record_answer(store, anna, task, key="back", kind=events.UNDO, after="")
    events.record_answer(store, anna, task, key="back", kind=events.UNDO, after="one")
    assert now(store, anna) == (None, "back")
    assert refused(store, anna, task, "two", 30, "one") == "newer"
    say(store, anna, task, "two", 30, "back")


def test_what_is_sent_twice_counts_once_whatever_came_between(store, kept, anna, task):
    first = say(store, anna, task, "one", 80, "")
    assert say(store, anna, task, "one", 80, "").id == first.id
    say(store, anna, task, "two", 30, "one")
    assert say(store, anna, task, "one", 80, "").again
    assert now(store, anna) == ({"score": 30}, "two")


def test_whoever_says_nothing_of_what_they_saw_is_taken_at_their_word(store, kept, anna, task):
    say(store, anna, task, "one", 80, "")
    events.record_answer(store, anna, task, key="two", answer={"score": 30})
    assert now(store, anna) == ({"score": 30}, "two")


def test_another_s_answers_are_no_revision_of_mine(store, kept, anna, ben, task):
    events.record_answer(store, ben, work.tasks(store, ben)[0].id, key="his", answer={"score": 1}, after="")
    say(store, anna, task, "one", 80, "")
