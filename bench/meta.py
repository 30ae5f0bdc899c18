"""`adjudge meta` beside mt-metrics-eval: seconds of the processor, and a whole task set like that of WMT23.

    .venv/bin/python bench/meta.py SHARED [--draws 1000] [--only speed|tasks]

SHARED holds WMT23 en-de (12 systems, 460 judged lines), the scores of sixteen more metrics, and the CPU seconds that
mt-metrics-eval took. `speed` prints the table of docs/meta.md: one metric pair and 1,000 permutations. `tasks` runs 23
metrics, all 253 pairs, 1,000 permutations, at three levels, by the clock.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.io.metric_folders import read_meta_set
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.significance import permutations
from adjudge.meta.statistic import agreement_of
from adjudge.meta.tables import tables_of

PAIR = ("COMET-refA", "BLEU-refA")
ONE = {
    "acc_eq_item_calibrated_one_metric": Task("mqm", "segment", "acc_eq", "item"),
    "seg_pearson_item": Task("mqm", "segment", "pearson", "item"),
    "seg_kendall_b_item": Task("mqm", "segment", "kendall", "item"),
    "seg_kendall_b_none": Task("mqm", "segment", "kendall"),
}
SWAPPED = {
    "PERM_100_draws_sys_pearson": Task("mqm", "system"),
    "PERM_100_draws_seg_pearson_none": Task("mqm", "segment"),
    "PERM_100_draws_acc_eq_item_pairs": Task("mqm", "segment", "acc_eq", "item"),
    "PERM_100_draws_seg_kendall_b_item": Task("mqm", "segment", "kendall", "item"),
    "PERM_100_draws_spa": Task("mqm", "system", "spa"),
}
TASKS = (
    Task("mqm", "system", "accuracy"),
    Task("mqm", "system", "pearson"),
    Task("mqm", "system", "spa"),
    Task("mqm", "document", "pearson"),
    Task("mqm", "document", "acc_eq", "item"),
    Task("mqm", "segment", "pearson"),
    Task("mqm", "segment", "kendall", "item"),
    Task("mqm", "segment", "acc_eq", "item"),
)


def wmt23(shared: Path) -> MetaSet:
    """The folder's seven metrics and sixteen more."""
    meta_set = read_meta_set(str(shared / "data/03_wmt23_mqm_esa")).meta_set
    golden = shared / "golden/mtme"
    head, *rows = [
        line.split("\t") for line in (golden / "ende_extra_seg_scores.tsv").read_text().splitlines()
    ]
    _, *whole = [line.split("\t") for line in (golden / "ende_extra_sys_scores.tsv").read_text().splitlines()]
    place = {name: row for row, name in enumerate(meta_set.systems)}
    shape = (len(head) - 2, len(place), meta_set.segments)
    segments, systems = np.full(shape, np.nan), np.full(shape[:2], np.nan)
    for system, line, *scores in rows:
        if system in place:
            segments[:, place[system], int(line) - 1] = [np.nan if s == "None" else float(s) for s in scores]
    for system, *scores in whole:
        if system in place:
            systems[:, place[system]] = [np.nan if s == "None" else float(s) for s in scores]
    more = {
        name: ScoreTable(name, segments[at], systems[at], "" if name.endswith("-src") else "refA")
        for at, name in enumerate(head[2:])
    }
    return replace(meta_set, metrics={**meta_set.metrics, **more})


def seconds(call, times: int = 5) -> float:
    """The least processor time of some calls."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        call()
        spent.append(time.process_time() - start)
    return min(spent)


def speed(meta_set: MetaSet, theirs: dict[str, float], draws: int) -> None:
    print("| what | mt-metrics-eval, s | adjudge, s | ratio |\n|---|---|---|---|")
    for key, task in ONE.items():
        tables = tables_of(meta_set, task)
        own = seconds(lambda t=tables, k=task: agreement_of(PAIR[0], t, k, 1))
        print(f"| {task.name}, one metric | {theirs[key]:.3g} | {own:.2g} | {theirs[key] / own:,.0f}× |")
    for key, task in SWAPPED.items():
        tables = tables_of(meta_set, task)
        pair = [agreement_of(name, tables, task, 1) for name in PAIR]
        settings = RunSettings(test="mtme", draws=draws)
        own = seconds(lambda p=pair, k=task, s=settings: permutations(p, k, s))
        known = theirs[key] * draws / 100
        print(f"| {task.name}, {draws:,} permutations | {known:.3g} | {own:.2g} | {known / own:,.0f}× |")


def tasks(meta_set: MetaSet, draws: int) -> None:
    settings = RunSettings(draws=draws)
    clock, processor = time.perf_counter(), time.process_time()
    for task in TASKS:
        start = time.perf_counter(), time.process_time()
        result = run_task(meta_set, task, settings)
        spent = time.perf_counter() - start[0], time.process_time() - start[1]
        judged = sum(value.value == value.value for value in result.values)
        print(
            f"{task.name:32} {judged} metrics, {len(result.pairs)} pairs: "
            f"{spent[0]:.2f} s by the clock, {spent[1]:.2f} s of the processor"
        )
    spent = time.perf_counter() - clock, time.process_time() - processor
    print(f"all: {spent[0]:.1f} s by the clock, {spent[1]:.1f} s of the processor")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("shared", type=Path)
    arguments.add_argument("--draws", type=int, default=1000)
    arguments.add_argument("--only", choices=("speed", "tasks"))
    given = arguments.parse_args()
    meta_set = wmt23(given.shared)
    theirs = json.loads((given.shared / "golden/mtme/timings.json").read_text())["en-de"]
    if given.only != "tasks":
        speed(meta_set, theirs, given.draws)
    if given.only != "speed":
        tasks(meta_set, given.draws)


if __name__ == "__main__":
    main()
