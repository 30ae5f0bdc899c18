#!/usr/bin/env python3
"""Make history.db: ten versions of a simulated system, as `--record` would have kept them week by week.

    python make_history.py

Words of systems/neural.en are lost at random, more of them in some versions than in others; from version 1.8 on the
test set has lost its last documents. Numbers are drawn with Random.random() only, seeded by strings, because that stays
the same from one Python version to the next.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

import adjudge

FOLDER = Path(__file__).resolve().parent
LOST = {"1.0": 0.06, "1.1": 0.06, "1.2": 0.05, "1.3": 0.06, "1.4": 0.02}
LOST |= {"1.5": 0.02, "1.6": 0.11, "1.7": 0.02, "1.8": 0.02, "1.9": 0.02}
"""Shares of words, by version."""
SHORTER = ("1.8", "1.9")
SEGMENTS = 150
FIRST = 1767609000.0  # a Monday morning, 2026-01-05
WEEK = 7 * 86400.0


def output(segments: tuple[str, ...], version: str) -> adjudge.Outputs:
    """The segments as that version has them."""
    random = Random(f"version {version}")
    lines = [
        " ".join(word for word in line.split() if random.random() >= LOST[version]) or line
        for line in segments
    ]
    return adjudge.Outputs("neural", lines)


def main() -> None:
    """Write the history anew."""
    place = FOLDER / "history.db"
    place.unlink(missing_ok=True)
    loaded = adjudge.load(
        systems=[str(FOLDER / "systems" / "neural.en")],
        references=[str(FOLDER / "reference.en")],
        labels=str(FOLDER / "labels.tsv"),
    )
    for week, version in enumerate(LOST):
        test_set = loaded.test_set[:SEGMENTS] if version in SHORTER else loaded.test_set
        outputs = output(loaded.outputs[0].segments[: len(test_set)], version)
        scores = adjudge.score(test_set, outputs, ("bleu", "chrf"), rows=True)
        revision = hashlib.sha1(version.encode("ascii")).hexdigest()
        adjudge.record(
            scores,
            place=str(place),
            label=f"v{version}",
            made=FIRST + week * WEEK,
            revision=revision,
        )


if __name__ == "__main__":
    main()
