"""Answers: the newest counts until it is undone, and what is sent twice counts once."""

import pytest
from sqlalchemy import event

from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.store import (
    answers,
    campaigns,
    events,
    journal,
    work,
)
from adjudge.campaigns.store.admission import AdmissionError
from helpers import stored


def test_the_newest_answer_counts_until_it_is_undone(store, kept, anna):
    number = work.outline(store, anna)[0].id

    def counts():
        values = [answer.answer for answer in answers.counted_answers(store, kept)]
        assert values == [task.answer for task in work.tasks(store, anna) if task.answer is not None]
        assert len(values) == 12 - work.remaining(store, anna)
        return values

    events.record_answer(store, anna, number, key="1", answer={"score": 10})
    events.record_answer(store, anna, number, key="2", answer={"score": 20})
    assert counts() == [{"score": 20}]
    events.record_answer(store, anna, number, key="3", kind="undo")
    assert counts() == []
    events.record_answer(store, anna, number, key="4", kind="undo")
    assert counts() == []
    events.record_answer(store, anna, number, key="5", answer={"score": 30})
    assert counts() == [{"score": 30}]
    assert [entry.state for entry in journal.entries(store, kept)] == [
        "superseded",
        "undone",
        "",
        "",
        "counts",
    ]


def test_sent_twice_it_counts_once(store, kept, anna, ben):
    number = work.outline(store, anna)[0].id
    first = events.record_answer(store, anna, number, key="k", answer={"score": 10})
    again = events.record_answer(store, anna, number, key="k", answer={"score": 10}, seconds=9)
    assert (again.id, first.again, again.again) == (first.id, False, True)
    other = events.record_answer(store, ben, work.outline(store, ben)[0].id, key="k", answer={"score": 10})
    assert other.id != first.id
    for changed in ({"score": 11}, {"score": 10, "more": 1}):
        with pytest.raises(AdmissionError, match="another answer was sent under the same key") as caught:
            events.record_answer(store, anna, number, key="k", answer=changed)
        assert caught.value.code == "conflict"
    with pytest.raises(AdmissionError):
        events.record_answer(store, anna, number, key="k", kind="undo")
    with pytest.raises(AdmissionError):
        events.record_answer(store, anna, number + 1, key="k", answer={"score": 10})
    assert len(journal.entries(store, kept)) == 2


def test_an_answer_is_one_statement(store, anna):
    number, asked = work.outline(store, anna)[0].id, []
    event.listen(store.engine, "before_cursor_execute", lambda *told: asked.append(told[2].split()[0]))
    events.record_answer(store, anna, number, key="k", answer={"score": 1})
    assert asked == (["BEGIN", "INSERT"] if store.is_sqlite else ["INSERT"])


def test_what_was_acknowledged_is_acknowledged_again_when_paused(store, kept, anna):
    number = work.outline(store, anna)[0].id
    events.record_answer(store, anna, number, key="k", answer={"score": 10})
    campaigns.set_status(store, kept, "paused")
    assert events.record_answer(store, anna, number, key="k", answer={"score": 10}).again
    with pytest.raises(AdmissionError, match="the campaign is paused; your answer is not lost") as caught:
        events.record_answer(store, anna, number, key="new", answer={"score": 10})
    assert caught.value.code == "paused"
    campaigns.set_status(store, kept, "running")
    assert not events.record_answer(store, anna, number, key="new", answer={"score": 10}).again


@pytest.mark.parametrize(
    "sent",
    [{"kind": "undo", "answer": {}}, {"kind": "answer"}, {"kind": "erased"}, {"kind": "other", "answer": {}}],
)
def test_what_is_neither_an_answer_nor_an_undo(store, anna, sent):
    with pytest.raises(AnswerError, match="an answer was expected, or an undo without one"):
        events.record_answer(store, anna, work.outline(store, anna)[0].id, key="k", **sent)


def test_answers_come_back_as_they_were(store, kept, anna):
    steps = work.outline(store, anna)
    sent = {
        "errors": [{"start": None, "end": None, "severity": "major"}, {"start": 0, "end": 3}],
        "text": "漢字 😀 é\u0301 \"'\\ \u2028 </script>",
        "numbers": [0, -1, 1.5, 1e300, 2**53, 0.1 + 0.2],
        "flags": [True, False, None],
    }
    events.record_answer(
        store, anna, steps[0].id, key="k", answer=sent, seconds=0.1 + 0.2, started=1.7e9 + 1 / 3
    )
    (answer,) = answers.counted_answers(store, kept)
    assert answer.answer == sent
    assert (answer.seconds, answer.started) == (0.1 + 0.2, 1.7e9 + 1 / 3)
    assert (answer.annotator, answer.hit, answer.place, answer.item) == ("anna", "anna-1", 0, stored.item(0))
