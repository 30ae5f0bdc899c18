"""Answers given in another tool become answers of the campaign: once, and never over what was answered here."""

import json

import pytest

pytest.importorskip("sqlalchemy")

from adjudge.campaigns.store import CampaignStore, answers, campaigns, events, people, work
from helpers import served

MISSING = {"start": None, "end": None, "severity": "minor"}
ANSWERS = {
    "da": lambda item, n: {"score": 10 * n % 101},
    "sqm": lambda item, n: {"score": 10 * n % 101},
    "yes-no": lambda item, n: {"acceptable": n % 2 == 0},
    "esa": lambda item, n: {"errors": [{**_last(item), "start": 0}, _last(item), MISSING], "score": n},
    "mqm": lambda item, n: {
        "errors": [{**_last(item), "category": "Accuracy/Addition"}] if n % 2 else [],
    },
    "adequacy-fluency": lambda item, n: {"fluency": 1 + n % 5, "adequacy": 1 + n // 2 % 5},
}


def _last(item):
    """The end of the text, behind whatever emoji there are."""
    text = item.candidates[0].texts[0]
    return {"start": len(text) - 3, "end": len(text), "severity": "major"}


@pytest.fixture
def store(database):
    opened = CampaignStore.open(database)
    yield opened
    opened.close()


@pytest.fixture
def human(run, database):
    def call(command, *arguments):
        return run("human", command, *map(str, arguments), "--database", database)

    return call


def make(store, protocol, name, annotators=("anna", "ben")):
    """A campaign with controls and with an output that two systems share."""
    campaign = served.parse(served.config(protocol, name, annotators=list(annotators)))
    hits = []
    for who in annotators:
        items = list(served.controlled().items)
        both = served.Candidate(("hidden-one", "hidden-two"), ("Both said this.",))
        items.append(served.Item("both", (1,), (both,), kind="repeat", of="hidden-one-1"))
        hits.append(served.Hit(f"{who}-1", tuple(items[:7]), who))
        hits.append(served.Hit(f"{who}-2", tuple(items[7:]), who))
    return campaigns.add(store, campaign, served.material(), hits)


def answer(store, kept, who, protocol, count=None):
    person = people.find(store, kept, who)
    for number, task in enumerate(work.tasks(store, person)[:count]):
        given = ANSWERS[protocol](task.item, number)
        checked = kept.campaign.protocol.check(given, task.item, served.SOURCES[task.item.segments[0] :][:1])
        events.record_answer(
            store, person, task.id, key=f"{task.id:08}", answer=checked, seconds=3.5, started=1e9 + number
        )


def said(store, kept):
    """Who said what to which task."""
    return {
        (answer.annotator, answer.hit, answer.place): answer.answer
        for answer in answers.counted_answers(store, kept)
    }


@pytest.mark.parametrize(
    ("protocol", "form"),
    [
        ("da", "jsonl"),
        ("da", "csv"),
        ("da", "pearmut"),
        ("da", "appraise-jsonl"),
        ("da", "appraise"),
        ("sqm", "wmt-da"),
        ("yes-no", "jsonl"),
        ("esa", "jsonl"),
        ("esa", "pearmut"),
        ("esa", "appraise-jsonl"),
        ("mqm", "jsonl"),
        ("mqm", "pearmut"),
    ],
)
def test_what_one_campaign_exports_another_takes_over(human, store, tmp_path, protocol, form):
    first, second = make(store, protocol, "first"), make(store, protocol, "second")
    answer(store, first, "anna", protocol)
    answer(store, first, "ben", protocol, 5)
    path = tmp_path / "judgements"
    assert human("export", "first", "-f", form, "-o", path).code == 0
    result = human("import", "second", path, "--answers")
    assert result.code == 0, result.err
    assert "18 answers taken over; already there: 0; with another" in result.err
    assert "are of no task" not in result.err
    assert said(store, second) == said(store, first)
    again = human("import", "second", path, "--answers")
    assert "0 answers taken over; already there: 18" in again.err
    assert len(work.tasks(store, people.find(store, second, "anna"))) == 13


def test_what_was_answered_here_stays(human, store, tmp_path):
    first, second = make(store, "da", "first"), make(store, "da", "second")
    answer(store, first, "anna", "da")
    person = people.find(store, second, "anna")
    task = work.tasks(store, person)[3].id
    events.record_answer(store, person, task, key="mine-0001", answer={"score": 99})
    human("export", "first", "-o", tmp_path / "a.jsonl")
    result = human("import", "second", tmp_path / "a.jsonl", "--answers")
    assert "12 answers taken over; already there: 0; with another answer here, which stays: 1" in result.err
    assert said(store, second)["anna", "anna-1", 3] == {"score": 99}


def test_somebody_with_another_name_and_somebody_unknown(human, store, tmp_path):
    first, second = make(store, "da", "first"), make(store, "da", "second", ("carla",))
    answer(store, first, "anna", "da")
    human("export", "first", "-o", tmp_path / "a.jsonl")
    result = human("import", "second", tmp_path / "a.jsonl", "--answers")
    assert result.code == 1
    assert "'anna' is no annotator of 'second' (carla); say who that is: --renamed anna=NAME" in result.err
    result = human(
        "import", "second", tmp_path / "a.jsonl", "--answers", "--renamed", "anna=carla", "--dry-run"
    )
    assert "13 answers would be taken over" in result.err
    assert said(store, second) == {}
    assert human("import", "second", tmp_path / "a.jsonl", "--answers", "--renamed", "anna=carla").code == 0
    assert len(said(store, second)) == 13
    for wrong in ("anna", "=carla", "anna=", "nobody=carla"):
        assert human("import", "second", tmp_path / "a.jsonl", "--answers", "--renamed", wrong).code == 2


def test_judgements_of_something_else(human, store, tmp_path):
    make(store, "da", "second")
    path = tmp_path / "a.tsv"
    path.write_text("system\tsegment\tannotator\tscore\nnobody\t1\tanna\t3\nhidden-one\t1\tanna\t300\n")
    result = human("import", "second", path, "--answers")
    assert result.code == 1
    assert "no judgement in it is an answer to a task of 'second'" in result.err
    with path.open("a") as file:
        file.write("hidden-one\t2\tanna\t30\n")
    result = human("import", "second", path, "--answers")
    assert result.code == 0
    assert "1 answer taken over" in result.err
    assert "1 judgement is of no task here (first: " in result.err
    assert "a.tsv, line 3: a score from 0 to 100 was expected, not 300" in result.err


def test_one_criterion_is_not_both(human, store, tmp_path):
    first, second = (make(store, "adequacy-fluency", name) for name in ("first", "second"))
    answer(store, first, "anna", "adequacy-fluency")
    human("export", "first", "--criterion", "fluency", "-o", tmp_path / "a.jsonl")
    result = human("import", "second", tmp_path / "a.jsonl", "--answers")
    assert result.code == 1
    assert "no score is set" in result.err
    assert said(store, second) == {}


def test_both_criteria_of_pearmut_s_sliders(human, store, tmp_path):
    kept = make(store, "adequacy-fluency", "second")
    entry = {
        "annotation": [
            {"hidden-one": {"score": None, "sliders": {"Fluency": 4, "Adequacy": 2}, "error_spans": []}}
        ],
        "item": [{"item_id": "1", "tgt": {"hidden-one": "The cat slept."}}],
        "user_id": "anna",
        "item_i": 0,
        "actions": [],
    }
    (tmp_path / "log.jsonl").write_text(json.dumps(entry) + "\n")
    result = human("import", "second", tmp_path / "log.jsonl", "--answers")
    assert result.code == 0, result.err
    assert said(store, kept) == {("anna", "anna-1", 0): {"fluency": 4, "adequacy": 2}}


def test_a_paused_campaign_takes_nothing_over(human, store, tmp_path):
    first, second = make(store, "da", "first"), make(store, "da", "second")
    answer(store, first, "anna", "da")
    human("export", "first", "-o", tmp_path / "a.jsonl")
    campaigns.set_status(store, second, "paused")
    result = human("import", "second", tmp_path / "a.jsonl", "--answers")
    assert result.code == 1
    assert "the campaign is paused" in result.err


def test_what_cannot_be_taken_over(human, store, tmp_path):
    make(store, "da", "first")
    campaigns.add(
        store,
        served.parse(served.config("ranking", "second")),
        served.material(),
        served.hits(served.parse(served.config("ranking", "second"))),
    )
    path = tmp_path / "a.tsv"
    path.write_text("system\tsegment\tannotator\tscore\nhidden-one\t1\tanna\t3\n")
    result = human("import", "second", path, "--answers")
    assert (result.code, "answers to ranking" in result.err) == (1, True)
    assert human("import", "first", path, "--answers", "-o", tmp_path / "x").code == 2
    assert human("import", "first", path, "--renamed", "a=b").code == 2
    assert human("import", "first", tmp_path / "none.tsv", "--answers").code == 1
