"""Annotators on one scale, translations as units, systems as means of translations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import Judgements
from adjudge.human.assessment import counting_judgements, scales, standardise, translations
from helpers.judged import drawn, ratings

rows = st.lists(
    st.tuples(
        st.sampled_from("xyz"), st.sampled_from("ab"), st.sampled_from("1234"), st.integers(0, 100).map(float)
    ),
    min_size=1,
    max_size=30,
)


@given(rows)
def test_every_annotator_has_mean_0_and_deviation_1(given_rows: list[tuple[str, str, str, float]]) -> None:
    judgements = ratings(given_rows)
    z = standardise(judgements)
    for code, flat in enumerate(scales(judgements).flat):
        own = z[judgements.annotator.codes == code]
        if flat:
            assert np.isnan(own).all()
        else:
            assert own.mean() == pytest.approx(0, abs=1e-9)
            assert own.std(ddof=1) == pytest.approx(1)


@given(rows, st.sampled_from("xyz"), st.floats(0.1, 5), st.floats(-50, 50))
def test_an_annotators_own_scale_does_not_matter(
    given_rows: list[tuple[str, str, str, float]], who: str, width: float, offset: float
) -> None:
    changed = [(w, s, i, offset + width * score if w == who else score) for w, s, i, score in given_rows]
    first, second = ratings(given_rows), ratings(changed)
    steady = ~scales(first).flat[first.annotator.codes]
    np.testing.assert_allclose(standardise(first)[steady], standardise(second)[steady], atol=1e-6)


def test_control_items_belong_to_an_annotators_scale_but_not_to_a_system() -> None:
    judgements = ratings(
        [("x", "a", "1", 80), ("x", "b", "1", 60), ("x", "a", "1", 10), ("x", "a", "1", 90)],
        ["ordinary", "ordinary", "bad reference", "repeat"],
    )
    own = scales(judgements)
    assert own.mean[0] == pytest.approx(60)
    assert own.deviation[0] == pytest.approx(np.std([80, 60, 10, 90], ddof=1))
    without = translations(judgements, judgements.score, which=counting_judgements(judgements, repeats=False))
    assert without.scores.tolist() == [80, 60]
    with_repeats = translations(
        judgements, judgements.score, which=counting_judgements(judgements, repeats=True)
    )
    assert with_repeats.scores.tolist() == [85, 60]
    assert with_repeats.judgements.tolist() == [[2], [1]]


def test_a_translation_judged_often_counts_once() -> None:
    judgements = ratings([("x", "a", "1", 0), ("y", "a", "1", 0), ("z", "a", "1", 0), ("x", "a", "2", 100)])
    cells = translations(judgements, judgements.score, which=counting_judgements(judgements, repeats=False))
    assert cells.scores.tolist() == [50]
    assert cells.distinct.tolist() == [2]
    assert cells.judgements.sum() == 4


@given(rows)
def test_by_judgement_each_is_a_unit(given_rows: list[tuple[str, str, str, float]]) -> None:
    judgements = ratings(given_rows)
    which = counting_judgements(judgements, repeats=False)
    cells = translations(judgements, judgements.score, which=which, by_judgement=True)
    assert cells.judgements.max() == 1
    assert cells.judgements.sum() == len(given_rows)
    for code, system in enumerate(judgements.system.names):
        mean = np.mean([score for _, s, _, score in given_rows if s == system])
        assert cells.scores[code] == pytest.approx(mean)


def test_who_always_says_the_same_has_no_z() -> None:
    judgements = ratings(
        [("x", "a", "1", 0.1 + 0.2), ("x", "b", "1", 0.3), ("y", "a", "1", 7), ("z", "a", "1", 7)]
    )
    assert scales(judgements).flat.tolist() == [False, True, True]
    same = ratings([("x", "a", str(i), 0.1) for i in range(10)])
    assert np.isnan(standardise(same)).all()


def test_an_annotator_without_a_name_has_no_z() -> None:
    judgements = ratings([("", "a", "1", 10), ("", "b", "1", 30), ("x", "a", "1", 10), ("x", "b", "1", 30)])
    assert np.isnan(standardise(judgements)).tolist() == [True, True, False, False]


def test_z_finds_what_scales_of_annotators_hide() -> None:
    judgements: Judgements = drawn(gap=6, items=200)
    which = counting_judgements(judgements, repeats=False)
    scores = translations(judgements, standardise(judgements), which=which).scores
    by_name = dict(zip(judgements.system.names, scores, strict=True))
    assert by_name["s0"] > by_name["s1"] > by_name["s2"]
