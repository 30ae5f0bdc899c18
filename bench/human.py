"""How long the analysis of a million judgements takes, and how that grows; writes its table of docs/performance.md.

OPENBLAS_NUM_THREADS=1 python bench/human.py      seconds of one core; a minute or so

Some systems lack a few of the drawn items, so each pair is tested on the items that both have.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from run import PAGE

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.human.agreement import rating_agreement
from adjudge.human.rankings import analyse_rankings
from adjudge.human.ratings import analyse_ratings
from adjudge.io.judgements import read

SIZES = (250_000, 500_000, 1_000_000)
SYSTEMS, EACH, ANNOTATORS = 20, 5, 500
RANKED = 12


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
        NameColumn(tuple(f"system{s}" for s in range(SYSTEMS)), system),
        NameColumn(tuple(str(i + 1) for i in range(items)), item),
        NameColumn(tuple(f"annotator{a}" for a in range(ANNOTATORS)), who),
        np.round(score),
        kind=kind,
    )


def preferred(count: int) -> Judgements:
    """Rankings of five of twelve systems: ten pairs each, four rankings an item."""
    random = np.random.default_rng(2)
    rankings = count // 10
    items = rankings // 4
    shown = np.argsort(random.random((rankings, RANKED)), axis=1)[:, :5].astype(np.int32)
    place = np.round(random.normal(0, 1, (rankings, 5)) - 0.15 * shown)
    first, second = np.triu_indices(5, 1)
    names = tuple(f"system{s}" for s in range(RANKED))
    item, who = random.integers(0, items, rankings), random.integers(0, ANNOTATORS, rankings)
    return Judgements(
        "rank",
        NameColumn(names, shown[:, first].ravel()),
        NameColumn(tuple(str(i + 1) for i in range(items)), np.repeat(item, 10).astype(np.int32)),
        NameColumn(tuple(f"annotator{a}" for a in range(ANNOTATORS)), np.repeat(who, 10).astype(np.int32)),
        np.sign(place[:, first] - place[:, second]).ravel(),
        other=NameColumn(names, shown[:, second].ravel()),
        ranking=np.repeat(np.arange(rankings), 10),
    )


def seconds(work: Callable[[], object]) -> float:
    """Of one core."""
    start = time.process_time()
    work()
    return time.process_time() - start


def written(judgements: Judgements, path: Path) -> None:
    kinds = ("ordinary", "repeat", "bad reference")
    rows = zip(
        judgements.annotator.values(),
        judgements.system.values(),
        judgements.item.values(),
        judgements.score.astype(int).tolist(),
        (kinds[k] for k in judgements.kind),
        strict=True,
    )
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    path.write_text("annotator\tsystem\tsegment\tscore\ttype\n" + text, encoding="utf-8")


def main() -> None:
    lines = [
        "| judgements | read from a TSV | ratings: z, tests, clusters, agreement, annotators | of which agreement | "
        "read and analysed | pairs of rankings: expected wins, ranges, agreement | target |",
        "|--:|--:|--:|--:|--:|--:|---|",
    ]
    analyse_ratings(drawn(1000))  # so that nothing is loaded while it is measured
    analyse_rankings(preferred(1000))
    for count in SIZES:
        judgements, pairs = drawn(count), preferred(count)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "judgements.tsv"
            written(judgements, path)
            reading = seconds(lambda path=path: read([str(path)]))  # type: ignore[misc]
        analysing = seconds(lambda rows=judgements: analyse_ratings(rows, threads=1))  # type: ignore[misc]
        agreeing = seconds(lambda rows=judgements: rating_agreement(rows))  # type: ignore[misc]
        ranking = seconds(lambda rows=pairs: analyse_rankings(rows, threads=1))  # type: ignore[misc]
        worst = max(reading + analysing, ranking)
        target = "" if count < 1_000_000 else "< 10 s met" if worst < 10 else "< 10 s **missed**"
        cells = [reading, analysing, agreeing, reading + analysing, ranking]
        lines.append(f"| {count:,} | {' | '.join(f'{cell:.1f} s' for cell in cells)} | {target} |")
    body = "\n".join(lines)
    print(body)
    head, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- judgements -->")
    _, _, tail = rest.partition("<!-- /judgements -->")
    PAGE.write_text(f"{head}<!-- judgements -->\n{body}\n<!-- /judgements -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
