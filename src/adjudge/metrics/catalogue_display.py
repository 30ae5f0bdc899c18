"""The list of metrics: what can be asked for, with which options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from adjudge.display import (
    Cell,
    Column,
    Data,
    Displayable,
    Line,
    Row,
    Section,
    StyledText,
    Table,
    arrow,
    visible,
    wrap_words,
)
from adjudge.metrics.base import spell
from adjudge.metrics.catalogue import MetricFacts, OptionFacts


@dataclass(frozen=True)
class CatalogueDisplay(Displayable):
    """The list of metrics: on a screen as a text, in print as a table."""

    metrics: Sequence[MetricFacts]
    tokenizers: Sequence[str]

    def sections(self) -> list[Section]:
        """Every metric with its options, presets and needs."""
        return [
            Section(
                drawn=lambda width, _: text_lines(self.metrics, self.tokenizers, width=width),
                printed=_table(self.metrics),
            )
        ]

    def document(self) -> dict[str, Any]:
        """The list as data; an open end of a scale is null."""
        return {"metrics": [asdict(metric) for metric in self.metrics], "tokenizers": list(self.tokenizers)}

    def data(self) -> Data:
        """A row a metric or preset."""
        rows = [
            [name, spec, metric.title, _better(metric), ",".join(metric.needs), metric.summary]
            for metric in self.metrics
            for name, spec in {metric.name: metric.name, **metric.presets}.items()
        ]
        return Data(["name", "spec", "title", "better", "needs", "summary"], rows)


def text_lines(
    metrics: Sequence[MetricFacts], tokenizers: Sequence[str], *, width: int | None = None
) -> list[Line]:
    """Every metric with its options, presets and needs."""
    lines: list[Line] = []
    for metric in metrics:
        title = f"  {_title(metric)}  {metric.summary}"
        needs = " and ".join(metric.needs) or "no references"
        lines.append([StyledText(metric.name, "heading"), StyledText(title)])
        origin = f"; of the package {visible(metric.package)}" if metric.package else ""
        lines.append([StyledText(f"    {_scale(metric)}; needs {needs}{origin}", "note")])
        options = [option_text(option) + "," for option in metric.options]
        if options:
            options[-1] = options[-1].removesuffix(",")
            lines += wrap_words(options, width=min(width or 100, 100), indent="    ")
        for name, spec in metric.presets.items():
            lines.append([StyledText("    "), StyledText(name, "heading"), StyledText(f" is {spec}")])
        lines.append([])
    return [*lines, [StyledText(f"tokenize takes {', '.join(tokenizers)}")]]


def option_text(option: OptionFacts) -> str:
    """An option with its type and default, as a Python programmer would write it."""
    kind = "|".join(option.choices) if option.choices else option.type
    default = spell(option.default).lower() or '""'
    return f"{option.name}: {kind}{' or none' if option.optional else ''} = {default}"


def _table(metrics: Sequence[MetricFacts]) -> Table:
    rows = []
    for m in metrics:
        options = ", ".join(map(option_text, m.options))
        rows.append(Row(tuple(map(Cell, (m.name, _title(m), m.summary, options)))))
        rows += [Row((Cell(name), Cell(""), Cell(spec), Cell(""))) for name, spec in m.presets.items()]
    return Table((Column("Name"), Column("Title"), Column("Summary"), Column("Options")), tuple(rows))


def _title(metric: MetricFacts) -> str:
    return f"{metric.title} {arrow(metric.higher_is_better)}".rstrip()


def _better(metric: MetricFacts) -> str:
    return {True: "higher", False: "lower", None: "neither"}[metric.higher_is_better]


def _scale(metric: MetricFacts) -> str:
    low, high = sorted(metric.scale)
    reach = f"from {low:g}" + (f" to {high:g}" if math.isfinite(high) else " up")
    better = (
        "neither high nor low is better"
        if metric.higher_is_better is None
        else f"{_better(metric)} is better"
    )
    return f"{better}, {reach}"
