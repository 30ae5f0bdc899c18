"""Pairs of segments counted all at once, as definitions have them: accuracy with ties, and WMT's tau."""

from dataclasses import dataclass

import numpy as np

from adjudge.stats.item_pairs import agreement_mask


def tie_accuracy(pairs, gold, metric, epsilon=0.0):
    """acc_eq of a table of scores at one epsilon; NaN where there is no pair."""
    if not pairs.groups:
        return float("nan")
    hits = agreement_mask(pairs.differences(gold), pairs.differences(metric), epsilon)
    return float(pairs.weights[hits].sum())


@dataclass(frozen=True)
class OrderedPairs:
    """Pairs that people order by a threshold or more, by what the metric says of them."""

    concordant: int
    discordant: int
    ties: int
    """Pairs to which the metric gives the same score."""
    human_ties: int
    """Pairs that people do not order, which only a threshold of 0 lets in; mt-metrics-eval has them as discordant."""

    def tau(self, ties="discordant"):
        """(C − D)/(C + D), with metric ties against the metric (WMT12, from WMT17 on), dropped (WMT13) or in the
        denominator only (WMT14 to 16); NaN without pairs.

        Ties of people count against the metric as its own ties do, and for nothing by the other two rules.
        """
        against = self.discordant + (self.ties + self.human_ties if ties == "discordant" else 0)
        below = self.concordant + against + (self.ties if ties == "denominator" else 0)
        return (self.concordant - against) / below if below else float("nan")


def ordered_pairs(pairs, gold, metric, threshold=25.0):
    """How the metric orders pairs whose gold differs by the threshold at least (25 for raw Direct Assessment)."""
    people, scores = pairs.differences(gold), pairs.differences(metric)
    chosen = np.abs(people) >= threshold
    people, scores = np.sign(people[chosen]), np.sign(scores[chosen])
    unordered = people == 0
    tied = (scores == 0) & ~unordered
    concordant = (people == scores) & ~unordered
    discordant = ~(unordered | tied | concordant)
    return OrderedPairs(*(int(kind.sum()) for kind in (concordant, discordant, tied, unordered)))
