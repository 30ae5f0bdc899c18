"""The segment browser of reports in a real browser: size of the page, time to open, filter, sort and search.

    python bench/browser.py [SEGMENTSxSYSTEMS …]    (3000x5 and 30000x10 unless given)

Texts are the English lines of `w3` of the shared data (or made of a vocabulary, where those are not there), with a
third of the words changed by each system; five metrics and five classes of errors a system, three labels. Times are
from the event to the frame that shows its result, the least of five: by the browser's clock, and of the processor in
the thread of the page, which other work on the machine does not lengthen.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.dossiers.segment_table import ScoreColumn, SegmentTable
from adjudge.report.pages.report.browser import MODULES, STYLES, segment_browser
from adjudge.report.render.markup import html
from adjudge.report.render.page import page

SHARED = Path(os.environ.get("ADJUDGE_SHARED", Path(__file__).resolve().parent.parent.parent / "shared"))
SIZES = ("3000x5", "30000x10")
METRICS = ("bleu", "chrf", "ter", "comet", "length")
CLASSES = ("inflection", "reordering", "missing", "extra", "lexical")
CHANGED = 1 / 3
TIMES = 5

# Set a field as a person does, and wait for the frame that shows what comes of it.
ACT = """async ([selector, value]) => {
  const place = document.querySelector(".browser"), field = document.querySelector(selector);
  delete place.dataset.milliseconds;
  const began = performance.now();
  field.value = value;
  field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
  if (field.type === "search") field.dispatchEvent(new Event("change", { bubbles: true }));
  while (place.dataset.milliseconds === undefined) await new Promise((next) => setTimeout(next, 0));
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
  return [performance.now() - began, Number(place.dataset.shown)];
}"""
FIELDS = {
    "filter by a score": (
        "#segments-where",
        ["chrf < 40", "chrf < 50", "chrf < 45", "chrf < 60", "chrf < 30"],
    ),
    "filter by four conditions": (
        "#segments-where",
        [f"chrf < {n} and ter > 40 and (domain = d1 or Δbleu > 5)" for n in (50, 55, 60, 65, 70)],
    ),
    "sort by a score": ("#segments-sort-by", ["chrf", "ter", "bleu", "comet", "length"]),
    "sort by a difference": ("#segments-sort-by", ["Δchrf", "Δter", "Δbleu", "Δcomet", "Δlength"]),
    "sort by a label": ("#segments-sort-by", ["domain", "document", "origin", "domain", "document"]),
    "another system": ("#segments-system", ["s2", "s3", "s1", "s2", "s3"]),
    "search all texts": ("#segments-search", ["house", "water", "because", "government", "people"]),
}


@dataclass(frozen=True)
class Times:
    """Milliseconds by the clock and of the processor."""

    clock: float
    processor: float

    @classmethod
    def least(cls, times: Sequence[tuple[float, float]]) -> Times:
        """The least of several tries."""
        return cls(min(clock for clock, _ in times), min(processor for _, processor in times))

    def __str__(self) -> str:
        return f"{self.clock:.0f} ({self.processor:.0f})"


@dataclass(frozen=True)
class Measured:
    """One page."""

    segments: int
    systems: int
    megabytes: float
    made: float
    """Seconds of the processor."""
    opened: Times
    """From the address to the list."""
    acts: dict[str, Times]


def lines(count: int) -> list[str]:
    """English sentences."""
    path = SHARED / "golden" / "data" / "w3.ref.en"
    if path.is_file():
        texts = path.read_text(encoding="utf-8").split("\n")[:-1]
        return [texts[i % len(texts)] for i in range(count)]
    rng = np.random.default_rng(1)
    words = np.array([f"{'aeiou'[n % 5]}{np.base_repr(n, 36).lower()}" for n in range(20_000)])
    return [" ".join(words[np.minimum(rng.zipf(1.3, 21), 20_000) - 1]) for _ in range(count)]


def made_table(segments: int, systems: int) -> SegmentTable:
    """A table as large as it was asked for."""
    rng = np.random.default_rng(12345)
    references = lines(segments)
    vocabulary = np.array(sorted({word for line in references[:3000] for word in line.split()}))
    outputs = {f"s{n}": [_changed(line, vocabulary, rng) for line in references] for n in range(systems)}

    def score(key: str) -> ScoreColumn:
        quality = rng.normal(55, 15, segments)
        values = {s: np.clip(quality + rng.normal(0, 8, segments), 0, 100) for s in outputs}
        return ScoreColumn(key, key, key != "ter", "metric", values)

    return SegmentTable(
        identifiers=tuple(map(str, range(1, segments + 1))),
        outputs={system: tuple(texts) for system, texts in outputs.items()},
        sources=tuple(" ".join(reversed(line.split())) for line in references),
        references=(tuple(references),),
        labels={
            "domain": tuple(f"d{n}" for n in rng.integers(0, 5, segments)),
            "document": tuple(f"doc{n // 20}" for n in range(segments)),
            "origin": tuple(("de", "en")[n] for n in rng.integers(0, 2, segments)),
        },
        scores=tuple(map(score, METRICS)),
        counts={name: {s: rng.poisson(1.5, segments) for s in outputs} for name in CLASSES},
    )


def _changed(line: str, vocabulary: Any, rng: np.random.Generator) -> str:
    words = line.split()
    places = np.flatnonzero(rng.random(len(words)) < CHANGED)
    for place, word in zip(places, vocabulary[rng.integers(0, len(vocabulary), len(places))], strict=True):
        words[place] = word
    return " ".join(words)


def measure(segments: int, systems: int, folder: Path, browser: Any) -> Measured:
    """The page of such a table, in a browser that Playwright started."""
    table = made_table(segments, systems)
    began = time.process_time()
    made = page(
        "Segments",
        [html("<main>"), segment_browser(table), html("</main>")],
        styles=["analysis.css", *STYLES],
        modules=MODULES,
        workers=True,
    )
    path = folder / f"{segments}.html"
    path.write_text(made, encoding="utf-8")
    seconds = time.process_time() - began
    visit = browser.new_page(viewport={"width": 1280, "height": 900})
    thread = Thread(visit)
    opened = []
    for _ in range(3):
        visit.goto("about:blank")
        before = thread.milliseconds()
        visit.goto(path.as_uri())
        visit.wait_for_selector(".browser[data-ready]")
        clock = visit.evaluate("Number(document.querySelector('.browser').dataset.ready)")
        opened.append((clock, thread.milliseconds() - before))
    acts = {name: _act(visit, thread, *what) for name, what in FIELDS.items()}
    visit.close()
    return Measured(segments, systems, len(made.encode()) / 1e6, seconds, Times.least(opened), acts)


class Thread:
    """What the thread of a page took of the processor."""

    def __init__(self, visit: Any) -> None:
        self.session = visit.context.new_cdp_session(visit)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def milliseconds(self) -> float:
        """So far."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(1000 * float(metric["value"]) for metric in metrics if metric["name"] == "ThreadTime")


def _act(visit: Any, thread: Thread, selector: str, values: Sequence[str]) -> Times:
    times = []
    for value in values[:TIMES]:
        before = thread.milliseconds()
        clock, _ = visit.evaluate(ACT, [selector, value])
        times.append((clock, thread.milliseconds() - before))
    visit.evaluate(ACT, [selector, "" if selector != "#segments-system" else "s1"])
    return Times.least(times)


def table(results: Sequence[Measured]) -> list[str]:
    """All pages beside each other, in Markdown."""
    heads = [f"{result.segments:,} × {result.systems}" for result in results]
    rows = [
        ["size of the page (MB)", *(f"{result.megabytes:.1f}" for result in results)],
        ["made in (s of the processor)", *(f"{result.made:.1f}" for result in results)],
        ["opened (ms)", *(str(result.opened) for result in results)],
        *([f"{name} (ms)", *(str(result.acts[name]) for result in results)] for name in FIELDS),
    ]
    return [
        "| | " + " | ".join(heads) + " |",
        "|---" * (len(heads) + 1) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def main(sizes: Sequence[str]) -> None:
    """Measure each size and print the table."""
    from playwright.sync_api import sync_playwright

    chromium = (
        shutil.which("chromium-headless-shell") or shutil.which("chromium") or sys.exit("no Chromium here")
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        results = [measure(*map(int, size.split("x")), Path(folder), browser) for size in sizes]
        browser.close()
    print("\n".join(table(results)))


if __name__ == "__main__":
    main(sys.argv[1:] or SIZES)
