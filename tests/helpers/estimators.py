"""Judged segments and an estimator of them, small enough for tests."""

import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from adjudge.qe.estimator import Estimator
from adjudge.qe.fitting import TrainingOptions, train
from adjudge.qe.labelled import LabelledSegments
from adjudge.qe.model_file import model_bytes

GERMAN = {"the": "die", "old": "alte", "small": "kleine", "house": "Hütte", "cat": "Katze", "city": "Stadt"}
GERMAN |= {
    "sees": "sieht",
    "knows": "kennt",
    "loves": "liebt",
    "and": "und",
    "never": "nie",
    "today": "heute",
}
NOUNS, VERBS, ADJECTIVES = ("house", "cat", "city"), ("sees", "knows", "loves"), ("old", "small")


def judged(number: int = 120, *, seed: int = 1, noise: float = 0.1) -> LabelledSegments:
    """Translations word by word, some of whose words stayed English, are missing or are others: people saw which."""
    rng = np.random.default_rng(seed)
    sources, outputs, scores, tags, edits, log_probabilities = [], [], [], [], [], []
    for _ in range(number):
        source = [
            "the",
            rng.choice(ADJECTIVES),
            rng.choice(NOUNS),
            rng.choice(VERBS),
            "the",
            rng.choice(NOUNS),
        ]
        source += [str(word) for word in rng.choice(["and", "never", "today", "1,200"], rng.integers(0, 4))]
        right = [GERMAN.get(str(word), str(word).replace(",", ".")) for word in source]
        wrong = rng.random(len(right)) < rng.choice([0.0, 0.15, 0.5])
        others = rng.choice([*GERMAN, "Unsinn", "7"], len(right))
        output = [str(o) if bad else word for word, o, bad in zip(right, others, wrong, strict=True)]
        sources.append(f"{' '.join(source)} .".capitalize())
        outputs.append(f"{' '.join(output)} .")
        edits.append(f"{' '.join(right)} .")
        tags.append(tuple("BAD" if bad else "OK" for bad in (*wrong, False)))
        scores.append(-wrong.mean() + noise * rng.normal())
        log_probabilities.append(
            tuple(float(p) for p in -0.1 - 2 * np.append(wrong, False) * rng.random(len(tags[-1])))
        )
    return LabelledSegments(
        tuple(sources),
        tuple(outputs),
        np.array(scores),
        tuple(edits),
        log_probabilities=tuple(log_probabilities),
        tags=tuple(tags),
    )


@cache
def estimator() -> Estimator:
    """An estimator of such segments that has learnt tags and log-probabilities too."""
    return train(judged(), options=TrainingOptions(languages=("en", "de"), folds=3, threads=1))


@cache
def model_file() -> Path:
    """Its file; the folder lives as long as the tests."""
    folder = _folder()
    path = Path(folder.name) / "small.json"
    path.write_bytes(model_bytes(estimator()))
    return path


@cache
def _folder() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="adjudge-qe-")
