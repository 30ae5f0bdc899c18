"""Does fitting METEOR help, and how long does it take?

python bench/tuning.py wmt17 SHARED/data/04_wmt17_da_seg_toen     tuned against default, a row a language pair
python bench/tuning.py speed [ITEMS]                              seconds for each correlation (100,000)
"""

from __future__ import annotations

import html
import sys
import time
from pathlib import Path

import numpy as np

from adjudge.data import TestSet
from adjudge.evaluate.tuning import Tuning, rows_of, tune, tune_items
from adjudge.evaluate.tuning.gathering import Gathered
from adjudge.evaluate.tuning.items import Items
from adjudge.io import load
from adjudge.io.judgements import read_judgements
from adjudge.metrics import metric
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.report.table import Cell, Column, Row, Table
from adjudge.report.text import plain, table_lines

DEFAULT = Parameters(0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6)


def wmt17(folder: Path) -> None:
    """The held-out correlations of both language pairs, segment level, by two of the correlations."""
    rows = []
    for pair in sorted(path for path in folder.iterdir() if path.is_dir()):
        loaded = load(
            references=[str(pair / "ref.en")],
            systems=[str(path) for path in sorted((pair / "hyp").iterdir())],
        )
        # The files hold &apos; and the like.
        references = tuple(html.unescape(line or "") for line in loaded.test_set.references[0])
        outputs = [type(o)(o.system, tuple(map(html.unescape, o.segments)), o.run) for o in loaded.outputs]
        test_set = TestSet(references=(references,), language="en")
        meteor = metric("meteor")
        found = rows_of(meteor, test_set, outputs)
        judgements = read_judgements(str(pair / "human" / "DA-seglevel.csv")).judgements
        for measure in ("pearson", "kendall"):
            start = time.perf_counter()
            tuning = tune(judgements, found, test_set, DEFAULT, measure=measure)
            seconds = time.perf_counter() - start
            rows.append(_row(pair.name, tuning, seconds))
            print(pair.name, measure, tuning.parameters, file=sys.stderr)
    labels = ("Items", "Default", "Tuned", "Change", "Low", "High", "p", "Fitted", "Seconds")
    columns = (Column("Pair"), Column("Correlation"), *(Column(label, True) for label in labels))
    print(plain(table_lines(Table(columns, tuple(rows)))), end="")


def _row(pair: str, tuning: Tuning, seconds: float) -> Row:
    one = tuning.held_out[0]
    numbers = [
        f"{value:.3f}" for value in (one.default, one.tuned, one.delta, one.low, one.high, one.p_value)
    ]
    numbers = [str(tuning.items), *numbers, f"{tuning.fitted:.3f}", f"{seconds:.1f}"]
    return Row((Cell(pair), Cell(tuning.measure), *map(Cell, numbers)))


def speed(count: int) -> None:
    """The whole of a fit (grid, refinement, five folds, bootstrap) on rows made by chance."""
    rng = np.random.default_rng(1)
    rows = np.zeros((count, 23))
    words = rng.integers(5, 40, (count, 2))
    function = rng.binomial(words, 0.45)
    rows[:, 0:2], rows[:, 2:4] = words, function
    left = [(words - function).min(1), function.min(1)]
    quality = rng.beta(4, 3, count)
    for matcher in range(4):
        for kind in (0, 1):
            found = rng.binomial(left[kind], quality * (0.8 if matcher == 0 else 0.3))
            left[kind] = left[kind] - found
            rows[:, 7 + 4 * matcher + kind] = rows[:, 9 + 4 * matcher + kind] = found
    matched = rows[:, [7, 8, 11, 12, 15, 16, 19, 20]].sum(1).astype(int)
    rows[:, 4] = rows[:, 5] = matched
    rows[:, 6] = np.where(matched > 0, 1 + rng.binomial(np.maximum(matched - 1, 0), rng.beta(2, 3, count)), 0)
    rows = rows[:, None]
    unit = np.arange(count) // 5
    true = Items(rows, np.zeros(count), unit).scores(Parameters(0.7, 0.6, 0.4, 0.8, 1.0, 0.4, 0.9, 0.2))
    human = true + rng.normal(0, true.std() * 1.5, count)
    # Five translations a segment, of which one is held against the four others: as many pairs as items.
    pairs = np.array([(a, a // 5 * 5) for a in range(count)])
    pairs = pairs[human[pairs[:, 0]] != human[pairs[:, 1]]]
    pairs = np.where((human[pairs[:, :1]] > human[pairs[:, 1:]]), pairs, pairs[:, ::-1])
    for measure in ("pearson", "tau", "spearman", "kendall"):
        items = Items(rows, human, unit, pairs if measure == "tau" else None)
        start, cpu = time.perf_counter(), time.process_time()
        tuning = tune_items(
            Gathered(items, count, 5, count // 5),
            DEFAULT,
            measure=measure,
            level="segment",
            unit="segment",
            protocol="da",
        )
        seconds, used = time.perf_counter() - start, time.process_time() - cpu
        one = tuning.held_out[0]
        print(
            f"{measure}\t{count} items\tgrid {tuning.grid}\t{seconds:.1f} s\tcpu {used:.1f} s\t"
            f"held out {one.default:.4f} -> {one.tuned:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["wmt17"] and len(sys.argv) == 3:
        wmt17(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["speed"]:
        speed(int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
    else:
        sys.exit(__doc__)
