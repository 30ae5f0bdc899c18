"""Counts of comparisons, shares of wins, resamples, and what ranked() says of good and bad data."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REPEAT, Judgements, Names
from adjudge.errors import DataError, UsageError
from adjudge.human.bradley_terry import bounded, bradley_terry
from adjudge.human.pairs import (
    at_least_as_good,
    better,
    comparisons,
    expected_wins,
    pair_counts,
    resampled_tables,
    units_of,
)
from adjudge.human.ranking import METHODS, SHARES, ranked
from helpers.rankings import judged
from oracles import resampling as oracle

SYSTEMS = "abcde"


@st.composite
def judgement_rows(draw, min_size=1):
    pair = st.permutations(SYSTEMS).map(lambda names: tuple(names[:2]))
    row = st.tuples(pair, st.sampled_from([1, 0, -1]), st.integers(0, 6), st.integers(0, 3))
    return [(a, b, s, r, i) for (a, b), s, r, i in draw(st.lists(row, min_size=min_size, max_size=40))]


def scored(counts, method):
    return dict(zip(counts.systems, SHARES[method](counts.wins, counts.ties).tolist(), strict=True))


@given(judgement_rows())
def test_counts_and_shares_are_those_of_a_person_counting(rows):
    counts = pair_counts(judged(rows))
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


@given(judgement_rows(), st.permutations(SYSTEMS), st.sampled_from(METHODS))
@settings(max_examples=40)
def test_names_do_not_matter(rows, names, method):
    change = dict(zip(SYSTEMS, names, strict=True))
    options = {"method": method, "resamples": 20, "seed": 3, "regularisation": 0.1}
    before = ranked(judged(rows), **options)
    after = ranked(judged([(change[a], change[b], *rest) for a, b, *rest in rows]), **options)
    # Scores that are not there (NaN) are equal only as they are written.
    renamed = [replace(system, system=change[system.system]) for system in before.systems]
    assert repr(renamed) == repr(list(after.systems))


@given(judgement_rows())
def test_saying_all_of_it_twice_changes_no_score(rows):
    once, twice = pair_counts(judged(rows)), pair_counts(judged(rows + rows))
    for method in SHARES:
        np.testing.assert_allclose(
            SHARES[method](once.wins, once.ties), SHARES[method](twice.wins, twice.ties), rtol=1e-12
        )
    assume(bool(bounded(once.wins, once.ties)))
    np.testing.assert_allclose(
        bradley_terry(once.wins, once.ties), bradley_terry(twice.wins, twice.ties), atol=1e-9
    )


@given(judgement_rows())
def test_the_opposite_of_all_answers_turns_scores_around(rows):
    forth = pair_counts(judged(rows))
    back = pair_counts(judged([(a, b, -score, *rest) for a, b, score, *rest in rows]))
    np.testing.assert_array_equal(back.wins, forth.wins.T)
    for share in (better, expected_wins):
        np.testing.assert_allclose(share(back.wins, back.ties), 1 - share(forth.wins, forth.ties), atol=1e-12)
    np.testing.assert_allclose(
        bradley_terry(back.wins, back.ties, regularisation=0.1),
        -bradley_terry(forth.wins, forth.ties, regularisation=0.1),
        atol=1e-9,
    )


@given(judgement_rows())
def test_sides_and_order_do_not_matter(rows):
    turned = pair_counts(judged([(b, a, -score, *rest) for a, b, score, *rest in reversed(rows)]))
    straight = pair_counts(judged(rows))
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
        expected = pair_counts(judged(drawn))
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


def test_standard_errors_are_those_of_a_share():
    """Of n independent comparisons, √(p (1 − p) / n)."""
    rows = [("a", "b", 1)] * 300 + [("a", "b", -1)] * 100
    for method in SHARES:
        first = ranked(judged(rows), method=method, resamples=4000, seed=1).systems[0]
        assert (first.system, first.score) == ("a", 0.75)
        assert first.deviation == pytest.approx(np.sqrt(0.75 * 0.25 / 400), rel=0.05)
        assert (first.low, first.high) == pytest.approx(
            (0.75 - 1.96 * 0.02165, 0.75 + 1.96 * 0.02165), abs=0.004
        )
        assert (first.wins, first.ties, first.losses) == (300, 0, 100)


def test_rankings_widen_ranges():
    """Ten times the same answer in one ranking is one answer."""
    rows = [("a", "b", score, number) for number, score in enumerate([1, 1, -1] * 20) for _ in range(10)]
    by_u = {u: ranked(judged(rows), unit=u, resamples=2000, seed=1) for u in ("pair", "ranking")}
    assert [r.units for r in by_u.values()] == [600, 60]
    ratio = by_u["ranking"].systems[0].deviation / by_u["pair"].systems[0].deviation
    assert ratio == pytest.approx(np.sqrt(10), rel=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_a_ranking_by_hand(method):
    """a is far above b and c, which cannot be told apart."""
    rows = [("a", "b", 1)] * 60 + [("a", "c", 1)] * 60 + [("b", "a", 1), ("c", "a", 1)] * 6
    rows += [("b", "c", 1)] * 20 + [("b", "c", -1)] * 19 + [("c", "b", 0)] * 4
    ranking = ranked(judged(rows), method=method, resamples=300, seed=1)
    assert [s.system for s in ranking.systems] == ["a", "b", "c"]
    assert [s.cluster for s in ranking.systems] == [1, 2, 2]
    assert [s.rank for s in ranking.systems] == [(1, 1), (2, 3), (2, 3)]
    assert all(s.low < s.score < s.high for s in ranking.systems)
    assert [(s.wins, s.ties, s.losses) for s in ranking.systems] == [(120, 0, 12), (26, 4, 79), (25, 4, 80)]
    assert (ranking.comparisons, ranking.method, ranking.resamples, ranking.seed) == (175, method, 300, 1)
    assert (ranking.never_compared, ranking.remarks) == ((), ())
    again = ranked(judged(rows), method=method, resamples=300, seed=1, threads=1)
    assert again == ranking
    assert ranked(judged(rows), method=method, resamples=300, seed=2) != ranking


def test_all_ties():
    rows = [("a", "b", 0)] * 5 + [("b", "c", 0)] * 5
    for method in ("better", "expected-wins"):
        ranking = ranked(judged(rows), method=method, seed=1)
        assert all(np.isnan([s.score, s.low, s.high, s.deviation]).all() for s in ranking.systems)
        assert [(s.rank, s.cluster) for s in ranking.systems] == [(None, None)] * 3
        assert "all 10 comparisons are ties" in ranking.remarks
    ranking = ranked(judged(rows), method="at-least-as-good", seed=1)
    assert [(s.score, s.rank, s.cluster) for s in ranking.systems] == [(1.0, (1, 1), 1)] * 3


def test_a_system_that_only_tied_comes_last_without_a_rank():
    rows = [("t", "a", 0)] * 9 + [("a", "b", 1)] * 9 + [("b", "a", 1)]
    ranking = ranked(judged(rows), method="better", seed=1)
    assert [s.system for s in ranking.systems] == ["a", "b", "t"]
    assert [s.rank for s in ranking.systems] == [(1, 1), (2, 2), None]


def test_systems_never_compared_are_reported():
    rows = [("a", "b", 1), ("a", "b", -1), ("b", "c", 1), ("b", "c", -1)] * 10
    ranking = ranked(judged(rows), seed=1)
    assert ranking.never_compared == (("a", "c"),)
    assert ranking.remarks == ("never compared: a with c (1 of 3 pairs)",)
    assert [s.score for s in ranking.systems] == [0.5] * 3


def test_a_system_that_resamples_may_miss():
    rows = [("a", "b", 1), ("a", "b", -1)] * 10 + [("c", "a", 1)]
    ranking = ranked(judged(rows), resamples=400, seed=1)
    (remark,) = [r for r in ranking.remarks if r.startswith("no score in some of 400 resamples")]
    number = int(remark.split("c in ")[1])
    assert number == pytest.approx(400 * (1 - 1 / 21) ** 21, abs=5 * np.sqrt(400 * 0.37 * 0.63))
    assert ranking.systems[0].rank == (1, 3)


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
    counts = pair_counts(judged(rows, kind=kind))
    assert counts.systems == ("a", "b")
    assert (counts.wins[0, 1], counts.wins[1, 0], counts.ties.sum()) == (4, 0, 0)
    assert ranked(judged(rows, kind=kind), seed=1).remarks == (
        "2 judgements left out: control items or repeats",
        "1 judgements left out: without an answer",
        "1 judgements left out: without a system's name",
        "1 judgements left out: of a system with itself",
    )


def test_nothing_to_compare():
    with pytest.raises(DataError, match=r"no two systems were compared \(1 of a system with itself\)"):
        ranked(judged([("a", "a", 1)]), seed=1)
    with pytest.raises(DataError, match="no judgements at all"):
        ranked(judged([]), seed=1)
    ratings = Judgements("da", Names.of("ab"), Names.of("11"), Names.of("xx"), np.array([1.0, 2.0]))
    with pytest.raises(DataError, match="ratings"):
        ranked(ratings, seed=1)


def test_an_outcome_that_is_none_names_its_place():
    rows = judged(
        [("a", "b", 1), ("a", "b", 3)],
        file=Names.same("answers.csv", 2),
        line=np.array([2, 3], dtype=np.int64),
    )
    with pytest.raises(DataError, match=r"answers\.csv, line 3: 3 is no outcome"):
        pair_counts(rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "expected-win"}, "did you mean 'expected-wins'"),
        ({"unit": "rankings"}, "did you mean 'ranking'"),
        ({"unit": "none"}, "only TrueSkill"),
        ({"resamples": 0}, "at least one"),
        ({"method": "trueskill", "resamples": 0}, "at least one"),
        ({"level": 1.0}, "between 0 and 1"),
    ],
)
def test_wrong_questions(options, message):
    with pytest.raises(UsageError, match=message):
        ranked(judged([("a", "b", 1)]), seed=1, **options)


def test_shares_take_many_tables_at_once():
    rng = np.random.default_rng(1)
    wins, ties = rng.integers(0, 3, size=(2, 7, 4, 4)).astype(float)
    for share in (at_least_as_good, better, expected_wins):
        each = [share(w, t) for w, t in zip(wins, ties, strict=True)]
        np.testing.assert_array_equal(share(wins, ties), each)
