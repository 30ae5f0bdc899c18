"""What stands below every table: how the scores were made, and on which test set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudge.data.levels import in_words
from adjudge.report.render.sections import Signature
from adjudge.report.render.table import visible
from adjudge.wording import counted

if TYPE_CHECKING:
    from adjudge.comparison import Score, Standing, TestSetFacts


def signatures(results: Iterable[Score | Standing]) -> list[Signature]:
    """Each metric's name without options, which its signature tells anyway, and the signature."""
    metrics: dict[str, Score | Standing] = {}
    for result in results:
        metrics.setdefault(result.metric, result)
    return [Signature(m.label.partition("(")[0], visible(m.signature)) for m in metrics.values()]


def facts(known: TestSetFacts) -> str:
    """The test set in one line."""
    parts = [in_words(known.level, known.segments)]
    if known.references:  # scores that come from elsewhere have none
        parts.append(counted(known.references, "reference"))
    if known.language:
        how = f" ({visible(known.language_from)})" if known.language_from else ""
        parts.append(f"into {known.language}{how}")
    if known.fingerprint:
        parts.append(f"fingerprint {known.fingerprint[:12]}")
    name = f"{visible(known.name)}: " if known.name else ""
    return name + ", ".join(parts)
