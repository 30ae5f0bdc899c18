"""Who is unlike the others: drift, severity and spread beside what is usual, and not where it is chance."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.human.annotator_flags import student_p
from adjudge.human.diagnostics import diagnoses
from helpers.diagnosed import campaign, flags
from helpers.judging import rankings, ratings


@pytest.mark.parametrize(
    ("odd", "flag"),
    [
        (lambda score, i: score - 40, r"scores 4[012].. points below the panel's median \(7 others\)"),
        (lambda score, i: score + 40, "scores 3[89].. points above the panel's median"),
        (lambda score, i: 60 + (score - 60) / 5, "spreads scores 0.2. times as far as the panel's median"),
        (lambda score, i: 120 - score, "does not agree with the panel"),
        (lambda score, i: 70 if 20 <= i < 30 else score, "gave 10 equal answers in a row"),
        (lambda score, i: 50, "gave 60 judgements the same score"),
    ],
)
def test_what_is_peculiar_is_found(odd, flag):
    result = flags(ratings(campaign(C=odd)))
    assert set(result) == {"C"}
    assert any(re.search(flag, entry) for entry in result["C"]), result


def test_drift_is_beside_the_median():
    """Whose scores fall draws the others' mean along; nobody else is said to rise for that."""
    by_annotator = {
        diagnosis.annotator: diagnosis
        for diagnosis in diagnoses(ratings(campaign(C=lambda score, i: score - 0.8 * i)))
    }
    assert any(
        re.search(r"changes by −8... points in 100 judgements", flag) for flag in by_annotator["C"].flags
    )
    assert [name for name, value in by_annotator.items() if value.flags] == ["C"]
    assert np.median([entry.drift for entry in by_annotator.values()]) == pytest.approx(0)


def test_nobody_drifts_because_another_does():
    """Three people, one of whom falls by 120 points in 100 judgements: the other two stay where they are."""
    rng = np.random.default_rng(1)
    rows, fall = [], {"A": 0.017, "B": 0.0, "C": 1.2}
    for i in range(100):
        truth = rng.normal(60, 10)
        rows += [(who, "x", str(i), truth - fall[who] * i + rng.normal(0, 5)) for who in "ABC"]
    by_annotator = {diagnosis.annotator: diagnosis for diagnosis in diagnoses(ratings(rows))}
    assert by_annotator["A"].flags == by_annotator["B"].flags == ()
    assert max(abs(by_annotator["A"].drift), abs(by_annotator["B"].drift)) < 6
    assert any("(2 others, p < 0.001)" in flag for flag in by_annotator["C"].flags)


@given(st.floats(-50, 50), st.floats(0.1, 20), st.integers(1, 200), st.floats(0, 30))
def test_p_that_an_effect_is_no_more_than_usual(effect, error, freedom, usual):
    """It is what scipy says of both sides, and never smaller than that there is no effect."""
    result = student_p(np.array([effect]), np.array([error]), np.array([freedom]), usual=usual)[0]
    near, far = ((abs(effect) - side * usual) / error for side in (1, -1))
    expected = stats.t.sf(near, freedom) + stats.t.sf(far, freedom) if abs(effect) > 1e-12 else 1.0
    assert result == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert result >= student_p(np.array([effect]), np.array([error]), np.array([freedom]))[0] * (1 - 1e-9)


def test_a_judge_who_learns():
    rng = np.random.default_rng(1)
    rows = []
    for item in range(200):
        truth = int(rng.choice([-1, 1]))
        rows += [(who, "x", "y", str(item), truth) for who in "AB"]
        rows.append(("C", "x", "y", str(item), truth if rng.random() < item / 200 else -truth))
    (diagnosis,) = (entry for entry in diagnoses(rankings(rows)) if entry.annotator == "C")
    assert diagnosis.drift == pytest.approx(0.5, abs=0.1)
    assert any("of agreement in 100 judgements" in flag for flag in diagnosis.flags)


def test_nobody_drifts_in_a_few_judgements():
    """Four answers that leave the others' on a straight line have a tiny p and mean nothing."""
    rows = [(who, "x", str(i), 50.0 + (10.0 * i if who == "A" else 0.0)) for i in range(4) for who in "AB"]
    by_annotator = {diagnosis.annotator: diagnosis for diagnosis in diagnoses(ratings(rows))}
    assert by_annotator["A"].drift_p is not None
    assert by_annotator["A"].drift_p < 0.001
    assert not any("changes" in flag for flag in by_annotator["A"].flags)
    more = [
        (who, "x", str(i), 50.0 + (10.0 * i if who == "A" else i % 3)) for i in range(40) for who in "ABC"
    ]
    flags = {diagnosis.annotator: diagnosis.flags for diagnosis in diagnoses(ratings(more))}["A"]
    assert any(flag.endswith("beside the panel's median (2 others, p < 0.001)") for flag in flags)


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
    by_annotator = {
        diagnosis.annotator: diagnosis for diagnosis in diagnoses(rankings(rows, ranking=np.array(numbers)))
    }
    assert (by_annotator["odd"].judgements, by_annotator["odd"].compared) == (count, 10 * count)
    assert any("does not agree" in flag for flag in by_annotator["odd"].flags) == flagged
    assert not any("does not agree" in flag for flag in by_annotator["one"].flags)
