"""How long a history takes to open, to list and to draw; how often a line of equal versions is marked.

    .venv/bin/python bench/history.py [--records 1000] [--segments 1000]
    .venv/bin/python bench/history.py --false-marks [--lines 1000] [--versions 20]

Seconds are the processor's (user and system), of a process of its own where a command is named; the median of several.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from adjudge.comparison.plan import Plan
from adjudge.history.packing import compressed_rows
from adjudge.history.place import Revision
from adjudge.history.records import Evaluation, History, RecordedScore, RowSet

TIMES = 7
SYSTEMS = ("baseline", "neural", "rulebased")
METRICS = ("bleu", "chrf", "ter")
WIDTHS = {"bleu": 10, "chrf": 18, "ter": 2}


def used(command, environment):
    """Seconds of the processor's time that a command takes once its modules are compiled, the median of several."""
    environment = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    seconds = []
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


def evaluation(rows):
    """Scores of three systems by three metrics: the baseline's rows are the same in every record."""
    from adjudge.metrics import metric

    scores, sets = [], []
    for (system, name), own in rows.items():
        score = float(metric(name).aggregate(own.sum(0)))
        scores.append(
            RecordedScore(
                "newstest", "f" * 64, len(own), "", system, "", name, f"{name}|version:adjudge-0.1.0", score,
                None, None, name != "ter", True,
            )
        )  # fmt: skip
        sets.append(RowSet("newstest", system, "", name, own.shape[1], len(own), compressed_rows(own)))
    return Evaluation({"format": 1, "version": "0.1.0"}, tuple(scores), tuple(sets), {})


def made(segments, rng):
    """Rows as the metrics have them, of a system whose quality wanders."""
    from adjudge.data import TestSet
    from adjudge.metrics import metric

    words = np.array([f"word{k}" for k in range(400)])
    references = [list(words[rng.integers(0, 400, 20)]) for _ in range(segments)]
    test_set = TestSet(references=(tuple(" ".join(line) for line in references),), name="newstest")
    prepared = {name: metric(name).prepare(test_set) for name in METRICS}

    def output(rate):
        kept = [[word for word in line if rng.random() > rate] or line[:1] for line in references]
        return tuple(" ".join(line) for line in kept)

    def rows(rate):
        own = output(rate)
        return {name: metric(name).stats(prepared[name], own, threads=1) for name in METRICS}

    return rows


def fill(place, records, segments):
    """A history of so many records, and how large its file is."""
    rng = np.random.default_rng(1)
    rows = made(segments, rng)
    base = rows(0.2)
    pool = [rows(rate) for rate in rng.uniform(0.05, 0.15, 40)]
    start = time.process_time()
    with History.open(place, create=True) as history:
        for number in range(records):
            chosen = {(SYSTEMS[0], name): base[name] for name in METRICS}
            for shift, system in enumerate(SYSTEMS[1:]):
                own = pool[(number * (shift + 1)) % len(pool)]
                chosen |= {(system, name): own[name] for name in METRICS}
            revision = Revision(f"{number:040x}", "main", False)
            history.add(evaluation(chosen), command="score", revision=revision, made=1.7e9 + 3600 * number)
    return time.process_time() - start


def opening(records, segments):
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "history.db")
        seconds = fill(place, records, segments)
        size = Path(place).stat().st_size / 2**20
        print(f"{records:,} records of 3 systems x 3 metrics x {segments:,} segments: {size:.1f} MiB")
        print(f"{seconds / records * 1000:8.1f} ms   to keep one")
        start = time.process_time()
        with History.open(place) as history:
            assert len(history.records()) == records
        print(
            f"{(time.process_time() - start) * 1000:8.1f} ms   to open it and read all records, in a process that runs"
        )
        environment = os.environ | {"ADJUDGE_HISTORY": place}
        program = [str(Path(sys.executable).parent / "adjudge")]
        for told, command in (
            ("adjudge --version", [*program, "--version"]),
            ("adjudge history list", [*program, "history", "list"]),
            ("adjudge history list -f json", [*program, "history", "list", "-f", "json"]),
            ("adjudge history export -f openmetrics", [*program, "history", "export", "-f", "openmetrics"]),
            ("adjudge history -m bleu (3 lines of 30)", [*program, "history", "-m", "bleu"]),
            ("python -c 'import sqlalchemy'", [sys.executable, "-c", "import sqlalchemy"]),
            ("python -c 'import numpy'", [sys.executable, "-c", "import numpy"]),
        ):  # fmt: skip
            print(f"{used(command, environment) * 1000:8.1f} ms   {told}")


def false_marks(number, versions, segments):
    """How often a line of versions that differ by nothing but chance has a mark, and how often it would uncorrected."""
    from adjudge.data import TestSet
    from adjudge.metrics import metric

    rng = np.random.default_rng(7)
    bleu, marked, uncorrected, steps = metric("bleu"), 0, 0, 0
    words = np.array([f"w{k}" for k in range(60)])
    for place in range(number):
        references = words[rng.integers(0, 60, (segments, 12))]
        test_set = TestSet(references=(tuple(" ".join(line) for line in references),), name="set")
        prepared = bleu.prepare(test_set)
        difficulty = rng.uniform(0.05, 0.5, segments)  # of a segment, for all versions alike
        with tempfile.TemporaryDirectory() as folder, History.open(f"{folder}/h.db", create=True) as history:
            for moment in range(versions):
                wrong = rng.random(references.shape) < difficulty[:, None]
                output = np.where(wrong, words[rng.integers(0, 60, references.shape)], references)
                rows = bleu.stats(prepared, [" ".join(line) for line in output], threads=1)
                history.add(evaluation({("neural", "bleu"): rows}), command="score", made=1.7e9 + moment)
            line = history.lines(plan=Plan(seed=place), last=versions).lines[0]
        p_values = [version.step.p for version in line.versions if version.step]
        marked += bool(line.marked)
        uncorrected += min(p_values) < 0.05
        steps += sum(p < 0.05 for p in p_values)
    error = 1.96 * (0.05 * 0.95 / number) ** 0.5
    print(f"{number:,} lines of {versions} equal versions, {segments} segments, alpha 0.05")
    print(
        f"  {100 * marked / number:5.1f} %  of lines have a mark (a true share of 5 % shows within {100 * error:.1f})"
    )
    print(f"  {100 * uncorrected / number:5.1f} %  would have one, were steps not corrected for their number")
    print(f"  {100 * steps / number / (versions - 1):5.1f} %  of single steps have p < 0.05")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--segments", type=int, default=0)
    parser.add_argument("--false-marks", action="store_true")
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--versions", type=int, default=20)
    given = parser.parse_args()
    if given.false_marks:
        false_marks(given.lines, given.versions, given.segments or 100)
    else:
        opening(given.records, given.segments or 1000)


if __name__ == "__main__":
    main()
