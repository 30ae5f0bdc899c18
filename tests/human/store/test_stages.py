"""The second stage of editing: nobody gets what they edited, and no text goes to more judges than wanted."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import stored
from adjudge.human.campaign import parse
from adjudge.human.items import Hit
from adjudge.human.store import Store, StoreError, answers, campaigns, people, stages, work

PROTOCOL = {"name": "post-editing", "against": "nothing", "acceptability": True}
EDITORS = ("anna", "ben", "carla")


def first_stage(store, judgements=1, common=0.0, size=2):
    config = stored.config(
        annotators=EDITORS,
        protocol=PROTOCOL,
        assignment={"judgements": judgements, "common": common, "hit_size": size, "repeats": 0.0},
    )
    hits = [
        Hit(f"{system}-{number}", (stored.item(number, system),), who)
        for system in ("one", "two")
        for number, who in zip(range(6), EDITORS * 2, strict=True)
    ]
    return campaigns.add(store, parse(config), stored.material(), hits)


def edit(store, kept, name, count=4, state="edited"):
    who = people.find(store, kept, name)
    for step in [step for step in work.outline(store, who) if not step.answered][:count]:
        item, _ = work.task(store, who, step.id)
        text = f"{item.candidates[0].texts[0]} edited"
        answer = {"edit": {"state": state, "text": text, "keystrokes": 1, "actions": {}}}
        work.append(store, who, step.id, key=f"k{step.id}", answer=answer)


def judge_all(store, second, name):
    who = people.find(store, second, name)
    for step in work.outline(store, who):
        if not step.answered:
            work.append(store, who, step.id, key=f"k{step.id}", answer={"acceptable": True})


def test_a_stage_of_its_own(store):
    first = first_stage(store)
    second = stages.begin(store, first)
    assert (second.name, second.campaign.protocol.name) == ("news-acceptability", "acceptability")
    assert [one.name for one in people.annotators(store, second)] == list(EDITORS)
    assert campaigns.hits(store, second) == []
    other = stages.begin(store, first, name="judged by others", judges=["dora"])
    assert other.campaign.annotators.names == ("dora",)


def test_a_campaign_without_one(store, kept):
    with pytest.raises(StoreError, match="'news' has no second stage"):
        stages.begin(store, kept)


def test_edits_are_judged_as_they_come(store):
    first = first_stage(store)
    second = stages.begin(store, first)
    anna, ben = (people.find(store, second, name) for name in ("anna", "ben"))
    assert stages.fill(store, first, second, anna) == 0
    edit(store, first, "anna", 2)
    assert stages.fill(store, first, second, anna) == 0  # only her own
    assert stages.fill(store, first, second, ben) == 2
    assert stages.fill(store, first, second, ben) == 0  # there is work left
    judge_all(store, second, "ben")
    assert stages.fill(store, first, second, ben) == 0  # nothing else was edited
    edit(store, first, "anna", 2, state="unable to correct")
    assert stages.fill(store, first, second, ben) == 0  # nothing to judge
    edit(store, first, "carla", 3)
    assert stages.fill(store, first, second, ben) == 2
    assert stages.fill(store, first, second, anna) == 1
    texts = [item.candidates[0].texts[0] for hit in campaigns.hits(store, second) for item in hit.items]
    assert len(texts) == len(set(texts)) == 5
    assert all(text.endswith(" edited") for text in texts)


@pytest.mark.parametrize(("judgements", "common", "wanted"), [(1, 0.0, 1), (2, 0.0, 2), (1, 1.0, 2)])
def test_judges_who_ask_at_once(database, judgements, common, wanted):
    stores = [Store.open(database) for _ in EDITORS]
    first = first_stage(stores[0], judgements, common, size=4)
    second = stages.begin(stores[0], first)
    for name in EDITORS:
        edit(stores[0], first, name)
    judges = [people.find(stores[0], second, name) for name in EDITORS]
    barrier = threading.Barrier(3)

    def ask(store, judge):
        barrier.wait()
        for _ in range(2):  # two windows
            stages.fill(store, first, second, judge)

    for _ in range(3):
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(ask, stores, judges))
        for name in EDITORS:
            judge_all(stores[0], second, name)
    editors = {answer.item.key: answer.annotator for answer in answers.counting(stores[0], first)}
    given = Counter()
    for hit in campaigns.hits(stores[0], second):
        for item in hit.items:
            given[item.key] += 1
            assert editors[item.extra["edited"]] != hit.annotator
    assert set(given.values()) == {wanted}
    assert len(given) == 12
    for store in stores:
        store.close()
