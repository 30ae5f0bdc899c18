"""What stands below every table: how scores were made, on which test sets, what was drawn of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from adjudge.data.levels import in_words
from adjudge.display import Signature, visible
from adjudge.wording import MISSING, join_names, pluralise

if TYPE_CHECKING:
    from adjudge.comparison import Score, Standing, TestSetFacts
    from adjudge.stats.design import Design

MOST_SETS = 3
"""Test sets whose reservations are spelled out; JSON has all."""


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


def drawn_words(designs: Mapping[str, Design]) -> str:
    """What was drawn on the test sets: `documents`, or which unit on how many of them."""
    from adjudge.stats.design import units_of  # late: scores draw nothing

    sets = Counter(design.unit for design in designs.values())
    if len(sets) == 1:
        return visible(units_of(next(iter(sets))))
    return join_names(
        [f"{visible(units_of(unit))} of {pluralise(number, 'set')}" for unit, number in sets.items()]
    )


def reservation_sentences(designs: Mapping[str, Design]) -> list[str]:
    """What must be said of single test sets beside every claim, the first few of them by name."""
    by_set = {name: design.reservations() for name, design in designs.items()}
    known = [(name, own) for name, own in by_set.items() if own]
    sentences = [f"{visible(name)}: {sentence}" for name, own in known[:MOST_SETS] for sentence in own]
    if left := len(known) - MOST_SETS if len(known) > MOST_SETS else 0:
        sentences.append(f"The like holds for {pluralise(left, 'further test set')}; -f json has each.")
    return sentences


def span(ranks: tuple[int, int] | None) -> str:
    """Ranks from the best to the worst."""
    if ranks is None:
        return MISSING
    low, high = ranks
    return str(low) if low == high else f"{low}–{high}"
