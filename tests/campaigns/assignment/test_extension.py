"""Annotators and systems that come later: nothing that was given out changes, and what is new keeps the rules."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import extend_plan, plan_hits
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.data import Outputs
from adjudge.errors import DataError
from helpers.plans import campaign, covered, judges, kinds, material, of_people, ordinary, too_near

PROTOCOLS: list[Any] = ["da", "esa", "mqm", "ranking", "preference", {"name": "da", "rate": "document"}]


def key_of(hits: list[Hit] | tuple[Hit, ...]) -> dict[str, Item]:
    """Every item by its key, which must be its own."""
    result: dict[str, Item] = {}
    for hit in hits:
        for item in hit.items:
            assert result.setdefault(item.key, item) == item
    return result


@st.composite
def begun(draw: st.DrawFn) -> tuple[Any, CampaignMaterial, tuple[Hit, ...]]:
    """A campaign that is under way."""
    systems = "abcd"[: draw(st.integers(2, 4))]
    people = draw(st.integers(2, 5))
    made = campaign(
        systems,
        people,
        draw(st.sampled_from(PROTOCOLS)),
        judgements=draw(st.integers(1, people)),
        common=draw(st.sampled_from([0.0, 0.4])),
        hit_size=draw(st.sampled_from([20, 100])),
        seed=draw(st.integers(0, 3)),
    )
    texts = material(systems, draw(st.integers(1, 30)), document=draw(st.integers(1, 6)))
    return made, texts, plan_hits(made, texts).hits


@given(begun(), st.integers(1, 3))
def test_new_annotators_get_as_much_as_the_others(
    case: tuple[Any, CampaignMaterial, tuple[Hit, ...]], count: int
) -> None:
    made, texts, hits = case
    names = [f"new{i}" for i in range(count)]
    plan = extend_plan(made, texts, hits, annotators=names)
    key_of((*hits, *plan.hits))
    assert {hit.annotator for hit in plan.hits} <= set(names)
    assert not {hit.name for hit in plan.hits} & {hit.name for hit in hits}
    before, after = judges(hits), judges((*hits, *plan.hits))
    assert before.keys() == after.keys()
    assert all(len(set(entry)) == len(entry) for entry in after.values())
    common = {key for key, value in before.items() if len(value) == len(made.annotators.all_names())}
    if made.assignment.common and made.assignment.judgements < len(made.annotators.all_names()):
        assert all(set(names) <= set(after[key]) for key in common)
    held = of_people((*hits, *plan.hits))
    loads = {name: sum(len(item.segments) for item in ordinary(items)) for name, items in held.items()}
    usual = sum(loads.get(name, 0) for name in made.annotators.all_names()) / len(made.annotators.all_names())
    largest = max(len(segments) for _, segments in texts.documents())
    assert all(usual - largest <= loads.get(name, 0) <= usual + largest for name in names)


@given(begun())
def test_what_the_withdrawn_would_have_judged_goes_to_others(
    case: tuple[Any, CampaignMaterial, tuple[Hit, ...]],
) -> None:
    made, texts, hits = case
    gone, *left = made.annotators.all_names()
    missing = {key for key, names in judges(hits).items() if gone in names}
    for annotators in ((), ("new",)):
        plan = extend_plan(made, texts, hits, annotators=annotators, withdrawn=[gone])
        assert gone not in {hit.annotator for hit in plan.hits}
        still = {key: set(names) - {gone} for key, names in judges((*hits, *plan.hits)).items()}
        wanted = min(made.assignment.judgements, len(left) + len(annotators))
        assert all(len(names) >= wanted for names in still.values())
        if not annotators:
            assert set(judges(plan.hits)) <= missing


@given(begun(), st.booleans())
def test_a_new_system_is_judged_like_the_others(
    case: tuple[Any, CampaignMaterial, tuple[Hit, ...]], more: bool
) -> None:
    made, texts, hits = case
    names = [*texts.systems, "x", *(["y"] if more else [])]
    after = material(names, len(texts.test_set), document=len(texts.documents()[0][1]))
    assume(after.outputs[0] == texts.outputs[0])
    plan = extend_plan(made, after, hits, systems=names[len(texts.systems) :])
    key_of((*hits, *plan.hits))
    assert not {hit.name for hit in plan.hits} & {hit.name for hit in hits}
    numbers = range(len(texts.test_set))
    new = covered(plan.hits)
    assert {entry for entry in new if entry[0] in ("x", "y")} == {
        (s, n) for s in names[len(texts.systems) :] for n in numbers
    }
    everyone = len(made.annotators.all_names())
    assert {len(judge) for judge in judges(plan.hits).values()} <= {made.assignment.judgements, everyone}
    if made.protocol.candidates == (1, 1):
        assert {system for system, _ in new} <= {"x", "y"}
        sequences = of_people((*hits, *plan.hits))
        before = of_people(hits)
        near = {
            name: too_near(items, 20) > too_near(before.get(name, []), 20)
            for name, items in sequences.items()
        }
        assert any("comes again" in note for note in plan.notes) == any(near.values())
        held = [sum(len(i.segments) for i in ordinary(items)) for items in sequences.values()]
        whole = made.protocol.context == "document"
        assert (
            max(held) - min(held) <= (max(len(s) for _, s in texts.documents()) if whole else 1)
            or len(sequences) < everyone
        )
    else:
        # A system that comes later is compared with any, and any of the others as often as the rest.
        pairs = [
            sum("x" in i.systems and s in i.systems for h in plan.hits for i in ordinary(h.items))
            for s in texts.systems
        ]
        assert max(pairs) - min(pairs) <= 4 * made.assignment.judgements * everyone


def test_control_items_of_new_hits_are_made_from_new_items() -> None:
    texts, after = material("ab", 150), material("abx", 150)
    made = campaign("ab", 1)
    hits = plan_hits(made, texts).hits
    plan = extend_plan(made, after, hits, systems=["x"])
    count = kinds([item for hit in plan.hits for item in hit.items])
    assert count["ordinary"] == 150
    assert abs(count["repeat"] - 150 / 7) <= 1
    new = {item.key for hit in plan.hits for item in ordinary(hit.items)}
    assert all(item.of in new for hit in plan.hits for item in hit.items if item.of)


def test_what_comes_first_is_away_from_what_was_seen_last() -> None:
    texts, after = material("ab", 60), material("abx", 60)
    for seed in range(5):
        made = campaign("ab", 2, seed=seed)
        hits = plan_hits(made, texts).hits
        plan = extend_plan(made, after, hits, systems=["x"])
        assert not any(too_near(items, 20) for items in of_people((*hits, *plan.hits)).values())


def test_an_output_that_was_judged_before_is_judged_again() -> None:
    texts = material("ab", 10)
    after = CampaignMaterial(texts.test_set, (*texts.outputs, Outputs("x", texts.outputs[0].segments)))
    made = campaign("ab", 2)
    hits = plan_hits(made, texts).hits
    plan = extend_plan(made, after, hits, systems=["x"])
    assert covered(plan.hits) == {("x", n) for n in range(10)}
    assert not {item.key for hit in plan.hits for item in ordinary(hit.items)} & set(judges(hits))
    key_of((*hits, *plan.hits))
    assert any("10 outputs of new systems are the same as one judged before" in note for note in plan.notes)


def test_once_more() -> None:
    texts, made = material("ab", 40, document=4), campaign("ab", 2, "esa")
    hits = plan_hits(made, texts).hits
    for name in "xyz":
        texts = material([*texts.systems, name], 40, document=4)
        hits = (*hits, *extend_plan(made, texts, hits, systems=[name]).hits)
        hits = (*hits, *extend_plan(made, texts, hits, annotators=[f"new {name}"]).hits)
    key_of(hits)
    assert len({hit.name for hit in hits}) == len(hits)
    assert covered(hits) == {(system, n) for system in "abxyz" for n in range(40)}
    assert all(len(set(judge)) == len(judge) for judge in judges(hits).values())


def test_a_crowd_gets_new_hits_for_new_systems_only() -> None:
    made = campaign("ab", {"crowd": True}, judgements=2)
    hits = plan_hits(made, material("ab", 100)).hits
    plan = extend_plan(made, material("abx", 100), hits, systems=["x"])
    assert {len(judge) for judge in judges(plan.hits).values()} == {2}
    assert covered(plan.hits) == {("x", n) for n in range(100)}
    assert not {hit.name for hit in plan.hits} & {hit.name for hit in hits}
    with pytest.raises(DataError, match="a crowd has no annotators to add"):
        extend_plan(made, material("ab", 100), hits, annotators=["x"])


def test_later_readers_of_documents_see_none_twice() -> None:
    questions = {f"d{n}": [{"question": "Who?", "answer": "he"}] for n in range(6)}
    made = campaign("ab", 4, "comprehension", judgements=2)
    texts, after = material("ab", 30, document=5), material("abx", 30, document=5)
    hits = plan_hits(made, texts, questions=questions).hits
    plan = extend_plan(made, after, hits, annotators=["n", "m"], systems=["x"], questions=questions)
    for items in of_people((*hits, *plan.hits)).values():
        assert len({item.document for item in items}) == len(items)
    # Two of six people for each of three systems: all of them read all documents, each once.
    assert any("cannot be given to anyone" in note for note in plan.notes) or {
        len(set(judge)) for judge in judges((*hits, *plan.hits)).values()
    } == {2}


def test_the_tutorial_is_for_those_who_are_new() -> None:
    lesson = Item("t", (0,), (Candidate(("tutorial",), ("x",)),), kind="tutorial")
    made, texts = campaign("ab", 2), material("ab", 30)
    hits = plan_hits(made, texts, tutorial=[lesson]).hits
    plan = extend_plan(made, material("abx", 30), hits, annotators=["new"], systems=["x"], tutorial=[lesson])
    assert {hit.annotator for hit in plan.hits if lesson in hit.items} == {"new"}
    assert {hit.annotator for hit in plan.hits} == {"annotator-1", "annotator-2", "new"}


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"annotators": ["annotator-1"]}, "'annotator-1' takes part already"),
        ({"annotators": ["new", "new"]}, "the same name"),
        ({"systems": ["a"]}, "systems.a: this system is judged already"),
        ({"systems": ["x"]}, "systems.x: there are no outputs"),
    ],
)
def test_what_cannot_be_added(wanted: dict[str, Any], message: str) -> None:
    made, texts = campaign("ab", 2), material("ab", 10)
    with pytest.raises(DataError, match=message):
        extend_plan(made, texts, plan_hits(made, texts).hits, **wanted)


def test_nothing_new_is_no_hit() -> None:
    made, texts = campaign("ab", 2), material("ab", 10)
    assert extend_plan(made, texts, plan_hits(made, texts).hits).hits == ()
