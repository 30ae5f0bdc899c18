"""What the X-ray says of systems: the same in blocks as at once, and shares by their definition."""

import math

import numpy as np
import pytest

from adjudge.analysis.alignments import structure
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.evaluate import xray as module
from adjudge.evaluate.xray import xray
from adjudge.metrics import metric
from adjudge.metrics.ter import Ter

REFERENCES = ("the cat sat on the mat", "", "it rains today", "good morning to you all", "x")
FIRST = Outputs("first", ["on the mat the cat sat", "word", "it rains today", "morning", ""])
SECOND = Outputs("second", ["a cat sat on a mat", "", "today rains it", "good morning to all of you", "x"])
SMALL = TestSet(references=[REFERENCES])


def test_blocks_change_nothing(monkeypatch) -> None:
    whole = xray(SMALL, [FIRST, SECOND], show="different")
    monkeypatch.setattr(module, "BLOCK", 2)
    assert repr(xray(SMALL, [FIRST, SECOND], show="different")) == repr(whole)


def test_decisive_segments_change_the_score_most() -> None:
    ter = Ter()
    scores = []
    for place in range(len(SMALL)):
        mixed = [*FIRST.segments[:place], SECOND.segments[place], *FIRST.segments[place + 1 :]]
        scores.append(float(ter.aggregate(ter.stats(ter.prepare(SMALL), mixed).sum(0))))
    before = float(ter.aggregate(ter.stats(ter.prepare(SMALL), FIRST.segments).sum(0)))
    order = sorted(range(len(SMALL)), key=lambda place: -abs(scores[place] - before))
    found = xray(SMALL, [FIRST, SECOND], show="decisive")
    assert [segment.number - 1 for segment in found.segments] == [p for p in order if scores[p] != before]


def test_scores_and_ratios_are_those_of_the_metric_and_its_words() -> None:
    found = xray(SMALL, FIRST, "ter", segments=range(1, 6))
    ter = Ter()
    rows = ter.stats(ter.prepare(SMALL), FIRST.segments)
    assert [s.systems[0].score for s in found.segments] == ter.aggregate(rows).tolist()
    assert found.systems[0].score == float(ter.aggregate(rows.sum(0)))
    matched = sum(structure(s.systems[0].alignment).matched_hypothesis for s in found.segments)
    assert found.systems[0].precision == matched / sum(len(text.split()) for text in FIRST.segments)
    assert [s.systems[0].precision for s in found.segments[:4]] == [1, 0, 1, 1]
    assert math.isnan(found.segments[4].systems[0].precision)
    assert found.distributions[1].systems[0].missing == 1


def test_several_runs_are_several_systems() -> None:
    runs = [Outputs("s", FIRST.segments, run="1"), Outputs("s", SECOND.segments, run="2")]
    assert [system.system for system in xray(SMALL, runs).systems] == ["s (run 1)", "s (run 2)"]


def test_what_cannot_be_looked_at() -> None:
    with pytest.raises(UsageError, match="one or two systems can be looked at together, not 3"):
        xray(SMALL, [FIRST, SECOND, Outputs("third", FIRST.segments)])
    with pytest.raises(UsageError, match=r"chrf yields no alignment of words; metrics that do: .*ter"):
        xray(SMALL, FIRST, "chrf")
    with pytest.raises(UsageError, match="there is no segment 6: they are numbered from 1 to 5"):
        xray(SMALL, FIRST, segments=[6])
    with pytest.raises(DataError, match="5"):
        xray(SMALL, Outputs("short", ["a"]))


def test_a_metric_that_weighs_matches_brings_its_own_ratios() -> None:
    meteor = metric("meteor(matchers=exact+stem)")
    test_set = TestSet(references=[REFERENCES], language="en")
    try:
        meteor.prepare(test_set)
    except MissingResourceError as error:
        pytest.skip(str(error))
    found = xray(test_set, SECOND, meteor, segments=range(1, 6))
    rows = meteor.stats(meteor.prepare(test_set), SECOND.segments)
    for ratio in ("precision", "recall", "fragmentation"):
        ours = [getattr(segment.systems[0], ratio) for segment in found.segments]
        theirs = getattr(meteor, ratio)(rows)
        words = [segment.systems[0].structure for segment in found.segments]
        expected = np.where([bool(s.matched_hypothesis) for s in words], theirs, ours)
        np.testing.assert_array_equal(ours, expected)
        assert getattr(found.systems[0], ratio) == float(getattr(meteor, ratio)(rows.sum(0)))
    # Words, matched words and chunks counted in the links are those of METEOR's rows.
    counted = np.array([segment.systems[0].structure.row for segment in found.segments])
    np.testing.assert_array_equal(counted[:, :5], rows[:, [0, 1, 4, 5, 6]])
