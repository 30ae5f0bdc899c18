"""The second stage of editing: nobody gets what they edited, and no text goes to more judges than wanted."""

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from adjudge.campaigns import judgements
from adjudge.campaigns.campaign import parse
from adjudge.campaigns.export import ExportOptions, export_judgements
from adjudge.campaigns.items import Hit
from adjudge.campaigns.judgements import pseudonym
from adjudge.campaigns.live_quality import live_quality
from adjudge.campaigns.store import (
    CampaignStore,
    StoreError,
    answers,
    campaigns,
    events,
    people,
    stages,
    upkeep,
    work,
)
from adjudge.campaigns.store.progress import campaign_progress
from helpers import stored

PROTOCOL = {"name": "post-editing", "against": "nothing", "acceptability": True}
EDITORS = ("anna", "ben", "carla")


def first_stage(store, judgements=1, common=0.0, size=2, repeats=0.0, **more):
    config = {
        **stored.config(annotators=EDITORS, protocol=PROTOCOL, **more),
        "assignment": {"judgements": judgements, "common": common, "hit_size": size, "repeats": repeats},
    }
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
        text = item.candidates[0].texts[0] + (" edited" if state == "edited" else "")
        answer = {"edit": {"state": state, "text": text, "keystrokes": 1, "actions": {}}}
        events.record_answer(store, who, step.id, key=f"k{step.id}", answer=answer)


def judge_all(store, second, name):
    who = people.find(store, second, name)
    for step in work.outline(store, who):
        if not step.answered:
            item, _ = work.task(store, who, step.id)
            answer = {"acceptable": "(1)" in item.candidates[0].texts[0]}
            events.record_answer(store, who, step.id, key=f"k{step.id}", answer=answer)


def test_a_stage_of_its_own(store):
    first = first_stage(store)
    second = stages.begin_second_stage(store, first)
    assert (second.name, second.campaign.protocol.name) == ("news-acceptability", "acceptability")
    assert [annotator.name for annotator in people.annotators(store, second)] == list(EDITORS)
    assert campaigns.hits(store, second) == []
    other = stages.begin_second_stage(store, first, name="judged by others", judges=["dora"])
    assert other.campaign.annotators.names == ("dora",)


def test_a_campaign_without_one(store, kept):
    with pytest.raises(StoreError, match="'news' has no second stage"):
        stages.begin_second_stage(store, kept)


def test_edits_are_judged_as_they_come(store):
    first = first_stage(store)
    second = stages.begin_second_stage(store, first)
    anna, ben = (people.find(store, second, name) for name in ("anna", "ben"))
    assert stages.next_edited_texts(store, first, second, anna) == 0
    edit(store, first, "anna", 2)
    assert stages.next_edited_texts(store, first, second, anna) == 0  # only her own
    assert stages.next_edited_texts(store, first, second, ben) == 2
    assert stages.next_edited_texts(store, first, second, ben) == 0  # there is work left
    judge_all(store, second, "ben")
    assert stages.next_edited_texts(store, first, second, ben) == 0  # nothing else was edited
    edit(store, first, "anna", 2, state="unable to correct")
    assert stages.next_edited_texts(store, first, second, ben) == 2  # as they are: WMT09 had them judged too
    judge_all(store, second, "ben")
    edit(store, first, "carla", 3)
    assert stages.next_edited_texts(store, first, second, ben) == 2
    assert stages.next_edited_texts(store, first, second, anna) == 1
    texts = [item.candidates[0].texts[0] for hit in campaigns.hits(store, second) for item in hit.items]
    assert len(texts) == len(set(texts)) == 7
    assert sum(text.endswith(" edited") for text in texts) == 5


def test_what_was_judged_comes_again(store):
    first = first_stage(store, size=5, repeats=0.2)
    second = stages.begin_second_stage(store, first, judges=["dora"])
    dora = people.find(store, second, "dora")
    for name in EDITORS:
        edit(store, first, name)
        while stages.next_edited_texts(store, first, second, dora):
            judge_all(store, second, "dora")
    items = [item for hit in campaigns.hits(store, second) for item in hit.items]
    repeats = [item for item in items if item.kind == "repeat"]
    assert (len(items), len(repeats)) == (15, 3)
    assert len({item.of for item in repeats}) == 3
    (only,) = judgements.judgements_by_criterion(
        second.campaign, stored.material(), answers.counted_answers(store, second)
    ).values()
    (seen,) = live_quality({"acceptability": only})
    assert (seen.within.pairs, seen.within.value) == (3, 1.0)


def test_how_far_a_second_stage_has_come(store):
    first = first_stage(store, size=3)
    second = stages.begin_second_stage(store, first)
    assert (stages.waiting_judgements(store, second), campaign_progress(store, second).tasks) == (0, 0)
    edit(store, first, "anna")
    assert stages.waiting_judgements(store, second) == 4
    assert stages.next_edited_texts(store, first, second, people.find(store, second, "ben")) == 3
    progress = campaign_progress(store, second)
    assert (progress.free, progress.tasks, progress.answered) == (1, 4, 0)
    assert (campaign_progress(store, first).tasks, campaign_progress(store, first).answered) == (12, 4)


def test_what_a_withdrawn_judge_had_goes_to_others(store):
    first = first_stage(store, size=4)
    second = stages.begin_second_stage(store, first)
    edit(store, first, "anna")
    assert stages.next_edited_texts(store, first, second, people.find(store, second, "ben")) == 4
    judge_all(store, second, "ben")
    carla = people.find(store, second, "carla")
    assert stages.next_edited_texts(store, first, second, carla) == 0
    upkeep.withdraw(store, second, "ben")
    assert stages.waiting_judgements(store, second) == 4
    assert stages.next_edited_texts(store, first, second, carla) == 4


def test_editors_are_watched_though_some_texts_could_not_be_corrected(store):
    config = stored.config(annotators=EDITORS, protocol=PROTOCOL)
    hits = [Hit(f"hit-{who}", (*stored.items("one"), *stored.items("two")), who) for who in EDITORS]
    first = campaigns.add(store, parse(config), stored.material(), hits)
    for name, able in (("anna", 11), ("ben", 12), ("carla", 12)):
        edit(store, first, name, able)
        edit(store, first, name, 1, state="unable to correct")
    (only,) = live_quality(
        judgements.judgements_by_criterion(
            first.campaign, stored.material(), answers.counted_answers(store, first)
        )
    )
    assert only.judgements == 35
    assert (only.between.value, only.between.words) == (1.0, "near perfect")


def test_where_a_text_comes_from(store):
    first = first_stage(store)
    second = stages.begin_second_stage(store, first, judges=["dora"])
    edit(store, first, "anna", 1)
    edit(store, first, "ben", 1, state="no corrections needed")
    dora = people.find(store, second, "dora")
    assert stages.next_edited_texts(store, first, second, dora) == 2
    judge_all(store, second, "dora")
    change = work.outline(store, people.find(store, first, "anna"))[0].id
    again = {"edit": {"state": "edited", "text": "Another text.", "keystrokes": 1, "actions": {}}}
    events.record_answer(store, people.find(store, first, "anna"), change, key="again", answer=again)
    assert stages.next_edited_texts(store, first, second, dora) == 1  # what she corrected is another text
    judge_all(store, second, "dora")
    given = answers.counted_answers(store, second)

    def rows(**wanted):
        written = export_judgements(
            second.campaign,
            second.secret,
            stored.material(),
            given,
            ExportOptions(**wanted),
            stages.origins(store, second),
        )
        return [json.loads(line)["labels"] for line in written.data.decode().splitlines()]

    assert [(row["editor"], row["edit"]) for row in rows()] == [
        ("anna", "edited"),
        ("ben", "no corrections needed"),
        ("anna", "edited"),
    ]
    assert second.secret == first.secret  # the same pseudonyms in both stages
    assert rows(pseudonyms=True)[0]["editor"] == pseudonym("anna", first.secret)
    assert "anna" not in str(rows(pseudonyms=True))


def test_editors_who_come_later_judge_too(store):
    first = first_stage(store)
    second = stages.begin_second_stage(store, first)
    campaigns.extend(store, first, [], annotators=["emil"])
    stages.add_editors(store, first, ["emil"])
    stages.add_editors(store, first, ["emil"])
    assert [annotator.name for annotator in people.annotators(store, second)] == [*EDITORS, "emil"]
    assert stages.as_judge(store, first, people.find(store, first, "emil")).campaign == second.id


def test_judges_of_their_own(store):
    first = first_stage(store)
    assert stages.second_of(store, first) is None
    assert stages.as_judge(store, first, people.find(store, first, "anna")) is None
    second = stages.begin_second_stage(store, first, judges=["anna", "dora"])
    assert stages.as_judge(store, first, people.find(store, first, "anna")).name == "anna"
    assert stages.as_judge(store, first, people.find(store, first, "ben")) is None
    assert stages.first_of(store, second) == first
    upkeep.withdraw(store, second, "anna")
    assert stages.as_judge(store, first, people.find(store, first, "anna")) is None


def test_whether_more_will_come(store):
    first = first_stage(store)
    assert stages.is_open(store, first)
    for name in EDITORS:
        edit(store, first, name)
    assert not stages.is_open(store, first)
    edit(store, first, "anna", 0)
    other = campaigns.add(store, *stored.made("more"))
    campaigns.set_status(store, other, campaigns.CLOSED)
    assert not stages.is_open(store, campaigns.find(store, "more"))


def test_somebody_is_forgotten_in_both_stages(store):
    first = first_stage(store)
    second = stages.begin_second_stage(store, first)
    edit(store, first, "anna", 1)
    stages.next_edited_texts(store, first, second, people.find(store, second, "ben"))
    pseudonyms = stages.forget(store, first, "anna")
    assert list(pseudonyms) == ["news", "news-acceptability"]
    assert "anna" not in str([campaigns.find(store, name).campaign.stored for name in pseudonyms])
    origins = stages.origins(store, campaigns.find(store, second.name))
    assert [origin.editors for origin in origins.values()] == [(pseudonyms["news"],)]
    assert stages.forget(store, campaigns.find(store, second.name), "ben").keys() == pseudonyms.keys()


def test_a_judge_of_the_campaign_file_is_forgotten(store):
    config = stored.config(annotators=EDITORS, protocol=PROTOCOL)
    config["annotators"]["judges"] = ["dora"]
    first = campaigns.add(store, parse(config), stored.material(), [])
    second = stages.begin_second_stage(store, first)
    assert second.campaign.annotators.names == ("dora",)
    pseudonyms = stages.forget(store, second, "dora")
    assert campaigns.find(store, "news").campaign.annotators.judges == (pseudonyms[second.name],)


def test_tutorials_are_not_judged(store):
    config = stored.config(annotators=EDITORS, protocol=PROTOCOL)
    hits = [Hit("one", (stored.item(0, kind="tutorial"), stored.item(1)), "anna")]
    first = campaigns.add(store, parse(config), stored.material(), hits)
    second = stages.begin_second_stage(store, first)
    edit(store, first, "anna", 2)
    assert stages.next_edited_texts(store, first, second, people.find(store, second, "ben")) == 1


@pytest.mark.parametrize(("judgements", "common", "wanted"), [(1, 0.0, 1), (2, 0.0, 2), (1, 1.0, 2)])
def test_judges_who_ask_at_once(database, judgements, common, wanted):
    stores = [CampaignStore.open(database) for _ in EDITORS]
    first = first_stage(stores[0], judgements, common, size=4)
    second = stages.begin_second_stage(stores[0], first)
    for name in EDITORS:
        edit(stores[0], first, name)
    judges = [people.find(stores[0], second, name) for name in EDITORS]
    barrier = threading.Barrier(3)

    def ask(store, judge):
        barrier.wait()
        for _ in range(2):  # two windows
            stages.next_edited_texts(store, first, second, judge)

    for _ in range(3):
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(ask, stores, judges))
        for name in EDITORS:
            judge_all(stores[0], second, name)
    editors = {answer.item.key: answer.annotator for answer in answers.counted_answers(stores[0], first)}
    given = Counter()
    for hit in campaigns.hits(stores[0], second):
        for item in hit.items:
            given[item.key] += 1
            assert editors[item.extra["edited"]] != hit.annotator
    assert set(given.values()) == {wanted}
    assert len(given) == 12
    for store in stores:
        store.close()
