"""What no database keeps is refused by name, the same on both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.items import CampaignMaterial, Hit
from adjudge.campaigns.store import StoreError, campaigns, events, people, storable, work
from adjudge.data import Outputs
from adjudge.database.problems import flaw
from helpers import stored

TEXTS = st.text(st.characters(codec=None, exclude_categories=()), max_size=8)


@given(TEXTS)
def test_a_text_has_a_flaw_where_utf8_or_postgresql_refuses_it(text):
    try:
        text.encode("utf-8")
        good = "\0" not in text
    except UnicodeEncodeError:
        good = False
    assert (flaw(text) == "") == good


def test_a_flaw_says_where_it_is():
    assert flaw("ab\0") == "character 3 is NUL (U+0000)"
    assert flaw("é\ud83d!") == "character 2 is half of a surrogate pair (U+D83D)"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": ["x", "\0"]}, r"here\.a, 2: character 1 is NUL"),
        ({"\ud800": 1}, "here: character 1 is half"),
        ({1: 2}, "here: the name of a field is 1, not a text"),
        ([float("nan")], "here, 1: nan is no number"),
        (float("-inf"), "here: -inf is no number"),
        (2**63, "here: a number of 64 bits is too large"),
        ({"a": b"bytes"}, "here.a: bytes cannot be kept"),
    ],
)
def test_what_json_cannot_hold(value, message):
    with pytest.raises(StoreError, match=message):
        storable.check_json("here", value)


def test_a_number_too_long_to_print():
    with pytest.raises(StoreError, match="a number of 16610 bits is too large"):
        storable.check_json("here", 10**5000)


def test_lists_within_lists_come_to_an_end():
    deep = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(StoreError, match="more than 50 deep"):
        storable.check_json("here", deep)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**63), 2**63 - 1)
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text("abc"), below, max_size=3),
        max_leaves=10,
    )
)
def test_what_json_can_hold(value):
    storable.check_json("here", value)


BAD = {"NUL": "a\0b", "surrogate": "a\ud800b"}
SIX = ("a", "b", "c", "d", "e")


@pytest.fixture(params=BAD.values(), ids=BAD)
def bad(request):
    return request.param


def added(store, **changes):
    campaign, material, hits = stored.made()
    return campaigns.add(
        store, changes.get("campaign", campaign), changes.get("material", material), changes.get("hits", hits)
    )


def material(**columns):
    whole = stored.material()
    test_set = whole.test_set
    kept = {"references": test_set.references, "sources": test_set.sources, "labels": test_set.labels}
    return CampaignMaterial(type(test_set)(**{**kept, **columns}), whole.outputs)


def test_texts_are_named_by_segment_and_field(store, bad):
    cases = {
        "segment 6, source": material(sources=(*SIX, bad)),
        "segment 1, reference 2": material(references=(stored.REFERENCES, (bad, *SIX))),
        "segment 2, label 'domain'": material(labels={"domain": ("a", bad, "c", "d", "e", "f")}),
        "system 'bad', segment 6": CampaignMaterial(
            stored.material().test_set, (Outputs("bad", (*SIX, bad)),)
        ),
    }
    for where, whole in cases.items():
        with pytest.raises(StoreError, match=f"^{where}: character 2 is .*take it out"):
            added(store, material=whole)
    assert campaigns.all_campaigns(store) == []


def test_names_and_items_are_named(store, bad):
    with pytest.raises(StoreError, match=r"^name: character 2 is"):
        added(store, campaign=parse(stored.config(bad)))
    with pytest.raises(StoreError, match=r"^the campaign file.instructions: character 2 is"):
        added(store, campaign=parse(stored.config(instructions=bad)))
    with pytest.raises(StoreError, match=r"^item 'i'\.extra\.note: character 2 is"):
        added(store, hits=[Hit("h", (stored.item(0, key="i", extra={"note": bad}),))])
    with pytest.raises(StoreError, match=r"^the name of a hit: character 2 is"):
        added(store, hits=[Hit(bad, stored.items())])
    with pytest.raises(StoreError, match=r"^the key of an item: character 2 is"):
        added(store, hits=[Hit("h", (stored.item(0, key=bad),))])
    assert campaigns.all_campaigns(store) == []


def test_a_visitor_with_such_a_name(store, kept, bad):
    with pytest.raises(StoreError, match=r"^the name of an annotator: character 2 is"):
        people.find_or_add_visitor(store, kept, "crowd", bad)
    with pytest.raises(StoreError, match=r"^the worker's id: character 2 is"):
        people.find_or_add_visitor(store, kept, "crowd", "worker", bad)
    with pytest.raises(StoreError, match="unknown annotator"):
        people.find(store, kept, bad)
    with pytest.raises(StoreError, match="unknown campaign"):
        campaigns.find(store, bad)
    assert people.annotator_by_token(store, bad) is None
    assert people.session(store, bad) is None
    assert not people.use_one_time_link(store, bad)


def test_an_answer_with_such_a_text_names_its_field(store, anna, bad):
    number = work.outline(store, anna)[0].id
    for answer in ({"edit": {"text": bad}}, {"edit": [1, bad]}):
        with pytest.raises(AnswerError, match="character 2 is") as caught:
            events.record_answer(store, anna, number, key="k", answer=answer)
        assert caught.value.field == "edit"
    with pytest.raises(AnswerError, match="character 2 is") as caught:
        events.record_answer(store, anna, number, key=bad, answer={})
    assert caught.value.field == "key"
    assert work.remaining(store, anna) == 12


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_an_answer_with_an_impossible_number(store, anna, number):
    task = work.outline(store, anna)[0].id
    with pytest.raises(AnswerError, match="no number"):
        events.record_answer(store, anna, task, key="k", answer={"score": number})
    for field in ("seconds", "started"):
        with pytest.raises(AnswerError, match=f"{field}: a number was expected") as caught:
            events.record_answer(store, anna, task, key="k", answer={"score": 1}, **{field: number})
        assert caught.value.field == field


@pytest.mark.parametrize("length", [200, 201])
def test_long_names(store, length):
    name = "ñ" * length
    campaign, whole, hits = stored.made(name, (name,))
    if length > 200:
        with pytest.raises(StoreError, match="has 201 characters; a name has at most 200"):
            campaigns.add(store, campaign, whole, [])
        return
    outputs = tuple(
        Outputs(f"{i}{name[1:]}", output.segments, name) for i, output in enumerate(whole.outputs)
    )
    hits = [Hit(name, (stored.item(0, key=name),), name)]
    kept = campaigns.add(store, campaign, CampaignMaterial(whole.test_set, outputs), hits)
    assert campaigns.find(store, name).name == name
    assert campaigns.hits(store, kept) == hits
    assert people.find_or_add_visitor(store, kept, "crowd", f"x{name[1:]}", name).external == name


@pytest.mark.parametrize("key", ["", " ", "k" * 65, None])
def test_keys_of_answers(store, anna, key):
    with pytest.raises(AnswerError) as caught:
        events.record_answer(store, anna, work.outline(store, anna)[0].id, key=key, answer={"score": 1})
    assert caught.value.field == "key"
