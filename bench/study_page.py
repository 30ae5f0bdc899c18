"""The page of a study of many test sets: how long it takes beside its parts, how large it is, and how it opens.

    .venv/bin/python bench/study_page.py [SETS…]    (8, 50 and 200 unless given; a set has 200 segments of 5 systems)

Texts are the project's examples with words left out at random. Made: seconds of the processor of `adjudge report
study.toml`, from the start of the program. Parts: those of `adjudge study run`, which makes the means. Opened: by the
browser's clock, from the address to the list of segments.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import lines, thinned  # which lies beside this file

SETS = (8, 50, 200)
SEGMENTS = 200
SYSTEMS = ("neural", "neural-fixed", "experiment.run1", "shortened", "rulebased")


def study(folder: Path, sets: int) -> Path:
    """Files of a study: sets of different difficulty, in two domains; somebody always forgets one."""
    entries = ['name = "many"\nmetrics = ["bleu", "chrf"]\n']
    for number in range(sets):
        name = f"set{number:03d}"
        own = folder / name
        own.mkdir()
        made = {"ref.en": ("reference.en", 0.02), "src.pt": ("source.pt", 0.02)}
        ease = 0.3 * (number * 37 % 100) / 100
        made |= {
            f"{system.partition('.')[0]}.out": (f"systems/{system}.en", 0.02 + ease) for system in SYSTEMS
        }
        if number == 3:
            made.pop("shortened.out")
        for seed, (file, (source, share)) in enumerate(made.items()):
            text = thinned(lines(source), SEGMENTS, share, 10 * number + seed)
            (own / file).write_text("\n".join(text) + "\n", encoding="utf-8")
        entries.append(
            f'[[test_set]]\nname = "{name}"\nlanguage = "pt-en"\ndomain = "{("news", "talks")[number % 2]}"\n'
            f'source = "{name}/src.pt"\nreferences = ["{name}/ref.en"]\nsystems = ["{name}/*.out"]\n'
        )
    place = folder / "study.toml"
    place.write_text("\n".join(entries), encoding="utf-8")
    return place


def processor(*arguments: str) -> float:
    """Seconds of the processor of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "adjudge", *arguments, "-q", "--no-cache"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def opened(page: Path) -> float:
    """Milliseconds until the list of segments is there, the least of three; NaN without a browser."""
    from playwright.sync_api import sync_playwright

    from adjudge.io.pdf import browser_program

    tries = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        for _ in range(3):
            shown = browser.new_page()
            begin = time.perf_counter()
            shown.goto(page.as_uri())
            shown.wait_for_selector(".browser[data-ready]", timeout=120_000)
            tries.append(1000 * (time.perf_counter() - begin))
            shown.close()
        browser.close()
    return min(tries)


def measured(sets: int) -> dict[str, float]:
    """One study."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, page = str(study(folder, sets)), folder / "report.html"
        means = processor("study", "run", file, "-o", os.devnull)
        begin = time.time()
        made = processor("report", file, "-o", str(page))
        return {
            "sets": sets,
            "made": round(made, 1),
            "clock": round(time.time() - begin, 1),
            "means": round(means, 1),
            "per set": round(made / sets, 3),
            "megabytes": round(page.stat().st_size / 1e6, 2),
            "opened": round(opened(page)),
        }


if __name__ == "__main__":
    measured(2)  # compiles what Python keeps
    for count in list(map(int, sys.argv[1:])) or SETS:
        print(json.dumps(measured(count)), flush=True)
