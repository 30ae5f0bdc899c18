"""The list of checks: each is a function from a corpus to findings, known by its name."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import SEVERITIES, SHOWN, Finding, Severity, excerpt
from adjudge.display import Column, Data, Displayable, Records, Section
from adjudge.errors import unknown_name

# In the order in which findings of one severity are shown.
FAMILIES = (
    "files",
    "counts",
    "order",
    "segments",
    "language",
    "surface",
    "characters",
    "systems",
    "lengths",
    "contents",
    "labels",
    "contamination",
)
PARTS = frozenset({"alignment", "corpus", "evidence", "findings", "reading", "registry", "studies"})
"""Files of this folder without checks; any other one is a family, and those that are not named come last."""
Run = Callable[[Corpus], Iterator[Finding]]


@dataclass(frozen=True)
class Check:
    """A check with what `--list` says of it."""

    name: str
    finds: str
    severities: tuple[Severity, ...]
    advice: str
    run: Run
    family: str = ""
    """The file it stands in."""


@dataclass(frozen=True)
class CheckList(Displayable):
    """Every check with its severities and what it finds; in print with its advice as well."""

    checks: Sequence[Check]

    @property
    def title(self) -> str:
        """Of its page."""
        return "Checks of adjudge lint"

    def sections(self) -> list[Section]:
        """One row per check."""
        return [Section(tables=(Records(CHECK_COLUMNS, self.checks).table(),))]

    def printed(self) -> list[Section]:
        """With what to do."""
        return [Section(tables=(Records((*CHECK_COLUMNS, ADVICE), self.checks).table(),))]

    def data(self) -> Data:
        """One row per check."""
        rows = [(check.name, ",".join(check.severities), check.finds, check.advice) for check in self.checks]
        return Data(("check", "severities", "finds", "advice"), rows)

    def document(self) -> dict[str, Any]:
        """Every check."""
        return {
            "checks": [
                {
                    "check": check.name,
                    "severities": list(check.severities),
                    "finds": check.finds,
                    "advice": check.advice,
                }
                for check in self.checks
            ]
        }


CHECK_COLUMNS = (
    Column.of("name", "Check"),
    Column("Severity", text=lambda own: ", ".join(own.severities)),
    Column.of("finds", "Finds"),
)
ADVICE = Column.of("advice", "What to do")
_CHECKS: dict[str, Check] = {}


def check(name: str, finds: str, severities: str, advice: str) -> Callable[[Run], Run]:
    """Make a function a check; its findings get the name, and the advice where they bring none."""

    def register(function: Run) -> Run:
        def run(corpus: Corpus) -> Iterator[Finding]:
            for finding in function(corpus):
                yield replace(finding, check=name, advice=finding.advice or advice)

        family = function.__module__.rpartition(".")[2]
        levels = tuple(level for level in SEVERITIES if level in severities.split())
        _CHECKS[name] = Check(name, finds, levels, advice, run, family)
        return run

    return register


def checks() -> dict[str, Check]:
    """All checks by name, in the order of their families, whichever of them was imported first."""
    modules = sorted(module.name for module in pkgutil.iter_modules([os.path.dirname(__file__)]))
    families = [*FAMILIES, *(name for name in modules if name not in PARTS and name not in FAMILIES)]
    for family in families:
        importlib.import_module(f"adjudge.checks.{family}")
    return dict(sorted(_CHECKS.items(), key=lambda item: families.index(item[1].family)))


def select_checks(skip: Iterable[str]) -> list[Check]:
    """All checks but those to leave out."""
    skip, known = set(skip), checks()
    for name in sorted(skip):
        if name not in known:
            raise unknown_name("check", name, known, "adjudge lint --list")
    return [check for name, check in known.items() if name not in skip]


def finding(
    text: Text,
    severity: Severity,
    what: str,
    *,
    lines: Sequence[int] = (),
    at: Sequence[int] = (),
    count: int | None = None,
    advice: str = "",
    example: str | None = None,
) -> Finding:
    """A finding about a text: `what` continues its name; `lines` are indices, `at` places to show in them."""
    if example is None:
        example = _example(text, lines, at)
    number = len(lines) if count is None and lines else count
    return Finding(
        severity,
        "",
        f"{text.name} {what}",
        advice,
        file=text.file,
        system=text.system,
        lines=tuple(line + 1 for line in lines[:SHOWN]),
        segments=tuple(lines),
        count=number,
        share=min(1.0, number / len(text)) if number is not None and len(text) else None,
        example=example,
    )


def _example(text: Text, lines: Sequence[int], at: Sequence[int]) -> str:
    if not lines:
        return ""
    position = at[0] if at else 0
    return f"{text.unit} {lines[0] + 1}: {excerpt(text.segments[lines[0]], position)}"
