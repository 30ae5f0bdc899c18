"""How long people wait for `score` and `compare`, beside sacreBLEU's own commands on the same files.

    python bench/latency.py [--rounds 9] [--sizes 173,1000,3000] [--json FILE]

Each round runs all commands in turn, so that other work on the machine meets all of them alike. Printed are medians
over rounds and their ratios. `processor` is the time of all threads, which other work changes less.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"
TEXTS = ("reference.en", "systems/neural.en", "systems/rulebased.en")
# Installed programs have their bytecode; without it every start would compile what was changed last.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
TARGET = 1.3
"""The most that a command of ours may take, in times of sacreBLEU's, on the example's own segments."""


@dataclass(frozen=True)
class Waits:
    """Medians of one pair of commands on texts of one size, in seconds."""

    command: str
    segments: int
    ours: float
    theirs: float
    processor: float
    their_processor: float

    @property
    def ratio(self) -> float:
        """Our wall time in times of theirs."""
        return self.ours / self.theirs

    @property
    def processor_ratio(self) -> float:
        """Our processor time in times of theirs."""
        return self.processor / self.their_processor


def main() -> None:
    """Measure and print; exit with 1 where a target is missed and `--check` asks for it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", default="173,1000,3000")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="fail where a target is missed")
    options = parser.parse_args()
    waits = []
    print("command          segments   ours ms  sacreBLEU ms  ratio   processor ms  sacreBLEU ms  ratio")
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            for own in measured(texts_of(size, Path(folder)), size, options.rounds):
                waits.append(own)
                print(line_of(own))
    if options.json:
        rows = [asdict(own) | {"ratio": own.ratio} for own in waits]
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    if options.check and any(own.ratio > target_of(own) for own in waits):
        sys.exit(1)


def line_of(waits: Waits) -> str:
    """One row of the table."""
    wall = f"{1e3 * waits.ours:>10.0f}{1e3 * waits.theirs:>14.0f}{waits.ratio:>7.2f}"
    processor = (
        f"{1e3 * waits.processor:>15.0f}{1e3 * waits.their_processor:>14.0f}{waits.processor_ratio:>7.2f}"
    )
    return f"{waits.command:<17}{waits.segments:>8}{wall}{processor}"


def target_of(waits: Waits) -> float:
    """What the ratio may be: `score` is to be the faster one from 1,000 segments on."""
    return 1.0 if waits.command.startswith("score") and waits.segments >= 1000 else TARGET


def texts_of(size: int, folder: Path) -> list[Path]:
    """The example's reference and two outputs, repeated up to a number of segments."""
    paths = []
    for name in TEXTS:
        lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
        path = folder / Path(name).name
        path.write_text("".join(f"{line}\n" for line in islice(cycle(lines), size)), encoding="utf-8")
        paths.append(path)
    return paths


def measured(paths: Sequence[Path], size: int, rounds: int) -> Iterator[Waits]:
    """Both pairs of commands, each command in turn in every round."""
    reference, first, second = map(str, paths)
    scripts = Path(sys.executable).parent
    ours, theirs = str(scripts / "adjudge"), str(scripts / "sacrebleu")
    three, one = ("-m", "bleu", "chrf", "ter", "-f", "text"), ("-f", "text")
    score = (ours, "score", "--quiet", "-r", reference, first)
    compare = (ours, "compare", "--quiet", "-r", reference, first, second)
    commands = {
        "score": (score, (theirs, reference, "-i", first, *three)),
        "score -m bleu": ((*score, "-m", "bleu"), (theirs, reference, "-i", first, *one)),
        "compare": (compare, (theirs, reference, "-i", first, second, *three, "--paired-bs")),
        "compare -m bleu": (
            (*compare, "-m", "bleu"),
            (theirs, reference, "-i", first, second, *one, "--paired-bs"),
        ),
    }
    for command in (pair for both in commands.values() for pair in both):
        seconds_of(command)  # files are in memory from here on
    times = [{name: [seconds_of(c) for c in pair] for name, pair in commands.items()} for _ in range(rounds)]
    for name in commands:
        wall, processor = (
            [statistics.median(own[name][side][kind] for own in times) for side in (0, 1)] for kind in (0, 1)
        )
        yield Waits(name, size, *wall, *processor)


def seconds_of(command: Sequence[str]) -> tuple[float, float]:
    """Wall and processor time of one run."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
    messages = child.stderr.read() if child.stderr else b""
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: {messages.decode(errors='replace')}")
    return wall, used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
