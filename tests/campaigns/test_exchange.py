"""Campaigns of ours for other tools, and theirs as ours."""

import json

import pytest

from adjudge.campaigns import controls, exchange
from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import CampaignMaterial, Candidate, GivenAnswer, Hit, Item
from adjudge.campaigns.judgements import judgements_by_criterion
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import BAD_REFERENCE
from adjudge.errors import DataError
from adjudge.human.quality import quality
from adjudge.io.judgements.judgement_files import read_campaign, write_campaign

APPRAISE = "17_appraise_examples"
MATERIAL = CampaignMaterial(
    TestSet(
        references=(("one two three", "four five six", "seven"),),
        sources=("eins zwei drei", "vier fünf sechs", "sieben"),
        labels={"document": ("d", "d", "e")},
    ),
    (Outputs("A", ("1 2 3", "4 5 6", "7")), Outputs("B", ("1 2 4", "4 5 6", "8"))),
)


def campaign(protocol):
    return parse(
        {
            "name": "c",
            "language": "de-en",
            "protocol": protocol,
            "systems": {"A": "a", "B": "b"},
            "test_set": {"source": "s", "reference": "r"},
            "annotators": ["ann", "bob"],
        }
    )


def item(segment, *systems, key=""):
    text = {output.system: output.segments[segment] for output in MATERIAL.outputs}[systems[0]]
    document = MATERIAL.test_set.labels["document"][segment]
    return Item(key or f"{segment}{systems}", (segment,), (Candidate(systems, (text,)),), document=document)


@pytest.mark.parametrize("output_format", ["appraise", "pearmut"])
def test_there_and_back(tmp_path, output_format):
    known = controls.donor_phrases(MATERIAL)
    first = [item(0, "A"), item(1, "A", "B"), item(2, "B")]
    hits = [
        Hit(
            "ann-1",
            (*first, controls.damaged_item(first[0], known, 1), controls.repeated_item(first[2], 1)),
            "ann",
        ),
        Hit("bob-1", (first[1],), "bob"),
    ]
    described = campaign({"name": "da", "against": "source"})
    files = write_campaign(exchange.tasks_from_campaign(described, MATERIAL, hits), output_format)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    back = exchange.campaign_from_tasks(
        read_campaign([str(tmp_path / name) for name in files]), annotators=("ann", "bob")
    )
    assert back.campaign.name == "c"
    assert back.campaign.protocol.name == "da"
    assert [(hit.annotator, len(hit.items)) for hit in back.hits] == [("ann", 5), ("bob", 1)]
    for ours, theirs in zip(hits, back.hits, strict=True):
        for this, other in zip(ours.items, theirs.items, strict=True):
            assert other.candidates == this.candidates
            assert (other.kind, other.document) == (this.kind, this.document)
            assert bool(other.of) == bool(this.of)
    keys = {item.key: item for hit in back.hits for item in hit.items}
    damaged = next(key for key in keys.values() if key.kind == "bad reference")
    assert keys[damaged.of].candidates[0].systems == damaged.candidates[0].systems
    assert back.material.test_set.sources == MATERIAL.test_set.sources
    assert back.material.systems == ("A", "B")
    assert [output.segments for output in back.material.outputs] == [
        ("1 2 3", "4 5 6", ""),
        ("", "4 5 6", "8"),
    ]
    assert back.hits[0].items[1].key == back.hits[1].items[0].key  # judged by both, kept once


def test_pages_are_documents_where_context_matters():
    hits = [Hit("h", (item(0, "A"), item(1, "A"), item(2, "A"), item(0, "B"), item(1, "B")), "ann")]
    made = exchange.tasks_from_campaign(campaign({"name": "esa"}), MATERIAL, hits)
    assert [item.page for item in made.batches[0].items] == [0, 0, 1, 2, 2]
    alone = exchange.tasks_from_campaign(campaign({"name": "esa", "context": "none"}), MATERIAL, hits)
    assert [item.page for item in alone.batches[0].items] == [0, 1, 2, 3, 4]
    assert alone.batches[0].items[0].source == "eins zwei drei"
    assert alone.batches[0].items[0].reference is None  # which esa does not show
    scales = exchange.tasks_from_campaign(campaign({"name": "adequacy-fluency", "points": 7}), MATERIAL, hits)
    assert (scales.points, scales.batches[0].items[0].reference) == (7, "one two three")
    documents = Item("k", (0, 1), (Candidate(("A",), ("1 2 3", "4 5 6")),), document="d")
    whole = exchange.tasks_from_campaign(
        campaign({"name": "da", "rate": "document"}), MATERIAL, [Hit("h", (documents,))]
    )
    assert [item.item for item in whole.batches[0].items] == ["1", "2"]
    with pytest.raises(DataError, match="no other tool has ranking"):
        exchange.tasks_from_campaign(campaign("ranking"), MATERIAL, [])


@pytest.mark.parametrize(
    ("name", "segments", "items", "controlled"),
    [("Direct", 55, 100, 15), ("Document", 43, 100, 13), ("Pairwise", 52, 144, 19)],
)
def test_campaigns_of_appraise_can_be_run(shared, tmp_path, name, segments, items, controlled):
    """They are kept in our store, and every control stands beside what it was made from."""
    from adjudge.campaigns.store import CampaignStore, campaigns

    folder = shared.data / APPRAISE / name
    campaign = exchange.campaign_from_tasks(
        read_campaign([str(folder / "manifest.json"), str(folder / "batches.json")]), annotators=("ann",)
    )
    assert len(campaign.material.test_set) == segments
    (hit,) = campaign.hits
    assert len(hit.items) == items
    controls_there = [entry for entry in hit.items if entry.kind in ("repeat", "bad reference")]
    assert len(controls_there) == controlled
    assert all(entry.of for entry in controls_there)
    store = CampaignStore.open(f"sqlite:///{tmp_path / 'x.db'}")
    try:
        kept = campaigns.add(store, campaign.campaign, campaign.material, campaign.hits)
        assert [len(hit.items) for hit in campaigns.hits(store, kept)] == [items]
        again = campaigns.material(store, kept)
    finally:
        store.close()
    assert again.test_set.sources == campaign.material.test_set.sources
    answers = []
    for item in hit.items:
        score = {"score": 10 if item.kind == "bad reference" else 80}
        answers.append(GivenAnswer("ann", hit.name, item, score, 5.0, 1e9))
    da = judgements_by_criterion(campaign.campaign, campaign.material, answers)["da"]
    (who,) = quality(da)
    assert who.damaged == (da.kind == BAD_REFERENCE).sum()
    assert who.passed


def test_what_pearmut_pools_is_for_whoever_comes(tmp_path):
    held = {
        "info": {"assignment": "single-stream", "protocol": "ESA", "users": 3},
        "campaign_id": "pool",
        "data": [[{"item_id": "1", "src": "s", "ref": "r", "tgt": {"reference": "x", "B": "y"}}]],
    }
    (tmp_path / "c.json").write_text(json.dumps(held))
    campaign = exchange.campaign_from_tasks(read_campaign(str(tmp_path / "c.json")), name="mine")
    assert campaign.campaign.annotators.crowd
    assert campaign.campaign.name == "mine"
    assert campaign.campaign.protocol.against == "both"
    assert campaign.hits[0].annotator == ""
    assert [item.systems for item in campaign.hits[0].items] == [("reference",), ("B",)]
    assert campaign.campaign.reference_name != "reference"
    held["data"] = [[{"form": "string", "text": "?"}]]
    (tmp_path / "c.json").write_text(json.dumps(held))
    with pytest.raises(DataError, match="there is no segment in these tasks"):
        exchange.campaign_from_tasks(read_campaign(str(tmp_path / "c.json")))
