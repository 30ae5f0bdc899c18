"""Times what is computed from a million judgements: rank tests, agreement, annotators, the model of raters.

    OPENBLAS_NUM_THREADS=1 python bench/agreement.py [JUDGEMENTS]

Seconds of processor time on one core; the judgements are made up and the same every time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.agreement import ranking_agreement, rating_agreement
from adjudge.human.curves import without_first, without_least
from adjudge.human.diagnostics import diagnoses
from adjudge.human.rater_model import ratings_model
from adjudge.stats.ranktests import all_pairs

SYSTEMS, ITEMS, ANNOTATORS = 20, 20_000, 500


def names(codes: np.ndarray, count: int) -> NameColumn:
    return NameColumn(tuple(map(str, range(count))), codes.astype(np.int32))


def made_up(count: int) -> tuple[Judgements, Judgements]:
    """Ratings and side-by-side judgements of the same systems by the same people."""
    rng = np.random.default_rng(1)
    system, other, item, who = (rng.integers(0, k, count) for k in (SYSTEMS, SYSTEMS - 1, ITEMS, ANNOTATORS))
    other = (system + 1 + other) % SYSTEMS
    quality = rng.normal(0, 8, ITEMS) + rng.normal(0, 6, (SYSTEMS, ITEMS)) + np.arange(SYSTEMS)[:, None] / 3
    severity = rng.normal(0, 12, ANNOTATORS)[who]
    score = np.rint(np.clip(60 + quality[system, item] + severity + rng.normal(0, 16, count), 0, 100))
    difference = quality[system, item] - quality[other, item] + rng.normal(0, 16, count)
    columns = names(system, SYSTEMS), names(item, ITEMS), names(who, ANNOTATORS)
    ratings = Judgements("da", *columns, score, start=10.0 * np.arange(count), seconds=rng.gamma(4, 5, count))
    choices = Judgements(
        "rank", *columns, np.sign(difference) * (np.abs(difference) > 5), other=names(other, SYSTEMS)
    )
    return ratings, choices


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    ratings, choices = made_up(count)
    few = ratings[ratings.annotator.codes < ANNOTATORS // 5]  # the model has a column for each rater × system
    rng = np.random.default_rng(2)
    segments = np.where(rng.random((60, 20_000)) < 0.15, np.nan, rng.normal(size=(60, 20_000)))
    work: dict[str, Callable[[], Any]] = {
        "rank-sum tests of 60 systems on 20,000 segments": lambda: all_pairs(segments, threads=1),
        "signed-rank tests of the same": lambda: all_pairs(segments, "signed-rank", threads=1),
        "agreement of ratings": lambda: rating_agreement(ratings),
        "agreement of rankings": lambda: ranking_agreement(choices),
        "annotators, ratings": lambda: diagnoses(ratings),
        "annotators, rankings": lambda: diagnoses(choices),
        "curve of 9 points, first judgements dropped": lambda: without_first(ratings),
        "curve of 11 points, judges dropped": lambda: without_least(ratings),
        "model of 100 raters, without translations": lambda: ratings_model(few, translations=False),
        "model of 100 raters": lambda: ratings_model(few),
    }
    for name, done in work.items():
        begin = time.process_time()
        done()
        print(f"{time.process_time() - begin:6.1f} s  {name}", flush=True)


if __name__ == "__main__":
    main()
