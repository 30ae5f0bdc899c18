"""Least-risk choices by adjudge and by mbrs, from the same lists: processor seconds, and how many are the same.

    python bench/rerank.py NEURAL_PYTHON [SEGMENTS [HYPOTHESES]]

Lists are made from the outputs of ten systems of WMT 2021 (golden/data w2): each hypothesis is one of them, with a few
words taken from another or moved. A choice that mbrs made among equals (it computes with 24 bits) counts as the same.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parent / "tests" / "oracles" / "mbrs_choices.py"
SINGLE = 1e-5
PEERS = {
    # ours, peer, target
    "fastchrf": ("chrf", "mbrs chrF with fastchrf", 20),
    "bleu": ("bleu", "mbrs BLEU", 100),
    "aggregated": ("chrf", "mbrs chrF, references aggregated", None),
}


def system_outputs() -> list[list[str]]:
    shared = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))
    files = sorted((shared / "golden" / "data").glob("w2.zh-en.*.en"))
    files = [file for file in files if ".ref" not in file.name]
    return [file.read_text(encoding="utf-8").rstrip("\n").split("\n") for file in files]


def made_lists(segments: int, hypotheses: int) -> list[list[str]]:
    """Lists in which hypotheses differ by a few words, as samples of one engine do."""
    rng = random.Random(64)
    outputs = system_outputs()
    lists = []
    for segment in range(segments):
        texts = [own[segment] for own in outputs]
        lists.append([varied(rng.choice(texts), rng.choice(texts), rng) for _ in range(hypotheses)])
    return lists


def varied(text: str, other: str, rng: random.Random) -> str:
    words, others = text.split(), other.split() or ["x"]
    for _ in range(rng.randint(0, 4)):
        if not words:
            break
        place = rng.randrange(len(words))
        kind = rng.random()
        if kind < 0.6:
            words[place] = rng.choice(others)
        elif kind < 0.8:
            words.insert(place, rng.choice(others))
        else:
            words.append(words.pop(place))
    return " ".join(words)


def ours(lists: list[list[str]], spec: str) -> tuple[list[int], float]:
    from adjudge.data.nbest import NBestLists
    from adjudge.reranking import rerank

    nbest = NBestLists(tuple(map(tuple, lists)))
    rerank(NBestLists((("a", "b"),)), spec, threads=1)
    start = time.process_time()
    result = rerank(nbest, spec, threads=1)
    return [choice.index for choice in result.choices], time.process_time() - start


def theirs(python: str, lists: list[list[str]], name: str) -> tuple[list[int], float]:
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(lists, file)
        file.flush()
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
        command = [python, str(SCRIPT), file.name, name]
        ended = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    result = json.loads(ended.stdout.splitlines()[-1])
    return result["choices"], result["seconds"]


def same(lists: list[list[str]], spec: str, mine: list[int], other: list[int]) -> int:
    from adjudge.metrics import metric
    from adjudge.reranking import expected_utilities

    count = 0
    for texts, a, b in zip(lists, mine, other, strict=True):
        utilities = expected_utilities(metric(spec), texts)
        count += texts[a] == texts[b] or bool(utilities[b] >= np.max(utilities) - SINGLE)
    return count


def rows(python: str, segments: int = 100, hypotheses: int = 64) -> list[str]:
    """The table of the page."""
    lists = made_lists(segments, hypotheses)
    table = [
        "| utility | peer | adjudge | peer's time | ratio | target | same choice |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for name, (spec, title, target) in PEERS.items():
        mine, my_seconds = ours(lists, spec)
        other, their_seconds = theirs(python, lists, name)
        ratio = their_seconds / my_seconds
        goal = "–" if target is None else f"≥ {target}× {'met' if ratio >= target else '**missed**'}"
        agreed = same(lists, spec, mine, other)
        row = f"| {spec} | {title} | {my_seconds:.2f} s | {their_seconds:.2f} s | {ratio:.0f}× | {goal} "
        table.append(f"{row}| {agreed} of {segments} |")
        print(table[-1], file=sys.stderr, flush=True)
    return table


def memory_line() -> str:
    """The peak of a process of its own that chooses from lists of 1,024."""
    command = [sys.executable, str(HERE / "rerank.py"), "--peak"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return (
        f"Lists of 1,024 hypotheses, exact: {found['chrf']:.2f} s a segment for chrF, {found['bleu']:.2f} s for BLEU, "
        f"{found['peak_mb']:.0f} MB at the peak, Python and the texts included."
    )


def peak() -> None:
    lists = made_lists(4, 1024)
    found = {spec: ours(lists, spec)[1] / len(lists) for spec in ("chrf", "bleu")}
    found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1:] == ["--peak"]:
        peak()
    else:
        print("\n".join(rows(sys.argv[1], *map(int, sys.argv[2:]))))
        print(memory_line())
