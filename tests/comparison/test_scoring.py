import dataclasses
import math
import statistics

import pytest

from adjudge import comparison, metrics
from adjudge.data import Outputs, TestSet
from adjudge.engine.cache import RowCache
from adjudge.errors import DataError, UsageError

TEST_SET = TestSet(references=(("the cat sat on the mat", "it rains", "good morning to you all"),))
GOOD = Outputs("good", ("the cat sat on the mat", "it rains", "good morning to all of you"))
BAD = Outputs("bad", ("a cat on mat", "", "morning"))
RUNS = [
    Outputs("runs", (f"the cat sat on {noun}", "it rains", "good day")) for noun in ("the mat", "a mat", "it")
]
RUNS = [Outputs(o.system, o.segments, str(i)) for i, o in enumerate(RUNS, 1)]


def test_every_output_by_every_metric_in_the_order_given():
    scores = comparison.score(TEST_SET, [BAD, GOOD], ["chrf", "bleu"])
    assert [(r.system, r.metric) for r in scores.results] == [
        ("bad", "chrf"),
        ("bad", "bleu"),
        ("good", "chrf"),
        ("good", "bleu"),
    ]
    assert all(r.segments is None for r in scores.results)
    assert scores.test_set.segments == 3
    assert scores.means == ()


def test_scores_are_those_of_the_metric():
    metric = metrics.metric("chrf")
    (result,) = comparison.score(TEST_SET, [GOOD], [metric], segments=True).results
    rows = metric.stats(metric.prepare(TEST_SET), GOOD.segments)
    assert result.score == float(metric.aggregate(rows.sum(0)))
    assert result.segments == tuple(map(float, metric.for_segments().aggregate(rows)))


def test_means_over_training_runs():
    scores = comparison.score(TEST_SET, [GOOD, *RUNS], ["chrf"])
    values = [r.score for r in scores.results if r.system == "runs"]
    (mean,) = scores.means
    assert (mean.system, mean.metric, mean.runs) == ("runs", "chrf", 3)
    assert mean.score == pytest.approx(sum(values) / 3, abs=1e-12)
    assert mean.deviation == pytest.approx(statistics.stdev(values), abs=1e-12)


def test_the_same_metric_twice_is_scored_once():
    assert len(comparison.score(TEST_SET, [GOOD], ["chrf", "chrf()", "chrf(beta=2)"]).results) == 1


def test_sorted_by_a_metric_in_its_own_direction():
    scores = comparison.score(TEST_SET, [BAD, *RUNS, GOOD], ["chrf", "wer"])
    for metric in ("chrf", "wer"):
        order = list(dict.fromkeys(r.system for r in scores.sorted_by(metric).results))
        assert order == ["good", "runs", "bad"]
        assert [r.run for r in scores.sorted_by(metric).results if r.system == "runs"][::2] == ["1", "2", "3"]
    with pytest.raises(UsageError, match=r"unknown metric to sort by 'chr'.*'chrf'"):
        scores.sorted_by("chr")


def test_missing_scores_are_sorted_last():
    scores = comparison.score(TEST_SET, [BAD, GOOD], ["chrf"])
    first, second = scores.results
    gone = comparison.Scores(scores.test_set, (dataclasses.replace(first, score=math.nan), second))
    assert [r.system for r in gone.sorted_by("chrf").results] == ["good", "bad"]


def test_the_metric_to_sort_by_is_found_by_spec_or_by_a_name_that_is_clear():
    intl, plain = metrics.metric("bleu(tokenize=intl)"), metrics.metric("bleu")
    chrf = metrics.metric("chrf++")
    assert comparison.sort_metric("bleu", [intl, chrf]) is intl
    assert comparison.sort_metric("bleu", [intl, plain]) == plain
    assert comparison.sort_metric("chrF++", [intl, chrf]) == chrf
    for name in ("wer", "bleu(tokenize=char)"):
        with pytest.raises(UsageError, match="not one of the metrics scored"):
            comparison.sort_metric(name, [intl, plain])


def test_nothing_is_sorted_by_what_has_no_better_direction():
    with pytest.raises(UsageError, match="cannot sort by length-ratio: neither high nor low is better"):
        comparison.sort_metric("length-ratio", [metrics.metric("length-ratio")])


def test_empty_segments_are_counted():
    blank = Outputs("blank", ("", " \t", "x"))
    test_set = TestSet(references=((*TEST_SET.references[0][:2], ""),))
    scores = comparison.score(test_set, [GOOD, blank, BAD], ["chrf"])
    assert scores.warnings == (
        "blank: 2 of 3 segments are empty; scored all the same",
        "bad: 1 of 3 segments is empty; scored all the same",
        "reference 1: 1 of 3 segments is empty",
    )


@pytest.mark.parametrize(
    ("outputs", "wanted", "kind", "message"),
    [
        ([], ["chrf"], UsageError, "no system output"),
        ([GOOD], [], UsageError, "no metric"),
        ([("good", GOOD.segments)], ["chrf"], UsageError, "a system's output is tuple; write Outputs"),
        ([GOOD], [metrics.metric], UsageError, "is no metric"),
        ([GOOD, GOOD], ["chrf"], UsageError, "two outputs are called 'good'"),
        ([Outputs("short", ("a",))], ["chrf"], DataError, "short has 1 segment, but the test set has 3"),
    ],
)
def test_what_is_refused(outputs, wanted, kind, message):
    with pytest.raises(kind, match=message):
        comparison.score(TEST_SET, outputs, wanted)


def test_a_test_set_without_segments_is_refused():
    with pytest.raises(DataError, match="no segments"):
        comparison.score(TEST_SET[:0], Outputs("none", []), "bleu")
    with pytest.raises(UsageError, match="the first argument is list, not a TestSet"):
        comparison.score([["a"]], Outputs("a", ["a"]), "bleu")


def test_one_output_and_one_metric_need_no_list():
    alone = comparison.score(TEST_SET, GOOD, "chrf")
    assert alone == comparison.score(TEST_SET, [GOOD], ["chrf"])
    assert alone == comparison.score(TEST_SET, iter([GOOD]), metrics.metric("chrf"))


def test_progress_is_told_every_step():
    steps = []
    comparison.score(TEST_SET, [GOOD, BAD], ["chrf", "wer"], progress=lambda *step: steps.append(step))
    assert [done for _, done, _ in steps] == [0, 1, 2, 3, 4]
    assert {total for *_, total in steps} == {4}
    assert steps[1][0] == "chrF of bad"


def test_segment_scores_as_a_matrix():
    scores = comparison.score(TEST_SET, [BAD, *RUNS[:1]], ["chrf", "ter"], segments=True)
    matrix = scores.segment_matrix("ter")
    assert matrix.systems == ("bad", "runs (run 1)")
    assert matrix.scores.shape == (2, 3)
    assert tuple(matrix.scores[0]) == scores.results[1].segments
    with pytest.raises(UsageError, match="did you mean 'chrf'"):
        scores.segment_matrix("chr")
    with pytest.raises(UsageError, match="segments=True"):
        comparison.score(TEST_SET, [BAD], ["chrf"]).segment_matrix("chrf")


def test_a_second_run_does_no_scoring(tmp_path, monkeypatch):
    cache = RowCache(tmp_path)
    first = comparison.score(TEST_SET, [GOOD, BAD], segments=True, rows=True, cache=cache)

    def refuse(*args, **options):
        raise AssertionError("nothing is left to compute")

    for name in comparison.DEFAULT_METRICS:
        for work in ("prepare", "stats"):
            monkeypatch.setattr(metrics.registry()[name], work, refuse)
    second = comparison.score(TEST_SET, [GOOD, BAD], segments=True, rows=True, cache=cache)
    assert first == second
    for this, two in zip(first.results, second.results, strict=True):
        assert this.rows.tobytes() == two.rows.tobytes()
