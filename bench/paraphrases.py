"""Times METEOR's English paraphrase table: compiling it, opening it, looking up all of w1; and the memory it takes.

python bench/paraphrases.py [TABLE.gz]      each line in a process of its own; limits: open < 1.5 s, < 600 MB
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import data

from adjudge.text.paraphrases import Paraphrases
from adjudge.text.resources import Resources


def measured(step: str, table: str, cache: str) -> str:
    """One step in this process: wall and processor seconds, and the most memory it had."""
    hypotheses, references = data("w1") if step == "look up w1" else ([], [])
    start, used = time.perf_counter(), time.process_time()
    paraphrases = Paraphrases.load(table, Path(cache))
    if hypotheses:  # opened before the clock starts
        start, used = time.perf_counter(), time.process_time()
    pairs = zip(hypotheses, references, strict=True)
    found = sum(len(paraphrases.pairs(h.lower().split(), r.lower().split())) for h, r in pairs)
    wall, processor = time.perf_counter() - start, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    count = found if hypotheses else len(paraphrases)
    return f"{step:<12}{wall:9.2f} s {processor:9.2f} s processor {peak:9.0f} MB  {count:,}"


def main() -> None:
    if len(sys.argv) == 4:
        print(measured(*sys.argv[1:]))
        return
    table = sys.argv[1] if len(sys.argv) > 1 else str(Resources().paraphrase_table("en"))
    with tempfile.TemporaryDirectory() as cache:
        for step in ("compile", "open", "open again", "look up w1"):
            subprocess.run([sys.executable, __file__, step, table, cache], check=True)
        size = sum(file.stat().st_size for file in Path(cache).rglob("*") if file.is_file())
        print(f"on the disk: {Path(table).stat().st_size / 1e6:.0f} MB as .gz, {size / 1e6:.0f} MB compiled")


if __name__ == "__main__":
    main()
