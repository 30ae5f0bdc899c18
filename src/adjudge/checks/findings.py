"""What a check finds, and all of it together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

from adjudge.display import (
    FLUSH,
    Cell,
    Column,
    Data,
    Displayable,
    Line,
    Records,
    Section,
    StyledText,
    visible,
    wrap_words,
)
from adjudge.io.table import Input
from adjudge.wording import pluralise

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
SHOWN = 10
"""How many line numbers a finding keeps; its count tells how many there are."""
EXCERPT = 72
WIDEST = 110
"""Longer lines are hard to read, however wide the screen is."""
EXAMPLES = 3
"""Examples shown of one kind of finding; files and JSON have them all."""


@dataclass(frozen=True)
class Finding:
    """One fault (or what may be one): how bad, where, what it looks like, what it means and what to do."""

    severity: Severity
    check: str
    message: str
    advice: str = ""
    file: str = ""
    system: str = ""
    lines: tuple[int, ...] = ()
    """The first lines concerned, from 1."""
    count: int | None = None
    share: float | None = None
    """The share of the lines, 0 to 1."""
    example: str = ""
    segments: tuple[int, ...] = field(default=(), repr=False, compare=False)
    """All segments that `lines` names the first of, from 0, as far as they are known."""

    def document(self) -> dict[str, Any]:
        """All that is known of it; what is not known is null."""
        values = {name: getattr(self, name) for name in FIELDS}
        return values | {name: values[name] or None for name in ("file", "system", "example")}

    def places(self) -> str:
        """The example, and the other lines concerned."""
        others = [f"{line:,}" for line in self.lines[1:5]]
        if not others:
            return self.example
        more = " …" if (self.count or 0) > 1 + len(others) else ""
        return f"{self.example}{'; ' if self.example else ''}also {', '.join(others)}{more}"

    def _screen_lines(self, room: int, indent: str, width: int, *, example: bool) -> Iterator[Line]:
        """For a screen: severity and check, what was found, and where."""
        first, *rest = wrap_words(visible(self.message).split(), width=width, indent=indent)
        head = f"{self.severity:9}{self.check:{room}}  "
        yield [StyledText(head, self.severity), StyledText(first[0].text[len(indent) :])]
        yield from rest
        if example and (place := self.places()):
            yield from _apply_style(
                wrap_words(visible(place).split(" "), width=width, indent=indent), "detail"
            )


FIELDS = ("severity", "check", "file", "system", "lines", "count", "share", "message", "example", "advice")
"""What data have of a finding."""
FINDING_COLUMNS = (
    Column("Severity", text=lambda own: Cell(own.severity, best=own.severity == "error")),
    Column.of("check", "Check"),
    Column.of("message", "Finding"),
    Column("Example", text=Finding.places),
    Column.of("advice", "What to do"),
)
"""What print has of it."""


@dataclass(frozen=True)
class LintReport(Displayable):
    """All findings, the worst first, and the files that were looked at."""

    findings: tuple[Finding, ...]
    inputs: tuple[Input, ...] = ()
    looked_at: str = ""
    """What was examined, in words."""
    command: str = ""
    """The command that gives this report."""
    training: tuple[str, ...] = ()
    """Files of training texts that were looked through for what is tested."""

    def count(self, severity: Severity) -> int:
        """How many findings there are of one severity."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def summary(self) -> dict[str, int]:
        """How many errors, warnings and notes there are."""
        return {f"{severity}s": self.count(severity) for severity in SEVERITIES}

    @property
    def title(self) -> str:
        """Of its page."""
        return self.conclusion()

    def sections(self) -> list[Section]:
        """All findings, and one line that sums them up."""
        if not self.findings:
            return [Section(lead=self.conclusion(), style="best", layout=FLUSH)]
        findings = Records(FINDING_COLUMNS, self.findings)
        return [
            Section(drawn=lambda width, _: self._lines(width), printed=findings.table()),
            Section(lead=self.conclusion(), style=self.findings[0].severity, layout=FLUSH),
        ]

    def conclusion(self) -> str:
        """How much was found, in what."""
        if not self.findings:
            return f"nothing found: {self.looked_at} look sound"
        counts = severity_counts(self)
        return f"{counts} in {self.looked_at}" if self.looked_at else f"{counts}, and nothing to read"

    def data(self) -> Data:
        """One row per finding."""
        rows = [
            [
                ",".join(map(str, finding.lines)) if name == "lines" else getattr(finding, name)
                for name in FIELDS
            ]
            for finding in self.findings
        ]
        return Data(FIELDS, rows)

    def document(self) -> dict[str, Any]:
        """All findings; what is not known is null."""
        return {
            "inputs": [asdict(item) for item in self.inputs],
            "findings": [finding.document() for finding in self.findings],
            "summary": self.summary,
        }

    def _lines(self, width: int | None = None) -> list[Line]:
        """Findings for a screen: those of a kind together, with the advice below them."""
        room = max(len(finding.check) for finding in self.findings)
        indent = " " * (9 + room + 2)
        wide = min(width or WIDEST, WIDEST)
        lines: list[Line] = []
        for _, group in groupby(self.findings, key=lambda f: (f.severity, f.check, f.advice)):
            findings = list(group)
            for number, finding in enumerate(findings):
                lines += finding._screen_lines(room, indent, wide, example=number < EXAMPLES)
            if findings[0].advice:
                advice = f"→ {visible(findings[0].advice)}".split()
                lines += _apply_style(wrap_words(advice, width=wide, indent=indent), "note")
            lines.append([])
        return lines


def _apply_style(lines: Sequence[Line], style: str) -> list[Line]:
    return [[StyledText(span.text, style) for span in line] for line in lines]


def by_severity(findings: Iterable[Finding], checks: Sequence[str]) -> tuple[Finding, ...]:
    """The worst first; among equals in the order of the checks, and then as found."""
    place = {name: at for at, name in enumerate(checks)}
    return tuple(sorted(findings, key=lambda f: (SEVERITIES.index(f.severity), place[f.check])))


def without_notes(report: LintReport) -> LintReport:
    """A report with errors and warnings only."""
    return replace(report, findings=tuple(f for f in report.findings if f.severity != "note"))


def severity_counts(report: LintReport) -> str:
    """The numbers of errors, warnings and notes in words."""
    counts = [pluralise(n, s) for s in SEVERITIES if (n := report.count(s))]
    return ", ".join(counts)


def summary_line(report: LintReport) -> str:
    """One line for those who look at something else: how many findings, and the worst; "" if nothing is wrong.

    Notes alone are no reason to speak up.
    """
    serious = [finding for finding in report.findings if finding.severity != "note"]
    if not serious:
        return ""
    numbers = ", ".join(pluralise(n, s) for s in SEVERITIES[:2] if (n := report.count(s)))
    details = f" ({report.command} for details)" if report.command else ""
    return f"lint: {numbers}{details}: {serious[0].message}"


def excerpt(text: str, at: int = 0, width: int = EXCERPT) -> str:
    """The text around a place, in quotes, with dots where it was cut."""
    start = max(0, min(at - width // 3, len(text) - width))
    end = start + width
    return f"“{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}”"
