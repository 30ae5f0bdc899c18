"""What an organiser sees and does."""

import json
import time

import pytest

from adjudge.campaigns.items import Candidate, Hit, Item
from adjudge.campaigns.store import campaigns, events, people, work
from helpers import served


def answer_all(made, name, score):
    """Everything that somebody has to do, scored by a function of the item."""
    person = people.find(made.store, made.kept, name)
    for task in work.tasks(made.store, person):
        given = {"score": score(task.item)}
        events.record_answer(
            made.store, person, task.id, key=f"{name}-{task.id:05}", answer=given, seconds=3.0
        )


@pytest.fixture
def controlled(store):
    """A campaign with damaged translations and repeats for anna."""
    made = served.make(store)
    texts = served.OUTPUTS["hidden-one"]
    damaged = [
        Item(f"bad-{n}", (n,), (Candidate(("hidden-one",), ("x",)),), "bad reference", f"item-0-{n}")
        for n in range(3)
    ]
    again = [
        Item(f"again-{n}", (n,), (Candidate(("hidden-one",), (texts[n],)),), "repeat", f"item-0-{n}")
        for n in range(3)
    ]
    campaigns.extend(store, made.kept, [Hit("controls", (*damaged, *again), "anna")])
    return made


def test_progress_of_people_and_systems(controlled, organiser):
    answer_all(controlled, "anna", lambda item: 50)
    seen = organiser.get("/api/organiser/campaigns/small").json()
    assert [
        (annotator["name"], annotator["tasks"], annotator["answered"]) for annotator in seen["annotators"]
    ] == [
        ("anna", 12, 12),
        ("ben", 6, 0),
    ]
    assert seen["systems"] == [
        {"system": "hidden-one", "wanted": 6, "given": 3},
        {"system": "hidden-two", "wanted": 6, "given": 3},
    ]
    listed = organiser.get("/api/organiser/campaigns").json()["campaigns"]
    assert [(entry["name"], entry["status"], entry["protocol"]) for entry in listed] == [
        ("small", "running", "da")
    ]
    assert (seen["tasks"], seen["answered"]) == (18, 12)


def test_a_demo_is_not_counted(controlled, organiser, browser):
    browser.enter("/demo/small")
    seen = organiser.get("/api/organiser/campaigns/small").json()
    assert [annotator["name"] for annotator in seen["annotators"]] == ["anna", "ben"]
    assert [system["wanted"] for system in seen["systems"]] == [6, 6]


def test_quality_while_it_runs(controlled, organiser):
    def attentive(item):
        return {"bad reference": 10}.get(item.kind, 80) + item.segments[0]

    answer_all(controlled, "anna", attentive)
    answer_all(controlled, "ben", attentive)
    (seen,) = organiser.get("/api/organiser/campaigns/small/quality").json()["criteria"]
    anna, ben = seen["annotators"]
    assert (anna["damaged"], anna["damaged_mean"], anna["whole_mean"], anna["passed"]) == (3, 11, 81, True)
    assert (anna["repeats"], anna["repeat_difference"]) == (3, 0)
    assert (ben["damaged"], ben["passed"]) == (0, None)
    # On z-scores, as in analyses: only one of the two saw damaged translations, which widen a scale.
    assert -1 <= seen["between"]["value"] < 1
    assert seen["between"]["pairs"] == 6


def test_quality_before_anyone_has_answered(made, organiser):
    document = organiser.get("/api/organiser/campaigns/small/quality").json()
    assert document["criteria"] == []
    assert 0 <= time.time() - document["as_of"] < 60


def test_pausing_and_going_on(made, organiser, anna):
    sent = {"task": anna.get("/api/work").json()["tasks"][0]["id"], "key": "k" * 8, "answer": {"score": 70}}
    assert organiser.tell("/api/organiser/campaigns/small/status", {"status": "paused"}).status_code == 200
    assert anna.tell("/api/answers", sent).status_code == 423
    organiser.tell("/api/organiser/campaigns/small/status", {"status": "running"})
    assert anna.tell("/api/answers", sent).status_code == 200
    assert organiser.tell("/api/organiser/campaigns/small/status", {"status": "gone"}).status_code == 422
    assert organiser.tell("/api/organiser/campaigns/none/status", {"status": "paused"}).status_code == 404


def test_a_new_link_for_somebody(made, organiser, browser):
    link = organiser.tell("/api/organiser/campaigns/small/links", {"annotator": "anna"}).json()["link"]
    browser.enter(link)
    assert browser.get("/api/work").json()["annotator"]["name"] == "anna"
    assert organiser.tell("/api/organiser/campaigns/small/links", {"annotator": "nobody"}).status_code == 400


def test_export(controlled, organiser, browser):
    anna = browser.enter(f"/a/{controlled.tokens['anna']}")
    answer_all(controlled, "anna", lambda item: 50 + item.segments[0])
    reply = organiser.get("/organiser/campaigns/small/export", params={"format": "jsonl"})
    assert reply.headers["content-disposition"] == 'attachment; filename="small-jsonl.jsonl"'
    rows = [json.loads(line) for line in reply.text.splitlines()]
    assert len(rows) == 12
    assert {row["annotator"] for row in rows} == {"anna"}
    hidden = organiser.get("/organiser/campaigns/small/export", params={"anonymous": True})
    assert "anna" not in hidden.text
    assert anna.get("/organiser/campaigns/small/export").status_code == 401
    assert organiser.get("/organiser/campaigns/small/export", params={"format": "xls"}).status_code == 400


def test_export_of_nothing(made, organiser):
    reply = organiser.get("/organiser/campaigns/small/export")
    assert reply.status_code == 400
    assert "nobody has answered" in reply.json()["error"]["message"]
