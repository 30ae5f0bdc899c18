"""What changed between two versions: verdicts, order, and a test over training runs that holds as often as it says."""

import math
from dataclasses import replace

import numpy as np
import pytest

from adjudge.analysis.changes import changes
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.report.render.formats import render, renderer_of

REFERENCE = ["the old house", "many green trees", "nobody knows it", "it rains now", "we go"]
OLD = ["the old house", "many green tree", "he knows it", "it rains", "go we"]
NEW = ["the old house", "many green trees", "he knew them", "it rain", "we go"]


def result_of(*outputs: Outputs, **options):
    return changes(TestSet(references=[REFERENCE], sources=["x"] * 5), outputs, **options)


def test_verdicts_and_their_order() -> None:
    result = result_of(Outputs("old", OLD), Outputs("new", NEW))
    assert result.counts == {"better": 2, "worse": 2, "mixed": 0, "even": 0, "same": 1}
    assert {c.segment: c.verdict for c in result.changes} == {
        2: "better",
        3: "worse",
        4: "worse",
        5: "better",
    }
    sizes = [c.size for c in result.changes]
    assert sizes == sorted(sizes, reverse=True)
    assert all((c.size > 0) == (c.verdict == "better") for c in result.changes)
    assert math.isnan(result.changes[0].p)
    text = render(renderer_of(replace(result, top=2), version="1"), "text")
    assert "give training runs" in " ".join(text.split())
    assert "old: go we" in text


def test_the_other_way_round_gains_are_losses() -> None:
    there = result_of(Outputs("old", OLD), Outputs("new", NEW))
    back = result_of(Outputs("new", NEW), Outputs("old", OLD))
    ours = {c.segment: c.size for c in there.changes}
    assert {c.segment: -c.size for c in back.changes} == pytest.approx(ours)


def test_metrics_that_disagree_make_it_mixed() -> None:
    result = changes(
        TestSet(references=[["a b c d"]]),
        [Outputs("old", ["a b c"]), Outputs("new", ["a b c d e f"])],
        ["wer", "gtm(measure=recall)"],
    )
    assert result.changes[0].verdict == "mixed"
    same_scores = changes(
        TestSet(references=[["a b"]]), [Outputs("old", ["x y"]), Outputs("new", ["y x"])], "wer"
    )
    assert same_scores.changes[0].verdict == "even"


def made_runs(name: str, rng: np.random.Generator, words_kept: float, segments: int = 60) -> list[Outputs]:
    reference = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return [
        Outputs(
            name,
            [" ".join(w if rng.random() < words_kept else "x" for w in reference) for _ in range(segments)],
            run=str(run),
        )
        for run in range(4)
    ]


def test_runs_tell_what_would_come_again() -> None:
    rng = np.random.default_rng(4)
    test_set = TestSet(references=[["one two three four five six seven eight nine ten"] * 60])
    alike = changes(test_set, [*made_runs("old", rng, 0.5), *made_runs("new", rng, 0.5)], "chrf")
    assert alike.runs == (4, 4)
    assert alike.sure_better + alike.sure_worse <= 3
    assert np.mean([c.p < 0.05 for c in alike.changes]) < 0.15
    better = changes(test_set, [*made_runs("old", rng, 0.2), *made_runs("new", rng, 0.9)], "chrf")
    assert better.sure_better > 50
    assert better.sure_worse == 0
    assert "significantly better by" in " ".join(
        render(renderer_of(replace(better, top=1), version="1"), "text").split()
    )


def test_questions_that_make_no_sense() -> None:
    with pytest.raises(UsageError, match="and there are 1"):
        result_of(Outputs("old", OLD))
    with pytest.raises(UsageError, match="nothing gets better or worse"):
        result_of(Outputs("old", OLD), Outputs("new", NEW), metrics="length-ratio")
