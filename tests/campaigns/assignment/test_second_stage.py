"""WMT09's second stage: everything that was edited is judged, and never by who edited it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import (
    EditedText,
    edited_item_key,
    judges_needed,
    next_items,
    plan_hits,
    second_stage,
)
from adjudge.campaigns.items import Hit, Item
from adjudge.errors import DataError
from helpers.plans import campaign, kinds, material, of_people

EDITING = {"name": "post-editing", "against": "nothing", "acceptability": True}


def judged(items: Sequence[Item]) -> list[Item]:
    """All but repeats."""
    return [item for item in items if item.kind != "repeat"]


def judges_of(hits: Sequence[Hit]) -> dict[str, list[str]]:
    """Who judges each text, by its key."""
    result: dict[str, list[str]] = defaultdict(list)
    for hit in hits:
        for item in judged(hit.items):
            result[item.key].append(hit.annotator)
    return result


def edited(made: Any, texts: Any, change: Any) -> list[EditedText]:
    """What everyone made of the first stage; `change` says what of whose item, None that it could not be done."""
    results = []
    for hit in plan_hits(made, texts).hits:
        for item in hit.items:
            text = change(item, hit.annotator)
            results.append(EditedText(item, hit.annotator, text or item.candidates[0].texts[0], text is None))
    return results


@st.composite
def stages(draw: st.DrawFn) -> tuple[Any, Any, list[EditedText], int]:
    people = draw(st.integers(2, 5))
    made = campaign(
        "abc",
        people,
        EDITING,
        judgements=draw(st.integers(1, people)),
        common=draw(st.sampled_from([0.0, 0.5])),
        translations=draw(st.sampled_from([0, 5])),
        seed=draw(st.integers(0, 3)),
    )
    texts = material("abc", draw(st.integers(1, 20)), document=draw(st.integers(0, 5)))
    kind = draw(st.integers(0, 3))

    def change(item: Any, name: str) -> str | None:
        (text,) = item.candidates[0].texts
        if kind == 0 or (kind == 1 and item.segments[0] % 2):
            return f"{text} by {name}"
        return None if kind == 2 and item.segments[0] % 3 else str(text)

    return made, texts, edited(made, texts, change), draw(st.integers(1, people))


@given(stages())
def test_everything_is_judged_by_others(case: tuple[Any, Any, list[EditedText], int]) -> None:
    made, texts, edits, wanted = case
    stage = second_stage(made, texts, edits, judgements=wanted)
    texts_of = {(edit.item.key, edit.text) for edit in edits}
    items = {item.key: item for hit in stage.hits for item in judged(hit.items)}
    shown = {(item.extra["edited"], item.candidates[0].texts[0]): item for item in items.values()}
    by = judges_of(stage.hits)
    short = 0
    for key, text in texts_of:
        editors = {edit.annotator for edit in edits if (edit.item.key, edit.text) == (key, text)}
        others = len(set(made.annotators.all_names()) - editors)
        short += max(0, wanted - others)
        if (key, text) not in shown:
            assert others == 0
            continue
        names = by[shown[key, text].key]
        assert len(set(names)) == len(names) >= min(wanted, others)
        assert not set(names) & editors
    assert set(shown) <= texts_of
    assert any("edited texts cannot be given" in note for note in stage.notes) == (short > 0)
    assert not any("judgements cannot be given to anyone" in note for note in stage.notes)
    assert any("could not be corrected" in note for note in stage.notes) == any(edit.unable for edit in edits)


@given(stages())
def test_segments_of_a_document_of_one_system_come_together_and_in_order(
    case: tuple[Any, Any, list[EditedText], int],
) -> None:
    made, texts, edits, wanted = case
    stage = second_stage(made, texts, edits, judgements=wanted)
    for items in of_people(stage.hits).values():
        runs: list[tuple[tuple[str, ...], str, list[int]]] = []
        for item in judged(items):
            last = runs[-1] if runs else None
            if last and last[:2] == (item.systems, item.document) and item.segments[0] > last[2][-1]:
                last[2].append(item.segments[0])
            else:
                runs.append((item.systems, item.document, [item.segments[0]]))
        if texts.test_set.labels and all("by" not in edit.text for edit in edits):
            assert len({run[:2] for run in runs}) == len(runs)


@given(stages())
def test_references_are_edited_among_the_outputs_and_judged(
    case: tuple[Any, Any, list[EditedText], int],
) -> None:
    made, texts, edits, wanted = case
    stage = second_stage(made, texts, edits, judgements=wanted)
    shown = {item.extra["edited"]: item.kind for hit in stage.hits for item in judged(hit.items)}
    for edit in edits:
        if edit.item.key in shown:
            assert shown[edit.item.key] == edit.item.kind
            assert (edit.item.systems == ("reference",)) == (edit.item.kind == "reference")


@given(stages())
def test_how_many_judges_are_wanted(case: tuple[Any, Any, list[EditedText], int]) -> None:
    made, texts, edits, _ = case
    people = made.annotators.all_names()
    wanted = judges_needed(made, texts, edits, people)
    planned = judges_of(second_stage(made, texts, edits).hits)
    editors: dict[str, set[str]] = defaultdict(set)
    for edit in edits:
        editors[edited_item_key(made, edit.item, edit.text)].add(edit.annotator)
    assert wanted.keys() == editors.keys()
    for key, number in wanted.items():
        assert len(planned.get(key, [])) <= number <= len(set(people) - editors[key])
        assert number >= min(made.assignment.judgements, len(set(people) - editors[key]))
        if made.assignment.common == 0:
            assert number == len(planned.get(key, []))


@given(stages(), st.integers(1, 12), st.randoms())
def test_the_next_items(case: tuple[Any, Any, list[EditedText], int], size: int, chance: Any) -> None:
    made, texts, edits, _ = case
    made = replace(made, assignment=replace(made.assignment, hit_size=size))
    planned = second_stage(made, texts, edits, ["x"], judgements=1)
    waiting = [item for hit in planned.hits for item in judged(hit.items)]
    seen: list[Any] = []
    while waiting:
        ready = waiting[: chance.randint(1, len(waiting))]  # what was edited by now
        hit = next_items(made, "x", seen, ready)
        new = judged(hit)
        assert new
        assert {item.key for item in new} <= {item.key for item in ready}
        assert hit[: len(new)] == new, "repeats come last"
        assert {item.of for item in hit[len(new) :]} <= {item.key for item in [*seen, *new]}
        longest = max(
            len([i for i in ready if i.document and (i.document, i.systems) == (n.document, n.systems)])
            for n in new
        )
        assert len(new) <= max(size, longest)
        seen += hit
        waiting = [item for item in waiting if item.key not in {entry.key for entry in new}]
    again = [item.of for item in seen if item.kind == "repeat"]
    assert len(set(again)) == len(again)
    assert len(again) == int((len(seen) - len(again)) / 9 + 0.5)
    for item in seen:
        if item.kind == "repeat":
            first = next(entry for entry in seen if entry.key == item.of)
            assert (first.candidates, first.segments) == (item.candidates, item.segments)


def test_repeats_are_of_long_ago() -> None:
    texts = material("ab", 60, document=6)
    made = campaign("ab", 2, EDITING, common=0.0)
    edits = edited(made, texts, lambda item, name: item.candidates[0].texts[0] + " .")
    items = [item for hit in second_stage(made, texts, edits, ["x"]).hits for item in judged(hit.items)]
    hit = next_items(made, "x", [], items)
    places = {item.key: place for place, item in enumerate(hit)}
    distances = [place - places[item.of] for place, item in enumerate(hit) if item.kind == "repeat"]
    assert len(distances) == 10
    assert min(distances) > made.assignment.distance


def test_other_judges_and_repeats() -> None:
    texts = material("ab", 60, document=6)
    made = campaign("ab", 2, EDITING, common=0.0, references=0.0)
    edits = edited(made, texts, lambda item, name: item.candidates[0].texts[0] + " .")
    stage = second_stage(made, texts, edits, ["x", "y", "z"], judgements=2)
    assert {hit.annotator for hit in stage.hits} == {"x", "y", "z"}
    assert {len(names) for names in judges_of(stage.hits).values()} == {2}
    for items in of_people(stage.hits).values():
        count = kinds(items)
        assert count.keys() == {"ordinary", "repeat"}
        assert abs(count["repeat"] - count["ordinary"] / 9) <= 1
        assert count["ordinary"] in (78, 84)  # documents stay whole
    assert second_stage(made, texts, edits, ["x", "y", "z"], judgements=2) == stage


def test_a_crowd_needs_named_judges() -> None:
    texts = material("ab", 6)
    made = campaign("ab", {"crowd": True, "judges": ["x"]}, EDITING)
    edits = edited(made, texts, lambda item, name: "text")
    with pytest.raises(DataError, match="judges: a crowd cannot be kept"):
        second_stage(made, texts, edits)
    assert {hit.annotator for hit in second_stage(made, texts, edits, ["x"]).hits} == {"x"}
