"""What the tests of comparisons share: outputs that are worse and worse than their reference."""

import numpy as np

from adjudge import comparison
from adjudge.comparison import Comparison, Pair, Standing
from adjudge.data import Outputs, ScoreMatrix, TestSet

RNG = np.random.default_rng(7)


WORDS = (*"abcdefgh", "cat", "dog", "house", "garden", "runs", "sits", "river", "small", "old")


REFERENCE = tuple(" ".join(RNG.choice(WORDS, size=RNG.integers(5, 20))) for _ in range(120))


def broken(share: float, seed: int) -> tuple[str, ...]:
    rng = np.random.default_rng(seed)
    return tuple(
        " ".join(w if rng.random() > share else str(rng.choice(WORDS)) for w in line.split())
        for line in REFERENCE
    )


GOOD, FAIR, LIKE, POOR = (
    Outputs(name, broken(share, seed))
    for name, share, seed in [("good", 0.1, 1), ("fair", 0.25, 2), ("like", 0.25, 3), ("poor", 0.6, 4)]
)


DOCUMENTS = tuple(f"doc{i // 10}" for i in range(120))


DOMAINS = tuple("news" if i < 60 else "talks" for i in range(120))


TEST_SET = TestSet(references=(REFERENCE,), labels={"document": DOCUMENTS, "domain": DOMAINS}, name="made up")


FAST = {"trials": 500, "resamples": 200}


def pair_of(result: Comparison, a: str, b: str, metric: str = "bleu") -> Pair:
    return next(p for p in result.pairs if {p.a, p.b} == {a, b} and p.metric == metric)


def standing(result: Comparison, system: str, metric: str = "bleu") -> Standing:
    return next(r for r in result.results if (r.system, r.metric) == (system, metric))


def outcomes_of(scores, correction="holm", test="randomisation", **options):
    matrix = ScoreMatrix(tuple("abcdefgh"[: len(scores)]), scores)
    return comparison.compare_scores(
        matrix, test=test, correction=correction, **{"trials": 2000, "resamples": 2000, **options}
    )
