"""How long the analysis of a million judgements takes, and how that grows; writes its table of docs/performance.md.

OPENBLAS_NUM_THREADS=1 python bench/human.py      seconds of one core; under a minute
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from run import PAGE

from adjudge.data.judgements import Judgements, Names
from adjudge.evaluate.judging import analyse
from adjudge.io.judgements import read

SIZES = (100_000, 1_000_000)
SYSTEMS, EACH, ANNOTATORS = 20, 5, 500


def drawn(count: int) -> Judgements:
    """Five judgements of every translation of twenty systems, a tenth of them control items."""
    random = np.random.default_rng(1)
    items = count // (SYSTEMS * EACH)
    translation = np.repeat(np.arange(items * SYSTEMS), EACH)
    who = random.integers(0, ANNOTATORS, count).astype(np.int32)
    system, item = (translation % SYSTEMS).astype(np.int32), (translation // SYSTEMS).astype(np.int32)
    quality = 70 - system + random.normal(0, 8, items * SYSTEMS)[translation]
    score = np.clip(quality + random.normal(0, 8, ANNOTATORS)[who] + random.normal(0, 12, count), 0, 100)
    kind = random.choice(np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 2], np.int8), count)
    score = np.where(kind == 2, score * 0.5, score)
    return Judgements(
        "da",
        Names(tuple(f"system{s}" for s in range(SYSTEMS)), system),
        Names(tuple(str(i + 1) for i in range(items)), item),
        Names(tuple(f"annotator{a}" for a in range(ANNOTATORS)), who),
        np.round(score),
        kind=kind,
    )


def seconds(work: Callable[..., object], *arguments: object) -> float:
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def main() -> None:
    lines = [
        "| judgements | read from a TSV | z, tests, clusters, agreement, annotators | together | target |",
        "|--:|--:|--:|--:|---|",
    ]
    for count in SIZES:
        judgements = drawn(count)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "judgements.tsv"
            kinds = ("ordinary", "repeat", "bad reference")
            rows = zip(
                judgements.annotator.values(),
                judgements.system.values(),
                judgements.item.values(),
                judgements.score.astype(int).tolist(),
                (kinds[k] for k in judgements.kind),
                strict=True,
            )
            text = "annotator\tsystem\tsegment\tscore\ttype\n" + "".join(
                "\t".join(map(str, row)) + "\n" for row in rows
            )
            path.write_text(text, encoding="utf-8")
            reading = seconds(read, [str(path)])
        analysing = seconds(analyse, judgements)
        target = (
            "" if count < 1_000_000 else "< 10 s met" if reading + analysing < 10 else "< 10 s **missed**"
        )
        lines.append(
            f"| {count:,} | {reading:.1f} s | {analysing:.1f} s | {reading + analysing:.1f} s | {target} |"
        )
    body = "\n".join(lines)
    print(body)
    head, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- judgements -->")
    _, _, tail = rest.partition("<!-- /judgements -->")
    PAGE.write_text(f"{head}<!-- judgements -->\n{body}\n<!-- /judgements -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
