"""A page for each metric: its section of docs/metrics.md, and what other pages have measured of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

SECTION = re.compile(r"^## `([a-z-]+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
QUALITY = "metrics.md#does-it-measure-quality"


@dataclass(frozen=True)
class Table:
    """A table of a page: its head and its rows, as they stand there."""

    head: str
    rule: str
    rows: tuple[str, ...]

    def about(self, name: str) -> Table:
        """The rows of one metric, with its presets and options."""
        return Table(self.head, self.rule, tuple(row for row in self.rows if is_about(row, name)))

    def lines(self) -> list[str]:
        """As Markdown."""
        return [self.head, self.rule, *self.rows]


def is_about(row: str, name: str) -> bool:
    """Whether the first cell of a row is a metric, one of its presets, or the metric with options."""
    cell = row.strip("|").split("|")[0].strip().strip("`").lower()
    return re.split(r"[ (+]|-norm|-ter\b", cell)[0] == name


def tables(page: str) -> list[Table]:
    """All tables of a page."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        head, rule, *rows = block.splitlines()
        found.append(Table(head, rule, tuple(rows)))
    return found


def with_head(page: str, first: str, also: str) -> Table:
    """The first table whose head begins with a cell and has another one."""
    for table in tables(page):
        cells = [cell.strip() for cell in table.head.strip("|").split("|")]
        if cells[0] == first and also in cells:
            return table
    raise ValueError(f"no table of {first} and {also}")


def metric_pages(metrics: str, parity: str, performance: str) -> dict[str, str]:
    """The pages, by the metrics' names."""
    measured = [
        ("Whose numbers these are", with_head(parity, "metric", "oracle"), "parity.md"),
        ("How fast it is", with_head(performance, "metric", "peer"), "performance.md"),
        (
            "How it agrees with people",
            with_head(metrics, "metric", "de-en segment"),
            QUALITY,
        ),
    ]
    pages = {}
    for name, section in SECTION.findall(metrics):
        parts = [f"# {name}", "", links_up(section).strip(), ""]
        for title, table, source in measured:
            own = table.about(name)
            if own.rows:
                measured_by = f"How that was measured: [{source.split('#')[0]}](../{source})."
                parts += [f"## {title}", "", *own.lines(), "", measured_by, ""]
        pages[name] = "\n".join(parts)
    return pages


def links_up(section: str) -> str:
    """Links from a page that lies in a folder of its own."""
    text = re.sub(r"\]\(#([a-z-]+)\)", r"](../metrics.md#\1)", section)
    return re.sub(r"\]\((?!\.\./|https?:|#)([^)]+)\)", r"](../\1)", text)
