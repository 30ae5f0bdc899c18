"""METEOR 1.5's jar as a live oracle, on texts that are not among the golden ones; skipped without Java."""

import random

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data import TestSet
from adjudge.metrics.meteor_settings import STEMS
from adjudge.text.stems import stemmer

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


@pytest.mark.parametrize("language", sorted(STEMS))
def test_languages_that_have_stems_alone(meteor_jar, language):
    wordfreq = pytest.importorskip("wordfreq")
    by_stem: dict[str, list[str]] = {}
    for word in wordfreq.top_n_list({"no": "nb"}.get(language, language), 3000):
        if len(word.split()) == 1:
            by_stem.setdefault(stemmer(language)(word), []).append(word)
    families = [forms for forms in by_stem.values() if len(forms) > 1][:60]
    rng = random.Random(language)
    draw = [
        [" ".join(rng.choice(rng.choice(families)) for _ in range(rng.randint(1, 30))) for _ in range(200)]
        for _ in range(2)
    ]
    theirs = meteor_jar.scores(draw[0], [draw[1]], language={"sv": "se"}.get(language, language))
    metric = metrics.metric(f"meteor(language={language},normalize=false,lowercase=false)")
    rows = metric.stats(metric.prepare(TestSet(references=(tuple(draw[1]),))), draw[0])
    np.testing.assert_allclose(
        metric.aggregate(rows) / 100, np.array(theirs.segments)[:, 3], rtol=0, atol=1e-12
    )
    assert (
        rows[:, 11:15].sum() > 0.1 * rows[:, 7:11].sum()
    )  # words matched by stem, among those matched as they are
