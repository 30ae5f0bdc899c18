"""What stands below every table: how scores were made, on which test sets, what was drawn of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudge.data.levels import in_words
from adjudge.display import Signature, visible
from adjudge.wording import MISSING, pluralise

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
        parts.append(pluralise(known.references, "reference"))
    if known.language:
        how = f" ({visible(known.language_from)})" if known.language_from else ""
        parts.append(f"into {known.language}{how}")
    if known.fingerprint:
        parts.append(f"fingerprint {known.fingerprint[:12]}")
    name = f"{visible(known.name)}: " if known.name else ""
    return name + ", ".join(parts)


def span(ranks: tuple[int, int] | None) -> str:
    """Ranks from the best to the worst."""
    if ranks is None:
        return MISSING
    low, high = ranks
    return str(low) if low == high else f"{low}–{high}"
