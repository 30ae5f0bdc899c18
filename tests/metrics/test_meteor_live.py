"""METEOR 1.5's jar as a live oracle, on texts that are not among the golden ones; skipped without Java."""

import random

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data import TestSet

# Few words, many of them alike: ties everywhere, stems and synonyms in each other's way, punctuation to normalise.
VERBS, NOUNS = ["run", "runs", "running", "ran"], ["car", "cars", "auto", "automobile"]
WORDS = [*VERBS, *NOUNS, "the", "a", "big", "large", "quick", "fast", ",", ".", "'s", "don't", "it's"]


def test_alignments_full_of_ties(meteor_jar):
    rng = random.Random(12)
    draw = [[" ".join(rng.choices(WORDS, k=rng.randint(1, 40))) for _ in range(400)] for _ in range(3)]
    hypotheses, references = draw[0], draw[1:]
    theirs = meteor_jar.scores(
        hypotheses, references, "-norm", "-m", "exact stem synonym", "-w", "1.0 0.6 0.8"
    )
    metric = metrics.metric("meteor(matchers=exact+stem+synonym)")
    rows = metric.stats(metric.prepare(TestSet(references=tuple(map(tuple, references)))), hypotheses)
    scores = np.array(theirs.segments)[:, 3]
    np.testing.assert_allclose(metric.aggregate(rows) / 100, scores, rtol=0, atol=1e-12)
    assert float(metric.aggregate(rows.sum(0))) / 100 == pytest.approx(
        theirs.corpus["Final score"], abs=1e-12
    )
