"""Tests of ranks, and units of two kinds, by metrics that are means of segment scores."""

import numpy as np
import pytest
import scipy.stats

import adjudge
from adjudge.errors import UsageError
from adjudge.metrics.base import MeanMetric
from adjudge.stats.tests import all_of
from adjudge.stats.tests.systems import TWO_KINDS
from adjudge.stats.tests.systems.base import SystemTest

WORDS = tuple("abcdefghijklmno")


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(1)
    lines = [" ".join(rng.permutation(WORDS)[:9]) for _ in range(60)]

    def damaged(share):
        return [" ".join(rng.permutation(line.split())) if rng.random() < share else line for line in lines]

    labels = {"document": [f"d{i // 6}" for i in range(60)], "topic": [f"t{i % 7}" for i in range(60)]}
    test_set = adjudge.TestSet(references=[lines], labels=labels)
    return test_set, [adjudge.Outputs("a", damaged(0.5)), adjudge.Outputs("b", damaged(0.7))]


@pytest.mark.parametrize("alternative", ["two-sided", "one-sided"])
@pytest.mark.parametrize("metric", ["ribes", "exact-match"])
def test_p_of_a_mean_metric_is_scipy_s(texts, metric, alternative):
    test_set, outputs = texts
    assert isinstance(adjudge.metric(metric), MeanMetric)
    options = {"baseline": "b", "alternative": "one-sided"} if alternative == "one-sided" else {}
    sides = "greater" if options else "two-sided"
    scores = adjudge.score(test_set, outputs, metric, segments=True)
    x, y = (np.array(result.segments) for result in scores.results)

    def p(method):
        return (
            adjudge.compare(test_set, outputs, metric, test=method, unit="segment", resamples=20, **options)
            .pairs[0]
            .p
        )

    expected = scipy.stats.wilcoxon(
        np.round(x - y, 9),  # 50.000000000000007 is 50
        alternative=sides,
        correction=False,
        method="approx",
    )
    assert p("signed-rank") == pytest.approx(expected.pvalue, rel=1e-9)
    expected = scipy.stats.mannwhitneyu(
        np.round(x, 9), np.round(y, 9), alternative=sides, method="asymptotic"
    )
    assert p("rank-sum") == pytest.approx(expected.pvalue, rel=1e-9)


def test_units_of_two_kinds_take_mean_metrics(texts):
    test_set, outputs = texts
    compared = adjudge.compare(test_set, outputs, "ribes", test=TWO_KINDS, unit="document,topic")
    assert 0 < compared.pairs[0].p < 1
    with pytest.raises(UsageError, match="which BLEU is not"):
        adjudge.compare(test_set, outputs, "bleu", test=TWO_KINDS, unit="document,topic")


def test_other_metrics_and_several_runs_are_refused(texts):
    test_set, outputs = texts
    with pytest.raises(UsageError, match="which BLEU is not"):
        adjudge.compare(test_set, outputs, "bleu", test="signed-rank")
    runs = [*outputs, adjudge.Outputs("a", outputs[1].segments, run="2")]
    with pytest.raises(UsageError, match="takes one run of each system"):
        adjudge.compare(test_set, runs, "ribes", test="signed-rank")


def test_help_names_every_test():
    from click.testing import CliRunner

    from adjudge.cli.compare import command

    shown = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    for name in all_of(SystemTest):
        assert name in shown
