"""WMT09's second stage: everything that was edited is judged, and never by who edited it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.human.assignment import Edited, plan, second_stage
from plans import campaign, judges, kinds, material, of_people, ordinary

EDITING = {"name": "post-editing", "against": "nothing", "acceptability": True}


def edited(made: Any, texts: Any, change: Any) -> list[Edited]:
    """What everyone made of the first stage; `change` says what of whose item."""
    return [
        Edited(item, hit.annotator, change(item, hit.annotator))
        for hit in plan(made, texts).hits
        for item in ordinary(hit.items)
    ]


@st.composite
def stages(draw: st.DrawFn) -> tuple[Any, Any, list[Edited], int]:
    people = draw(st.integers(1, 5))
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
def test_everything_is_judged_by_others(case: tuple[Any, Any, list[Edited], int]) -> None:
    made, texts, edits, wanted = case
    found = second_stage(made, texts, edits, judgements=wanted)
    texts_of = {(one.item.key, one.text) for one in edits if one.text is not None}
    items = {item.key: item for hit in found.hits for item in ordinary(hit.items)}
    shown = {(item.extra["edited"], item.candidates[0].texts[0]): item for item in items.values()}
    by = judges(found.hits)
    short = 0
    for key, text in texts_of:
        editors = {one.annotator for one in edits if (one.item.key, one.text) == (key, text)}
        others = len(set(made.annotators.all_names()) - editors)
        short += max(0, wanted - others)
        if (key, text) not in shown:
            assert others == 0
            continue
        names = by[shown[key, text].key]
        assert len(set(names)) == len(names) >= min(wanted, others)
        assert not set(names) & editors
    assert set(shown) <= texts_of
    assert any("edited texts cannot be given" in note for note in found.notes) == (short > 0)
    assert any("could not be corrected" in note for note in found.notes) == any(
        one.text is None for one in edits
    )


@given(stages())
def test_segments_of_a_document_of_one_system_come_together_and_in_order(
    case: tuple[Any, Any, list[Edited], int],
) -> None:
    made, texts, edits, wanted = case
    found = second_stage(made, texts, edits, judgements=wanted)
    for items in of_people(found.hits).values():
        runs: list[tuple[tuple[str, ...], str, list[int]]] = []
        for item in ordinary(items):
            last = runs[-1] if runs else None
            if last and last[:2] == (item.systems, item.document) and item.segments[0] > last[2][-1]:
                last[2].append(item.segments[0])
            else:
                runs.append((item.systems, item.document, [item.segments[0]]))
        if texts.test_set.labels and all("by" not in (one.text or "") for one in edits):
            assert len({run[:2] for run in runs}) == len(runs)


def test_other_judges_and_repeats() -> None:
    texts = material("ab", 60, document=6)
    made = campaign("ab", 2, EDITING, common=0.0)
    edits = edited(made, texts, lambda item, name: item.candidates[0].texts[0] + " .")
    found = second_stage(made, texts, edits, ["x", "y", "z"], judgements=2)
    assert {hit.annotator for hit in found.hits} == {"x", "y", "z"}
    assert {len(names) for names in judges(found.hits).values()} == {2}
    for items in of_people(found.hits).values():
        count = kinds(items)
        assert count.keys() == {"ordinary", "repeat"}
        assert abs(count["repeat"] - count["ordinary"] / 9) <= 1
        assert count["ordinary"] in (78, 84)  # documents stay whole
    assert second_stage(made, texts, edits, ["x", "y", "z"], judgements=2) == found


def test_a_crowd_needs_named_judges() -> None:
    texts = material("ab", 6)
    made = campaign("ab", {"crowd": True}, EDITING)
    edits = edited(made, texts, lambda item, name: "text")
    with pytest.raises(DataError, match="judges: a crowd cannot be kept"):
        second_stage(made, texts, edits)
    assert {hit.annotator for hit in second_stage(made, texts, edits, ["x"]).hits} == {"x"}
