"""Times all pairs of many systems by one metric: many_systems.py [METRIC [SYSTEMS ...]], prints a line for each number.

Systems are made of w2's ten (1,875 segments): each takes every segment from one of them, the later ones more often
from the worse half, so that some pairs differ much, some little and some not at all.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
from decisions import w2


def made_up(count: int) -> list[tuple[str, tuple[str, ...]]]:
    _, outputs = w2()
    lines = [outputs[name] for name in outputs]
    rng = np.random.default_rng(1)
    found = []
    for number in range(count):
        share = number // 2 * 2 / count  # two of each kind
        worse = rng.random(len(lines[0])) < share
        which = np.where(worse, rng.integers(5, 10, len(lines[0])), rng.choice([2, 3, 4], len(lines[0])))
        found.append((f"system {number}", tuple(lines[w][i] for i, w in enumerate(which))))
    return found


def main() -> None:
    from adjudge import Outputs, TestSet
    from adjudge.evaluate import compare

    metric = sys.argv[1] if len(sys.argv) > 1 else "bleu"
    numbers = [int(text) for text in sys.argv[2:]] or [10, 20, 40, 100]
    reference, _ = w2()
    test_set = TestSet(references=(tuple(reference),))
    for count in numbers:
        outputs = [Outputs(name, lines) for name, lines in made_up(count)]
        wall, start = time.perf_counter(), time.process_time()
        found = compare(test_set, outputs, metric, threads=2)
        seconds, wall = time.process_time() - start, time.perf_counter() - wall
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        significant = sum(pair.significant for pair in found.pairs)
        print(
            f"{metric}: {count} systems, {len(found.pairs):,} pairs, {significant:,} significant, smallest p "
            f"{min(pair.p_adjusted for pair in found.pairs):.2g} of up to {found.test.trials:,} trials: "
            f"{wall:.1f} s ({seconds:.1f} s of processor time), {peak:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
