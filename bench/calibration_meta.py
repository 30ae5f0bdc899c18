"""Do intervals of agreement hold as often as they say, and do tests between equal metrics keep quiet?

    .venv/bin/python bench/calibration_meta.py [SIMULATIONS [TASK]...]
    .venv/bin/python bench/calibration_meta.py systems [SIMULATIONS]

Twelve systems, 60 items. People and metrics see the same quality (of systems, items and single translations) with
errors of their own: of single cells alone (`cells`), or also of whole items and whole systems (`shared`), as real
metrics have them. Both metrics err alike, so that every significant difference is a false alarm. Prints the tables of
docs/meta.md. `systems` draws other systems each time, 5 to 20 of them, and counts how often intervals hold what all
systems of that kind have.
"""

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.meta import MetricValue, RunSettings, Task, run_task

SYSTEMS, ITEMS = 12, 60
TASKS = {
    "system pearson": (Task("da", "system"), ("systems", "mtme")),
    "system spearman": (Task("da", "system", "spearman"), ("systems", "mtme")),
    "system accuracy": (Task("da", "system", "accuracy"), ("systems",)),
    "system spa": (Task("da", "system", "spa"), ("cells", "systems", "items", "both")),
    "segment pearson": (Task("da"), ("cells", "systems", "items", "both")),
    "segment pearson by item": (Task("da", grouping="item"), ("cells", "systems", "items", "both")),
    "segment kendall by item": (Task("da", "segment", "kendall", "item"), ("cells", "items", "both")),
    "segment pdp": (Task("da", "segment", "pdp", "item"), ("cells", "systems", "items", "both")),
    "segment acc_eq by item": (Task("da", "segment", "acc_eq", "item"), ("cells", "items")),
    "segment acc_eq": (Task("da", "segment", "acc_eq"), ("items",)),
    "segment acc_eq by system": (Task("da", "segment", "acc_eq", "system"), ("items",)),
    "segment darr": (Task("da", "segment", "darr", "none", threshold=2.0), ("items",)),
    "segment darr by item": (Task("da", "segment", "darr", "item", threshold=2.0), ("cells", "items")),
    "segment darr by system": (Task("da", "segment", "darr", "system", threshold=2.0), ("items",)),
}
KINDS = ("cells", "shared")


def noise(rng: np.random.Generator, kind: str, items: int) -> NDArray[np.float64]:
    """Errors of one measure."""
    cells = rng.normal(size=(SYSTEMS, items))
    if kind == "cells":
        return cells
    return 0.8 * cells + 0.5 * rng.normal(size=(1, items)) + 0.3 * rng.normal(size=(SYSTEMS, 1))


def made(rng: np.random.Generator, kind: str, items: int = ITEMS, *, same: bool = False) -> MetaSet:
    """People and two metrics that err alike; with `same`, the systems are always the same ones."""
    effects = (np.random.default_rng(1) if same else rng).normal(size=(SYSTEMS, 1))
    quality = rng.normal(size=(SYSTEMS, items)) + 0.5 * rng.normal(size=(1, items)) + 0.5 * effects
    people = np.round(2 * (quality + noise(rng, "cells", items)))  # with ties
    tables = {name: ScoreTable.of_segments(name, quality + noise(rng, kind, items)) for name in ("m", "n")}
    systems = tuple(f"s{i:02}" for i in range(SYSTEMS))
    return MetaSet("made", "", systems, {"da": ScoreTable.of_segments("da", people)}, tables)


def simulations(kind: str, times: int, *, same: bool = False) -> Iterator[tuple[MetaSet, int]]:
    rng = np.random.default_rng(20240 + KINDS.index(kind))
    for _ in range(times):
        yield made(rng, kind, same=same), int(rng.integers(1 << 30))


def false_alarms(times: int) -> dict[tuple[str, str, str], float]:
    """The share of simulations with p of .05 or less, by task, what is swapped, and how metrics err."""
    alarms: dict[tuple[str, str, str], int] = {}
    for kind in KINDS:
        for meta_set, seed in simulations(kind, times):
            for name, (task, swaps) in TASKS.items():
                for swap in (*swaps, "bootstrap"):
                    chosen = {"test": swap} if swap in ("bootstrap", "mtme") else {"swap": swap}
                    settings = RunSettings(interval="none", draws=200, seed=seed, **chosen)
                    (pair,) = run_task(meta_set, task, settings).pairs
                    key = name, swap, kind
                    alarms[key] = alarms.get(key, 0) + (pair.p <= 0.05)
    return {key: count / times for key, count in alarms.items()}


def coverage(times: int) -> dict[str, float]:
    """How often 95 % bootstrap intervals over items hold the agreement that the same systems have on very many."""
    many = [made(np.random.default_rng(seed), "cells", 1000, same=True) for seed in range(100, 110)]
    shares = {}
    for name, (task, _) in TASKS.items():
        if task.level == "system":
            continue
        alone = RunSettings("none", "none")
        aim = float(np.mean([_of_metric(meta_set, task, alone).value for meta_set in many]))
        hits = 0
        for meta_set, seed in simulations("cells", times, same=True):
            value = _of_metric(meta_set, task, RunSettings(test="none", seed=seed))
            hits += value.low <= aim <= value.high
        shares[name] = hits / times
    return shares


def _of_metric(meta_set: MetaSet, task: Task, settings: RunSettings) -> MetricValue:
    """The value of one metric by its name: the first of a table is the better of two, which has luck on its side."""
    return next(value for value in run_task(meta_set, task, settings).values if value.metric == "m")


POPULATIONS = {"strong": 0.08, "weak": 0.6, "long tail": 0.2}
"""The error of a metric's score of a whole system; systems differ by 1."""
SIZES = (5, 8, 12, 20)
OF_SYSTEMS = ("pearson", "spearman", "kendall", "accuracy", "spa")


def drawn_systems(rng: np.random.Generator, population: str, systems: int) -> MetaSet:
    """Systems of one population, judged by people and scored by a metric on 60 items."""
    # A few systems far below the others make the long tail.
    quality = 1.0 - rng.exponential(size=systems) if population == "long tail" else rng.normal(size=systems)
    shared = rng.normal(size=(systems, ITEMS))
    people = quality[:, None] + shared + rng.normal(size=shared.shape)
    error = POPULATIONS[population] * rng.normal(size=systems)
    scores = (quality + error)[:, None] + shared + rng.normal(size=shared.shape)
    names = tuple(f"s{i:05}" for i in range(systems))
    tables = [ScoreTable.of_segments(name, table) for name, table in (("da", people), ("m", scores))]
    return MetaSet("made", "", names, {"da": tables[0]}, {"m": tables[1]})


def system_coverage(times: int) -> dict[tuple[str, str, int], float]:
    """The share of 95 % intervals of a measure of systems that hold what very many systems have."""
    shares = {}
    for population in POPULATIONS:
        rng = np.random.default_rng(20251)
        aims = {kind: _aim(rng, population, kind) for kind in OF_SYSTEMS}
        for size in SIZES:
            hits = dict.fromkeys(OF_SYSTEMS, 0)
            for _ in range(times):
                meta_set = drawn_systems(rng, population, size)
                for kind in OF_SYSTEMS:
                    value = _alone(meta_set, kind, "bootstrap")
                    hits[kind] += value.low <= aims[kind] <= value.high
            shares |= {(population, kind, size): count / times for kind, count in hits.items()}
    return shares


def _aim(rng: np.random.Generator, population: str, kind: str) -> float:
    """What very many systems have; a mean over pairs, as soft accuracy is, is the same of sets of any size."""
    sets, size = (60, 60) if kind == "spa" else (5, 4000)
    return float(np.mean([_alone(drawn_systems(rng, population, size), kind).value for _ in range(sets)]))


def _alone(meta_set: MetaSet, kind: str, interval: str = "none") -> MetricValue:
    (value,) = run_task(meta_set, Task("da", "system", kind), RunSettings(interval, "none")).values
    return value


def main() -> None:
    if sys.argv[1:2] == ["systems"]:
        print_system_coverage(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
        return
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    for name in set(TASKS) - set(sys.argv[2:] or TASKS):
        del TASKS[name]
    print("| task | swapped | metrics err by cell | also by item and system |\n|---|---|---|---|")
    rates = false_alarms(times)
    for name, (_, swaps) in TASKS.items():
        for swap in (*swaps, "bootstrap"):
            print(
                f"| {name} | {swap} | "
                + " | ".join(f"{100 * rates[name, swap, k]:.1f} %" for k in KINDS)
                + " |"
            )
    print("\n| task | intervals that hold |\n|---|---|")
    for name, share in coverage(times).items():
        print(f"| {name} | {100 * share:.1f} % |")


def print_system_coverage(times: int) -> None:
    shares = system_coverage(times)
    print("| measure | systems | " + " | ".join(POPULATIONS) + " |\n|---|--:|" + "--:|" * len(POPULATIONS))
    for kind in OF_SYSTEMS:
        for size in SIZES:
            cells = " | ".join(f"{100 * shares[population, kind, size]:.1f} %" for population in POPULATIONS)
            print(f"| {kind} | {size} | {cells} |")


if __name__ == "__main__":
    main()
