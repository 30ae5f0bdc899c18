"""How long a report takes to be made and how large it is: 3,000 and 10,000 segments of 5 systems, 30,000 of 10.

    .venv/bin/python bench/report.py [SEGMENTS SYSTEMS]...

Texts are the project's examples, repeated with words left out at random so that no two segments are the same. Times are
of the processor, of all threads, and begin when the program starts: reading, scoring, testing, analysing, drawing and
writing. The segment browser by itself is measured in bench/browser.py.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SIZES = ((3_000, 5), (10_000, 5), (30_000, 10))


def lines(path: str) -> list[str]:
    """Lines of an example."""
    return (PROJECT / "examples" / path).read_text(encoding="utf-8").splitlines()


def thinned(text: list[str], count: int, share: float, seed: int) -> list[str]:
    """So many lines, each without some of its words."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        words = [word for word in text[number % len(text)].split() if rng.random() > share]
        made.append(" ".join(words) or "nothing")
    return made


def corpus(folder: Path, segments: int, systems: int) -> list[str]:
    """Files of a test set, and the arguments that name them."""
    names = ["neural", "neural-fixed", "experiment.run1", "shortened", "rulebased"]
    files = {
        "ref.en": thinned(lines("reference.en"), segments, 0.02, 1),
        "src.pt": thinned(lines("source.pt"), segments, 0.02, 2),
    }
    for place in range(systems):
        name = names[place % len(names)]
        text = lines(f"systems/{name}.en")
        files[f"system-{place}.en"] = thinned(text, segments, 0.02 + 0.005 * place, 3 + place)
    for name, content in files.items():
        (folder / name).write_text("\n".join(content) + "\n", encoding="utf-8")
    labels = ["domain", *(f"{('news', 'talks', 'chat')[n % 3]}" for n in range(segments))]
    (folder / "labels.tsv").write_text("\n".join(labels) + "\n", encoding="utf-8")
    outputs = [str(folder / f"system-{place}.en") for place in range(systems)]
    given = ["-r", str(folder / "ref.en"), "-s", str(folder / "src.pt"), "-L", str(folder / "labels.tsv")]
    return [*given, *outputs]


def measured(segments: int, systems: int) -> dict[str, float]:
    """Seconds of the processor and of the clock, megabytes of the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arguments = corpus(folder, segments, systems)
        page = folder / "report.html"
        command = [sys.executable, "-m", "adjudge", "report", *arguments, "-q", "--no-cache", "-o", str(page)]
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            "segments": segments,
            "systems": systems,
            "processor": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
            "clock": round(time.time() - begin, 2),
            "megabytes": round(page.stat().st_size / 1e6, 2),
            "memory": round(after.ru_maxrss / 1e3),
        }


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:]))
    sizes = list(zip(given[::2], given[1::2], strict=True)) or SIZES
    measured(200, 2)  # compiles what Python keeps
    for size in sizes:
        print(json.dumps(measured(*size)), flush=True)
