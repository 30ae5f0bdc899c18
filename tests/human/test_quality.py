"""Who tells damaged translations from whole ones, by tests that scipy knows too."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

from adjudge.data.judgements import NameColumn
from adjudge.errors import UsageError
from adjudge.human.mqm import weigh_errors
from adjudge.human.quality import failed_annotators, quality
from adjudge.io.judgements import read
from helpers.judged import ratings


def controlled(
    whole: list[float], damaged: list[float], who: str = "x"
) -> tuple[list[tuple[str, str, str, float]], list[str]]:
    rows = [(who, "a", str(i), score) for i, score in enumerate(whole)]
    rows += [(who, "a", str(i), score) for i, score in enumerate(damaged)]
    return rows, ["ordinary"] * len(whole) + ["bad reference"] * len(damaged)


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=20))
def test_p_is_that_of_scipys_paired_test(scores: list[tuple[int, int]]) -> None:
    whole, damaged = ([float(score) for score in column] for column in zip(*scores, strict=True))
    (control,) = quality(ratings(*controlled(whole, damaged)))
    lower = np.subtract(whole, damaged)
    if np.ptp(lower) > 0:
        assert control.p == pytest.approx(stats.ttest_rel(whole, damaged, alternative="greater").pvalue)
    else:
        assert control.p == (0.0 if lower[0] > 0 else 1.0)
    (ranked,) = quality(ratings(*controlled(whole, damaged)), test="rank-sum")
    expected = stats.mannwhitneyu(whole, damaged, alternative="greater", method="asymptotic").pvalue
    assert ranked.p == pytest.approx(expected, nan_ok=True)


def test_who_pays_no_attention_fails() -> None:
    attentive, kinds = controlled([80, 75, 90, 60, 85], [20, 40, 30, 10, 50], "attentive")
    bored, more = controlled([80, 75, 90, 60, 85], [82, 70, 95, 65, 80], "bored")
    controls = quality(ratings(attentive + bored, kinds + more))
    assert [control.passed for control in controls] == [True, False]
    assert failed_annotators(controls) == ("bored",)
    assert "damaged translations score no worse than whole ones" in controls[1].flags
    assert controls[0].damaged_mean == pytest.approx(30)
    assert controls[0].whole_mean == pytest.approx(78)


def test_damage_is_held_against_the_same_translation_by_the_same_annotator() -> None:
    rows = [
        ("x", "a", "1", 90.0),
        ("y", "a", "1", 10.0),
        ("x", "a", "1", 20.0),
        ("x", "b", "1", 5.0),
        ("x", "a", "2", 3.0),
    ]
    kinds = ["ordinary", "ordinary", "bad reference", "bad reference", "bad reference"]
    x, y = quality(ratings(rows, kinds))
    assert (x.damaged, x.whole_mean, x.damaged_mean) == (1, 90, 20)
    assert (y.damaged, y.p, y.passed) == (0, None, None)
    assert math.isnan(y.damaged_mean)


def test_repeats_tell_how_steady_someone_is() -> None:
    rows = [("x", "a", "1", 50.0), ("x", "a", "2", 60.0), ("x", "a", "1", 40.0), ("x", "a", "2", 66.0)]
    (control,) = quality(ratings(rows, ["ordinary", "ordinary", "repeat", "repeat"]))
    assert (control.repeats, control.repeat_difference) == (2, 8)


def test_fast_hits_are_flagged() -> None:
    rows = [("x", "a", str(i), 10.0 * i) for i in range(4)]
    timed = ratings(
        rows,
        labels={"hit": NameColumn.of(["h1", "h1", "h2", "h2"])},
        start=np.array([0.0, 100.0, 1000.0, 1400.0]),
        seconds=np.array([10.0, 150.0, 10.0, 10.0]),
    )
    (control,) = quality(timed)
    assert control.fastest_hit == 250
    assert control.flags == ("HIT in less than 300 s",)
    recorded = ratings(
        rows, labels={"hit": NameColumn.same("h", 4)}, measures={"hit_seconds": np.full(4, 400.0)}
    )
    assert quality(recorded)[0].fastest_hit == 400


def test_low_references_are_flagged() -> None:
    rows = [("x", "a", str(i), 80.0 + i) for i in range(8)] + [("x", "a", str(i), 30.0) for i in range(3)]
    (control,) = quality(ratings(rows, ["ordinary"] * 8 + ["reference"] * 3))
    assert control.reference_mean == 30
    assert control.flags == ("references score badly",)


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(UsageError, match="paired-t"):
        quality(ratings([("x", "a", "1", 1.0)]), test="paird-t")


def test_penalties_are_the_other_way_round() -> None:
    """Damage must weigh more, and a reference without a penalty is no bad one."""
    attentive, kinds = controlled([0, 1, 0, 5, 1], [10, 6, 5, 11, 7], "attentive")
    bored, more = controlled([0, 1, 0, 5, 1], [0, 0, 1, 5, 0], "bored")
    references = [(who, "ref", str(i), 0.0) for who in ("attentive", "bored") for i in range(3)]
    controls = quality(
        ratings(
            attentive + bored + references,
            kinds + more + ["reference"] * len(references),
            protocol="mqm",
            higher_is_better=False,
        )
    )
    assert [control.passed for control in controls] == [True, False]
    assert [control.flags for control in controls] == [
        (),
        ("damaged translations score no worse than whole ones",),
    ]
    assert (controls[0].damaged_mean, controls[0].whole_mean) == (pytest.approx(7.8), pytest.approx(1.4))


@pytest.mark.parametrize("test", ["paired-t", "rank-sum"])
def test_penalties_are_scores_turned_round(test: str) -> None:
    rows, kinds = controlled([3, 1, 0, 5, 1, 2], [10, 0, 5, 4, 7, 2])
    turned = [(*row[:3], -row[3]) for row in rows]
    (control,) = quality(ratings(rows, kinds, higher_is_better=False), test=test)
    (other,) = quality(ratings(turned, kinds), test=test)
    assert (control.p, control.passed, control.flags) == (other.p, other.passed, other.flags)


def test_annotators_of_real_mqm_notice_damage(shared) -> None:  # type: ignore[no-untyped-def]
    """The campaign beside ESA had damaged segments: nearly all of its annotators marked more errors there."""
    path = shared.data / "03_wmt23_mqm_esa" / "en-de" / "esa_campaign" / "240315rc5MQM.scores.csv"
    controls = quality(weigh_errors(read([str(path)]).judgements).judgements)
    assert sum(control.passed is True for control in controls) == 31
    assert len(failed_annotators(controls)) == 2


@pytest.mark.parametrize(("seconds", "flagged"), [(299.9, True), (300.0, False)])
def test_a_hit_of_300_seconds_is_not_too_fast(seconds: float, flagged: bool) -> None:
    rows = [("x", "a", str(i), 50.0 + i) for i in range(4)]
    timed = ratings(
        rows, labels={"hit": NameColumn.same("h", 4)}, measures={"hit_seconds": np.full(4, seconds)}
    )
    assert (quality(timed)[0].flags == ("HIT in less than 300 s",)) is flagged


@pytest.mark.parametrize(
    ("deviations", "references", "flagged"),
    [(-0.45, 2, False), (-0.55, 2, True), (-0.55, 1, False), (0.55, 2, False)],
)
def test_references_are_low_from_half_a_deviation_below_the_mean_on(
    deviations: float, references: int, flagged: bool
) -> None:
    """A single one shows nothing, and higher penalties are what low scores are."""
    ordinary = np.linspace(20, 80, 60).tolist()

    def off(reference: float) -> float:
        scores = np.array([*ordinary, *[reference] * references])
        return float((reference - scores.mean()) / scores.std(ddof=1))

    reference = float(brentq(lambda value: off(value) - deviations, 0, 100))
    scores = [*ordinary, *[reference] * references]
    kinds = ["ordinary"] * len(ordinary) + ["reference"] * references
    for higher in (True, False):
        rows = [("x", "a", str(i), score if higher else -score) for i, score in enumerate(scores)]
        changed = replace(ratings(rows, kinds), higher_is_better=higher)
        assert (quality(changed)[0].flags == ("references score badly",)) is flagged
