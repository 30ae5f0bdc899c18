"""Comparisons of two systems: counted as a person would count them, drawn by whole units, and those that are none."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REPEAT, Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.human.pairs import (
    comparisons,
    resampled_tables,
    units_of,
)
from adjudge.human.ranking import SHARES, rank_systems
from helpers.ranked import judgement_rows
from helpers.rankings import judged
from oracles import resampling as oracle


def scored(counts, method):
    return dict(zip(counts.systems, SHARES[method](counts.wins, counts.ties).tolist(), strict=True))


@given(judgement_rows())
def test_counts_and_shares_are_those_of_a_person_counting(rows):
    counts = comparisons(judged(rows)).counts
    wins, ties = Counter(), Counter()
    for a, b, score, *_ in rows:
        if score == 0:
            ties[a, b] += 1
            ties[b, a] += 1
        else:
            wins[(a, b) if score > 0 else (b, a)] += 1
    assert counts.systems == tuple(dict.fromkeys([r[0] for r in rows] + [r[1] for r in rows]))
    for i, a in enumerate(counts.systems):
        assert counts.wins[i].tolist() == [wins[a, b] for b in counts.systems]
        assert counts.ties[i].tolist() == [ties[a, b] for b in counts.systems]
        others = [b for b in counts.systems if b != a]
        won, tied, lost = (
            sum(n) for n in zip(*((wins[a, b], ties[a, b], wins[b, a]) for b in others), strict=True)
        )
        assert scored(counts, "at-least-as-good")[a] == pytest.approx((won + tied) / (won + tied + lost))
        assert scored(counts, "better")[a] == pytest.approx(
            won / (won + lost) if won + lost else np.nan, nan_ok=True
        )
        decided = [wins[a, b] / (wins[a, b] + wins[b, a]) for b in others if wins[a, b] + wins[b, a]]
        mean = sum(decided) / len(decided) if decided else np.nan
        assert scored(counts, "expected-wins")[a] == pytest.approx(mean, nan_ok=True)
    met = {frozenset(row[:2]) for row in rows}
    assert {frozenset(pair) for pair in counts.never_compared}.isdisjoint(met)
    size = len(counts.systems)
    assert len(counts.never_compared) + len(met) == size * (size - 1) // 2


@given(judgement_rows())
def test_sides_and_order_do_not_matter(rows):
    turned = comparisons(judged([(b, a, -score, *rest) for a, b, score, *rest in reversed(rows)])).counts
    straight = comparisons(judged(rows)).counts
    places = [turned.systems.index(system) for system in straight.systems]
    np.testing.assert_array_equal(turned.wins[np.ix_(places, places)], straight.wins)
    np.testing.assert_array_equal(turned.ties[np.ix_(places, places)], straight.ties)


@given(judgement_rows(), st.sampled_from(["ranking", "item"]), st.integers(0, 2**32))
def test_whole_units_are_drawn(rows, unit, seed):
    judgements = judged(rows)
    made = comparisons(judgements)
    which = units_of(judgements, made, unit)
    ((wins, ties),) = resampled_tables(made, which, resamples=3, seed=seed)
    members = defaultdict(list)
    for row in rows:
        members[row[3] if unit == "ranking" else row[4]].append(row)
    # Rankings are drawn in the order of their numbers, items in that of their first appearance.
    ordered = [members[key] for key in (sorted(members) if unit == "ranking" else members)]
    for resample in range(3):
        times = oracle.counts("bootstrap", len(ordered), seed, resample)
        drawn = [row for t, own in zip(times, ordered, strict=True) for row in own * t]
        expected = comparisons(judged(drawn)).counts
        places = [made.systems.index(system) for system in expected.systems]
        result = np.ix_(places, places)
        np.testing.assert_array_equal(wins[resample][result], expected.wins)
        np.testing.assert_array_equal(ties[resample][result], expected.ties)
        assert wins[resample].sum() + ties[resample].sum() / 2 == len(drawn)


def test_single_comparisons_are_drawn_as_a_multinomial():
    rows = [("a", "b", 1)] * 30 + [("a", "b", 0)] * 10 + [("c", "a", 1)] * 60
    made = comparisons(judged(rows))
    tables = list(resampled_tables(made, None, resamples=5000, seed=2))
    wins, ties = (np.concatenate(side) for side in zip(*tables, strict=True))
    a, b, c = (made.systems.index(system) for system in "abc")
    for result, share in ((wins[:, a, b], 0.3), (ties[:, b, a], 0.1), (wins[:, c, a], 0.6)):
        assert result.mean() == pytest.approx(100 * share, abs=5 * np.sqrt(100 * share * (1 - share) / 5000))
        assert result.var() == pytest.approx(100 * share * (1 - share), rel=0.12)
    assert (wins.sum((1, 2)) + ties.sum((1, 2)) / 2 == 100).all()
    assert (ties == np.swapaxes(ties, 1, 2)).all()


def test_what_compares_nothing_is_left_out_and_said():
    rows = [("a", "b", 1)] * 4 + [
        ("a", "b", -1),
        ("z", "a", 1),
        ("a", "b", np.nan),
        ("a", "a", 1),
        ("", "a", 1),
    ]
    kind = np.full(9, ORDINARY, dtype=np.int8)
    kind[[4, 5]] = REPEAT, BAD_REFERENCE
    counts = comparisons(judged(rows, kind=kind)).counts
    assert counts.systems == ("a", "b")
    assert (counts.wins[0, 1], counts.wins[1, 0], counts.ties.sum()) == (4, 0, 0)
    assert rank_systems(judged(rows, kind=kind), seed=1).remarks == (
        "2 judgements left out: control items or repeats",
        "1 judgement left out: without an answer",
        "1 judgement left out: without a system's name",
        "1 judgement left out: of a system with itself",
    )


def test_nothing_to_compare():
    with pytest.raises(DataError, match=r"no two systems were compared \(1 of a system with itself\)"):
        rank_systems(judged([("a", "a", 1)]), seed=1)
    with pytest.raises(DataError, match="no judgements at all"):
        rank_systems(judged([]), seed=1)
    ratings = Judgements(
        "da", NameColumn.of("ab"), NameColumn.of("11"), NameColumn.of("xx"), np.array([1.0, 2.0])
    )
    with pytest.raises(DataError, match="ratings"):
        rank_systems(ratings, seed=1)


def test_an_outcome_that_is_none_names_its_place():
    rows = judged(
        [("a", "b", 1), ("a", "b", 3)],
        file=NameColumn.same("answers.csv", 2),
        line=np.array([2, 3], dtype=np.int64),
    )
    with pytest.raises(DataError, match=r"answers\.csv, line 3: 3 is no outcome"):
        comparisons(rows)
