"""Which system to choose, and how sure that is: the one answer that a comparison of many pairs comes down to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from adjudge.evaluate import Comparison
from adjudge.evaluate.verdicts import Verdicts

Certainty = Literal["clear", "partly", "open", "contradicted", "untested", "incomplete", "alone"]
"""Better than every other system by every metric; by some metrics only; not told apart from another; metrics say
opposite things; tested against no other; of several test sets, none has outputs for all (there is no choice then);
nothing to compare with."""


@dataclass(frozen=True)
class Choice:
    """The system with the best score, and how it stands to each of those it was tested against."""

    system: str
    """Empty where it is incomplete."""
    certainty: Certainty
    beaten: tuple[str, ...]
    """Significantly worse by every metric."""
    partly: tuple[str, ...]
    """Significantly worse by some metrics; the others do not tell them apart."""
    unclear: tuple[str, ...]
    """Told apart by no metric."""
    contradicted: tuple[str, ...]
    """Significantly better by some metric."""
    untested: tuple[str, ...]
    """Not tested against it: with a baseline, only that is."""
    metrics: tuple[str, ...]
    """Labels of the metrics that have a direction."""
    alpha: float
    rival: str = ""
    """The system that comes closest, or the baseline; empty where there is none. Where it is incomplete: who has a mean
    though nothing is chosen, the baseline."""

    @property
    def tested(self) -> tuple[str, ...]:
        """All that it was tested against."""
        return (*self.beaten, *self.partly, *self.unclear, *self.contradicted)


def choice(comparison: Comparison) -> Choice:
    """The system that a comparison speaks for; with a baseline, the best of the others against it."""
    verdicts = Verdicts.of(comparison, comparison.test)
    order = list(verdicts.order)
    baseline = comparison.test.baseline
    best = next((name for name in order if name != baseline), order[0])
    standings: dict[str, list[str]] = {
        kind: [] for kind in ("beaten", "partly", "unclear", "contradicted", "untested")
    }
    for other in order:
        if other != best:
            standings[_standing(verdicts, best, other)].append(other)
    groups = {kind: tuple(names) for kind, names in standings.items()}
    return Choice(
        system=best,
        certainty=certainty_of(groups),
        metrics=tuple(verdicts.label(metric) for metric in verdicts.directed),
        alpha=comparison.test.alpha,
        rival=next((name for name in (baseline, *order) if name and name != best), ""),
        **groups,
    )


def _standing(verdicts: Verdicts, best: str, other: str) -> str:
    """How the best system stands to another one, over all metrics that tested the two."""
    names = (best, other) if (best, other) in verdicts.by_pair else (other, best)
    if names in verdicts.same:
        return "unclear"
    pairs = verdicts.open_pairs.get(names)
    if not pairs:
        return "untested"
    winners = {verdicts.winner(pair) for pair in pairs.values()}
    if other in winners:
        return "contradicted"
    if winners == {best}:
        return "beaten"
    return "partly" if best in winners else "unclear"


def certainty_of(groups: dict[str, tuple[str, ...]]) -> Certainty:
    """How sure a choice is, from those it was tested against by how it stands to them."""
    if groups["contradicted"]:
        return "contradicted"
    if groups["unclear"]:
        return "open"
    if groups["partly"]:
        return "partly"
    if groups["beaten"]:
        return "clear"
    return "untested" if groups["untested"] else "alone"
