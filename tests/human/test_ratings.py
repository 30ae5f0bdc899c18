"""Ratings to decisions: tests and clusters shared with the metrics, and every odd campaign has an answer."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from adjudge.data.error_weights import ErrorWeights
from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, NameColumn, Span
from adjudge.errors import DataError, UsageError
from adjudge.human.ratings import analyse_ratings
from helpers.judged import QUICK, drawn, ratings


def test_p_is_that_of_scipy_on_translations() -> None:
    judgements = drawn(systems=2, items=40)
    analysis = analyse_ratings(judgements, score="raw", test="rank-sum", **QUICK)
    cells = {
        system: [
            judgements.score[(judgements.system.codes == s) & (judgements.item.codes == i)].mean()
            for i in range(len(judgements.item.names))
        ]
        for s, system in enumerate(judgements.system.names)
    }
    (pair,) = analysis.groups[0].pairs
    expected = stats.mannwhitneyu(cells[pair.a], cells[pair.b], method="asymptotic").pvalue
    assert pair.p == pytest.approx(expected)
    assert pair.better_on == np.mean(np.array(cells[pair.a]) > np.array(cells[pair.b]))
    paired = analyse_ratings(judgements, score="raw", test="signed-rank", **QUICK).groups[0].pairs[0]
    wanted = stats.wilcoxon(cells[pair.a], cells[pair.b], method="asymptotic").pvalue
    assert paired.p == pytest.approx(wanted)


@pytest.mark.parametrize("options", [{}, {"test": "signed-rank"}, {"score": "raw", "test": "randomisation"}])
def test_nothing_depends_on_the_order_of_rows(options) -> None:
    rows = drawn(items=60, annotators=3, each=3, gap=1)
    judgements = replace(rows, score=np.round(rows.score))  # whole numbers, so that many means are equal
    analysis = analyse_ratings(judgements, **QUICK, **options)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(judgements))
        again = analyse_ratings(judgements[order], **QUICK, **options)
        for first, other in zip(analysis.groups[0].systems, again.groups[0].systems, strict=True):
            assert first.system == other.system
            assert (first.low, first.high) == pytest.approx((other.low, other.high))
            assert (first.rank, first.rank_interval) == (other.rank, other.rank_interval)
        for this, other in zip(analysis.groups[0].pairs, again.groups[0].pairs, strict=True):
            assert (this.a, this.b) == (other.a, other.b)
            assert this.p == pytest.approx(other.p, rel=1e-12)
            assert this.better_on == other.better_on
        assert again.agreement.intra.pearson == analysis.agreement.intra.pearson


def test_answers_of_yes_and_no_agree_as_choices_by_whatever_score() -> None:
    rated = drawn(items=20, annotators=3, each=2)
    answers = replace(rated, protocol="yes-no", score=(rated.score > np.median(rated.score)).astype(float))
    by_z, raw = (analyse_ratings(answers, score=score, **QUICK) for score in ("z", "raw"))
    assert by_z.facts.score == "z"
    assert by_z.agreement == raw.agreement


def test_equal_means_tie_whatever_they_were_added_up_from() -> None:
    rows = [("x", "a", str(i), (0.1, 0.2, 0.3)[k]) for i in range(30) for k in range(3)]
    rows += [("x", "b", str(i), (0.3, 0.2, 0.1)[k]) for i in range(30) for k in range(3)]
    for method in ("rank-sum", "signed-rank"):
        (pair,) = analyse_ratings(ratings(rows), score="raw", test=method, **QUICK).groups[0].pairs
        assert (pair.p, pair.better_on, pair.worse_on) == (1, 0, 0)


def test_systems_come_best_first_with_both_counts() -> None:
    analysis = analyse_ratings(drawn(gap=8), **QUICK)
    systems = analysis.groups[0].systems
    assert [s.system for s in systems] == ["s0", "s1", "s2"]
    assert [s.cluster for s in systems] == [1, 2, 3]
    assert {s.n_translations for s in systems} == {50}
    assert {s.n_judgements for s in systems} == {100}
    assert all(s.low < (s.z or 0) < s.high for s in systems)
    assert analysis.facts.score == "z"


def test_a_repeat_counts_only_where_it_is_asked_for() -> None:
    rows = [
        ("x", "a", "1", 80.0),
        ("x", "b", "1", 60.0),
        ("x", "a", "2", 70.0),
        ("x", "b", "2", 40.0),
        ("x", "a", "1", 20.0),
    ]
    kinds = ["ordinary"] * 4 + ["repeat"]
    without = analyse_ratings(ratings(rows, kinds), **QUICK).groups[0].systems
    assert {s.system: (s.mean, s.n_judgements) for s in without} == {"a": (75, 2), "b": (50, 2)}
    with_repeats = analyse_ratings(ratings(rows, kinds), repeats=True, **QUICK).groups[0].systems
    assert {s.system: (s.mean, s.n_translations, s.n_judgements) for s in with_repeats} == {
        "a": (60, 2, 3),
        "b": (50, 2, 2),
    }


def test_wmt_takes_the_side_that_scores_point_to() -> None:
    judgements = drawn(systems=2, gap=2)
    two = analyse_ratings(judgements, test="rank-sum", **QUICK).groups[0].pairs[0]
    pair = analyse_ratings(judgements, preset="wmt21", **QUICK).groups[0].pairs[0]
    assert pair.p == pytest.approx(two.p / 2, rel=1e-6)


class TestOneSided:
    """The side is fixed before anyone sees a score: by a baseline, or by an order of the systems."""

    TESTS = ("randomisation", "bootstrap", "signed-rank", "rank-sum")

    @pytest.mark.parametrize("method", TESTS)
    def test_the_side_is_that_of_the_question_and_not_of_the_scores(self, method: str) -> None:
        judgements = drawn(systems=2, gap=2)
        options = {"test": method, "trials": 2000, **QUICK}
        two = analyse_ratings(judgements, **options).groups[0].pairs[0]
        right, wrong = (
            analyse_ratings(judgements, alternative="one-sided", expected=order, **options).groups[0].pairs[0]
            for order in (("s0", "s1"), ("s1", "s0"))
        )
        against = (
            analyse_ratings(judgements, alternative="one-sided", baseline="s1", **options).groups[0].pairs[0]
        )
        assert (right.a, wrong.a) == ("s0", "s1")
        assert right.p == pytest.approx(two.p / 2, abs=0.03)
        assert wrong.p == pytest.approx(1 - two.p / 2, abs=0.03)
        assert against.p == right.p

    @pytest.mark.parametrize("method", TESTS)
    def test_where_lower_is_better_the_side_turns(self, method: str) -> None:
        judgements = replace(drawn(systems=2, gap=8), protocol="hter", higher_is_better=False)
        options = {"test": method, "trials": 500, "alternative": "one-sided", **QUICK}
        assert analyse_ratings(judgements, expected=("s1", "s0"), **options).groups[0].pairs[0].p < 0.2
        assert analyse_ratings(judgements, expected=("s0", "s1"), **options).groups[0].pairs[0].p > 0.8

    def test_without_a_side_there_is_no_test(self) -> None:
        with pytest.raises(
            UsageError, match="--baseline SYSTEM tests that others are better than it, --expect"
        ):
            analyse_ratings(drawn(), alternative="one-sided", **QUICK)
        with pytest.raises(UsageError, match="every system once: s2 is not in it"):
            analyse_ratings(drawn(), alternative="one-sided", expected=("s0", "s1"), **QUICK)
        with pytest.raises(UsageError, match="'s3'"):
            analyse_ratings(drawn(), alternative="one-sided", expected=("s0", "s1", "s3"), **QUICK)

    def test_what_was_not_asked_is_not_said(self) -> None:
        analysis = analyse_ratings(
            drawn(gap=8), alternative="one-sided", expected=("s2", "s1", "s0"), **QUICK
        )
        text = " ".join(analysis.groups[0].claims)
        assert "s2 is not shown to be better than s0" in text
        assert "cannot be told apart (" not in text


def test_z_is_over_all_that_annotators_judged_unless_asked() -> None:
    judgements = drawn(items=30, gap=3)
    some = judgements[np.array([int(name) < 10 for name in judgements.item.values()])]
    everything = analyse_ratings(judgements, **QUICK)
    kept = analyse_ratings(some, scales_of=judgements, **QUICK)
    anew = analyse_ratings(some, **QUICK)
    places = np.array([int(name) < 10 for name in everything.judgements.item.values()])
    assert kept.scales.mean == pytest.approx(everything.scales.mean)
    assert np.sort(kept.z) == pytest.approx(np.sort(everything.z[places]))
    assert anew.scales.mean != pytest.approx(everything.scales.mean)
    assert any("--rescale" in warning for warning in kept.warnings)
    assert not any("--rescale" in warning for warning in anew.warnings)


class TestDesign:
    """Which test is made follows from what was judged, not from the scores."""

    def test_annotators_are_drawn_with_items(self) -> None:
        judgements = drawn(systems=3)
        comparison = analyse_ratings(judgements, **QUICK).groups[0].comparison
        assert (comparison.test.method, comparison.test.unit) == ("clustered-t", "item,annotator")
        assert comparison.design.reason.endswith(
            "are drawn together, so that the result extends to others of their kind."
        )
        shuffled = np.random.default_rng(1).permutation(judgements.score)
        again = analyse_ratings(replace(judgements, score=shuffled), **QUICK).groups[0].comparison
        assert (again.test.method, again.design.reason) == (comparison.test.method, comparison.design.reason)

    @pytest.mark.parametrize(("own", "test"), [(18, "randomisation"), (20, "rank-sum")])
    def test_more_than_half_of_the_items_are_the_same_items(self, own: int, test: str) -> None:
        """60 items; each system has `own` of them for itself, and what is left is what both have."""
        judgements = drawn(systems=2, items=60)
        item, first = judgements.item.codes, judgements.system.codes == 0
        some = judgements[np.where(first, item < 60 - own, item >= own)]
        comparison = analyse_ratings(some, unit="translation", **QUICK).groups[0].comparison
        assert comparison.test.method == test
        assert comparison.design.missing == {"s0": own, "s1": own}
        assert comparison.design.common is (test == "randomisation")
        assert comparison.pairs[0].common == 60 - 2 * own

    @pytest.mark.parametrize("kept", [1, 2])
    def test_items_of_their_own_are_not(self, kept: int) -> None:
        judgements = drawn(systems=2, items=60)
        own = judgements[(judgements.item.codes % 3 < kept) ^ (judgements.system.codes == 1)]
        analysis = analyse_ratings(own, unit="translation", **QUICK)
        assert analysis.groups[0].comparison.test.method == "rank-sum"
        assert "the design is not paired, and neither is the test" in analysis.facts.design

    def test_what_was_asked_for_is_done_and_said(self) -> None:
        analysis = analyse_ratings(drawn(), test="rank-sum", **QUICK)
        assert analysis.groups[0].comparison.test.method == "rank-sum"
        assert "but the test is not, as asked for" in analysis.facts.design
        assert (
            analyse_ratings(drawn(), preset="wmt21", **QUICK).groups[0].comparison.test.method == "rank-sum"
        )

    def test_a_baseline_asks_about_its_own_pairs_only(self) -> None:
        judgements = drawn(systems=3, items=60)
        system, item = judgements.system.codes, judgements.item.codes
        gaps = judgements[(system == 0) | (item % 3 != system)]
        quick = {**QUICK, "unit": "translation"}
        assert analyse_ratings(gaps, **quick).groups[0].comparison.test.method == "rank-sum"
        fewer = judgements[(system == 0) | (system == 2) | (item < 30)]
        against = analyse_ratings(fewer, baseline="s0", **quick)
        assert against.groups[0].comparison.test.method == "rank-sum"
        paired = analyse_ratings(judgements[(system != 1) | (item < 50)], baseline="s0", **quick)
        assert paired.groups[0].comparison.test.method == "randomisation"


def test_claims_stars_and_clusters_follow_the_ranks_that_were_tested() -> None:
    """b is better on nearly all items, and far worse on two: its mean is lower, its ranks are higher."""
    rows = [("x", "a", str(i), 50.0 + i % 5) for i in range(80)]
    rows += [("x", "b", str(i), 54.0 + i % 5 if i > 1 else -150.0) for i in range(80)]
    analysis = analyse_ratings(ratings(rows), score="raw", test="rank-sum", **QUICK)
    (pair,) = analysis.groups[0].pairs
    assert (pair.a, pair.b) == ("a", "b")
    assert pair.significant
    assert pair.delta > 0 > pair.share - 0.5
    assert [(s.system, s.cluster, s.rank) for s in analysis.groups[0].systems] == [
        ("b", 1, (1, 1)),
        ("a", 2, (2, 2)),
    ]
    claims = analysis.groups[0].claims
    assert claims[0].startswith("b is better than a on texts like these")
    assert "b has the worse mean (DA −1.1), and yet is the better one by ranks" in claims[1]
    by_mean = analyse_ratings(ratings(rows), score="raw", **QUICK)
    assert not by_mean.groups[0].pairs[0].significant
    assert by_mean.groups[0].systems[0].system == "a"


def test_groups_are_judged_by_themselves_with_one_scale_an_annotator() -> None:
    judgements = drawn(items=30)
    origin = NameColumn.of(["de" if int(i) < 10 else "en" for i in judgements.item.values()])
    analysis = analyse_ratings(judgements.labelled("origin", origin), by=("origin",), **QUICK)
    assert [dict(group.by) for group in analysis.groups] == [{}, {"origin": "de"}, {"origin": "en"}]
    everything, german, english = analysis.groups
    for whole, first, second in zip(
        *(sorted(g.systems, key=lambda s: s.system) for g in (everything, german, english)), strict=True
    ):
        assert first.n_translations == 10
        weighted = (10 * (first.z or 0) + 20 * (second.z or 0)) / 30
        assert weighted == pytest.approx(whole.z)
    with pytest.raises(UsageError, match="there are: annotator, origin"):
        analyse_ratings(judgements.labelled("origin", origin), by=("orign",), **QUICK)
    by_annotator = analyse_ratings(judgements, by=("annotator",), **QUICK)
    assert len(by_annotator.groups) == 5


class TestOddCampaigns:
    def test_one_judge_only(self) -> None:
        analysis = analyse_ratings(drawn(annotators=1, each=1), **QUICK)
        assert any("one annotator only" in warning for warning in analysis.warnings)

    def test_annotators_without_names(self) -> None:
        rows = [("", s, str(i), 70.0 + i) for i in range(5) for s in "ab"]
        analysis = analyse_ratings(ratings(rows), **QUICK)
        assert analysis.facts.score == "raw"
        assert {s.z for s in analysis.groups[0].systems} == {None}

    def test_systems_never_judged_on_the_same_items(self) -> None:
        rows = [("x", "a", str(i), 70.0 + i) for i in range(8)] + [
            ("x", "b", str(9 + i), 30.0 + i) for i in range(8)
        ]
        apart = analyse_ratings(ratings(rows), **QUICK).groups[0].pairs[0]
        assert apart.significant  # as samples of translations they can be told apart
        assert math.isnan(apart.better_on)
        paired = analyse_ratings(ratings(rows), test="signed-rank", **QUICK).groups[0].pairs[0]
        assert (paired.p, paired.significant) == (1, False)

    def test_not_a_number(self) -> None:
        with pytest.raises(DataError, match="judgement 2: the score is nan"):
            analyse_ratings(ratings([("x", "a", "1", 1.0), ("x", "b", "1", math.nan)]), **QUICK)

    def test_a_single_system_has_a_score_and_nothing_to_test(self) -> None:
        analysis = analyse_ratings(ratings([("x", "a", "1", 1.0), ("x", "a", "2", 3.0)]), **QUICK)
        (system,) = analysis.groups[0].systems
        assert (system.mean, system.cluster, analysis.groups[0].pairs) == (2, None, ())

    def test_judgements_as_units_get_a_warning_and_a_smaller_p(self) -> None:
        judgements = drawn(systems=2, gap=2, each=4)
        right = analyse_ratings(judgements, **QUICK)
        wrong = analyse_ratings(judgements, unit="judgement", **QUICK)
        assert any("p-values are too small" in warning for warning in wrong.warnings)
        assert wrong.groups[0].pairs[0].p != right.groups[0].pairs[0].p
        assert wrong.groups[0].systems[0].n_translations == right.groups[0].systems[0].n_translations

    @pytest.mark.parametrize(
        "option", [{"score": "zz"}, {"unit": "word"}, {"preset": "wmt99"}, {"test": "t-test"}]
    )
    def test_unknown_options(self, option: dict[str, str]) -> None:
        with pytest.raises(UsageError):
            analyse_ratings(drawn(), **option, **QUICK)


def test_mqm_is_weighed_and_lower_is_better() -> None:
    major, minor = Span(0, 1, "major", "Accuracy/Omission"), Span(0, 1, "minor", "Style")
    rows = [("x", s, str(i), math.nan) for i in range(12) for s in "ab"]
    spans = tuple(((minor,), (major, minor))[n % 2] for n in range(24))
    judgements = ratings(rows, protocol="mqm", spans=spans)
    analysis = analyse_ratings(judgements, **QUICK)
    assert [(s.system, s.mean) for s in analysis.groups[0].systems] == [("a", 1), ("b", 6)]
    assert analysis.groups[0].systems[0].cluster == 1
    assert {(e.system, e.category, e.count) for e in analysis.errors} == {
        ("a", "Style", 12),
        ("b", "Style", 12),
        ("b", "Accuracy/Omission", 12),
    }
    heavier = analyse_ratings(judgements, weights=ErrorWeights(major=10), **QUICK)
    assert heavier.groups[0].systems[1].mean == 11


def test_rank_tests_are_not_for_corpus_scores() -> None:
    from adjudge import comparison
    from adjudge.data import Outputs, TestSet

    test_set = TestSet(references=(("a b c", "d e f"),))
    outputs = [Outputs("x", ("a b c", "d e")), Outputs("y", ("a b", "d e f"))]
    with pytest.raises(UsageError, match="which BLEU is not"):
        comparison.compare(test_set, outputs, "bleu", test="rank-sum")


def test_what_is_in_no_group_is_told() -> None:
    judgements = drawn(systems=2, items=10)
    item = judgements.item.codes
    domain = NameColumn(("news", "speech"), np.where(item < 4, 0, np.where(item < 9, 1, -1)).astype(np.int32))
    kind = np.where(item >= 4, BAD_REFERENCE, ORDINARY).astype(np.int8)
    judged = replace(judgements.labelled("domain", domain), kind=np.where(item == 9, ORDINARY, kind))
    analysis = analyse_ratings(judged, by=["domain"], resamples=20)
    assert [group.by for group in analysis.groups] == [{}, {"domain": "news"}]
    assert analysis.warnings[:2] == (
        "4 judgements have no domain and count only where all are taken together",
        "no judgement that counts is of domain speech: only control items, repeats or other rows are",
    )


def test_a_system_that_only_occurs_in_control_items_is_not_counted() -> None:
    judgements = drawn(systems=3, items=10)
    kind = np.where(judgements.system.codes == 2, REFERENCE, ORDINARY).astype(np.int8)
    analysis = analyse_ratings(replace(judgements, kind=kind), resamples=20)
    assert analysis.facts.systems == len(analysis.groups[0].systems) == 2
