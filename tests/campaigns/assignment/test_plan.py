"""Laws of every plan: who judges what, how often, and that nothing is lost, doubled or told."""

import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import AssignmentPlan, plan_hits
from adjudge.campaigns.items import CampaignMaterial
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError
from helpers.plans import (
    campaign,
    covered,
    judges,
    kinds,
    material,
    of_people,
    ordinary,
    same_but_for_names,
    too_near,
)

PROTOCOLS = ["da", "adequacy-fluency", "yes-no", "post-editing", "sqm", "esa", "mqm", "ranking", "preference"]
DOCUMENTS: list[Any] = [
    "sqm",
    "esa",
    "mqm",
    {"name": "da", "context": "document"},
    {"name": "da", "rate": "document"},
]
SIDE_BY_SIDE = ("ranking", "preference")


@st.composite
def plans(draw: st.DrawFn, protocols: list[Any] = PROTOCOLS) -> tuple[Any, CampaignMaterial, AssignmentPlan]:
    """A campaign, its texts and its plan."""
    protocol = draw(st.sampled_from(protocols))
    systems = [f"system{i}" for i in range(draw(st.integers(2 if protocol in SIDE_BY_SIDE else 1, 6)))]
    people = draw(st.integers(1, 5))
    made = campaign(
        systems,
        people,
        protocol,
        judgements=draw(st.integers(1, people)),
        common=draw(st.sampled_from([0.0, 0.4, 1.0])),
        hit_size=draw(st.sampled_from([1, 2, 5, 10, 20, 100])),
        distance=draw(st.sampled_from([0, 3, 20])),
        seed=draw(st.integers(0, 5)),
        **draw(st.sampled_from([{}, {"repeats": 0.0}, {"bad_references": 0.3}, {"references": 0.0}])),
    )
    texts = material(
        systems,
        draw(st.integers(1, 40)),
        document=draw(st.integers(0, 7)),
        alike=draw(st.sampled_from([0, 0, 3, 1])),
        references=True,
    )
    assume(made.protocol.name not in SIDE_BY_SIDE or len({output.segments for output in texts.outputs}) > 1)
    return made, texts, plan_hits(made, texts)


@given(plans())
def test_everything_is_judged_by_as_many_people_as_asked(
    case: tuple[Any, CampaignMaterial, AssignmentPlan],
) -> None:
    made, texts, result = case
    alike = {
        n for n in range(len(texts.test_set)) if len({output.segments[n] for output in texts.outputs}) == 1
    }
    lost = alike if made.protocol.name in SIDE_BY_SIDE else set()
    segments = set(range(len(texts.test_set))) - lost
    assert covered(result.hits) == {(system, n) for system in texts.systems for n in segments}
    by_key = judges(result.hits)
    assert all(len(set(names)) == len(names) for names in by_key.values())
    counts = {len(names) for names in by_key.values()}
    assert counts <= {made.assignment.judgements, len(made.annotators.all_names())}
    if made.assignment.common == 1:
        assert counts == {len(made.annotators.all_names())}
    if made.assignment.common == 0:
        assert counts == {made.assignment.judgements}


@given(plans())
def test_a_key_is_one_item_and_tells_no_system(case: tuple[Any, CampaignMaterial, AssignmentPlan]) -> None:
    _, texts, result = case
    by_key: dict[str, Any] = {}
    for hit in result.hits:
        for item in hit.items:
            assert by_key.setdefault(item.key, item) == item
            assert re.fullmatch("[0-9a-f]{16}", item.key)
        assert not any(system in hit.name for system in texts.systems)
    assert len({hit.name for hit in result.hits}) == len(result.hits)
    assert len(set(map(repr, by_key.values()))) == len(by_key)


@given(plans())
def test_loads_differ_by_no_more_than_one_piece(case: tuple[Any, CampaignMaterial, AssignmentPlan]) -> None:
    made, texts, result = case
    held = of_people(result.hits)
    loads = [
        sum(len(item.segments) for item in ordinary(held.get(name, [])))
        for name in made.annotators.all_names()
    ]
    whole = made.protocol.context == "document"
    largest = max(len(segments) for _, segments in texts.documents()) if whole else 1
    assert max(loads) - min(loads) <= largest


@given(plans(["da", "yes-no", "post-editing", "ranking"]))
def test_control_items_have_their_share(case: tuple[Any, CampaignMaterial, AssignmentPlan]) -> None:
    made, texts, result = case
    assume(made.assignment.hit_size >= 10)
    assume(len(texts.test_set) > 1)  # what damages an output comes from another segment
    fields = {"bad reference": "bad_references", "repeat": "repeats", "reference": "references"}
    used = {"da": set(fields), "yes-no": set(fields), "post-editing": set(), "ranking": {"repeat"}}
    shares = {kind: getattr(made.assignment, fields[kind]) for kind in used[made.protocol.name]}
    for items in of_people(result.hits).values():
        count = kinds(items)
        for kind in fields:
            expected = count["ordinary"] * shares.get(kind, 0) / (1 - sum(shares.values()))
            assert expected - 2 < count[kind] < expected + 1


@given(plans())
def test_control_items_come_from_what_the_same_person_judges(
    case: tuple[Any, CampaignMaterial, AssignmentPlan],
) -> None:
    _, texts, result = case
    for items in of_people(result.hits).values():
        own = {item.key: item for item in ordinary(items)}
        for item in items:
            if item.kind in ("repeat", "bad reference"):
                origin = own[item.of]
                assert item.segments == origin.segments
                assert sorted(item.systems) == sorted(origin.systems)
                assert (set(item.candidates) == set(origin.candidates)) == (item.kind == "repeat")
            elif item.kind == "reference":
                assert item.systems == ("reference",)
                assert item.candidates[0].texts == tuple(texts.reference(n) for n in item.segments)
            else:
                assert (item.kind, item.of) == ("ordinary", "")


@given(plans())
def test_what_is_too_near_is_said(case: tuple[Any, CampaignMaterial, AssignmentPlan]) -> None:
    made, _, result = case
    assume(made.protocol.name not in SIDE_BY_SIDE)
    near = {name: too_near(items, made.assignment.distance) for name, items in of_people(result.hits).items()}
    notes = [note for note in result.notes if "comes again" in note]
    assert bool(notes) == any(near.values())


@given(plans(["da", "yes-no"]), st.integers(0, 3))
def test_nothing_is_too_near_where_there_is_room(
    case: tuple[Any, CampaignMaterial, AssignmentPlan], seed: int
) -> None:
    made, texts, _ = case
    assume(len(texts.systems) > 1)
    roomy = campaign(texts.systems, 2, seed=seed, hit_size=made.assignment.hit_size + 40)
    plan = plan_hits(roomy, material(texts.systems, 70 + len(texts.test_set)))
    assert not any(too_near(items, 20) for items in of_people(plan.hits).values())


@given(plans(DOCUMENTS))
def test_documents_stay_whole_and_in_order(case: tuple[Any, CampaignMaterial, AssignmentPlan]) -> None:
    _, texts, result = case
    documents = {segments for _, segments in texts.documents()}
    for hit in result.hits:
        run: list[int] = []
        last: Any = None
        for item in [*hit.items, None]:
            same = (
                item is not None
                and last is not None
                and (item.kind == "ordinary", item.systems) == (last.kind == "ordinary", last.systems)
                and item.segments[0] > run[-1]
                and (*run, *item.segments)
                in {document[: len(run) + len(item.segments)] for document in documents}
            )
            if last is not None and not same:
                # An ordinary run is a whole document, any other the beginning of one.
                assert any(
                    tuple(run) == (document if last.kind == "ordinary" else document[: len(run)])
                    for document in documents
                )
                run = []
            if item is not None:
                run += item.segments
            last = item


@given(plans([*PROTOCOLS, *DOCUMENTS]))
def test_the_same_seed_gives_the_same_plan_whatever_systems_are_called(
    case: tuple[Any, CampaignMaterial, AssignmentPlan],
) -> None:
    made, texts, result = case
    assert plan_hits(made, texts) == result
    names = {name: f"other{i}" for i, name in enumerate(reversed(texts.systems))}
    renamed = CampaignMaterial(
        texts.test_set,
        tuple(Outputs(names[output.title], output.segments) for output in reversed(texts.outputs)),
    )
    stored = {**made.stored, "systems": dict.fromkeys(renamed.systems, "file")}
    again = plan_hits(type(made)(**{**vars(made), "stored": stored, "systems": stored["systems"]}), renamed)
    assert same_but_for_names(result.hits, names) == same_but_for_names(again.hits, {})


def test_another_seed_gives_another_plan() -> None:
    texts = material("ab", 30)
    first, second = (plan_hits(campaign("ab", seed=seed), texts) for seed in (1, 2))
    assert [hit.items for hit in first.hits] != [hit.items for hit in second.hits]


@pytest.mark.parametrize("protocol", ["da", "ranking", "preference"])
def test_everyone_sees_as_much_of_each_system(protocol: str) -> None:
    texts = material("abcd", 120)
    for people in (3, 4, 8):
        plan = plan_hits(campaign("abcd", people, protocol, common=0.0, judgements=2), texts)
        for items in of_people(plan.hits).values():
            counts = [sum(system in item.systems for item in ordinary(items)) for system in "abcd"]
            assert max(counts) - min(counts) <= 4


@given(st.integers(2, 9), st.integers(2, 5), st.integers(0, 3))
def test_pairs_of_systems_are_compared_equally_often(systems: int, size: int, seed: int) -> None:
    names = "abcdefghi"[:systems]
    protocol = {"name": "ranking", "size": size}
    plan = plan_hits(campaign(names, 1, protocol, common=0.0, repeats=0.0, seed=seed), material(names, 40))
    items = [item for hit in plan.hits for item in hit.items]
    pairs = [sum(a in i.systems and b in i.systems for i in items) for a in names for b in names if a < b]
    assert max(pairs) - min(pairs) <= 3
    shown = [sum(name in item.systems for item in items) for name in names]
    assert max(shown) - min(shown) <= 1
    assert {len(item.candidates) for item in items} <= set(range(2, size + 1))


def test_first_places_are_shared_by_all_systems() -> None:
    plan = plan_hits(campaign("abc", 1, "ranking", common=0.0), material("abc", 300))
    first = [item.systems[0] for hit in plan.hits for item in ordinary(hit.items)]
    assert all(70 <= first.count(name) <= 130 for name in "abc")


def test_translations_are_the_same_segments_of_all_systems() -> None:
    plan = plan_hits(campaign("abc", 2, translations=25), material("abc", 60))
    segments = {name: {n for system, n in covered(plan.hits) if system == name} for name in "abc"}
    assert segments["a"] == segments["b"] == segments["c"]
    assert len(segments["a"]) == 25
    plan = plan_hits(campaign("abc", 2, "esa", translations=25), material("abc", 63, document=7))
    chosen = {n for _, n in covered(plan.hits)}
    assert len(chosen) == 21
    assert all((7 * document in chosen) == (7 * document + 6 in chosen) for document in range(9))


def test_a_share_of_the_segments_is_judged_by_everyone() -> None:
    plan = plan_hits(campaign("abc", 4, common=0.4, judgements=2), material("abc", 50))
    counts = [len(names) for names in judges(plan.hits).values()]
    assert (counts.count(4), counts.count(2)) == (60, 90)
    plan = plan_hits(campaign("abc", 4, "esa", common=0.4, judgements=1), material("abc", 50, document=5))
    counts = [len(names) for names in judges(plan.hits).values()]
    assert (counts.count(4), counts.count(1)) == (60, 90)


def test_equal_outputs_are_one_candidate() -> None:
    texts = CampaignMaterial(
        TestSet(references=(("x y", "z w"),)),
        (Outputs("a", ("same", "one")), Outputs("b", ("same", "two")), Outputs("c", ("same", "one"))),
    )
    plan = plan_hits(campaign("abc", 1), texts)
    assert sorted(item.systems for item in ordinary(plan.hits[0].items)) == [
        ("a", "b", "c"),
        ("a", "c"),
        ("b",),
    ]
    assert any("3 outputs are the same as another system's" in note for note in plan.notes)
    ranked = plan_hits(campaign("abc", 1, "ranking"), texts)
    (item,) = ranked.hits[0].items
    assert sorted(candidate.systems for candidate in item.candidates) == [("a", "c"), ("b",)]
    assert any("On 1 segment all systems say the same" in note for note in ranked.notes)


def test_there_is_nothing_to_compare_where_all_say_the_same() -> None:
    with pytest.raises(DataError, match="systems: all of them say the same"):
        plan_hits(campaign("ab", 1, "ranking"), material("ab", 5, alike=1))


@pytest.mark.parametrize("protocol", ["da", "esa", "preference"])
def test_more_annotators_than_items(protocol: str) -> None:
    plan = plan_hits(campaign("ab", 9, protocol, common=0.0), material("ab", 2))
    assert len(judges(plan.hits)) == (2 if protocol == "preference" else 4)
    (note,) = (note for note in plan.notes if "nothing to judge for" in note)
    busy = {hit.annotator for hit in plan.hits}
    assert not any(f"{name}," in note or f"{name};" in note or f"{name} " in note for name in busy)
    assert "nothing to judge for annotator-" in note


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_smallest_campaign(protocol: str) -> None:
    plan = plan_hits(campaign("ab", 1, protocol), material("ab", 1))
    assert covered(plan.hits) == {("a", 0), ("b", 0)}
    assert any("less to judge than fills a hit" in note for note in plan.notes)


def test_empty_outputs_are_judged_and_said() -> None:
    texts = CampaignMaterial(
        TestSet(references=(("x y",) * 12,)), (Outputs("a", ("",) * 12), Outputs("b", ("w",) * 12))
    )
    plan = plan_hits(campaign("ab", 1), texts)
    assert len(covered(plan.hits)) == 24
    assert any("12 outputs of systems are empty" in note for note in plan.notes)
    assert any("could not be damaged (the translation is empty)" in note for note in plan.notes)
    damaged = [item for hit in plan.hits for item in hit.items if item.kind == "bad reference"]
    assert damaged
    assert all(item.systems == ("b",) for item in damaged)


def test_without_references_none_are_shown_and_phrases_come_from_outputs() -> None:
    texts = material("ab", 40, references=False)
    plan = plan_hits(campaign("ab", 1, {"name": "da", "against": "source"}), texts)
    count = kinds(plan.hits[0].items)
    assert (count["reference"], count["bad reference"] > 0) == (0, True)
    assert any("phrases of other segments' outputs" in note for note in plan.notes)
    with pytest.raises(DataError, match=r"assignment\.references: there is no reference to show"):
        plan_hits(campaign("ab", 1, {"name": "da", "against": "source"}, references=0.1), texts)


def test_a_plan_says_how_much_is_judged_of_each_system() -> None:
    def judged(texts: CampaignMaterial, made: Any) -> tuple[int, str]:
        plan = plan_hits(made, texts)
        return plan.judged, plan.unit

    assert judged(material("ab", 55), campaign("ab", 1)) == (55, "translation")
    assert judged(material("ab", 55), campaign("ab", 1, "preference")) == (55, "comparison")
    by_document = campaign("ab", 1, {"name": "da", "rate": "document"})
    assert judged(material("ab", 50, document=5), by_document) == (10, "document")


def test_what_was_asked_for_and_makes_no_sense_is_said() -> None:
    plan = plan_hits(campaign("ab", 1, "ranking", bad_references=0.1), material("ab", 9))
    assert "assignment.bad_references: ranking has no use for it; there are none" in plan.notes
    assert not any("assignment.references" in note for note in plan.notes)
    assert any(
        "hits of 1 have no room" in note
        for note in plan_hits(campaign("ab", 1, hit_size=1), material("ab", 9)).notes
    )
    notes = plan_hits(campaign("ab", 1, "esa"), material("ab", 9)).notes
    assert any("the test set names none" in note for note in notes)
    notes = plan_hits(campaign("ab", 1, "esa", hit_size=5), material("ab", 9, document=9)).notes
    assert any("longest document has 9 segments" in note for note in notes)


def test_long_planning_says_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    plan_hits(campaign(["a", "b"], 3), material(["a", "b"], 30), report=lambda *step: told.append(step))
    assert told == [("planning", 0, 3), ("planning", 1, 3), ("planning", 2, 3)]
