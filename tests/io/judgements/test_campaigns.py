"""Campaigns of Appraise and pearmut: read, written, read again."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import Span
from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements.campaigns import read, write
from helpers.alike import NASTY

APPRAISE = "17_appraise_examples"


def saved(folder, files):
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in files]


@pytest.mark.parametrize(
    ("name", "batches", "kinds", "same_bytes"),
    [
        ("Direct", [100], {"ordinary": 80, "bad reference": 10, "reference": 5, "repeat": 5}, True),
        ("Document", [109], {"ordinary": 96, "bad reference": 13}, True),
        ("Pairwise", [100], {"ordinary": 80, "bad reference": 10, "reference": 5, "repeat": 5}, True),
        ("Data", [100, 100], {"ordinary": 180, "reference": 20}, False),  # its keys are in another order
    ],
)
def test_real_campaigns_of_appraise(shared, name, batches, kinds, same_bytes):
    folder = shared.data / APPRAISE / name
    loaded = read([str(folder / "manifest.json"), str(folder / "batches.json")])
    assert [len(batch.items) for batch in loaded.batches] == batches
    counted = [item.kind for batch in loaded.batches for item in batch.items]
    assert {kind: counted.count(kind) for kind in kinds} == kinds
    assert loaded.languages == ("eng", "deu")
    assert loaded.protocol == "da"
    written = write(loaded, "appraise")
    real = (folder / "batches.json").read_bytes()
    assert json.loads(written["batches.json"]) == json.loads(real)
    assert (written["batches.json"] == real) == same_bytes
    assert json.loads(written["manifest.json"]) == json.loads((folder / "manifest.json").read_bytes())


def test_the_manifest_says_how_it_is_asked(shared):
    batches = str(shared.data / APPRAISE / "Direct" / "batches.json")
    assert read([batches, str(shared.data / APPRAISE / "DirectSQM" / "manifest.json")]).protocol == "sqm"
    assert read(batches).name == ""
    with pytest.raises(
        DataError, match=r"manifest.json says how a campaign is run; what is judged is in its batches"
    ):
        read(str(shared.data / APPRAISE / "DirectSQM" / "manifest.json"))


texts = st.lists(
    st.sampled_from(NASTY) | st.characters(codec="utf-8", exclude_characters="\0"), max_size=6
).map("".join)
names = st.sampled_from(("A", "b#c", "שלום", "=x", "漢", "e\u0301", "😀"))


@st.composite
def campaigns(draw, protocol="esa", blanks=True):
    """Batches with pages of several segments, errors marked beforehand, kinds, documents."""
    batches = []
    for number in range(draw(st.integers(1, 3))):
        items = []
        for page in range(draw(st.integers(1, 3))):
            document = draw(st.sampled_from(("", "d", "d e")))
            system = draw(names)
            kind = draw(st.sampled_from(("ordinary", "repeat", "bad reference", "reference")))
            for at in range(draw(st.integers(1, 2))):
                text = draw(texts)
                text = text if blanks else "x" + text
                spans = []
                for _ in range(draw(st.integers(0, 2))):
                    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
                    severity = draw(st.sampled_from(("minor", "major")))
                    spans.append(Span(None, None, severity) if start == end else Span(start, end, severity))
                items.append(
                    TaskItem(
                        item=f"{number}.{page}.{at}",
                        translations=(Translation((system, "z"), text, tuple(spans)),),
                        source=draw(texts),
                        kind=kind,
                        document=document,
                        page=page,
                    )
                )
        batches.append(Batch(tuple(items), f"user {number}"))
    return Tasks("c", protocol, tuple(batches), ("de", "en"), in_context=True)


@given(campaigns())
def test_a_campaign_for_pearmut(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("pearmut")
    back = read(saved(folder, write(drawn, "pearmut")))
    assert back.batches == drawn.batches
    assert (back.name, back.protocol) == ("c", "esa")


@given(campaigns(blanks=False))
def test_a_campaign_for_appraise(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("appraise")
    back = read(saved(folder, write(drawn, "appraise")))
    assert (back.name, back.protocol, back.languages, back.in_context) == ("c", "esa", ("de", "en"), True)
    for ours, theirs in zip(drawn.batches, back.batches, strict=True):
        assert [replace(item, extra={}, page=0) for item in theirs.items] == [
            replace(item, page=0) for item in ours.items
        ]


def one_of(protocol="da", **more):
    shown = TaskItem("7", (Translation(("A",), "x"),), source="s", **more)
    return Tasks("c", protocol, (Batch((shown,), "ann"),), ("eng", "deu"))


def test_what_appraise_gets():
    written = write(one_of(), "appraise")
    assert json.loads(written["batches.json"]) == [
        {
            "items": [
                {
                    "_block": -1,
                    "_item": 0,
                    "itemID": 7,
                    "itemType": "TGT",
                    "sourceID": "source",
                    "sourceText": "s",
                    "targetID": "A",
                    "targetText": "x",
                }
            ],
            "task": {
                "batchNo": 1,
                "batchSize": 1,
                "randomSeed": 0,
                "requiredAnnotations": 1,
                "sourceLanguage": "eng",
                "targetLanguage": "deu",
            },
        }
    ]
    assert json.loads(written["manifest.json"])["TASK_TYPE"] == "Direct"
    manifest = json.loads(write(one_of("mqm", kind="tutorial"), "appraise")["manifest.json"])
    assert (manifest["TASK_TYPE"], manifest["TASK_OPTIONS"]) == ("Document", "MQM")
    (batch,) = json.loads(write(one_of("mqm", kind="tutorial"), "appraise")["batches.json"])
    assert batch["items"][0]["documentID"] == "tutorial"
    assert batch["items"][0]["mqm"] == []


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
    held = json.loads(write(tasks, "pearmut")["c.json"])
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
    back = read(saved(tmp_path, write(tasks, "pearmut")))
    assert (back.protocol, back.points) == ("adequacy-fluency", 7)


def test_other_shapes_of_pearmut(tmp_path):
    """As a user's tasks are kept, a pool for all, one translation a segment, lists of them, forms."""
    old = {"doc_id": "d", "sys_id": "A", "src": "s", "tgt": "x", "error_spans": [{"start_i": 0, "end_i": 0}]}
    listed = {"doc_id": "e", "models": ["A", "B"], "src": "s", "tgt": ["x", "y"], "instructions": "Look!"}
    form = {"text": "your language?", "form": "string"}

    def tasks(info, data, **more):
        (tmp_path / "c.json").write_text(json.dumps({"info": info, "campaign_id": "c", "data": data, **more}))
        return read(str(tmp_path / "c.json"))

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


ITEM = {"itemID": 1, "itemType": "TGT", "sourceText": "s", "targetID": "A", "targetText": "x"}


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([{"items": 3}], "batch 1: 'items' is no list"),
        ([{"items": [3]}], "batch 1, item 1 is no object"),
        ([{"items": [{}]}], "batch 1, item 1 has no 'itemID'"),
        ([{"items": [{**ITEM, "itemType": "X"}]}], "unknown itemType 'X' (known: TGT, CHK, BAD, REF)"),
        ([{"items": [{**ITEM, "targetText": None}]}], "batch 1, item 1 has no 'targetText'"),
        ([], "no campaign; one file of pearmut's was expected, or batches.json of Appraise"),
        ({"a": 1}, "no campaign"),
    ],
)
def test_what_is_broken_is_named(tmp_path, held, message):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(held))
    with pytest.raises(DataError) as error:
        read(str(path))
    assert "x.json" in str(error.value)
    assert message in str(error.value)


def test_what_is_no_json(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{")
    with pytest.raises(DataError, match=r"x\.json: not JSON"):
        read(str(path))


def test_what_cannot_be_written():
    with pytest.raises(UsageError, match="unknown format of campaigns 'appraize'; did you mean 'appraise'"):
        write(one_of(), "appraize")
    with pytest.raises(DataError, match="there is nothing to judge"):
        write(Tasks("c", "da", ()), "pearmut")
    with pytest.raises(DataError, match="Appraise has no task for ranking; it has da, sqm, esa and mqm"):
        write(one_of("ranking"), "appraise")
    with pytest.raises(DataError, match="pearmut has no protocol for ranking"):
        write(one_of("ranking"), "pearmut")
    digits = Tasks("c", "da", (Batch((TaskItem("7", (Translation(("7",), "x"),)),)),))
    with pytest.raises(DataError, match="pearmut refuses names that are nothing but digits"):
        write(digits, "pearmut")
    twice = Tasks("c", "da", (Batch((TaskItem("7", (Translation(("A",), "x"),) * 2),)),))
    with pytest.raises(DataError, match="a system is there twice"):
        write(twice, "pearmut")
    with pytest.raises(DataError, match="Appraise shows one translation here, not 2"):
        write(twice, "appraise")
    with pytest.raises(DataError, match="unknown kind 'odd'"):
        one_of(kind="odd")
