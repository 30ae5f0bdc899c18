"""Findings shown: the worst first, each with its place, an example and, once for all of a kind, what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from adjudge.checks import Check, Finding, LintReport, severity_counts
from adjudge.display import FLUSH, Cell, Column, Line, Row, Section, StyledText, Table, visible, wrapped
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import tsv_line

WIDEST = 110
"""Longer lines are hard to read, however wide the screen is."""
EXAMPLES = 3
"""Examples shown of one kind of finding; files and JSON have them all."""


def forms(report: LintReport, *, version: str) -> Renderer:
    """Findings in every format."""
    return Renderer(lambda: sections(report), lambda: document(report, version), tsv=lambda: as_tsv(report))


def sections(report: LintReport) -> list[Section]:
    """All findings, and one line that sums them up."""
    if not report.findings:
        return [Section(lead=nothing_found(report), style="best", layout=FLUSH)]
    return [
        Section(drawn=lambda width, _: finding_lines(report, width), printed=_finding_table(report)),
        Section(lead=summed_up(report), style=_worst(report), layout=FLUSH),
    ]


def check_forms(checks: Sequence[Check], *, version: str) -> Renderer:
    """Every check with its severities and what it finds; in print with its advice as well."""
    return Renderer(
        lambda: [Section(tables=(_check_table(checks),))],
        lambda: {"version": version, "checks": [_check_document(check) for check in checks]},
        tsv=lambda: checks_as_tsv(checks),
        markdown=lambda: [Section(tables=(_check_table(checks, advice=True),))],
    )


def finding_lines(report: LintReport, width: int | None = None) -> list[Line]:
    """Findings for a screen: those of a kind together, with the advice below them."""
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
    return lines


def summed_up(report: LintReport) -> str:
    """How much was found, in what."""
    return (
        f"{severity_counts(report)} in {report.looked_at}"
        if report.looked_at
        else f"{severity_counts(report)}, and nothing to read"
    )


def nothing_found(report: LintReport) -> str:
    """The kind line for files without a fault."""
    return f"nothing found: {report.looked_at} look sound"


FIELDS = ("severity", "check", "file", "system", "lines", "count", "share", "message", "example", "advice")


def document(report: LintReport, version: str) -> dict[str, Any]:
    """All findings as data; what is not known is null."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in report.inputs],
        "findings": [_finding_document(finding) for finding in report.findings],
        "summary": report.summary,
    }


def _finding_document(finding: Finding) -> dict[str, Any]:
    may_be_unknown = ("file", "system", "example")
    values = {name: getattr(finding, name) for name in FIELDS}
    return {name: (v or None) if name in may_be_unknown else v for name, v in values.items()}


def _check_document(check: Check) -> dict[str, Any]:
    severities = list(check.severities)
    return {"check": check.name, "severities": severities, "finds": check.finds, "advice": check.advice}


def as_tsv(report: LintReport) -> str:
    """A line a finding."""
    lines = [tsv_line(FIELDS)]
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


def checks_as_tsv(checks: Sequence[Check]) -> str:
    """A line a check."""
    head = tsv_line(["check", "severities", "finds", "advice"])
    return head + "".join(tsv_line([c.name, ",".join(c.severities), c.finds, c.advice]) for c in checks)


def _finding_table(report: LintReport) -> Table:
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
    return Table(columns, tuple(rows))


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
    yield [StyledText(head, finding.severity), StyledText(first[0].text[len(indent) :])]
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
    return [[StyledText(span.text, style) for span in line] for line in lines]


def _worst(report: LintReport) -> str:
    return report.findings[0].severity
