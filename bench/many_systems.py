"""Times all pairs of many systems by one metric: many_systems.py [METRIC [SYSTEMS ...]] prints a line for each number.

Systems are made of w2's ten (1,875 segments): each takes every segment from one of them, the later ones more often
from the worse half, so that some pairs differ much, some little and some not at all. With --runs each has several
training runs; --one-sided expects the systems in their order.
"""

from __future__ import annotations

import argparse
import resource
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


def runs_of(
    name: str, lines: tuple[str, ...], runs: int, seed: int
) -> list[tuple[str, str, tuple[str, ...]]]:
    """A system's training runs: each has some segments from another system."""
    _, outputs = w2()
    others = list(outputs.values())[2:5]
    rng = np.random.default_rng(seed)
    found = []
    for run in range(1, runs + 1):
        luck = rng.random(len(lines)) < 0.2
        which = rng.integers(0, len(others), len(lines))
        own = tuple(others[w][i] if luck[i] and runs > 1 else lines[i] for i, w in enumerate(which))
        found.append((name, str(run) if runs > 1 else "", own))
    return found


def main() -> None:
    from adjudge import Outputs, TestSet
    from adjudge.comparison import Plan, compare_measured, facts_of, measure
    from adjudge.metrics import metric as metric_of

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("metric", nargs="?", default="bleu")
    parser.add_argument("systems", nargs="*", type=int, default=[10, 20, 40, 100])
    parser.add_argument("--one-sided", action="store_true")
    parser.add_argument("--runs", type=int, default=1)
    given = parser.parse_args()
    reference, _ = w2()
    test_set = TestSet(references=(tuple(reference),))
    chosen = [metric_of(given.metric)]
    for count in given.systems:
        outputs = [
            Outputs(system, own, run)
            for number, (name, lines) in enumerate(made_up(count))
            for system, run, own in runs_of(name, lines, given.runs, number)
        ]
        names = tuple(dict.fromkeys(output.system for output in outputs))
        plan = Plan(alternative="one-sided", expected=names) if given.one_sided else Plan()
        wall, start = time.perf_counter(), time.process_time()
        measured = measure(test_set, outputs, chosen, threads=2)
        found = compare_measured(measured, facts_of(test_set, chosen), plan=plan, threads=2)
        seconds, wall = time.process_time() - start, time.perf_counter() - wall
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        significant = sum(pair.significant for pair in found.pairs)
        print(
            f"{given.metric}: {count} systems, {len(found.pairs):,} pairs, {significant:,} significant, smallest p "
            f"{min(pair.p_adjusted for pair in found.pairs):.2g} of up to {found.test.trials:,} trials: "
            f"{wall:.1f} s ({seconds:.1f} s of processor time), {peak:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
