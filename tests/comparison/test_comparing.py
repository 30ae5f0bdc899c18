"""compare(): from outputs, rows or scores of people to a Comparison."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.comparison import compare, compare_scores, score
from adjudge.comparison.comparing import compare_measured
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import measured_means
from adjudge.comparison.scoring import TestSetFacts
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.errors import DataError, UsageError
from helpers.compared_systems import (
    DOMAINS,
    FAIR,
    FAST,
    GOOD,
    LIKE,
    POOR,
    REFERENCE,
    TEST_SET,
    broken,
    outcomes_of,
    pair_of,
    standing,
)


def test_scores_are_those_of_score_and_intervals_hold_them():
    comparison = compare(TEST_SET, [POOR, GOOD, FAIR], ["bleu", "ter"], **FAST)
    scores = score(TEST_SET, [POOR, GOOD, FAIR], ["bleu", "ter"])
    assert [(r.system, r.metric, r.score) for r in comparison.results] == [
        (r.system, r.metric, r.score) for r in scores.results
    ]
    assert all(r.low < r.score < r.high for r in comparison.results)
    assert [(p.a, p.b) for p in comparison.pairs if p.metric == "bleu"] == [
        ("poor", "good"),
        ("poor", "fair"),
        ("good", "fair"),
    ]


def test_clusters_ranks_and_wins_follow_the_better_direction():
    comparison = compare(TEST_SET, [POOR, GOOD, FAIR, LIKE], ["bleu", "ter"], trials=2000, resamples=200)
    for metric in ("bleu", "ter"):
        assert [standing(comparison, s, metric).cluster for s in ("good", "fair", "like", "poor")] == [
            1,
            2,
            2,
            3,
        ]
        assert standing(comparison, "fair", metric).rank == (2, 3)
        assert standing(comparison, "poor", metric).rank_interval == (4, 4)
        best = pair_of(comparison, "poor", "good", metric)
        assert (best.wins, best.ties, best.losses) == (0, 0, 200)
        assert best.significant
        assert best.effect < 0
        assert best.worse_on > 0.8 > 0.1 > best.better_on
        even = pair_of(comparison, "fair", "like", metric)
        assert not even.significant
        assert even.detectable > abs(even.delta)
    assert (
        pair_of(comparison, "poor", "good", "bleu").delta
        < 0
        < pair_of(comparison, "poor", "good", "ter").delta
    )


@pytest.mark.parametrize(("family", "tests"), [("metric", 3), ("all", 9)])
def test_correction_is_over_the_pairs_of_a_metric_or_of_all(family, tests):
    systems, metrics = [GOOD, FAIR, POOR], ["bleu", "chrf", "ter"]
    comparison = compare(TEST_SET, systems, metrics, family=family, **FAST)
    assert (comparison.test.comparisons, comparison.test.family) == (tests, family)
    smallest = min(p.p for p in comparison.pairs)
    assert min(p.p_adjusted for p in comparison.pairs) == pytest.approx(tests * smallest)
    raw = compare(TEST_SET, [GOOD, FAIR, POOR], ["bleu", "chrf", "ter"], correction="none", **FAST)
    assert [p.p for p in raw.pairs] == [p.p_adjusted for p in raw.pairs] == [p.p for p in comparison.pairs]


def test_a_baseline_is_tested_against_all_others_and_there_are_no_clusters():
    comparison = compare(TEST_SET, [GOOD, FAIR, POOR], "bleu", baseline="fair", **FAST)
    assert [(p.a, p.b) for p in comparison.pairs] == [("good", "fair"), ("poor", "fair")]
    assert {(r.cluster, r.rank) for r in comparison.results} == {(None, None)}
    assert standing(comparison, "good").rank_interval == (1, 1)
    assert comparison.test.baseline == "fair"


@pytest.mark.parametrize("method", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("unit", ["segment", "document"])
def test_identical_systems_have_p_1(method, unit):
    twin = replace(GOOD, system="twin")
    comparison = compare(TEST_SET, [GOOD, twin], ["bleu", "ter"], test=method, unit=unit, **FAST)
    for p in comparison.pairs:
        assert (p.delta, p.p, p.p_adjusted, p.significant) == (0, 1, 1, False)
        assert (p.wins, p.losses, p.better_on, p.worse_on) == (0, 0, 0, 0)
        assert p.ties == comparison.test.resamples
        assert np.isnan(p.effect)
        assert np.isnan(p.detectable)
    assert [r.cluster for r in comparison.results] == [1, 1, 1, 1]


@pytest.mark.parametrize("options", [{}, {"test": "bootstrap"}, {"unit": "document"}, {"strata": "domain"}])
def test_threads_change_nothing(options):
    first, three = (
        compare(TEST_SET, [GOOD, FAIR, POOR], ["bleu", "nist", "ter"], threads=t, **FAST, **options)
        for t in (1, 3)
    )
    assert first == three


def test_progress_is_told_while_testing():
    steps = []
    compare(TEST_SET, [GOOD, FAIR], "bleu", **FAST, progress=lambda *step: steps.append(step))
    assert ("testing BLEU", 0, 500) in steps
    assert steps[-1] == ("done", 1, 1)


def test_the_seed_is_all_that_varies():
    values = [compare(TEST_SET, [GOOD, FAIR], "bleu", seed=s, **FAST) for s in (1, 1, 2)]
    assert values[0] == values[1]
    assert standing(values[0], "good").low != standing(values[2], "good").low


def test_strata_keep_their_share():
    # Two strata that differ in nothing but their level: drawing within them leaves no spread at all.
    matrix = ScoreMatrix(("a", "b"), np.array([[0.0] * 20 + [1.0] * 20, [0.5] * 40]))
    labels = {"half": ["low"] * 20 + ["high"] * 20}
    free = compare_scores(matrix, labels=labels, **FAST)
    held = compare_scores(matrix, labels=labels, strata="half", **FAST)
    assert standing(free, "a", "score").deviation > 0.05
    assert standing(held, "a", "score").deviation == 0


def test_human_scores_with_gaps_go_the_same_way():
    rng = np.random.default_rng(3)
    base = rng.normal(70, 10, 200)
    scores = np.stack([base + rng.normal(6, 5, 200), base + rng.normal(0, 5, 200), base])
    scores[0, :20] = np.nan
    comparison = compare_scores(ScoreMatrix(("x", "y", "z"), scores), name="DA", resamples=300)
    assert standing(comparison, "x", "DA").score == pytest.approx(np.nanmean(scores[0]))
    assert pair_of(comparison, "x", "y", "DA").significant
    assert standing(comparison, "x", "DA").cluster == 1
    ahead = scores[0, 20:] > scores[1, 20:]
    assert pair_of(comparison, "x", "y", "DA").better_on == pytest.approx(ahead.mean())
    # The interval is that of a mean.
    z = standing(comparison, "z", "DA")
    assert z.deviation == pytest.approx(base.std(ddof=1) / np.sqrt(200), rel=0.2)


def test_people_who_prefer_low_numbers():
    scores = np.array([[1.0, 2, 1, 2] * 20, [3.0, 4, 3, 5] * 20])
    comparison = compare_scores(ScoreMatrix(("a", "b"), scores), name="MQM", higher_is_better=False)
    assert (standing(comparison, "a", "MQM").cluster, standing(comparison, "b", "MQM").cluster) == (1, 2)
    assert pair_of(comparison, "a", "b", "MQM").wins == comparison.test.resamples


def test_runs_are_one_system_with_two_kinds_of_spread():
    runs = [Outputs("fair", broken(0.25, seed), run=str(seed)) for seed in (2, 3, 5)]
    comparison = compare(TEST_SET, [*runs, replace(GOOD, run="1"), POOR], "bleu", **FAST)
    scores = [r.score for r in score(TEST_SET, runs, "bleu").results]
    fair = standing(comparison, "fair")
    assert fair.runs == 3
    assert fair.score == pytest.approx(np.mean(scores))
    assert fair.run_deviation == pytest.approx(np.std(scores, ddof=1))
    assert fair.run_scores == pytest.approx(scores)
    alone = [compare(TEST_SET, [replace(r, run=""), POOR], "bleu", **FAST) for r in runs]
    assert fair.deviation == pytest.approx(np.mean([standing(entry, "fair").deviation for entry in alone]))
    assert standing(comparison, "poor").run_deviation is None
    assert len(comparison.pairs) == 3
    assert pair_of(comparison, "fair", "good").significant
    assert any(
        w.startswith("good and poor: with fewer than three training runs") for w in comparison.warnings
    )


def test_runs_of_one_system_do_not_touch_pairs_of_others():
    runs = [Outputs("fair", broken(0.25, seed), run=str(seed)) for seed in (2, 3, 5)]
    comparison = compare(TEST_SET, [*runs, LIKE, POOR], "bleu", **FAST)
    alone = compare(TEST_SET, [LIKE, POOR], "bleu", **FAST)
    assert pair_of(comparison, "like", "poor").p == pair_of(alone, "like", "poor").p


def test_three_runs_each_need_no_warning():
    systems = [
        Outputs(name, broken(share, 10 * i + run), run=str(run))
        for i, (name, share) in enumerate([("a", 0.2), ("b", 0.3)])
        for run in range(3)
    ]
    assert not compare(TEST_SET, systems, "chrf", **FAST).warnings


def test_groups_hold_the_same_comparison_of_some_segments():
    comparison = compare(TEST_SET, [GOOD, FAIR], "bleu", by=["domain"], **FAST)
    assert [dict(g.by) for g in comparison.groups] == [{}, {"domain": "news"}, {"domain": "talks"}]
    assert [g.segments for g in comparison.groups] == [120, 60, 60]
    assert comparison.groups[0].results == comparison.results
    news = compare(
        TEST_SET[:60], [replace(s, segments=s.segments[:60]) for s in (GOOD, FAIR)], "bleu", **FAST
    )
    assert comparison.groups[1].results == news.results
    assert comparison.groups[1].pairs == news.pairs


def test_labels_are_crossed_and_lengths_go_from_short_to_long():
    comparison = compare(TEST_SET, [GOOD, FAIR], "bleu", by=["domain", "length"], **FAST)
    groups = [dict(g.by) for g in comparison.groups[1:]]
    assert {g["domain"] for g in groups} == {"news", "talks"}
    assert [g["length"] for g in groups] == sorted(g["length"] for g in groups)
    assert sum(g.segments for g in comparison.groups[1:]) == 120


def test_more_tests_get_more_trials_and_too_few_are_told():
    outputs = [Outputs(f"s{i}", broken(0.02 * i, i)) for i in range(12)]
    comparison = compare(TEST_SET, outputs, ["bleu", "wer", "per", "ter"], resamples=50, alpha=0.01)
    assert comparison.test.comparisons == 66
    assert 66 / (comparison.test.trials + 1) < 0.01 / 10
    few = compare(TEST_SET, outputs[:4], "bleu", **{**FAST, "trials": 100})
    assert not any(p.significant for p in few.pairs)
    assert any("--trials 1201" in w for w in few.warnings)


def test_neutral_metrics_have_no_clusters():
    comparison = compare(TEST_SET, [GOOD, FAIR], "length-ratio", **FAST)
    assert {(r.cluster, r.rank, r.rank_interval) for r in comparison.results} == {(None, None, None)}


def test_half_sampling_has_the_same_spread():
    plain, half = (
        standing(compare(TEST_SET, [GOOD, FAIR], "bleu", sampling=s, resamples=2000), "good")
        for s in ("bootstrap", "half")
    )
    assert half.deviation == pytest.approx(plain.deviation, rel=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "god"}, "did you mean 'good'"),
        ({"test": "t-test"}, "unknown test"),
        ({"correction": "bonferroni"}, "unknown correction"),
        ({"alpha": 1.5}, "between 0 and 1"),
        ({"confidence": 0.0}, "between 0 and 1"),
        ({"trials": 0}, "from 1 up"),
        ({"resamples": -1}, "from 1 up"),
        ({"seed": -1}, "whole number from 0"),
        ({"unit": "chapter"}, "no label 'chapter' to draw by; there are: document "),
        ({"by": ["origin"]}, "no label 'origin' to group by"),
        ({"strata": "speaker"}, "no label 'speaker'"),
    ],
)
def test_bad_questions_are_answered(options, message):
    with pytest.raises(UsageError, match=message):
        compare(TEST_SET, [GOOD, FAIR], "bleu", **options)


def test_a_document_in_two_strata_is_refused():
    labels = {"document": ("d",) * 120, "domain": DOMAINS}
    with pytest.raises(DataError, match="lies in two strata"):
        compare(
            TestSet(references=(REFERENCE,), labels=labels),
            [GOOD, FAIR],
            "bleu",
            unit="document",
            strata="domain",
        )


def test_one_system_is_no_comparison():
    with pytest.raises(UsageError, match="there is only 'good'"):
        compare(TEST_SET, [GOOD], "bleu")
    with pytest.raises(UsageError, match="there is none"):
        compare(TEST_SET, [], "bleu")


def test_unknown_options_of_stored_rows():
    with pytest.raises(UsageError, match="did you mean 'trials'"):
        compare_scores(ScoreMatrix(("a", "b"), np.ones((2, 3))), trails=3)


@pytest.mark.parametrize(
    ("method", "drawn"),
    [
        ("randomisation", {"unit": "one"}),
        ("bootstrap", {"unit": "one"}),
        ("bootstrap", {"unit": "document", "strata": "document"}),
    ],
)
def test_one_unit_shows_nothing(method, drawn):
    test_set = replace(TEST_SET, labels={**TEST_SET.labels, "one": ("x",) * len(REFERENCE)})
    comparison = compare(test_set, [GOOD, POOR], "bleu", test=method, **drawn, **FAST)
    (only,) = comparison.pairs
    assert (only.p, only.significant) == (1.0, False)
    assert np.isnan(only.detectable)
    assert any(
        "no difference can be significant, however large it is" in claim for claim in comparison.claims
    )


def test_few_units_cannot_show_what_the_formula_says():
    """Six segments allow no p below 2/64: by two metrics and Holm that is above 0.05."""
    test_set = TestSet(references=(REFERENCE[:6],))
    outputs = [replace(entry, segments=entry.segments[:6]) for entry in (GOOD, POOR)]
    comparison = compare(test_set, outputs, ["bleu", "chrf"], family="all", **FAST)
    assert all(np.isnan([pair.detectable, pair.low, pair.high]).all() for pair in comparison.pairs)
    assert comparison.claims[0] == (
        "With 6 segments no difference can be significant, however large it is: the smallest p possible is "
        "0.062 after Holm's correction."
    )
    (alone,) = compare(test_set, outputs, "chrf", **FAST).pairs
    assert np.isfinite(alone.detectable)


@pytest.mark.parametrize("method", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("correction", ["holm", "bh", "none"])
def test_intervals_leave_out_0_where_p_is_significant_and_only_there(method, correction):
    """Cut off at 0 where Holm's later steps decided; a bound of exactly 0 belongs to what the star says."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        hard = rng.normal(size=60)
        scores = np.stack([hard + 0.16 * s + 0.5 * rng.normal(size=60) for s in range(5)])
        pairs = outcomes_of(scores, correction, method, seed=seed).pairs
        assert any(p.significant for p in pairs)
        for pair in pairs:
            assert pair.low <= pair.delta <= pair.high
            leaves_out = pair.low >= 0 or pair.high <= 0
            assert leaves_out == pair.significant or 0 in (pair.low, pair.high)
            if not pair.significant:
                assert pair.low <= 0 <= pair.high


def test_intervals_hold_together():
    """Ten intervals of 95 % each would all hold the truth in three of four cases only."""
    together = alone = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        scores = 50 + 0.3 * np.arange(5)[:, None] + rng.normal(size=(5, 80))
        for correction in ("holm", "none"):
            pairs = outcomes_of(scores, correction, trials=400, resamples=1, seed=seed).pairs
            truth = [0.3 * ("abcde".index(p.a) - "abcde".index(p.b)) for p in pairs]
            hold = all(p.low <= t <= p.high for p, t in zip(pairs, truth, strict=True))
            together += hold and correction == "holm"
            alone += hold and correction == "none"
    assert together >= 200 * 0.95 - 3 * (200 * 0.95 * 0.05) ** 0.5
    assert alone < 0.85 * 200


def test_a_p_at_the_floor_of_the_trials_is_said():
    many = [Outputs(f"s{i}", broken(0.05 * i, i)) for i in range(6)]
    short = compare(TEST_SET, many, "bleu", **{**FAST, "trials": 999})
    assert short.claims[0] == (
        "With 999 trials no p can be below 0.015 after Holm's correction for 15 comparisons: such a p may be far "
        "smaller in truth (--trials 3001 are enough to see it)."
    )
    enough = compare(TEST_SET, many, "bleu", resamples=100)
    assert "trials" not in enough.claims[0]


def test_an_alpha_that_no_number_of_trials_reaches_is_refused():
    with pytest.raises(UsageError, match="more than 100,000,000 trials"):
        compare(TEST_SET, [GOOD, FAIR], "bleu", alpha=1e-320)


def test_alpha_itself_is_significant():
    """p ≤ alpha."""
    for method in ("randomisation", "bootstrap"):
        tested = {"test": method, **FAST}
        (p,) = (pair.p for pair in compare(TEST_SET, [FAIR, LIKE], "ter", **tested).pairs)
        for alpha, wanted in ((p, True), (np.nextafter(p, 0), False)):
            comparison = compare(TEST_SET, [FAIR, LIKE], "ter", alpha=float(alpha), **tested)
            assert comparison.pairs[0].significant is wanted, method
            assert len({result.cluster for result in comparison.results}) == 1 + wanted, method


def test_repeated_segments_are_drawn_as_one() -> None:
    """Six segments sixty times over show no more than six segments do."""
    outputs = [replace(entry, segments=entry.segments[:6]) for entry in (GOOD, POOR)]
    once = compare(TestSet(references=(REFERENCE[:6],)), outputs, "chrf", **FAST)
    again = [replace(entry, segments=entry.segments * 60) for entry in outputs]
    often = compare(TestSet(references=(REFERENCE[:6] * 60,)), again, "chrf", **FAST)
    assert (once.design.unit, often.design.unit) == ("segment", "text")
    assert often.design.units == 6
    assert often.pairs[0].p == once.pairs[0].p
    assert "354 of 360 segments repeat another: each of the 6 distinct ones is drawn as one." in often.claims
    alone = compare(TestSet(references=(REFERENCE[:6] * 60,)), again, "chrf", unit="segment", **FAST)
    assert alone.pairs[0].p < often.pairs[0].p


def test_few_repeated_segments_are_left_as_they_are() -> None:
    outputs = [replace(entry, segments=(*entry.segments, *entry.segments[:2])) for entry in (GOOD, POOR)]
    references = ((*REFERENCE, *REFERENCE[:2]),)
    assert len(set(REFERENCE)) > 0.96 * len(references[0])
    assert compare(TestSet(references=references), outputs, "chrf", **FAST).design.unit == "segment"


def test_training_runs_are_a_grouping_with_its_design_effect():
    """Runs that lie further apart than the choice of segments moves them: other runs would say something else."""
    rng = np.random.default_rng(2)
    of_segments = rng.normal(50, 1, 60)

    def runs(luck: float):
        scores = [of_segments + luck * run + rng.normal(0, 1, 60) for run in (-1, 0, 1)]
        return tuple(np.stack([own, np.ones(60)], axis=1) for own in scores)

    def design_of(rows):
        facts = TestSetFacts("", 60, 0, "")
        return compare_measured([measured_means("x", rows)], facts, plan=Plan(trials=200)).design

    (grouping,) = design_of({"a": runs(2), "b": runs(2)}).groupings
    spread = sum(np.std([own[:, 0].mean() for own in runs(2)], ddof=1) ** 2 / 3 for _ in "ab")
    assert (grouping.name, grouping.groups) == ("training run", 6)
    assert grouping.effect == pytest.approx(np.sqrt(spread / (2 / (3 * 60))), rel=0.2)
    assert not design_of({"a": runs(2), "b": runs(2)}).sound
    assert design_of({"a": runs(0), "b": runs(0)}).groupings[0].effect < 2
    single = design_of({"a": runs(2), "b": runs(0)[:1]})
    assert single.sound
    assert single.reservations() == ("The result is about these 4 training runs, not about others.",)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["", "document", "text"]))
@settings(max_examples=20, deadline=None)
def test_no_score_changes_the_unit_that_is_chosen(seed, label):
    rng = np.random.default_rng(seed)
    labels = {label: [str(i // 3) for i in range(30)]} if label else {}
    scores = rng.normal(size=(2, 30))
    units = set()
    for own in (scores, rng.permutation(scores, axis=1), scores[::-1] * 1000, np.zeros((2, 30))):
        compared = compare_scores(ScoreMatrix(("a", "b"), own), Plan(trials=50, resamples=50), labels=labels)
        units.add((compared.design.unit, compared.design.units, compared.design.reason))
    assert len(units) == 1
