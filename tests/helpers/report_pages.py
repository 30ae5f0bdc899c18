"""Pages of segments for tests in a browser: a table to look at, and somebody who looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data import Alignment, Link
from adjudge.dossiers.segment_table import MarkedSpan, ScoreColumn, SegmentTable
from adjudge.report.pages.report.browser import MODULES, STYLES, segment_browser
from adjudge.report.pages.report.segment_links import View, segment_link
from adjudge.report.render.markup import NOTHING, Html, html
from adjudge.report.render.page import page as whole_page
from helpers.browsing import TWO_FRAMES

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

MODULES_AT = "http://modules.test/"
SCRIPTS = Path(__file__).resolve().parents[2] / "src" / "adjudge" / "report" / "assets" / "segments"
WATCH = """
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  console.error(`policy: ${violatedDirective} ${blockedURI}`));
"""


def serve_modules(route: Any) -> None:
    """A file of `pages/segments`, as a server would send it."""
    name = route.request.url.removeprefix(MODULES_AT)
    if name:
        body = (SCRIPTS / name).read_text(encoding="utf-8")
        route.fulfill(body=body, content_type="text/javascript; charset=utf-8")
    else:
        route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")


def segments_page(table: SegmentTable, before: Html = NOTHING) -> Html:
    """A page with nothing but a browser, and what stands before it."""
    body = [html("<header><h1>Segments</h1></header><main>"), before, segment_browser(table), html("</main>")]
    return whole_page("Segments", body, styles=["analysis.css", *STYLES], modules=MODULES, workers=True)


class Reader:
    """Somebody who reads a report."""

    def __init__(self, context: BrowserContext, folder: Path) -> None:
        self.context, self.folder = context, folder
        self.problems: list[str] = []
        context.set_default_timeout(15_000)
        context.add_init_script(WATCH)
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(f"error on the page: {error}"))
        self.page.on("dialog", self._asked)
        self.page.on("console", self._said)
        self.page.on("request", self._requested)

    def _asked(self, dialog: Any) -> None:
        self.problems.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type} in the console: {message.text}")

    def _requested(self, request: Any) -> None:
        if not request.url.startswith(("file:", "blob:", "data:", "about:")):
            self.problems.append(f"a request: {request.url}")

    def open(self, table: SegmentTable, view: View | str = "", before: Html = NOTHING) -> Reader:
        """Open the page of a table, by a link where there is one."""
        path = self.folder / "report.html"
        path.write_text(segments_page(table, before), encoding="utf-8")
        return self.go(path, view)

    def go(self, path: Path, view: View | str = "") -> Reader:
        """Open a page that is there."""
        self.page.goto("about:blank")
        self.page.goto(path.as_uri() + (view if isinstance(view, str) else segment_link(view)))
        self.page.wait_for_selector(".browser[data-ready]")
        return self

    def settle(self) -> Reader:
        """Wait until the page was drawn anew: what changed was laid out by then."""
        self.page.evaluate(TWO_FRAMES)
        return self

    @property
    def shown(self) -> list[str]:
        """Identifiers of the segments that are in the list, as far as they are made."""
        return self.page.locator(".segment .identifier").all_inner_texts()

    @property
    def status(self) -> str:
        return self.page.locator(".toolbar .status").inner_text()

    @property
    def address(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def condition(self, text: str) -> Reader:
        """Write a condition."""
        self.page.locator("#segments-where").fill(text)
        return self

    def search(self, text: str) -> Reader:
        """Write words to search for, and wait until they were."""
        self.page.locator("#segments-search").fill(text)
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        self.page.wait_for_selector(f'.browser[data-searched="{quoted}"]')
        return self

    def choose(self, label: str, value: str) -> Reader:
        """Choose in one of the lists above."""
        self.page.get_by_label(label, exact=True).select_option(value)
        return self

    def press(self, *keys: str) -> Reader:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def card(self, identifier: str) -> Locator:
        """A segment in the list."""
        return self.page.locator(f'.segment[aria-label="Segment {identifier}"]')

    def marked(self, identifier: str, kind: str) -> list[str]:
        """Words of a segment that have such a mark, without what only listeners get."""
        marks = self.card(identifier).locator(f".{kind}")
        return list(marks.evaluate_all("(all) => all.map((mark) => mark.lastChild.textContent)"))

    def wait_for(self, selector: str, text: str) -> None:
        """Wait until such an element says just that."""
        self.page.locator(f'{selector}:text-is("{text}")').wait_for()

    def texts(self, selector: str) -> list[str]:
        """The words of all such elements."""
        return self.page.locator(selector).all_inner_texts()


def float_column(values: Sequence[float]) -> Any:
    return np.array(values, np.float64)


def small_table() -> SegmentTable:
    """Six segments of three systems, with something of everything."""
    reference = (
        "The old house stood on the hill.",
        "He did not come home yesterday.",
        "Prices rose by 12 percent in May.",
        "She likes green tea.",
        "今日は天気がいいです。",
        "السلام عليكم يا صديقي",
    )
    first = (
        "The old house was on the hill.",
        "He did not come home yesterday.",
        "Prices rose by 12 percent in May.",
        "She likes tea.",
        "今日は天気が悪いです。",
        "السلام عليكم",
    )
    second = (
        "The ancient house stood on a hill.",
        "He did not come home yesterday.",
        "Prices fell by 21 percent in May.",
        "She likes green tea.",
        "今日は天気がいいです。",
        "مرحبا يا صديقي",
    )
    third = ("House.", "He came.", "Prices.", "Tea.", "天気。", "صديقي")
    chrf = {
        "A": float_column([70.5, 100, 100, 62.25, 80, 55]),
        "B": float_column([65.5, 100, 71, 100, 100, 41]),
        "C": float_column([20, 31, 25, 24, 12, np.nan]),
    }
    ter = {
        "A": float_column([14.3, 0, 0, 25, 10, 50]),
        "B": float_column([28.6, 0, 28.6, 0, 0, 50]),
        "C": float_column([85.7, 83.3, 85.7, 75, 90, 75]),
    }
    span = MarkedSpan(4, 11, "major", "accuracy/mistranslation", "rater1", comment="not that old")
    spans = ((span, MarkedSpan(None, None, "minor", "omission", "rater2")), (), (), (), (), ())
    aligned = Alignment(
        ("the", "ancient", "house"),
        ("the", "old", "house", "stood"),
        (Link((0, 1), (0, 1), "exact"), Link((1, 2), (1, 2), "synonym"), Link((2, 3), (2, 3), "exact")),
    )
    return SegmentTable(
        identifiers=("1", "2", "3", "4", "5", "6"),
        outputs={"A": first, "B": second, "C": third},
        sources=tuple(f"Quelle Nummer {number}" for number in range(1, 7)),
        references=(reference, (None, "Yesterday he stayed away.", None, None, None, None)),
        labels={
            "domain": ("news", "news", "news", "social", "social", "social media"),
            "document": ("d1", "d1", "d2", "d2", "d3", "d10"),
        },
        scores=(
            ScoreColumn("chrf", "chrF", True, "metric", chrf),
            ScoreColumn("ter", "TER", False, "metric", ter),
            ScoreColumn(
                "da", "DA", True, "human", {"B": float_column([np.nan, 90, 15, 88, np.nan, np.nan])}, 0
            ),
            ScoreColumn("qe", "QE", True, "qe", {"B": float_column([0.5, 0.75, 0.25, 0.8125, 0.9, 0.1])}, 2),
        ),
        counts={
            "lexical": {"A": np.array([1, 0, 0, 0, 1, 0]), "B": np.array([2, 0, 3, 0, 0, 1])},
            "missing words": {"B": np.array([0, 0, 0, 0, 0, 2])},
        },
        spans={"B": spans},
        marks={
            "1–4 words": np.array([3, 5]),
            "with a number": np.array([False, False, True, False, False, False]),
        },
        alignments={"METEOR": {"B": (aligned, None, None, None, None, None)}},
        language="de-en",
        name="small",
    )


def large_table(segments: int = 2000) -> SegmentTable:
    """More segments than fit on a screen; scores say which order is right."""
    rng = np.random.default_rng(3)
    words = [f"word{number}" for number in range(500)]
    texts = [" ".join(words[i] for i in rng.integers(0, 500, rng.integers(3, 40))) for _ in range(segments)]
    scores = np.round(rng.uniform(0, 100, segments), 1)
    return SegmentTable(
        identifiers=tuple(f"seg-{number:05}" for number in range(segments)),
        outputs={"A": tuple(texts), "B": tuple(f"{text} more" for text in texts)},
        references=(tuple(texts),),
        labels={"half": tuple("first" if n < segments // 2 else "second" for n in range(segments))},
        scores=(ScoreColumn("chrf", "chrF", True, "metric", {"A": scores, "B": scores[::-1].copy()}),),
        name="large",
    )
