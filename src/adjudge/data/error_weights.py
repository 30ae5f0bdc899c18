"""Weights of marked errors, by severity and category."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields

from adjudge.data.judgements import Span
from adjudge.errors import DataError, UsageError, unknown_name

SEVERITIES = ("critical", "major", "minor", "neutral")
UNDECIDED = "undecided"
"""Appraise's severity of an error for which none was chosen; its weight is 0."""
NO_ERROR = ("no-error", "no error", "none", "")


@dataclass(frozen=True)
class ErrorWeights:
    """Weights of errors; the defaults are Google's (Freitag et al. 2021)."""

    major: float = 5.0
    minor: float = 1.0
    punctuation: float = 0.1
    """A minor error of punctuation."""
    non_translation: float = 25.0
    """A non-translation."""
    neutral: float = 0.0
    critical: float = 5.0
    """Where a typology knows worse than major; Google's does not."""
    own: tuple[tuple[str, float], ...] = ()
    """Of severities that a campaign calls by names of its own."""

    def __post_init__(self) -> None:
        for name, value in self._numbers():
            if not math.isfinite(value) or value < 0:
                raise UsageError(f"weight {name}={value}: must be a number from 0 up")

    def _numbers(self) -> Iterator[tuple[str, float]]:
        for field in fields(self):
            if field.name != "own":
                yield field.name.replace("_", "-"), getattr(self, field.name)
        yield from self.own

    def of(self, span: Span) -> float:
        """The weight of one error."""
        category, severity = span.category.lower(), span.severity.lower()
        if severity in NO_ERROR:
            return 0.0
        if severity in dict(self.own):
            return dict(self.own)[severity]
        if category.startswith("non-translation"):
            return self.non_translation
        if severity == "minor" and "punctuation" in category:
            return self.punctuation
        if severity == UNDECIDED:
            return 0.0
        if severity not in SEVERITIES:
            raise DataError(
                f"{unknown_name('severity', span.severity, SEVERITIES)}; severities of your own weigh what you say: "
                f"--error-weights {severity}=NUMBER"
            )
        return float(getattr(self, severity))

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:g}" for name, value in self._numbers())
