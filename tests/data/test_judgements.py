"""The table of judgements: rows can be picked, joined and relabelled without anything getting lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, Judgements, NameColumn, Span
from adjudge.errors import DataError

names = st.lists(st.sampled_from(["", "a", "b", "c", "d"]), max_size=12)


def table(systems: list[str], **columns: object) -> Judgements:
    count = len(systems)
    return Judgements(
        protocol="da",
        system=NameColumn.of(systems),
        item=NameColumn.of([str(i) for i in range(count)]),
        annotator=NameColumn.same("x", count),
        score=np.arange(count, dtype=float),
        **columns,  # type: ignore[arg-type]
    )


@given(names)
def test_names_come_back(values: list[str]) -> None:
    assert NameColumn.of(values).values() == values


@given(names, st.data())
def test_picked_names_are_those_of_the_rows(values: list[str], data: st.DataObject) -> None:
    rows = np.array(
        data.draw(st.lists(st.integers(0, len(values) - 1), max_size=9)) if values else [], dtype=int
    )
    picked = NameColumn.of(values)[rows]
    assert picked.values() == [values[i] for i in rows]
    assert set(picked.names) == {values[i] for i in rows} - {""}


@given(names, names)
def test_joined_names_follow_each_other(first: list[str], second: list[str]) -> None:
    joined = NameColumn.joined([NameColumn.of(first), NameColumn.of(second)])
    assert joined.values() == first + second
    assert len(set(joined.names)) == len(joined.names)


@given(names)
def test_names_in_order_are_the_same_whichever_came_first(values: list[str]) -> None:
    ordered = NameColumn.of(values).in_order()
    assert ordered.values() == values
    assert list(ordered.names) == sorted(set(values) - {""})


def test_renaming_to_a_known_name_makes_one_of_two() -> None:
    renamed = NameColumn.of(["a", "b", "c"]).renamed({"b": "a"})
    assert renamed.values() == ["a", "a", "c"]
    assert renamed.names == ("a", "c")


def test_rows_keep_all_their_columns() -> None:
    whole = table(
        ["a", "b", "c"],
        kind=np.array([ORDINARY, BAD_REFERENCE, ORDINARY], np.int8),
        seconds=np.array([1.0, 2.0, np.nan]),
        spans=((), (Span(0, 2, "major", "style"),), ()),
        labels={"document": NameColumn.of(["d", "d", "e"])},
        measures={"keystrokes": np.array([3.0, 4.0, 5.0])},
        file=NameColumn.same("f.tsv", 3),
        line=np.array([2, 3, 4]),
    )
    bad = whole[whole.kind == BAD_REFERENCE]
    assert (bad.system.values(), bad.labels["document"].values(), bad.score.tolist()) == (["b"], ["d"], [1.0])
    assert bad.spans == ((Span(0, 2, "major", "style"),),)
    assert bad.measures["keystrokes"].tolist() == [4.0]
    assert bad.place(0) == "f.tsv, line 3"
    assert whole[::-1].system.values() == ["c", "b", "a"]


def test_joined_tables_fill_what_one_lacks() -> None:
    first = table(["a"], seconds=np.array([2.0]), labels={"domain": NameColumn.of(["news"])})
    second = table(["b"], measures={"words": np.array([7.0])})
    both = Judgements.joined([first, second])
    assert both.system.values() == ["a", "b"]
    assert both.labels["domain"].values() == ["news", ""]
    assert both.seconds is not None
    np.testing.assert_array_equal(both.seconds, [2.0, np.nan])
    np.testing.assert_array_equal(both.measures["words"], [np.nan, 7.0])


def test_rankings_of_several_files_stay_apart() -> None:
    pair = table(["a", "a"], other=NameColumn.of(["b", "c"]), ranking=np.array([0, 0]))
    both = Judgements.joined([pair, pair])
    assert both.ranking is not None
    assert both.ranking.tolist() == [0, 0, 1, 1]


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="2 judgements, but 1 row of seconds"):
        table(["a", "b"], seconds=np.array([1.0]))


def test_protocols_are_not_mixed() -> None:
    with pytest.raises(DataError, match=r"'da'.*'rank'"):
        Judgements.joined(
            [
                table(["a"]),
                Judgements("rank", *[NameColumn.of(["a"])] * 3, np.ones(1), other=NameColumn.of(["b"])),
            ]
        )
