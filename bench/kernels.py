"""Kernels on the 300 sentence pairs that KeLP was timed on; writes the tables of docs/kernels.md.

python bench/kernels.py SHARED     SHARED holds KeLP's trees and figures; about ten seconds
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.trees import ROOT, Tree, read_tree
from adjudge.kernels import CSPTK, PTK, SK, SPTK, SSTK, STK, Kernel

PAGE = Path(__file__).resolve().parent.parent / "docs" / "kernels.md"
REPETITIONS = 200
SENTENCES = (1, 2, 4, 8, 16, 32)
"""How many make one tree in the curve, beside each other."""
# Our names of KeLP's figures, which are CPU time of one thread, too.
KELP = {
    "SK": "sk",
    "PTK": "ptk",
    "SPTK": "sptk vectors attached beforehand",
    "CSPTK": "csptk vectors attached beforehand",
    "SSTK": "sstk",
    "STK": "stk",
}


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def vectors(path: Path) -> dict[str, np.ndarray]:
    split = (row[0].split(" ") for row in rows(path))
    return {word: np.array(numbers, np.float64) for word, *numbers in split}


def microseconds(kernel: Kernel, a: Sequence[Any], b: Sequence[Any], repetitions: int) -> tuple[float, float]:
    """The median and the least time of one pair, over all of them, in CPU time of this thread."""
    ours = kernel.prepare(a)
    theirs = kernel.prepare(b, others=ours)
    times = []
    for _ in range(repetitions):
        start = time.thread_time()
        kernel.pairs(ours, theirs, threads=1)
        times.append((time.thread_time() - start) / len(a) * 1e6)
    return statistics.median(times), min(times)


def beside(trees: Sequence[Tree]) -> Tree:
    """Trees beside each other as one."""
    parents: list[int] = []
    for tree in trees:
        start = len(parents)
        parents += [ROOT if parent == ROOT else start + parent for parent in tree.parents]
    return Tree(
        tuple(label for tree in trees for label in tree.labels),
        tuple(parents),
        tuple(kind for tree in trees for kind in tree.kinds),
    )


def longer(items: Sequence[Any], count: int) -> list[Any]:
    """Items of so many sentences each."""
    groups = [items[i : i + count] for i in range(0, len(items) - count + 1, count)]
    return [beside(g) if isinstance(g[0], Tree) else [word for words in g for word in words] for g in groups]


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])


def write(name: str, text: str) -> None:
    """Put the table into its place on the page."""
    print(text)
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    PAGE.write_text(f"{head}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")


def main() -> None:
    folder = Path(sys.argv[1]) / "golden" / "kelp"
    timing = json.loads((folder / "kelp_sptk_csptk.json").read_text(encoding="utf-8"))["timing"]["kernels"]
    known = vectors(folder / "glove50.lct300.vec")
    words = [[text[1:-1].split(")(") for text in row[1:3]] for row in rows(folder / "seq300.tsv")]
    lct = [[read_tree(text) for text in row[1:3]] for row in rows(folder / "lct300.trees.tsv")]
    clct = [[read_tree(text) for text in row[1:3]] for row in rows(folder / "clct300.trees.tsv")]
    kernels = {
        "SK": (SK(), words),
        "PTK": (PTK(), lct),
        "SPTK": (SPTK(vectors=known), lct),
        "CSPTK": (CSPTK(vectors=known, kelp=True), clct),
        "SSTK": (SSTK(), lct),
        "STK": (STK(kelp=True), lct),
    }
    body = []
    for name, (kernel, pairs) in kernels.items():
        median, least = microseconds(kernel, *zip(*pairs, strict=True), REPETITIONS)
        kelp = statistics.median(timing[KELP[name]]["median_us_per_pair_of_each_run"])
        fastest = min(timing[KELP[name]]["fastest_pass_us_per_pair"])
        row = (f"{median:.2f}", f"{least:.2f}", f"{kelp:.1f}", f"{fastest:.1f}", f"{fastest / least:.0f}×")
        body.append([name, *row])
    head = ["µs a pair", "median", "fastest pass", "KeLP, median", "fastest pass", "ratio of these"]
    write("times", table(head, body))

    body = []
    for count in SENTENCES:
        longest = {
            name: [longer(side, count) for side in zip(*p, strict=True)] for name, (_, p) in kernels.items()
        }
        size = statistics.mean(len(sequence) for side in longest["SK"] for sequence in side)
        repetitions = max(3, REPETITIONS // count)
        times = [microseconds(kernels[name][0], *longest[name], repetitions)[0] for name in kernels]
        body.append([f"{size:.0f}", *(f"{value:.2f}" if value < 10 else f"{value:.0f}" for value in times)])
    write("curve", table(["words, µs a pair", *kernels], body))


if __name__ == "__main__":
    main()
