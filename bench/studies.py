"""How long a study of many test sets takes, beside its test sets compared one by one; does it grow as they do?

    python bench/studies.py [--sets 200] [--systems 5] [--segments 200] [--page study.html]

Processor seconds of one thread. Texts are made up: words of a Zipf distribution, systems that keep some of them. Both
sides score by BLEU and chrF, with 1,000 resamples and 10,000 trials, and no cache.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import adjudge
from adjudge import __version__
from adjudge.comparison.comparing import compare_sets
from adjudge.comparison.plan import Plan
from adjudge.comparison.study_display import StudyDisplay
from adjudge.comparison.study_material import StudyMaterial
from adjudge.data import Outputs, TestSet
from adjudge.report.render.formats import page_of

METRICS = ("bleu", "chrf")
PLAN = Plan(resamples=1000, trials=10_000)


def made(sets: int, systems: int, segments: int) -> list[StudyMaterial]:
    """Test sets whose difficulty varies, and systems that differ in all of them."""
    rng = np.random.default_rng(1)
    words = np.array([f"w{i}" for i in range(2000)])
    weights = 1 / np.arange(1, 2001)
    weights /= weights.sum()
    material = []
    for number in range(sets):
        lines = [rng.choice(words, rng.integers(8, 30), p=weights) for _ in range(segments)]
        ease = rng.uniform(0.3, 0.9)
        outputs = [
            Outputs(
                f"system{s}",
                [" ".join(np.where(rng.random(len(line)) < ease - 0.03 * s, line, "x")) for line in lines],
            )
            for s in range(systems)
            if (number, s) != (3, 4)  # somebody always forgets one
        ]
        test_set = TestSet(references=[[" ".join(line) for line in lines]])
        language = f"{_code(number)}-en"
        material.append(
            StudyMaterial(language, test_set, tuple(outputs), language, ("news", "talks")[number % 2])
        )
    return material


def _code(number: int) -> str:
    return "".join(chr(97 + number // 26**power % 26) for power in (2, 1, 0))


def single(material: Sequence[StudyMaterial]) -> float:
    """Every test set by itself."""
    begin = time.process_time()
    for own in material:
        adjudge.compare(own.test_set, own.outputs, list(METRICS), PLAN, threads=1)
    return time.process_time() - begin


def together(material: Sequence[StudyMaterial]) -> float:
    """All of them as one study."""
    begin = time.process_time()
    compare_sets(material, METRICS, PLAN, threads=1)
    return time.process_time() - begin


def main() -> None:
    """Print a line a number of test sets, and write a page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("sets", 200), ("systems", 5), ("segments", 200)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    material = made(options.sets, options.systems, options.segments)
    together(material[:2])  # whatever is loaded late
    print("test sets  study  one by one  ratio  study per set")
    for count in dict.fromkeys((options.sets // 4, options.sets // 2, options.sets)):
        study, parts = together(material[:count]), single(material[:count])
        print(
            f"{count:9d}  {study:4.1f} s  {parts:8.1f} s  {study / parts:5.2f}  {1000 * study / count:8.1f} ms"
        )
    if options.page:
        result = compare_sets(material, METRICS, PLAN)
        options.page.write_text(page_of(StudyDisplay(result, "made"), version=__version__), encoding="utf-8")


if __name__ == "__main__":
    main()
