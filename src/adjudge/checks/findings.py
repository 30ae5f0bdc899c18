"""What a check finds, and all of it together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from adjudge.display import Displayable
from adjudge.io.table import Input
from adjudge.wording import pluralise

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
SHOWN = 10
"""How many line numbers a finding keeps; its count tells how many there are."""
EXCERPT = 72


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
