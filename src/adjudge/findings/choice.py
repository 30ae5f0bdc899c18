"""Which system to choose, and how sure that is: the one answer that a comparison of many pairs comes down to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from adjudge.evaluate import Comparison
from adjudge.evaluate.verdicts import Verdicts

Certainty = Literal["clear", "partly", "open", "contradicted", "behind", "untested", "incomplete", "alone"]
"""Better than every other system by every metric; by some metrics only; not told apart from another; metrics say
opposite things; another (the baseline, or one that lacks a test set) is better, and by no metric worse; tested against
no other; of several test sets, none has outputs for all (there is no choice then); nothing to compare with."""
STANDINGS = ("beaten", "partly", "unclear", "contradicted", "ahead", "better", "untested")
"""How others stand to the system that is chosen: fields of a `Choice`."""


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
    """Significantly better by some metric, and significantly worse by another."""
    ahead: tuple[str, ...]
    """Significantly better by some metrics; the others do not tell them apart."""
    better: tuple[str, ...]
    """Significantly better by every metric."""
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
        return (*self.beaten, *self.partly, *self.unclear, *self.contradicted, *self.over)

    @property
    def over(self) -> tuple[str, ...]:
        """All that are better by some metric and worse by none."""
        return (*self.better, *self.ahead)

    @property
    def winner(self) -> str:
        """The system that the tests speak for; '' where they speak for none."""
        if self.certainty in ("clear", "partly"):
            return self.system
        return self.over[0] if self.certainty == "behind" and len(self.over) == 1 else ""


def choice(comparison: Comparison) -> Choice:
    """The system that a comparison speaks for; with a baseline, the best of the others against it."""
    verdicts = Verdicts.of(comparison, comparison.test)
    order = list(verdicts.order)
    baseline = comparison.test.baseline
    best = next((name for name in order if name != baseline), order[0])
    return choice_of(
        best,
        order,
        lambda other: _standing(verdicts, best, other),
        metrics=[verdicts.label(metric) for metric in verdicts.directed],
        alpha=comparison.test.alpha,
        rival=next((name for name in (baseline, *order) if name and name != best), ""),
    )


def choice_of(
    best: str,
    order: Sequence[str],
    standing: Callable[[str], str],
    *,
    metrics: Sequence[str],
    alpha: float,
    rival: str,
) -> Choice:
    """A choice, from how each of the others stands to it; without a best one it is incomplete."""
    standings: dict[str, list[str]] = {kind: [] for kind in STANDINGS}
    for other in order:
        if other != best:
            standings[standing(other)].append(other)
    groups = {kind: tuple(names) for kind, names in standings.items()}
    certainty = _certainty(groups) if best else "incomplete"
    return Choice(
        system=best, certainty=certainty, metrics=tuple(metrics), alpha=alpha, rival=rival, **groups
    )


def _standing(verdicts: Verdicts, best: str, other: str) -> str:
    """How the best system stands to another one, over all metrics that tested the two."""
    names = (best, other) if (best, other) in verdicts.by_pair else (other, best)
    if names in verdicts.same:
        return "unclear"
    pairs = verdicts.open_pairs.get(names)
    return (
        standing_of({verdicts.winner(pair) for pair in pairs.values()}, best, other) if pairs else "untested"
    )


def standing_of(winners: AbstractSet[str | None], best: str, other: str) -> str:
    """How another system stands to the best one, from who is significantly better by each metric (None: neither)."""
    if other in winners:
        return "better" if winners == {other} else "contradicted" if best in winners else "ahead"
    if winners == {best}:
        return "beaten"
    return "partly" if best in winners else "unclear"


def _certainty(groups: dict[str, tuple[str, ...]]) -> Certainty:
    """How sure a choice is, from those it was tested against by how it stands to them."""
    if groups["contradicted"]:
        return "contradicted"
    if groups["better"] or groups["ahead"]:
        return "behind"
    if groups["unclear"]:
        return "open"
    if groups["partly"]:
        return "partly"
    if groups["beaten"]:
        return "clear"
    return "untested" if groups["untested"] else "alone"
