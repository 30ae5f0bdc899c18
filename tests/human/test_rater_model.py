"""Ratings by a mixed model: what is claimed of systems freed of their raters' severity."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from adjudge.data.judgements import BAD_REFERENCE, REPEAT, NameColumn
from adjudge.errors import UsageError
from adjudge.human import model_display
from adjudge.human.rater_model import fit_rater_model, ratings_model
from adjudge.stats.mixed import fit_mixed_model
from helpers.judging import rankings, ratings, read_wmt21


@pytest.fixture(scope="module")
def judged():
    """Three systems, of which x and y are close; B is severe."""
    rng = np.random.default_rng(3)
    quality, severity = {"x": 60, "y": 58, "z": 20}, {"A": 0, "B": -20, "C": 5}
    return ratings(
        (who, system, str(item), quality[system] + severity[who] + 4 * rng.normal())
        for item in range(8)
        for who in severity
        for system in quality
    )


def test_alpha_itself_is_significant(judged):
    """For a pair as for a cluster: p ≤ alpha."""
    usual = fit_rater_model(judged)
    close, *clear = usual.pairs
    assert {close.a, close.b} == {"x", "y"}
    assert usual.alpha == 0.05
    assert all(pair.significant for pair in clear)
    for alpha, told_apart in ((close.p_adjusted, True), (float(np.nextafter(close.p_adjusted, 0)), False)):
        model = fit_rater_model(judged, alpha=alpha)
        assert model.pairs[0].significant is told_apart
        assert [system.cluster for system in model.systems] == ([1, 2, 3] if told_apart else [1, 1, 2])


def test_intervals_are_those_of_the_level(judged):
    """95 % where nothing else is asked for, and the result says which."""
    fit = ratings_model(judged)
    degrees = dict(zip(fit.systems, np.diag(fit.model.degrees), strict=True))
    for options, level in (({}, 0.95), ({"confidence": 0.8}, 0.8)):
        model = fit_rater_model(judged, **options)
        assert model.confidence == level
        for system in model.systems:
            low, high = t.interval(level, degrees[system.system], system.score, system.error)
            assert (system.low, system.high) == pytest.approx((low, high))


def test_the_best_come_first_whichever_way_better_lies(judged):
    for higher, order in ((True, "xyz"), (False, "zyx")):
        model = fit_rater_model(replace(judged, higher_is_better=higher))
        assert "".join(system.system for system in model.systems) == order
        assert model.higher_is_better is higher
        assert [(pair.a, pair.b) for pair in model.pairs] == [
            (order[0], order[1]), (order[0], order[2]), (order[1], order[2])
        ]  # fmt: skip


def test_figures_are_the_model_s_own_under_their_names(judged):
    fit, model = ratings_model(judged), fit_rater_model(judged)
    scores = dict(zip(fit.systems, fit.model.systems, strict=True))
    assert {system.system: system.score for system in model.systems} == scores
    assert sorted(model.severity, key=model.severity.get) == ["B", "A", "C"]
    assert (model.judgements, model.converged) == (72, True)
    for pair in model.pairs:
        assert pair.delta == pytest.approx(scores[pair.a] - scores[pair.b])


def test_it_says_what_the_errors_hold_for(judged):
    """Not for other annotators where one judged everything; for other documents where they are labelled."""
    assert fit_rater_model(judged).holds_for == ("annotators", "items")
    alone = judged[judged.annotator.codes == 0]
    assert fit_rater_model(alone).holds_for == ("items",)
    by_document = replace(
        judged, labels={"document": NameColumn.of([f"d{i % 4}" for i in judged.item.codes])}
    )
    model = fit_rater_model(by_document)
    assert model.holds_for == ("annotators", "documents", "items")
    assert "document_system" in model.variances
    [said] = [
        s for s in model_display.sections(fit_rater_model(alone))[0].sentences if s.startswith("Errors")
    ]
    assert said == "Errors hold for other items of their kind; they say nothing of other annotators."


def test_names_stand_beside_figures():
    rng = np.random.default_rng(0)
    rows = [
        (who, system, str(item), {"A": 0, "B": -20, "C": 5}[who] + {"x": 50, "y": 55}[system] + rng.normal())
        for item in range(10)
        for who in "ABC"
        for system in "xy"
        if (who, system) != ("B", "y") or item > 6
    ]
    correction = ratings_model(ratings(rows))
    assert (correction.systems, correction.annotators, correction.left_out) == (
        ("x", "y"),
        ("A", "B", "C"),
        0,
    )
    assert correction.model.differences().delta[1, 0] == pytest.approx(5, abs=0.8)
    assert np.argsort(correction.model.raters).tolist() == [1, 0, 2]


def test_only_what_was_judged_for_its_own_sake_counts():
    rng = np.random.default_rng(1)
    rows = [(who, s, str(i), float(rng.integers(100))) for who in "AB" for s in "xy" for i in range(6)]
    kinds = np.zeros(len(rows), np.int8)
    kinds[0], kinds[5] = BAD_REFERENCE, REPEAT
    judged = ratings([*rows, ("", "x", "1", 3.0)], kind=np.append(kinds, 0).astype(np.int8))
    correction = ratings_model(judged)
    assert (correction.left_out, correction.model.judgements) == (3, 22)
    assert ratings_model(judged, repeats=True).model.judgements == 23
    with pytest.raises(UsageError, match="rankings, not ratings"):
        ratings_model(rankings([("A", "x", "y", "1", 1)]))


def test_real_ratings(shared):
    judged = read_wmt21(shared.data / "01_wmt21_da_toen" / "is-en" / "human")
    correction = ratings_model(judged)
    assert correction.model.converged
    ordinary = judged[judged.kind == 0]
    codes = (c.codes.astype(int) for c in (ordinary.system, ordinary.annotator, ordinary.item))
    again = fit_mixed_model(ordinary.score, *codes)
    np.testing.assert_allclose(correction.model.systems, again.systems, rtol=1e-9)
    # Crowd workers differ by far more than systems do, and less by what they judge
    assert correction.model.variances["rater"] > correction.model.variances["item"]
    best = correction.systems[int(np.argmax(correction.model.systems))]
    worst = correction.systems[int(np.argmin(correction.model.systems))]
    assert (best, worst) == ("Facebook-AI", "Online-G")  # as in the official ranking by z
