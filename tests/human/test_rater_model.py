"""Ratings by a mixed model: what is claimed of systems freed of their raters' severity."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from adjudge.data.judgements import NameColumn
from adjudge.human.corrected import corrected
from adjudge.human.rater_model import fit_rater_model
from adjudge.report.pages.human import modelling
from helpers.judging import ratings


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
    close = fit_rater_model(judged).pairs[0]
    assert {close.a, close.b} == {"x", "y"}
    for alpha, told_apart in ((close.p_adjusted, True), (float(np.nextafter(close.p_adjusted, 0)), False)):
        model = fit_rater_model(judged, alpha=alpha)
        assert model.pairs[0].significant is told_apart
        assert [system.cluster for system in model.systems] == ([1, 2, 3] if told_apart else [1, 1, 2])


def test_intervals_are_those_of_the_level(judged):
    """95 % where nothing else is asked for, and the result says which."""
    fit = corrected(judged)
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
    fit, model = corrected(judged), fit_rater_model(judged)
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
    [said] = [s for s in modelling.sections(fit_rater_model(alone))[0].sentences if s.startswith("Errors")]
    assert said == "Errors hold for other items of their kind; they say nothing of other annotators."
