"""Withdrawing, forgetting, and what was done."""

import json
import subprocess

import pytest
from sqlalchemy import inspect, text

from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import (
    StoreError,
    answers,
    campaigns,
    events,
    journal,
    next_hit,
    people,
    upkeep,
    work,
)
from adjudge.campaigns.store.admission import AdmissionError
from adjudge.campaigns.store.schema import metadata
from helpers import stored


def answer(store, who, count=3, **options):
    for step in work.outline(store, who)[:count]:
        events.record_answer(store, who, step.id, key=f"k{step.id}", answer={"score": 50}, **options)


def everything(store):
    """All rows of all tables, as text."""
    with store.reading() as connection:
        names = sorted(inspect(connection).get_table_names())
        rows = {
            name: [list(map(str, row)) for row in connection.execute(text(f"SELECT * FROM {name}"))]
            for name in names
        }
    return json.dumps(rows, ensure_ascii=False)


def test_withdrawn_answers_are_kept_and_marked(store, kept, anna, ben):
    answer(store, anna)
    answer(store, ben)
    before = journal.entries(store, kept)
    assert upkeep.withdraw(store, kept, "anna", "asked to")
    assert {answer.annotator for answer in answers.counted_answers(store, kept)} == {"ben"}
    marked = answers.counted_answers(store, kept, withdrawn=True)
    assert [(entry.annotator, entry.withdrawn) for entry in marked] == [("anna", True)] * 3 + [
        ("ben", False)
    ] * 3
    after = journal.entries(store, kept)
    assert [entry.state for entry in after] == ["withdrawn"] * 3 + ["counts"] * 3
    assert [entry.answer for entry in after] == [entry.answer for entry in before]
    assert [entry.withdrawn for entry in answers.annotator_progress(store, kept)] == [True, False]
    with pytest.raises(AdmissionError) as caught:
        answer(store, anna, 4)
    assert caught.value.code == "withdrawn"


def test_a_withdrawal_is_taken_back(store, kept, anna):
    answer(store, anna)
    upkeep.withdraw(store, kept, "anna")
    since = people.find(store, kept, "anna").withdrawn
    assert not upkeep.withdraw(store, kept, "anna")
    assert people.find(store, kept, "anna").withdrawn == since
    assert upkeep.reinstate(store, kept, "anna", "a mistake")
    assert not upkeep.reinstate(store, kept, "anna")
    assert len(answers.counted_answers(store, kept)) == 3
    answer(store, anna, 4)
    assert len(answers.counted_answers(store, kept)) == 4
    done = [(event.kind, dict(event.detail)) for event in upkeep.history(store, kept)]
    assert done == [
        ("created", {"hits": 4}),
        ("withdrawn", {"annotator": "anna"}),
        ("reinstated", {"annotator": "anna", "reason": "a mistake"}),
    ]


def test_a_link_outlives_a_withdrawal(store, kept, anna):
    """So that the browser can say what happened, and work goes on where the withdrawal is taken back."""
    link, session = people.renew_links(store, kept)["anna"], people.open_session(store, anna)
    upkeep.withdraw(store, kept, "anna")
    assert people.annotator_by_token(store, link).withdrawn is not None
    assert people.session(store, session).annotator.withdrawn is not None


def test_somebody_who_is_not_there(store, kept):
    for action in (upkeep.withdraw, upkeep.reinstate, upkeep.forget):
        with pytest.raises(StoreError, match="unknown annotator 'ana'; did you mean 'anna'"):
            action(store, kept, "ana")
    with pytest.raises(StoreError, match="the reason: character 1 is NUL"):
        upkeep.withdraw(store, kept, "anna", "\0")


NAMES = ("Anna Müller", "ben")


@pytest.fixture
def named(store):
    """A campaign that knows a person by her whole name, everywhere where it can stand."""
    campaign, material, _ = stored.made(annotators=NAMES)
    kept = campaigns.add(store, campaign, material, [Hit(f"{NAMES[0]}-1", stored.items(), NAMES[0])])
    campaigns.extend(
        store,
        kept,
        [Hit("ben-1", (stored.item(0, "two", extra={"editor": NAMES[0], "by": ["x", NAMES[0]]}),), "ben")],
    )
    upkeep.withdraw(store, kept, NAMES[0], "Anna Müller wrote a letter")
    upkeep.reinstate(store, kept, NAMES[0], "and another")
    people.renew_links(store, kept)
    return kept


@pytest.mark.parametrize("erase", [False, True])
def test_nothing_says_who_it_was(store, named, erase):
    anna, ben = (people.find(store, named, name) for name in NAMES)
    link = people.renew_links(store, named, [anna.name])[anna.name]
    session = people.open_session(store, anna)
    answer(store, anna, seconds=2.5, started=1.0)
    answer(store, ben)
    before = everything(store)
    assert "Anna Müller" in before
    assert people.secret_hash(link) in before
    pseudonym = upkeep.forget(store, named, anna.name, erase=erase)
    after = everything(store)
    assert "Anna" not in after
    assert "Müller" not in after
    assert people.secret_hash(link) not in after
    assert people.secret_hash(session) not in after
    assert people.annotator_by_token(store, link) is None
    assert people.session(store, session) is None
    kept = campaigns.find(store, "news")
    assert kept.campaign.annotators.names == (pseudonym, "ben")
    assert [annotator.name for annotator in people.annotators(store, kept)] == [pseudonym, "ben"]
    assert campaigns.hits(store, kept)[0].name == f"{pseudonym}-1"
    assert campaigns.hits(store, kept)[1].items[0].extra == {"editor": pseudonym, "by": ["x", pseudonym]}
    counted = {answer.annotator for answer in answers.counted_answers(store, kept)}
    assert counted == ({"ben"} if erase else {pseudonym, "ben"})
    mine = [entry for entry in journal.entries(store, kept) if entry.annotator == pseudonym]
    assert len(mine) == 3
    if erase:
        assert {(entry.kind, entry.state, entry.answer, entry.seconds, entry.started) for entry in mine} == {
            ("erased", "", None, None, None)
        }
        assert len({entry.received for entry in mine}) == 1
    else:
        assert {(entry.kind, entry.state, entry.seconds) for entry in mine} == {("answer", "counts", 2.5)}
    assert dict(upkeep.history(store, kept)[-1].detail) == {"annotator": pseudonym, "erased": erase}


def test_a_forgotten_person_does_not_come_back(store, kept, anna):
    number = work.outline(store, anna)[0].id
    pseudonym = upkeep.forget(store, kept, "anna")
    with pytest.raises(StoreError, match="was forgotten already"):
        upkeep.forget(store, kept, pseudonym)
    with pytest.raises(StoreError, match="was forgotten on request and gets no link"):
        people.renew_links(store, kept, [pseudonym])
    assert set(people.renew_links(store, kept)) == {"ben"}
    with pytest.raises(AdmissionError) as caught:
        events.record_answer(store, anna, number, key="k", answer={"score": 1})
    assert caught.value.code == "withdrawn"
    assert people.session(store, people.open_session(store, anna)) is None
    campaigns.extend(store, kept, [], annotators=["anna"])  # somebody else of that name


def test_a_worker_of_a_marketplace_is_forgotten(store):
    kept = campaigns.add(store, *stored.crowd(2))
    worker = people.find_or_add_visitor(store, kept, "crowd", "worker-1", "A1B2C3D4")
    next_hit.take_hit(store, kept, worker)
    answer(store, worker)
    pseudonym = upkeep.forget(store, kept, "worker-1")
    assert "A1B2C3D4" not in everything(store)
    assert campaigns.find(store, "crowd").campaign.annotators.names == ()
    assert {answer.annotator for answer in answers.counted_answers(store, kept)} == {pseudonym}


def test_whoever_was_only_counted_is_forgotten_too(store):
    campaign, material, _ = stored.made(annotators=())
    config = {**campaign.stored, "annotators": 2}
    hits = [Hit("hit-1", stored.items(), "annotator-2")]
    kept = campaigns.add(
        store, type(campaign)(**{**vars(campaign), **vars(campaigns.parse(config))}), material, hits
    )
    pseudonym = upkeep.forget(store, kept, "annotator-2")
    assert campaigns.find(store, "news").campaign.annotators.all_names() == ("annotator-1", pseudonym)


def test_a_file_of_sqlite_keeps_no_trace(tmp_path):
    from adjudge.campaigns.store import CampaignStore

    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    secret = "Zyxwvutsrq Ponmlkjihg"
    campaign, material, _ = stored.made(annotators=(secret, "ben"))
    kept = campaigns.add(store, campaign, material, [Hit(f"{secret}-1", stored.items(), secret)])
    who = people.find(store, kept, secret)
    for number, step in enumerate(work.outline(store, who)):
        events.record_answer(store, who, step.id, key=f"k{number}", answer={"text": f"my own words {secret}"})
    upkeep.withdraw(store, kept, secret, f"{secret} asked")

    def found():  # by another process: this one has the database open
        command = ["grep", "-rl", secret, tmp_path]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()

    assert found() != []
    upkeep.forget(store, kept, secret, erase=True)
    assert found() == []
    store.close()
    assert found() == []


def test_every_column_that_holds_text_is_thought_of():
    """A new column must be looked at here: may it say who somebody is, and does `forget` know it?"""
    thought_of = {
        "campaigns": {"name", "status", "config", "secret"},
        "segments": {"source", "references", "labels"},
        "outputs": {"system", "run", "segments"},
        "items": {"key", "item"},
        "annotators": {"name", "kind", "token", "external"},
        "hits": {"name"},
        "tasks": set(),
        "events": {"key", "kind", "answer"},
        "actions": {"kind", "detail"},
        "sessions": {"id"},
        "passwords": {"name", "hash"},
        "one_time_links": {"id"},
        "attempts": {"who"},
    }
    kinds = ("String", "Text", "JSON")
    by_name = {
        table.name: {column.name for column in table.columns if type(column.type).__name__ in kinds}
        for table in metadata.tables.values()
    }
    assert by_name == thought_of
