"""What it takes to look for a test set in a training text of many lines: processor time and memory as it grows.

    python bench/contamination.py TEST_SET [--lines 1000000 3000000 10000000]

The training text is drawn from the words of TEST_SET, as long as its lines, with some of these planted in it; it is
written to a temporary file and removed. Every size has a process of its own, whose largest memory is told.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

BLOCK = 100_000
PLANTED = 50


def write(path: Path, segments: list[str], lines: int) -> None:
    """Lines of words in any order, and the first segments in their midst."""
    rng = np.random.default_rng(7)
    words = np.array([word for segment in segments for word in segment.split()], dtype=object)
    lengths = np.array([len(segment.split()) for segment in segments])
    with path.open("w", encoding="utf-8") as file:
        for begin in range(0, lines, BLOCK):
            count = min(BLOCK, lines - begin)
            ends = np.cumsum(rng.choice(lengths, count))
            drawn = words[rng.integers(0, len(words), int(ends[-1]))]
            block = [" ".join(part) for part in np.split(drawn, ends[:-1])]
            if begin == 0:
                block[:PLANTED] = segments[:PLANTED]
            file.write("\n".join(block) + "\n")


def measure(test_set: str, training: str) -> None:
    """In a process of its own: lines, processor seconds, the largest memory in MB, and how many segments were seen."""
    from adjudge.checks.contamination import seen_segments

    segments = Path(test_set).read_text(encoding="utf-8").rstrip("\n").split("\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin, clock = time.process_time(), time.perf_counter()
    seen = seen_segments(segments, [training])
    taken, waited = time.process_time() - begin, time.perf_counter() - clock
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    exact = sum(seen.exact)
    print(f"{seen.lines:12,}{taken:10.1f} s{waited:10.1f} s{before:8.0f} MB{most:8.0f} MB{exact:6}")


def main() -> None:
    """Print a line a size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("test_set")
    parser.add_argument("--lines", type=int, nargs="+", default=[1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--measure", metavar="TRAINING", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.test_set, arguments.measure)
        return
    segments = Path(arguments.test_set).read_text(encoding="utf-8").rstrip("\n").split("\n")
    print(f"{'lines':>12}{'processor':>12}{'clock':>12}{'before':>11}{'memory':>11}{'exact':>6}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.txt"
        for lines in arguments.lines:
            write(path, segments, lines)
            command = [sys.executable, __file__, arguments.test_set, "--measure", str(path)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
