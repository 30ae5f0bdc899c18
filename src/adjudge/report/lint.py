"""Findings shown: the worst first, each with its place, an example and, once for all of a kind, what to do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from adjudge.checks import Check, Finding, Report, counts
from adjudge.report.markdown import markdown_table
from adjudge.report.table import Cell, Column, Row, Table, visible
from adjudge.report.text import Line, Span, table_lines, wrapped
from adjudge.report.tsv import tsv_line

WIDEST = 110
"""Longer lines are hard to read, however wide the screen is."""
EXAMPLES = 3
"""Examples shown of one kind of finding; files and JSON have them all."""


def text_lines(report: Report, *, width: int | None = None) -> list[Line]:
    """All findings for people, and one line that sums them up."""
    if not report.findings:
        return [[Span(nothing_found(report), "best")]]
    room = max(len(finding.check) for finding in report.findings)
    indent = " " * (9 + room + 2)
    wide = min(width or WIDEST, WIDEST)
    lines: list[Line] = []
    for _, group in groupby(report.findings, key=lambda f: (f.severity, f.check, f.advice)):
        findings = list(group)
        for number, finding in enumerate(findings):
            lines += _finding_lines(finding, room, indent, wide, example=number < EXAMPLES)
        if findings[0].advice:
            lines += _styled(
                wrapped(f"→ {visible(findings[0].advice)}".split(), width=wide, indent=indent), "note"
            )
        lines.append([])
    lines.append([Span(summed_up(report), _worst(report))])
    return lines


def summed_up(report: Report) -> str:
    """How much was found, in what."""
    return (
        f"{counts(report)} in {report.looked_at}"
        if report.looked_at
        else f"{counts(report)}, and nothing to read"
    )


def nothing_found(report: Report) -> str:
    """The kind line for files without a fault."""
    return f"nothing found: {report.looked_at} look sound"


def as_json(report: Report, *, version: str) -> str:
    """All findings as data; what is not known is null."""

    def entry(finding: Finding) -> dict[str, Any]:
        names = (
            "severity",
            "check",
            "file",
            "system",
            "lines",
            "count",
            "share",
            "message",
            "example",
            "advice",
        )
        values = asdict(finding)
        return {
            name: (values[name] or None) if name in ("file", "system", "example") else values[name]
            for name in names
        }

    document = {
        "version": version,
        "inputs": [asdict(item) for item in report.inputs],
        "findings": [entry(finding) for finding in report.findings],
        "summary": report.summary,
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def as_tsv(report: Report) -> str:
    """A line a finding."""
    lines = [
        tsv_line(
            ["severity", "check", "file", "system", "lines", "count", "share", "message", "example", "advice"]
        )
    ]
    for finding in report.findings:
        lines.append(
            tsv_line(
                [
                    finding.severity,
                    finding.check,
                    finding.file,
                    finding.system,
                    ",".join(map(str, finding.lines)),
                    "" if finding.count is None else str(finding.count),
                    "" if finding.share is None else repr(finding.share),
                    finding.message,
                    finding.example,
                    finding.advice,
                ]
            )
        )
    return "".join(lines)


def as_markdown(report: Report) -> str:
    """A table of findings, and the line that sums them up."""
    if not report.findings:
        return nothing_found(report) + "\n"
    rows = [
        Row(
            (
                Cell(finding.severity, best=finding.severity == "error"),
                Cell(finding.check),
                Cell(visible(finding.message)),
                Cell(visible(_place(finding))),
                Cell(visible(finding.advice)),
            )
        )
        for finding in report.findings
    ]
    columns = tuple(map(Column, ("Severity", "Check", "Finding", "Example", "What to do")))
    return f"{markdown_table(Table(columns, tuple(rows)))}\n{summed_up(report)}\n"


def check_lines(checks: Sequence[Check], *, width: int | None = None) -> list[Line]:
    """Every check with its severities and what it finds."""
    return table_lines(_check_table(checks), width=width)


def checks_as_json(checks: Sequence[Check], *, version: str) -> str:
    """The list of checks as data."""
    entries = [
        {"check": c.name, "severities": list(c.severities), "finds": c.finds, "advice": c.advice}
        for c in checks
    ]
    return json.dumps({"version": version, "checks": entries}, indent=2) + "\n"


def checks_as_tsv(checks: Sequence[Check]) -> str:
    """A line a check."""
    head = tsv_line(["check", "severities", "finds", "advice"])
    return head + "".join(tsv_line([c.name, ",".join(c.severities), c.finds, c.advice]) for c in checks)


def checks_as_markdown(checks: Sequence[Check]) -> str:
    """A table of checks."""
    return markdown_table(_check_table(checks, advice=True))


def _check_table(checks: Sequence[Check], *, advice: bool = False) -> Table:
    columns = ["Check", "Severity", "Finds", *(["What to do"] if advice else [])]
    rows = [
        Row(tuple(map(Cell, [c.name, ", ".join(c.severities), c.finds, *([c.advice] if advice else [])])))
        for c in checks
    ]
    return Table(tuple(map(Column, columns)), tuple(rows))


def _finding_lines(finding: Finding, room: int, indent: str, width: int, *, example: bool) -> Iterator[Line]:
    first, *rest = wrapped(visible(finding.message).split(), width=width, indent=indent)
    head = f"{finding.severity:9}{finding.check:{room}}  "
    yield [Span(head, finding.severity), Span(first[0].text[len(indent) :])]
    yield from rest
    if example and (place := _place(finding)):
        yield from _styled(wrapped(visible(place).split(" "), width=width, indent=indent), "detail")


def _place(finding: Finding) -> str:
    """The example, and the other lines concerned."""
    others = [f"{line:,}" for line in finding.lines[1:5]]
    if not others:
        return finding.example
    more = " …" if (finding.count or 0) > 1 + len(others) else ""
    return f"{finding.example}{'; ' if finding.example else ''}also {', '.join(others)}{more}"


def _styled(lines: Sequence[Line], style: str) -> list[Line]:
    return [[Span(span.text, style) for span in line] for line in lines]


def _worst(report: Report) -> str:
    return report.findings[0].severity
