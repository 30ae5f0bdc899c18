"""What is said of annotators: as a slow twin with scipy says it, planted peculiarities found, edges defined."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given

from adjudge.data.judgements import BAD_REFERENCE
from adjudge.errors import DataError
from adjudge.human.curves import agreeing_with_others
from adjudge.human.diagnostics import diagnoses
from adjudge.stats.multiple import adjusted
from judging import rankings, ratings, read_pairs, read_wmt21, some_ratings


def slow(rows, name):
    """The figures of one annotator, from the definitions."""
    said, order = {}, {}
    for number, (who, system, item, score) in enumerate(rows):
        said.setdefault((system, item), {}).setdefault(who, []).append(score)
        order.setdefault((who, system, item), sum(row[0] == who for row in rows[:number]))
    own, theirs, singles, when = [], [], [], []
    for (system, item), by in said.items():
        others = [np.mean(x) for who, x in by.items() if who != name]
        if name in by and others:
            own.append(np.mean(by[name]))
            theirs.append(np.mean(others))
            singles.append(others)
            when.append(order[name, system, item])
    return own, theirs, singles, when, [np.mean(by[name]) for by in said.values() if name in by]


@given(some_ratings)
def test_figures_of_ratings(rows):
    found = diagnoses(ratings(rows))
    drifts = []
    for one in found:
        own, theirs, singles, when, every = slow(rows, one.annotator)
        assert one.judgements == sum(row[0] == one.annotator for row in rows)
        assert one.compared == len(own)
        assert one.mean == pytest.approx(np.mean(every))
        if len(every) > 1:
            assert one.deviation == pytest.approx(np.std(every, ddof=1), abs=1e-9)
        if own:
            assert one.severity == pytest.approx(np.mean(theirs) - np.mean(own), abs=1e-9)
        else:
            assert (one.severity, one.agreement, one.spread, one.drift) == (None,) * 4
        if len(own) > 1 and np.ptp(own) > 0 and np.ptp(theirs) > 1e-6:
            assert one.agreement == pytest.approx(np.corrcoef(own, theirs)[0, 1], abs=1e-6)
            weights = np.concatenate([np.full(len(x), 1 / len(x)) for x in singles])
            values = np.concatenate(singles)
            mean = np.average(values, weights=weights)
            expected = np.std(own) / math.sqrt(np.average((values - mean) ** 2, weights=weights))
            assert one.spread == pytest.approx(expected, rel=1e-6)
        if len(own) > 2:
            line = scipy.stats.linregress(when, np.subtract(own, theirs))
            assert one.drift == pytest.approx(100 * line.slope, abs=1e-6)
            if np.ptp(np.subtract(own, theirs)) > 1e-6:
                drifts.append((one.drift_p, line.pvalue))
            else:
                drifts.append((one.drift_p, 1.0))
        else:
            assert one.drift_p is None
    if drifts:
        ours, theirs = np.array(drifts).T
        np.testing.assert_allclose(ours, adjusted(theirs), atol=1e-6)


def campaign(seed=0, **peculiar):
    """60 translations rated by eight people, some of whom are peculiar: a function of (score, number)."""
    rng = np.random.default_rng(seed)
    rows = []
    truth = rng.normal(60, 15, size=60)
    for who in "ABCDEFGH":
        odd = peculiar.get(who, lambda score, number: score)
        rows += [(who, "x", str(i), odd(truth[i] + rng.normal(0, 8), i)) for i in range(60)]
    return rows


def flags(judged):
    return {one.annotator: one.flags for one in diagnoses(judged) if one.flags}


def test_nothing_peculiar():
    assert flags(ratings(campaign())) == {}


@pytest.mark.parametrize(
    ("odd", "flag"),
    [
        (lambda score, i: score - 40, "scores 4[12].. points below the others"),
        (lambda score, i: score + 40, "scores 38.6 points above the others"),
        (lambda score, i: 60 + (score - 60) / 5, "spreads scores 0.23 times as far"),
        (lambda score, i: 120 - score, "does not agree with the others"),
        (lambda score, i: 70 if 20 <= i < 30 else score, "gave 10 equal answers in a row"),
        (lambda score, i: 50, "gave 60 judgements the same score"),
    ],
)
def test_what_is_peculiar_is_found(odd, flag):
    found = flags(ratings(campaign(C=odd)))
    assert set(found) == {"C"}
    assert any(re.search(flag, one) for one in found["C"]), found


def test_drift_is_beside_the_others():
    """Whose scores fall draws the others' mean along, so that theirs rise a little beside it."""
    found = {one.annotator: one for one in diagnoses(ratings(campaign(C=lambda score, i: score - 0.8 * i)))}
    assert any(re.search(r"drifts by -8... points in 100 judgements", flag) for flag in found["C"].flags)
    assert min(found.values(), key=lambda one: one.drift).annotator == "C"
    assert np.mean([one.drift for name, one in found.items() if name != "C"]) == pytest.approx(80 / 7, abs=3)


def test_haste():
    rows = campaign()
    seconds = np.array([5.0 if row[0] == "B" else 30.0 for row in rows])
    seconds[::7] = math.nan
    assert flags(ratings(rows, seconds=seconds)) == {"B": ("takes 5.0 s for a judgement, others 30.0 s",)}
    assert {one.seconds for one in diagnoses(ratings(rows))} == {None}
    even = ratings([("A", "x", "1", 1), ("A", "x", "2", 1)], seconds=np.array([2.0, 4.0]))
    assert diagnoses(even)[0].seconds == 3


def test_runs_follow_the_clock_and_include_control_items():
    rows = [("A", "x", str(i), [5, 5, 7, 5][i]) for i in range(4)]
    assert [(one.longest_run, one.equal) for one in diagnoses(ratings(rows))] == [(2, 1 / 3)]
    by_clock = ratings(rows, start=np.array([1.0, 2, 9, 3]), kind=np.array([0, BAD_REFERENCE, 0, 0], np.int8))
    (one,) = diagnoses(by_clock)
    assert (one.longest_run, one.equal, one.judgements, one.mean) == (3, 2 / 3, 4, pytest.approx(17 / 3))


def test_rankings():
    rng = np.random.default_rng(3)
    rows, number = [], []
    for item in range(50):
        truth = int(rng.choice([-1, 1]))
        for place, who in enumerate("ABCD"):
            answer = {"B": 1, "C": -truth}.get(who, truth)
            rows.append((who, "x", "y", str(item), 0 if who == "D" and item < 5 else answer))
            number.append(item * 4 + place)
    judged = rankings(rows, ranking=np.array(number))
    found = {one.annotator: one for one in diagnoses(judged)}
    agreeing, comparable = agreeing_with_others(judged)
    assert [one.agreement for one in found.values()] == pytest.approx(list(agreeing / comparable))
    assert found["B"].first == 1
    assert found["D"].ties == 0.1
    assert (found["A"].mean, found["A"].severity, found["A"].spread) == (None, None, None)
    assert found["A"].judgements == found["A"].compared == 50
    assert any("does not agree" in flag for flag in found["C"].flags)
    assert any("50 equal answers in a row" in flag for flag in found["B"].flags)


def test_several_systems_ranked_at_once_are_one_judgement():
    pairs = [("A", a, b, "1", 1) for a, b in (("x", "y"), ("x", "z"), ("y", "z"))]
    (one,) = diagnoses(rankings(pairs, ranking=np.zeros(3, dtype=int), seconds=np.full(3, 40.0)))
    assert (one.judgements, one.longest_run, one.equal, one.seconds) == (1, 0, None, 40)


def test_a_judge_who_learns():
    rng = np.random.default_rng(1)
    rows = []
    for item in range(200):
        truth = int(rng.choice([-1, 1]))
        rows += [(who, "x", "y", str(item), truth) for who in "AB"]
        rows.append(("C", "x", "y", str(item), truth if rng.random() < item / 200 else -truth))
    (found,) = (one for one in diagnoses(rankings(rows)) if one.annotator == "C")
    assert found.drift == pytest.approx(0.5, abs=0.1)
    assert any("of agreement in 100 judgements" in flag for flag in found.flags)


def test_edges():
    assert diagnoses(ratings([])) == ()
    assert diagnoses(rankings([])) == ()
    (alone,) = diagnoses(ratings([("A", "x", "1", 50)]))
    assert (alone.judgements, alone.compared, alone.deviation, alone.flags) == (1, 0, None, ())
    same = diagnoses(ratings([(who, "x", str(i), 50) for who in "AB" for i in range(30)]))
    assert [one.flags for one in same] == [("gave 30 judgements the same score",)] * 2
    assert {(one.agreement, one.spread, one.drift, one.severity) for one in same} == {(None, None, 0, 0)}
    ties = diagnoses(rankings([(who, "x", "y", str(i), 0) for who in "AB" for i in range(30)]))
    assert {(one.ties, one.first, one.agreement) for one in ties} == {(1, None, 1)}
    assert [one.annotator for one in diagnoses(ratings([("A", "x", "1", 5), ("", "x", "1", 9)]))] == ["A"]
    with pytest.raises(DataError, match="judgement 1: the score is nan"):
        diagnoses(ratings([("A", "x", "1", math.nan)]))


def test_real_annotators(shared):
    judged = read_wmt21(shared.data / "01_wmt21_da_toen" / "is-en" / "human")
    found = diagnoses(judged)
    assert len(found) == len(judged.annotator.names)
    assert sum(one.judgements for one in found) == len(judged)
    severe = [one for one in found if any("points" in flag for flag in one.flags)]
    assert 0 < len(severe) < len(found)
    pairs = read_pairs(
        shared.data / "06_rankings_wmt16" / "data" / "collapsed" / "wmt16.collapsed.tur-eng.csv"
    )
    assert all(0 <= one.ties <= 1 for one in diagnoses(pairs))


def test_nobody_drifts_in_a_few_judgements():
    """Four answers that leave the others' on a straight line have a tiny p and mean nothing."""
    rows = [(who, "x", str(i), 50.0 + (10.0 * i if who == "A" else 0.0)) for i in range(4) for who in "AB"]
    found = {one.annotator: one for one in diagnoses(ratings(rows))}
    assert found["A"].drift_p is not None
    assert found["A"].drift_p < 0.001
    assert not any("drifts" in flag for flag in found["A"].flags)
    more = [(who, "x", str(i), 50.0 + (10.0 * i if who == "A" else i % 3)) for i in range(40) for who in "AB"]
    flags = {one.annotator: one.flags for one in diagnoses(ratings(more))}["A"]
    assert any(flag.endswith("in 100 judgements (p < 0.001)") for flag in flags)


@pytest.mark.parametrize(("protocol", "flagged"), [("da", True), ("mqm", False), ("hter", False)])
def test_runs_of_faultless_translations_are_no_habit(protocol, flagged):
    rows = [("A", "x", str(i), 0.0 if i < 12 else 5.0 + i) for i in range(30)]
    (found,) = diagnoses(replace(ratings(rows), protocol=protocol))
    assert found.longest_run == 12
    assert any("12 equal answers" in flag for flag in found.flags) == flagged


@pytest.mark.parametrize(("count", "flagged"), [(3, False), (19, False), (20, True)])
def test_few_rankings_do_not_tell_who_disagrees(count, flagged):
    """A ranking of five has ten pairs, so three of them have thirty: still they are three answers."""
    rows, numbers = [], []
    for item in range(count):
        for place, (person, sign) in enumerate((("odd", -1), ("one", 1), ("two", 1), ("three", 1))):
            for first in range(5):
                for second in range(first + 1, 5):
                    rows.append((person, f"s{first}", f"s{second}", f"{item}", sign))
                    numbers.append(4 * item + place)
    found = {one.annotator: one for one in diagnoses(rankings(rows, ranking=np.array(numbers)))}
    assert (found["odd"].judgements, found["odd"].compared) == (count, 10 * count)
    assert any("does not agree" in flag for flag in found["odd"].flags) == flagged
    assert not any("does not agree" in flag for flag in found["one"].flags)


def test_who_gives_more_penalties_is_the_severe_one() -> None:
    rows = [
        (who, "a", str(i), float(i % 5 + add))
        for who, add in (("mild", 0), ("plain", 1), ("severe", 20))
        for i in range(40)
    ]
    up, down = (diagnoses(ratings(rows, higher_is_better=way)) for way in (True, False))
    assert [one.severity for one in down] == [-one.severity for one in up if one.severity is not None]
    assert down[2].severity == pytest.approx(19.5)
    assert "scores 19.5 points above the others" in down[2].flags
    assert up[2].flags == down[2].flags  # which side it is does not depend on what is better
