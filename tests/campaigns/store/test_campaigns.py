"""Campaigns are kept whole, and grow without touching what was given out."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import CampaignMaterial, Hit
from adjudge.campaigns.store import (
    CampaignStore,
    StoreError,
    admission,
    campaigns,
    events,
    people,
    upkeep,
    work,
)
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from helpers import stored


def test_what_is_kept_comes_back(store):
    campaign, material, hits = stored.made()
    kept = campaigns.add(store, campaign, material, hits)
    assert (kept.name, kept.status, kept.campaign) == ("news", "running", campaign)
    assert campaigns.hits(store, kept) == hits
    texts = campaigns.material(store, kept)
    assert texts.outputs == material.outputs
    assert texts.test_set.fingerprint == material.test_set.fingerprint
    assert texts.test_set.labels == material.test_set.labels
    assert [annotator.name for annotator in people.annotators(store, kept)] == ["anna", "ben"]
    assert campaigns.find(store, "") == campaigns.find(store, "news") == kept


def test_texts_come_back_to_the_letter(store):
    texts = ("مرحبا", "漢字 😀", "e\u0301 ≠ é", "\t\r\n\u2028 ", "", "'; DROP TABLE events; --")
    campaign, _, _ = stored.made()
    holes = tuple(None if i == 1 else text for i, text in enumerate(texts))
    test_set = TestSet((texts, holes), None, labels={"document": texts})
    hits = [Hit("h", (stored.item(0, extra={"note": list(texts)}),), "anna")]
    kept = campaigns.add(store, campaign, CampaignMaterial(test_set, (Outputs("one", texts),)), hits)
    result = campaigns.material(store, kept)
    assert result.test_set.references == (texts, holes)
    assert result.test_set.sources is None
    assert result.test_set.labels["document"] == texts
    assert result.outputs[0].segments == texts
    assert campaigns.hits(store, kept)[0].items[0].extra["note"] == list(texts)


def test_a_name_is_taken_once(store, kept):
    with pytest.raises(StoreError, match="there is a campaign 'news' already; give this one another name"):
        campaigns.add(store, *stored.made())
    assert len(campaigns.all_campaigns(store)) == 1


def test_a_name_is_taken_once_by_two_at_the_same_time(database):
    stores = [CampaignStore.open(database) for _ in range(4)]

    def add(store):
        try:
            return campaigns.add(store, *stored.made()).name
        except StoreError as error:
            return str(error)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(add, stores))
    assert sorted(results)[0] == "news"
    assert [result[:28] for result in results if result != "news"] == ["there is a campaign 'news' a"] * 3
    assert len(campaigns.hits(stores[0], campaigns.find(stores[0], "news"))) == 4
    for store in stores:
        store.close()


def test_finding(store):
    with pytest.raises(StoreError, match="there is no campaign yet"):
        campaigns.find(store, "")
    for name in ("news", "talks"):
        campaigns.add(store, *stored.made(name))
    with pytest.raises(StoreError, match="there are several campaigns; say which one: news, talks"):
        campaigns.find(store, "")
    with pytest.raises(StoreError, match="unknown campaign 'nws'; did you mean 'news'"):
        campaigns.find(store, "nws")
    assert [campaign.name for campaign in campaigns.all_campaigns(store)] == ["news", "talks"]


def test_campaigns_do_not_mix(store):
    first = campaigns.add(store, *stored.made("first"))
    second = campaigns.add(store, *stored.made("second"))
    anna = people.find(store, first, "anna")
    number = work.outline(store, people.find(store, second, "anna"))[0].id
    with pytest.raises(admission.AdmissionError):
        events.record_answer(store, anna, number, key="k", answer={"score": 1})
    assert len(campaigns.hits(store, second)) == 4


@pytest.mark.parametrize(
    ("hits", "message"),
    [
        ([Hit("h", stored.items()), Hit("h", stored.items())], "there is a hit 'h' already"),
        ([Hit("anna-1", stored.items())], "there is a hit 'anna-1' already"),
        ([Hit("h", ())], "hit 'h' has no items"),
        ([Hit("h", stored.items(), "carla")], "hit 'h' is for 'carla', who is no annotator"),
        (
            [Hit("h", (stored.item(0, key="k"), stored.item(1, key="k")))],
            "two different items have the key 'k'",
        ),
        ([Hit("h", (stored.item(1, key="one-0"),))], "there is another item with the key 'one-0'"),
    ],
)
def test_hits_that_are_refused(store, kept, hits, message):
    before = campaigns.hits(store, kept)
    with pytest.raises(StoreError, match=message):
        campaigns.extend(store, kept, hits, annotators=["dora"])
    assert campaigns.hits(store, kept) == before
    assert [annotator.name for annotator in people.annotators(store, kept)] == ["anna", "ben"]


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (Outputs("one", stored.REFERENCES), "there is a system 'one' already"),
        (Outputs("two", stored.REFERENCES, "2nd"), r"there is a system 'two .run 2nd.' already"),
        (Outputs("three", ("a",)), "system 'three' has 1 segment, but the test set has 6"),
        (Outputs("", stored.REFERENCES), "the name of a system: a name was expected"),
    ],
)
def test_systems_that_are_refused(store, kept, outputs, message):
    with pytest.raises(StoreError, match=message):
        campaigns.extend(store, kept, [], outputs=[outputs])
    assert len(campaigns.material(store, kept).outputs) == 2


def test_annotators_that_are_refused(store, kept):
    for names, message in (
        (["anna"], "an annotator 'anna' already"),
        (["x", "x"], "'x' already"),
        ([""], "a name was"),
    ):
        with pytest.raises(StoreError, match=message):
            campaigns.extend(store, kept, [], annotators=names)
    assert len(people.annotators(store, kept)) == 2


def test_a_campaign_grows_under_way(store, kept, anna):
    before = campaigns.hits(store, kept)
    first = work.outline(store, anna)[0]
    events.record_answer(store, anna, first.id, key="k", answer={"score": 1})
    new = [Hit("carla-1", stored.items("three"), "carla"), Hit("anna-3", stored.items("three"), "anna")]
    campaigns.extend(store, kept, new, annotators=["carla"], outputs=[Outputs("three", stored.REFERENCES)])
    assert campaigns.hits(store, kept) == before + new
    assert campaigns.material(store, kept).systems == ("one", "two (run 2nd)", "three")
    steps = work.outline(store, anna)
    assert steps[0].answered
    assert [step.hit for step in steps] == sorted(step.hit for step in steps)
    assert work.remaining(store, anna) == 17


def test_many_extend_at_once(database):
    first = CampaignStore.open(database)
    kept = campaigns.add(first, *stored.crowd(1))
    stores = [CampaignStore.open(database) for _ in range(4)]

    def extend(number):
        hit = Hit(f"new-{number}", (*stored.items("one"), stored.item(0, key=f"i{number % 3}")))
        campaigns.extend(stores[number % 4], kept, [hit], annotators=[f"person-{number}"])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(extend, range(12)))
    assert sorted(hit.name for hit in campaigns.hits(first, kept)) == sorted(
        ["hit-1", *(f"new-{i}" for i in range(12))]
    )
    for store in (first, *stores):
        store.close()


def test_pausing_is_written_down_once(store, kept):
    for status in ("paused", "paused", "running", "closed"):
        campaigns.set_status(store, kept, status)
        assert campaigns.find(store, "news").status == status
    assert [event.kind for event in upkeep.history(store, kept)] == ["created", "paused", "running", "closed"]
    with pytest.raises(UsageError, match="a campaign is running, paused or closed, not 'asleep'"):
        campaigns.set_status(store, kept, "asleep")


def test_an_empty_test_set(store):
    whole = CampaignMaterial(TestSet(((),)), (Outputs("one", ()), Outputs("two", ())))
    with pytest.raises(StoreError, match="the test set is empty"):
        campaigns.add(store, parse(stored.config()), whole, [])
