"""Choices: least risk, oracle, model; which utilities there can be, and what is said of the rest."""

import re

import numpy as np
import pytest

from adjudge.data.nbest import NBestLists
from adjudge.errors import AdjudgeError
from adjudge.metrics import metric
from adjudge.metrics.base import Direction
from adjudge.reranking import Approximation, expected_utilities, rerank, rescore

LISTS = (
    ("the cat sat", "a cat sat down", "the cat sat down", "dogs"),
    ("hi", "hello world", "hello world", "hello world"),
    ("one",),
)
REFERENCES = (("a cat sat down",), ("hi",), ("two",))


@pytest.fixture
def lists():
    return NBestLists(LISTS, REFERENCES, scores=np.array([1.0, 2.0, 3.0, 9.0, 0.0, 5.0, 1.0, 1.0, 1.0]))


@pytest.mark.parametrize("utility", ["chrf", "bleu", "ter", "wer", "chrf++"])
@pytest.mark.parametrize("threads", [1, 3])
def test_least_risk_is_the_best_expected_utility(lists, utility, threads):
    result = rerank(lists, utility, threads=threads)
    sign = 1 if metric(utility).direction is Direction.HIGHER else -1
    for texts, choice in zip(LISTS, result.choices, strict=True):
        expected = expected_utilities(metric(utility), texts)
        assert choice.utility == pytest.approx((sign * expected).max() * sign)
        assert choice.hypothesis == texts[choice.index]
    assert result.choices[1].index == 1  # of those that are equal the first
    assert result.distinct == 7


def test_a_program_that_can_read_references_may_be_the_utility(lists, monkeypatch, tmp_path):
    (tmp_path / "utility_of_this_test.py").write_text(
        "def shared_words(rows):\n"
        "    return [len(set(row['output'].split()) & set(row['reference'].split())) for row in rows]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = rerank(lists, "command(run=utility_of_this_test:shared_words)")
    assert [choice.hypothesis for choice in result.choices] == ["the cat sat down", "hello world", "one"]
    assert result.choices[0].utility == pytest.approx(
        (3 + 3 + 4 + 0) / 4
    )  # words shared with each, itself included


def test_the_oracle_is_the_best_by_the_references(lists):
    result = rerank(lists, "chrf", rule="oracle")
    assert [choice.index for choice in result.choices] == [1, 0, 0]
    assert result.choices == result.oracle
    assert result.choices[0].utility == 100


def test_the_model_chooses_by_its_scores(lists):
    assert [choice.index for choice in rerank(lists, rule="model").choices] == [3, 1, 0]


def test_a_sharp_model_is_believed_alone(lists):
    """With a low temperature nearly all probability is on one hypothesis, which is then its own best reference."""
    sharp = rerank(lists, "chrf", weighted=True, temperature=0.01)
    assert [choice.index for choice in sharp.choices] == [3, 1, 0]
    flat = rerank(lists, "chrf", weighted=True, temperature=1e9)
    assert [c.index for c in flat.choices] == [c.index for c in rerank(lists, "chrf").choices]


def test_several_references_and_the_scores_beside(lists):
    several = NBestLists(LISTS, (("x", "dogs"), ("hi",), ("one", "two")))
    result = rerank(several, "bleu", rule="oracle")
    assert [choice.index for choice in result.choices] == [3, 0, 0]
    scores = rescore(several, result, ["bleu", "chrf"])
    assert [own.system for own in scores.results] == ["first"] * 2 + ["oracle"] * 2
    assert scores.results[3].score == 100
    assert rescore(NBestLists(LISTS), rerank(NBestLists(LISTS))) is None


def test_approximations_are_measured(lists):
    whole = rerank(lists, "ter", approximation=Approximation(sample=500, check=3))
    assert whole.error is not None
    assert (whole.error.segments, whole.error.same) == (3, 3)
    short = rerank(lists, "ter", approximation=Approximation(shortlist=1, check=3))
    chrf = rerank(lists, "chrf")
    assert [c.hypothesis for c in short.choices] == [c.hypothesis for c in chrf.choices]
    exact = rerank(lists, "ter")
    lost = [own.utility - true.utility for own, true in zip(short.choices, exact.choices, strict=True)]
    assert short.error is not None
    assert short.error.mean_loss == pytest.approx(np.mean(lost))
    assert short.error.worst_loss == pytest.approx(max(lost))
    assert rerank(lists, "ter", approximation=Approximation()).error is None


@pytest.mark.parametrize(
    ("utility", "options", "message"),
    [
        ("chrff", {}, "did you mean 'chrf'"),
        ("nist", {}, "nist cannot be a utility: the information of n-grams is counted over all references"),
        ("nist", {"rule": "oracle"}, "nist cannot be a utility"),
        ("length-ratio", {}, "neither high nor low is better"),
        ("qe(model=x.json)", {}, "needs the source: 'source' in every line, or -s FILE"),
        ("chrf", {"rule": "mber"}, "unknown rule 'mber'; did you mean 'mbr'?"),
        ("chrf", {"approximation": Approximation(sample=2)}, "leave out --sample and --shortlist"),
        ("chrf", {"weighted": True, "temperature": 0.0}, "a number above 0"),
        ("sstk", {}, "needs trees"),
    ],
)
def test_what_cannot_be_a_utility(lists, utility, options, message):
    with pytest.raises(AdjudgeError, match=re.escape(message)):
        rerank(lists, utility, **options)


def test_what_is_missing_is_named():
    with pytest.raises(AdjudgeError, match="segment 2 has no reference for the oracle"):
        rerank(NBestLists(LISTS, (("a",), (), ("b",))), rule="oracle")
    with pytest.raises(AdjudgeError, match="no scores of the model"):
        rerank(NBestLists(LISTS), rule="model")
    with pytest.raises(AdjudgeError, match="nothing to choose from"):
        NBestLists(())
    with pytest.raises(AdjudgeError, match="segment 1 has no hypothesis"):
        NBestLists(((),))
