"""Processor time and memory of commands on large inputs: waits.py [CASE ...]; by default all of them.

`score`: BLEU of a million segments, w3 of the shared data ten times over. `lint`: w3. `compare`: 100 systems made of
w2's ten, by BLEU, chrF and TER, as JSON. `study`: 30 sets of 500 segments drawn from these, with 30 systems each.
`human`: 100,000 drawn judgements of 20 systems, some of which lack a few items. `report`: 10 systems, 1,000 segments.
`nist`: scores of w3; the share of two threads' time that is used, by the calling thread's processor time. Each but the
last is one run of the command without its cache; ADJUDGE names another program.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from decisions import w2
from many_systems import made_up

from adjudge import _native
from human import drawn, written
from report import corpus

SHARED = (
    Path(os.environ.get("ADJUDGE_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "golden" / "data"
)
PROGRAM = os.environ.get("ADJUDGE", str(Path(sys.executable).parent / "adjudge"))


def main() -> None:
    cases = {
        "score": score,
        "lint": lint,
        "compare": compare,
        "study": study,
        "human": human,
        "report": report,
    }
    for name in sys.argv[1:] or (*cases, "nist"):
        if name == "nist":
            print(f"{name:<10}{efficiency_of_nist():>8.2f} of two threads")
            continue
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name:<10}{measured(cases[name](Path(folder)))}", flush=True)


def measured(arguments: Sequence[str]) -> str:
    """What one run took."""
    child = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if child.returncode or status:
        sys.exit(f"{' '.join(arguments)} failed")
    return f"{used.ru_utime:>8.1f} s user{used.ru_stime:>8.1f} s system{used.ru_maxrss / 1024:>8.0f} MB"


def score(folder: Path) -> list[str]:
    for name in ("ref", "hyp"):
        (folder / f"{name}.en").write_bytes((SHARED / f"w3.{name}.en").read_bytes() * 10)
    return ["score", "-q", "--no-cache", "-m", "bleu", "-r", str(folder / "ref.en"), str(folder / "hyp.en")]


def lint(folder: Path) -> list[str]:
    return ["lint", "-r", str(SHARED / "w3.ref.en"), str(SHARED / "w3.hyp.en")]


def compare(folder: Path) -> list[str]:
    reference, _ = w2()
    (folder / "reference.txt").write_text("".join(f"{line}\n" for line in reference), encoding="utf-8")
    for number, (_, lines) in enumerate(made_up(100)):
        (folder / f"s{number:03}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    systems = sorted(map(str, folder.glob("s*.txt")))
    return ["compare", "-q", "--no-cache", "-f", "json", "-r", str(folder / "reference.txt"), *systems]


def study(folder: Path) -> list[str]:
    reference, _ = w2()
    systems = made_up(30)
    rng = np.random.default_rng(1)
    file = ['name = "large"', 'metrics = ["bleu", "chrf", "ter"]']
    for number in range(30):
        drawn = rng.choice(len(reference), 500, replace=False)
        place = folder / f"set{number:02}"
        place.mkdir()
        for name, lines in [
            ("reference", reference),
            *((f"s{i:02}", own) for i, (_, own) in enumerate(systems)),
        ]:
            (place / f"{name}.txt").write_text("".join(f"{lines[i]}\n" for i in drawn), encoding="utf-8")
        language = ("zh-en", "de-en")[number % 2]
        file += ["[[test_set]]", f'name = "{place.name}"', f'language = "{language}"']
        file += [f'references = ["{place.name}/reference.txt"]', f'systems = ["{place.name}/s*.txt"]']
    (folder / "study.toml").write_text("\n".join(file) + "\n", encoding="utf-8")
    return ["study", "run", "-q", "--no-cache", "-f", "json", str(folder / "study.toml")]


def human(folder: Path) -> list[str]:
    written(drawn(100_000), folder / "judgements.tsv")
    return ["human", "analyse", "-f", "json", str(folder / "judgements.tsv")]


def report(folder: Path) -> list[str]:
    return ["report", "-q", "-o", str(folder / "page.html"), *corpus(folder, 1000, 10)]


def efficiency_of_nist() -> float:
    """One thread's time over twice that of the calling one of two, which also does what is not divided."""
    reference, output = (
        _native.texts((SHARED / f"w3.{name}.en").read_text(encoding="utf-8").splitlines(), lowercase=False)
        for name in ("ref", "hyp")
    )

    def seconds(threads: int) -> float:
        start = time.thread_time()
        model = _native.NistModel([reference], "13a", 5, threads)
        _native.nist_rows(output, [reference], model, "13a", 5, threads)
        return time.thread_time() - start

    return min(seconds(1) for _ in range(5)) / (2 * float(np.median([seconds(2) for _ in range(5)])))


if __name__ == "__main__":
    main()
