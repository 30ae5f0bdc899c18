"""Campaigns of Pearmut: ours are what it takes, in every shape."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from adjudge.data.judgements import Span
from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.errors import DataError
from adjudge.io.judgements.judgement_files import read_campaign, write_campaign
from helpers.campaign_files import campaigns, saved


@given(campaigns())
def test_a_campaign_for_pearmut(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("pearmut")
    back = read_campaign(saved(folder, write_campaign(drawn, "pearmut")))
    assert back.batches == drawn.batches
    assert (back.name, back.protocol) == ("c", "esa")


def test_what_pearmut_gets(tmp_path):
    two = TaskItem(
        "7",
        (
            Translation(("A",), "a😀\nc", (Span(1, 2, "minor"), Span(None, None, "major"))),
            Translation(("B",), "y"),
        ),
    )
    tasks = Tasks(
        "c",
        "adequacy-fluency",
        (Batch((TaskItem("t", (Translation(("A",), "x"),), kind="tutorial"), replace(two, page=1))),),
        points=7,
    )
    held = json.loads(write_campaign(tasks, "pearmut")["c.json"])
    assert held["info"] == {
        "assignment": "task-based",
        "protocol": "DA",
        "users": ["user-1"],
        "shuffle": False,
        "sliders": [{"name": name, "min": 1, "max": 7, "step": 1} for name in ("fluency", "adequacy")],
    }
    assert held["data_welcome"] == [[{"item_id": "t", "tgt": {"A": "x"}}]]
    errors = [
        {"start_i": 1, "end_i": 2, "category": None, "severity": "minor"},
        {"start_i": 5, "end_i": 5, "category": None, "severity": "major"},
    ]
    assert held["data"] == [
        [[{"item_id": "7", "tgt": {"A": "a😀\nc", "B": "y"}, "error_spans": {"A": errors, "B": []}}]]
    ]
    back = read_campaign(saved(tmp_path, write_campaign(tasks, "pearmut")))
    assert (back.protocol, back.points) == ("adequacy-fluency", 7)


def test_other_shapes_of_pearmut(tmp_path):
    """As a user's tasks are kept, a pool for all, one translation a segment, lists of them, forms."""
    old = {"doc_id": "d", "sys_id": "A", "src": "s", "tgt": "x", "error_spans": [{"start_i": 0, "end_i": 0}]}
    listed = {"doc_id": "e", "models": ["A", "B"], "src": "s", "tgt": ["x", "y"], "instructions": "Look!"}
    form = {"text": "your language?", "form": "string"}

    def tasks(info, data, **more):
        (tmp_path / "c.json").write_text(json.dumps({"info": info, "campaign_id": "c", "data": data, **more}))
        return read_campaign(str(tmp_path / "c.json"))

    flags = {"type": "task-based", "protocol_error_spans": True, "protocol_error_categories": True}
    result = tasks(flags, [[[old], [listed]]])
    assert result.protocol == "mqm"
    assert [[t.systems for t in item.translations] for item in result.batches[0].items] == [
        [("A",)],
        [("A",), ("B",)],
    ]
    assert result.batches[0].items[0].translations[0].spans == (Span(0, 1, "undecided"),)
    assert result.batches[0].items[1].extra == {"instructions": "Look!"}
    kept = tasks({"assignment": "task-based", "protocol": "DA"}, {"ann": [[listed]], "bob": [[old]]})
    assert [batch.annotator for batch in kept.batches] == ["ann", "bob"]
    assert kept.protocol == "da"
    stream = {"assignment": "single-stream", "protocol": "cESA", "users": 9}
    pool = tasks(stream, [[old], [listed]], data_welcome=[[form], [old]])
    (batch,) = pool.batches
    assert pool.protocol == "esa"
    assert [(item.item, item.kind, item.page) for item in batch.items] == [
        ("d", "tutorial", 1),
        ("d", "ordinary", 2),
        ("e", "ordinary", 3),
    ]
    for data, message in (
        ([[[{"src": "s"}]]], "task 1, document 1, item 1: no 'tgt'"),
        ([[3]], "task 1: a list of documents was expected"),
        ({"ann": 3}, "ann: a list of documents was expected"),
        (3, "'data' is no list"),
        ([[[{"tgt": {"A": 3}}]]], "'tgt' maps models to their texts"),
    ):
        with pytest.raises(DataError) as error:
            tasks({"assignment": "task-based"}, data)
        assert message in str(error.value)
        assert "c.json" in str(error.value)
