"""What stands below every table: how the scores were made, and on which test set."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.evaluate import Score, Standing, TestSetFacts
from adjudge.report.markdown import escape as markdown_escape
from adjudge.report.table import visible
from adjudge.report.text import Line, Span, cell_width
from adjudge.wording import counted


def note_lines(results: Iterable[Score | Standing], test_set: TestSetFacts) -> list[Line]:
    """For a screen."""
    signatures = signature_notes(results)
    room = max((cell_width(name) for name, _ in signatures), default=0)
    lines = [f"{name}{' ' * (room - cell_width(name))}  {signature}" for name, signature in signatures]
    return [[Span(line, "note")] for line in [*lines, facts(test_set)]]


def markdown_notes(results: Iterable[Score | Standing], test_set: TestSetFacts) -> str:
    """A list in Markdown."""
    notes = [f"- {markdown_escape(name)}: `{signature}`" for name, signature in signature_notes(results)]
    return "\n".join([*notes, f"- {markdown_escape(facts(test_set))}"]) + "\n"


def latex_notes(results: Iterable[Score | Standing], test_set: TestSetFacts) -> list[str]:
    """Comments below a LaTeX table."""
    return [*(f"{name}: {signature}" for name, signature in signature_notes(results)), facts(test_set)]


def signature_notes(results: Iterable[Score | Standing]) -> list[tuple[str, str]]:
    """Each metric's name without options, which its signature tells anyway, and the signature."""
    metrics: dict[str, Score | Standing] = {}
    for result in results:
        metrics.setdefault(result.metric, result)
    return [(m.label.partition("(")[0], visible(m.signature)) for m in metrics.values()]


def facts(known: TestSetFacts) -> str:
    """The test set in one line."""
    parts = [counted(known.segments, "segment")]
    if known.references:  # scores that come from elsewhere have none
        parts.append(counted(known.references, "reference"))
    if known.language:
        how = f" ({visible(known.language_from)})" if known.language_from else ""
        parts.append(f"into {known.language}{how}")
    if known.fingerprint:
        parts.append(f"fingerprint {known.fingerprint[:12]}")
    name = f"{visible(known.name)}: " if known.name else ""
    return name + ", ".join(parts)
