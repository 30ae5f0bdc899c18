"""Learned metrics and what to learn them from, small enough for tests."""

from pathlib import Path

import numpy as np

from adjudge.metrics import metric
from adjudge.metrics.learned_model import Feature, LearnedModel, RegressionTree, model_text
from adjudge.tuning.learning import TrainingSet

LINEAR = LearnedModel(
    (
        Feature("chrf", "higher", 5.0, 95.0, 50.0, 20.0),
        Feature("ter(normalized=true)", "lower", -150.0, 0.0, -60.0, 30.0),
        Feature("length-ratio", "neither", 0.5, 2.0, 1.0, 0.2),
    ),
    weights=(0.5, 0.25, -0.1),
    centre=0.1,
    spread=0.6,
    signatures={"en": {"ter(normalized=true)": "case:lc|tok:tercom|norm:yes|punct:yes|asian:no"}},
    recipe={"adjudge": "0.1.0"},
)
TREES = LearnedModel(
    LINEAR.features,
    trees=(
        RegressionTree((0, 1), (50.0, -40.0), (1, -3), (-1, -2), (0.8, 0.3, -0.5)),
        RegressionTree((), (), (), (), (0.1,)),
    ),
)


def written(model: LearnedModel, path: Path) -> Path:
    """The model in a file."""
    path.write_text(model_text(model), encoding="utf-8")
    return path


def planted(
    name: str = "planted",
    pair: str = "de-en",
    *,
    segments: int = 60,
    systems: int = 4,
    noise: float = 0.5,
    seed: int = 1,
    ranks: bool = False,
) -> TrainingSet:
    """Translations whose quality shows in chrF and TER, each seeing it with noise of its own, and not in WER."""
    rng = np.random.default_rng(seed)
    segment = np.repeat(np.arange(segments), systems)
    quality = rng.normal(size=len(segment))
    seen = [quality + noise * rng.normal(size=len(segment)) for _ in range(2)]
    scores = np.column_stack([50 + 15 * seen[0], 60 - 20 * seen[1], 50 + 10 * rng.normal(size=len(segment))])
    gold = quality + 0.2 * rng.normal(size=len(segment))
    pairs = [
        (a, b) if gold[a] > gold[b] else (b, a)
        for first in range(0, len(segment), systems)
        for a in range(first, first + systems)
        for b in range(a + 1, first + systems)
    ]
    return TrainingSet(
        name,
        pair,
        scores,
        None if ranks else gold,
        np.array(pairs, np.intp).reshape(-1, 2),
        segment,
        tuple(f"system {number % systems}" for number in range(len(segment))),
        tuple(f"document {number // 5}" for number in segment),
        len(segment),
    )


METRICS = tuple(metric(name) for name in ("chrf", "ter", "wer"))
"""Whose scores `planted` makes up."""
