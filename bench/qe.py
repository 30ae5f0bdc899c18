"""Estimators of quality on MLQE-PE en-de, and the time that lexicons of much parallel text take.

python bench/qe.py            # the table of docs/qe.md
python bench/qe.py --pairs N  # lexicons of N made-up sentence pairs of 20 words
"""

import argparse
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from adjudge import _native
from adjudge.qe.conformal import coverage
from adjudge.qe.estimator import estimate, recalibrate
from adjudge.qe.fitting import TrainingOptions, train
from adjudge.qe.labelled import join_labelled
from adjudge.qe.measures import matthews, pearson
from adjudge.qe.reading import read_lines, read_table, with_log_probabilities, with_tags

SHARED = Path(os.environ.get("ADJUDGE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
FOLDER = SHARED / "data" / "10_mlqe_pe" / "en-de"
OPTIONS = TrainingOptions(languages=("en", "de"))
WORDS = 200_000


def assessed(split, name):
    """A split by its direct assessments, with log-probabilities where they are."""
    segments = read_table(str(FOLDER / "da" / split / f"{name}.ende.df.short.tsv"))
    path = FOLDER / "da" / split / f"word_probas.{name}.ende"
    return with_log_probabilities(segments, str(path)) if path.exists() else segments


def edited(split, name):
    """A split by its post-edits: HTER and tags of words."""
    base = FOLDER / "pe" / split / name
    segments = read_lines(f"{base}.src", f"{base}.mt", f"{base}.hter")
    edits = Path(f"{base}.pe").read_text(encoding="utf-8").splitlines()
    return replace(with_tags(segments, f"{base}.tags"), post_edits=tuple(edits))


def show(name, model, test, given=None):
    own = estimate(model, test.sources, test.outputs, given)
    held = coverage(own.low, own.high, test.scores)
    print(
        f"{name:40} r {float(pearson(test.scores, own.scores)):.3f}  90 % intervals hold {held:.1%}",
        flush=True,
    )
    return own


def quality():
    learn, dev, test = (
        assessed(*split) for split in (("train", "train"), ("dev", "dev"), ("test", "test20"))
    )
    black = train(replace(learn, log_probabilities=None), options=OPTIONS)
    show("black box, train", black, test)
    show("black box, train, calibrated on dev", recalibrate(black, dev), test)
    show("black box, dev alone", train(replace(dev, log_probabilities=None), options=OPTIONS), test)
    show(
        "token log-probabilities, train and dev",
        train(join_labelled([learn, dev]), options=OPTIONS),
        test,
        test.log_probabilities,
    )
    test = edited("test", "test20")
    model = train(edited("train", "train"), options=OPTIONS)
    show("HTER", model, test)
    said = estimate(model, test.sources, test.outputs, tags=True).tags
    bad = [np.array([tag == "BAD" for row in tags for tag in row]) for tags in (test.tags, said)]
    print(f"{'tags of words':40} MCC {matthews(*bad):.3f}")


def lexicon(pairs):
    """Words by Zipf's law, four in five of them translated by another."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(8, 33, pairs)
    source, noise = ((WORDS ** rng.random(sizes.sum()) - 1).astype(np.int32) for _ in range(2))
    target = np.where(rng.random(len(source)) < 0.8, rng.permutation(WORDS).astype(np.int32)[source], noise)
    start = time.process_time()
    model = _native.LexicalModel.train(source, sizes, target.astype(np.int32), sizes, WORDS, WORDS, 5, 3, 0)
    spent = time.process_time() - start
    print(f"{pairs:,} pairs: {spent:.0f} s of processor time, {len(model.entries(0.0)[0]):,} pairs of words")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int)
    arguments = parser.parse_args()
    if arguments.pairs:
        lexicon(arguments.pairs)
    else:
        quality()
