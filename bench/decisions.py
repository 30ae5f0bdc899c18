"""Times one test of significance on w2 (ten systems, 1,875 segments): decisions.py CASE, prints JSON.

Seconds are of processor time, as the peers' are, with all imports done and the lines in memory; no rows are cached.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

Lines = list[str]
Work = Callable[[], dict[str, float]]
"""The work to be timed; gives p-values (or the share of wins) by system."""

METRICS = {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}


def golden(file: str) -> Lines:
    shared = Path(os.environ.get("ADJUDGE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    text = (shared / "golden" / "data" / file).read_bytes().decode("utf-8")
    return text.removesuffix("\n").split("\n")


def w2() -> tuple[Lines, dict[str, Lines]]:
    names = (
        "AISP-SJTU DLUT HuaweiTSC JDExploreAcademy Lan-Bridge LanguageX NiuTrans Online-A Online-B Online-G"
    )
    return golden("w2.zh-en.refA.en"), {name: golden(f"w2.zh-en.{name}.en") for name in names.split()}


def ours(spec: str, threads: int = 1, systems: int | None = None, **options: object) -> Work:
    import scipy.special  # noqa: F401 - which the tests import late, and imports are not timed

    from adjudge import Outputs, TestSet
    from adjudge.comparison import compare
    from adjudge.metrics import metric

    by = metric(spec)
    reference, outputs = w2()
    chosen = dict(list(outputs.items())[:systems])

    def work() -> dict[str, float]:
        test_set = TestSet(references=(tuple(reference),))
        found = compare(
            test_set,
            [Outputs(name, tuple(lines)) for name, lines in chosen.items()],
            by,
            threads=threads,
            **{"baseline": "AISP-SJTU", **options},
        )
        return {pair.a: pair.p for pair in found.pairs}

    return work


def sacrebleu(metric: str, test: str, resamples: int) -> Work:
    import sacrebleu
    from sacrebleu.significance import PairedTest

    reference, outputs = w2()
    kind = METRICS[metric]
    metrics = {kind: getattr(sacrebleu, kind)(references=[reference])}

    def work() -> dict[str, float]:
        named = list(outputs.items())
        _, found = PairedTest(named, metrics, None, test_type=test, n_samples=resamples)()
        scores = next(values for name, values in found.items() if name != "System")
        return {name: score.p_value for (name, _), score in list(zip(named, scores, strict=True))[1:]}

    return work


def compare_mt(resamples: int) -> Work:
    """Two systems, BLEU on words, half of the segments with replacement: all that it offers."""
    from compare_mt.scorers import BleuScorer
    from compare_mt.sign_utils import eval_with_paired_bootstrap

    reference, outputs = w2()
    words = [[line.split() for line in lines] for lines in (reference, *list(outputs.values())[:2])]

    def work() -> dict[str, float]:
        wins, _ = eval_with_paired_bootstrap(words[0], words[1:], None, BleuScorer(), num_samples=resamples)
        return {"wins": wins[0][0]}

    return work


def stream(threads: int = 0) -> Work:
    """10,000 resamples and 10,000 trials of all pairs of ten systems with 100,000 segments, three metrics."""
    from adjudge import Outputs, TestSet
    from adjudge.comparison import compare

    hypotheses, reference = golden("w3.hyp.en"), golden("w3.ref.en")
    rng = random.Random(1)

    def worse(share: float) -> tuple[str, ...]:
        return tuple(" ".join(w for w in line.split(" ") if rng.random() > share) for line in hypotheses)

    outputs = [Outputs(f"system {i}", worse(0.002 * i)) for i in range(10)]
    test_set = TestSet(references=(tuple(reference),))
    options = {"trials": 10_000, "resamples": 10_000, "threads": threads}
    return lambda: {"pairs": len(compare(test_set, outputs, ("bleu", "chrf", "ter"), **options).pairs)}


BOOTSTRAP = {"test": "bootstrap", "resamples": 1000}
RANDOMISATION = {"trials": 10_000, "resamples": 1}  # sacreBLEU gives no intervals here either

CASES: dict[str, Callable[[], Work]] = {
    **{f"{m} bs": lambda m=m: ours(m, **BOOTSTRAP) for m in METRICS},
    **{f"{m} ar": lambda m=m: ours(m, **RANDOMISATION) for m in METRICS},
    **{f"{m} all pairs": lambda m=m: ours(m, baseline=None) for m in METRICS},
    **{f"{m} all pairs, 2 threads": lambda m=m: ours(m, 2, baseline=None) for m in METRICS},
    **{f"sacrebleu {m} bs": lambda m=m: sacrebleu(m, "bs", 1000) for m in METRICS},
    **{f"sacrebleu {m} ar": lambda m=m: sacrebleu(m, "ar", 10_000) for m in METRICS},
    "words bs": lambda: ours("bleu(tokenize=none)", systems=2, sampling="half", **BOOTSTRAP),
    "compare-mt bs": lambda: compare_mt(1000),
    "stream": stream,
}


def main() -> None:
    work = CASES[sys.argv[1]]()
    gc.collect()
    wall, start = time.perf_counter(), time.process_time()
    found = work()
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "wall": wall, "peak_mb": peak, "found": found}))


if __name__ == "__main__":
    main()
