"""A list of results that lie in a folder, each with the way to its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.display import Cell, Column, Row, Table, visible
from adjudge.report.render.html import html_table
from adjudge.report.render.markup import NOTHING, Html, html
from adjudge.report.render.page import page
from adjudge.wording import join_names, pluralise

NAMES = 6


@dataclass(frozen=True)
class ResultEntry:
    """A file that holds a result, or what is wrong with it."""

    name: str
    address: str
    made: str
    """When it was written, as people read it."""
    systems: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    segments: int = 0
    sets: int = 0
    """How many test sets a study has; 0 of what is none."""
    problem: str = ""


@dataclass(frozen=True)
class HistoryEntry:
    """A history that lies beside the results, or what is wrong with it."""

    name: str
    address: str
    records: int = 0
    newest: str = ""
    """When the last record was made, as people read it."""
    problem: str = ""


def index_page(
    entries: Sequence[ResultEntry], folder: str, version: str, history: HistoryEntry | None = None
) -> Html:
    """The newest first, as they are given; above them the history, where there is one."""
    head = (
        Column("Result"),
        Column("Written"),
        Column("Systems"),
        Column("Metrics"),
        Column("segments", True),
    )
    rows = []
    for entry in entries:
        link = "" if entry.problem else entry.address
        systems = entry.problem or join_names(entry.systems, NAMES)
        segments = f"{entry.segments:,}" if entry.segments else ""
        segments += f" in {pluralise(entry.sets, 'set')}" if entry.sets else ""
        texts = (entry.name, entry.made, systems, join_names(entry.metrics), segments)
        rows.append(
            Row(
                tuple(Cell(visible(text), link=link if not place else "") for place, text in enumerate(texts))
            )
        )
    shown = html_table(Table(head, tuple(rows)), label="Results") if rows else html("<p>{}</p>", "None yet.")
    body = [
        html("<header><h1>{}</h1>", "Results"),
        html('<p class="soft">{}: {}</p></header>', folder, pluralise(len(entries), "result")),
        html("<main>{}{}</main>", NOTHING if history is None else _history(history), shown),
        html("<footer><p>adjudge {}</p></footer>", version),
    ]
    return page("Results", body, styles=("analysis.css", "report.css"))


def _history(entry: HistoryEntry) -> Html:
    if entry.problem:
        return html('<p class="soft">{}: {}</p>', visible(entry.name), visible(entry.problem))
    return html(
        '<p><a href="{}">History</a> <span class="soft">{}: {}, the last of {} UTC</span></p>',
        entry.address,
        visible(entry.name),
        pluralise(entry.records, "record"),
        entry.newest,
    )
