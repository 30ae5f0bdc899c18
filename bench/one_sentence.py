"""How long one sentence takes by itself, as in a loop that trains on rewards: one_sentence.py [ROUNDS].

Printed is the processor time of a call in microseconds, the smallest mean of so many rounds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import adjudge
import adjudge.compat.sacrebleu as sacrebleu

HYPOTHESIS = "The quick brown fox jumps over the lazy dog in the morning sun ."
REFERENCE = "A quick brown fox jumped over a lazy dog in the early morning sunshine ."
CALLS = 400


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    bleu, chrf = adjudge.metric("bleu"), adjudge.metric("chrf")
    peers = {"BLEU": sacrebleu.BLEU(effective_order=True), "CHRF": sacrebleu.CHRF()}
    calls: dict[str, Callable[[], object]] = {
        "metric('bleu').sentence_score": lambda: bleu.sentence_score(HYPOTHESIS, [REFERENCE]),
        "metric('chrf').sentence_score": lambda: chrf.sentence_score(HYPOTHESIS, [REFERENCE]),
        "compat BLEU().sentence_score": lambda: peers["BLEU"].sentence_score(HYPOTHESIS, [REFERENCE]),
        "compat CHRF().sentence_score": lambda: peers["CHRF"].sentence_score(HYPOTHESIS, [REFERENCE]),
        "adjudge.score by bleu": lambda: _scored(bleu),
        "adjudge.score by chrf": lambda: _scored(chrf),
    }
    for name, call in calls.items():
        print(f"{name:<32}{min(_microseconds(call) for _ in range(rounds)):>8.1f} µs")


def _scored(metric: adjudge.metrics.Metric) -> object:
    test_set = adjudge.TestSet(references=[[REFERENCE]])
    return adjudge.score(test_set, adjudge.Outputs("system", [HYPOTHESIS]), metric, threads=1)


def _microseconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    for _ in range(CALLS):
        call()
    return 1e6 * (time.process_time() - start) / CALLS


if __name__ == "__main__":
    main()
