"""Several test sets at once: means that count sets alike, and tests that hold as often as they say."""

import math
from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.comparison.comparing import compare_sets, measured_scores
from adjudge.comparison.plan import Plan
from adjudge.comparison.study_display import StudyDisplay
from adjudge.comparison.study_material import SetMeasure, StudyMaterial
from adjudge.comparison.verdict import comparison_verdict
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.errors import AdjudgeError, UsageError
from adjudge.report.render.formats import render, renderer_of

WORDS = np.array(["sun", "moon", "star", "sky", "sea", "land", "wind", "rain", "snow", "fire"])
FEW = Plan(resamples=50, trials=200)


def made(
    rng: np.random.Generator, kept: dict[str, float], segments: int = 30
) -> tuple[TestSet, tuple[Outputs, ...]]:
    references = [" ".join(rng.choice(WORDS, 8)) for _ in range(segments)]
    outputs = tuple(
        Outputs(
            name, [" ".join(w if rng.random() < share else "x" for w in line.split()) for line in references]
        )
        for name, share in kept.items()
    )
    return TestSet(references=[references]), outputs


def material(rng: np.random.Generator, *kept: dict[str, float]) -> list[StudyMaterial]:
    return [
        StudyMaterial(
            f"set{i}", *made(rng, own, 20 + 10 * i), language="de-en" if i % 2 else "fr-en", domain="d"
        )
        for i, own in enumerate(kept)
    ]


def test_a_mean_counts_every_set_alike() -> None:
    sets = material(np.random.default_rng(1), *[{"a": 0.8, "b": 0.5}] * 3)
    result = compare_sets(sets, ["chrf"], FEW)
    [table] = result.tables
    alone = {own.name: adjudge.score(own.test_set, own.outputs, "chrf").results[0].score for own in sets}
    scores = {(s.test_set, s.system): s.score for s in table.scores}
    assert {name: scores[name, "a"] for name in alone} == pytest.approx(alone)
    first = table.results[0]
    assert first.score == pytest.approx(np.mean(list(alone.values())))
    assert first.low < first.score < first.high
    assert [(g.by, g.name, g.sets) for g in table.groups] == [
        ("all", "all", ("set0", "set1", "set2")),
        ("language", "fr-en", ("set0", "set2")),
        ("language", "de-en", ("set1",)),
    ]
    [pair] = table.pairs
    assert (pair.a, pair.b, pair.sets, pair.sets_better, pair.significant) == ("a", "b", 3, 3, True)
    assert pair.delta == pytest.approx(first.score - table.results[1].score)


def test_a_system_that_is_missing_is_said_and_compared_where_it_is() -> None:
    rng = np.random.default_rng(2)
    sets = material(rng, {"a": 0.9, "b": 0.3}, {"a": 0.9, "b": 0.3, "c": 0.5}, {"a": 0.9, "c": 0.5})
    result = compare_sets(sets, ["chrf", "ter"], FEW)
    table = result.tables[0]
    means = {s.system: s for s in table.results}
    assert math.isfinite(means["a"].score)
    assert (means["b"].missing, means["c"].missing) == (("set2",), ("set0",))
    assert math.isnan(means["b"].score)
    assert {(p.a, p.b): p.sets for p in table.pairs} == {("a", "b"): 2, ("a", "c"): 2, ("b", "c"): 1}
    for form in ("text", "json", "tsv", "html", "markdown", "latex"):
        assert "set2" in render(renderer_of(StudyDisplay(result, "s"), version="1"), form)
    text = " ".join(render(renderer_of(StudyDisplay(result, "s"), version="1"), "text").split())
    assert "b has no output for set2, and so no mean" in text
    assert "a is better than b in the mean of 2 test sets" in text
    assert result.tables[1].pairs[0].delta < 0  # of errors, fewer


def test_sets_on_which_two_score_the_same_are_nobody_s_lead() -> None:
    sets = material(np.random.default_rng(2), {"b": 0.3, "a": 0.9}, {"b": 1.0, "a": 1.0})
    result = compare_sets(sets, ["chrf"], FEW)
    [pair] = result.tables[0].pairs
    assert (pair.a, pair.sets, pair.sets_better, pair.sets_worse) == ("b", 2, 0, 1)
    text = " ".join(render(renderer_of(StudyDisplay(result, "s"), version="1"), "text").split())
    assert "a is better than b in the mean of 2 test sets" in text
    assert "ahead on 1 of them" in text


def test_against_a_baseline() -> None:
    sets = material(np.random.default_rng(3), {"a": 0.9, "b": 0.3, "c": 0.5})
    result = compare_sets(sets, ["chrf"], Plan(resamples=5, trials=100, baseline="b"))
    assert {(p.a, p.b) for p in result.tables[0].pairs} == {("a", "b"), ("c", "b")}
    with pytest.raises(AdjudgeError, match="baseline"):
        compare_sets(sets, ["chrf"], Plan(baseline="z"))


def test_alike_systems_are_told_apart_as_often_as_it_says() -> None:
    rng = np.random.default_rng(8)
    alarms = 0
    for _ in range(120):
        sets = material(rng, *[{"a": 0.6, "b": 0.6}] * 3)
        result = compare_sets(sets, ["wer"], Plan(resamples=1, trials=200), threads=1)
        alarms += result.tables[0].pairs[0].significant
    assert 1 <= alarms <= 13  # 6 expected, standard deviation 2.4


def test_two_hundred_test_sets_stay_readable() -> None:
    sets = [
        StudyMaterial(
            f"set{i}", TestSet(references=[["a b c d"]]), (Outputs("x", ["a b c d" if i % 3 else "a"]),)
        )
        for i in range(200)
    ]
    result = compare_sets(sets, ["chrf"], Plan(resamples=2, trials=2))
    text = render(renderer_of(StudyDisplay(result, "s"), version="1"), "text")
    assert len(text.splitlines()) < 50
    assert "The 10 best and the 10 worst of 200 test sets" in text
    assert render(renderer_of(StudyDisplay(result, "s"), version="1"), "html").count("<tr>") > 200


def test_a_study_without_outputs() -> None:
    with pytest.raises(UsageError, match="no test set has a system output"):
        compare_sets([StudyMaterial("x", TestSet(references=[["a"]]), ())], ["chrf"])


@pytest.mark.parametrize("baseline", [None, "b"])
@pytest.mark.parametrize("method", ["randomisation", "bootstrap"])
def test_a_study_of_one_set_is_the_comparison_on_it(baseline: str | None, method: str) -> None:
    [only] = material(np.random.default_rng(4), {"a": 0.8, "b": 0.5, "c": 0.45})
    plan = Plan(resamples=120, trials=200, baseline=baseline, test=method, margin={"chrf": 2.0})
    study = compare_sets([only], ["chrf", "ter"], plan)
    alone = adjudge.compare(only.test_set, only.outputs, ["chrf", "ter"], plan)
    assert sorted(map(repr, study.results)) == sorted(map(repr, alone.results))
    assert study.pairs == tuple(
        replace(
            pair,
            sets_better=int(pair.delta > 0 if pair.metric == "chrf" else pair.delta < 0),
            sets_worse=int(pair.delta < 0 if pair.metric == "chrf" else pair.delta > 0),
        )
        for pair in alone.pairs
    )
    assert study.claims == alone.claims
    assert comparison_verdict(study).systems == comparison_verdict(alone).systems


def test_metrics_of_one_set_are_corrected_with_other_scores_over_the_family_of_all() -> None:
    [only] = material(np.random.default_rng(4), {"a": 0.8, "b": 0.7})
    scores = ScoreMatrix(("a", "b"), np.random.default_rng(5).normal(size=(2, len(only.test_set))))
    beside = replace(only, further=(SetMeasure(measured_scores(scores, "qe")),))
    plan = Plan(resamples=100, trials=2000, family="all")
    pairs = {pair.metric: pair for pair in compare_sets([beside], ["chrf"], plan).pairs}
    assert list(pairs) == ["chrf", "qe"]
    first, second = sorted(pairs.values(), key=lambda pair: pair.p)
    assert first.p_adjusted == pytest.approx(2 * first.p)
    assert second.p_adjusted == pytest.approx(max(second.p, 2 * first.p))


def test_a_baseline_without_output_on_a_set_is_met_on_the_others() -> None:
    sets = material(np.random.default_rng(6), {"a": 0.9, "b": 0.3}, {"a": 0.9}, {"a": 0.9, "b": 0.3})
    result = compare_sets(sets, ["chrf"], replace(FEW, baseline="b"))
    [pair] = result.pairs
    assert (pair.a, pair.b, pair.sets, pair.sets_better) == ("a", "b", 2, 2)
    assert {own.system: own.missing for own in result.results} == {"a": (), "b": ("set1",)}
    assert comparison_verdict(result).winner == "a"
