"""What people's ratings are samples of: whether systems were judged on the same items, and what hangs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements, Names
from adjudge.errors import DataError, UsageError
from adjudge.evaluate.plan import CLUSTERED
from adjudge.human.assessment import Floats, Parts, parts
from adjudge.stats.crossed import LEAST, Crossed
from adjudge.stats.power import MOST_SHARED
from adjudge.wording import counted, listed

PAIRED = MOST_SHARED
"""Two systems were judged on the same items where both share more than so much of what was judged of them.

With a share s of items in common, whose scores correlate by r, a rank-sum test takes differences to vary by
1 / √(1 − s r) more than they do: at half of them and r = 0.4 it finds 3 % by chance instead of 5, and 72 % of what a
paired test finds in 80 % (docs/statistics.md). With fewer it loses less than that."""
UNITS = ("translation", "judgement")
"""Units that are no label."""
GROUPED = 1.1
"""By how much standard errors must grow for it to be said."""


@dataclass(frozen=True)
class ItemOverlap:
    """Which items were judged for which systems: known before anyone looks at a score."""

    shared: float
    """Of what was judged of two systems, the share that both have, of those two that share least."""

    @classmethod
    def of(cls, judged: NDArray[np.bool_], systems: Sequence[str], baseline: str | None) -> ItemOverlap:
        """From systems × items, of those that will be compared."""
        known = judged.astype(np.float64)
        common, number = known @ known.T, known.sum(1)
        share = common / np.maximum(number[:, None], number[None])
        np.fill_diagonal(share, 1.0)
        if baseline in systems:
            share = share[systems.index(str(baseline))]
        return cls(float(share.min(initial=1.0)))

    @property
    def paired(self) -> bool:
        """Whether both systems of every pair were judged on the same items, but for some."""
        return self.shared > PAIRED

    @property
    def test(self) -> str:
        """The test for it."""
        return "randomisation" if self.paired else "rank-sum"

    def sentence(self, test: str) -> str:
        """Why this test, in a line."""
        share = f"{100 * self.shared:.0f} %"
        if self.paired:
            same = "the same items" if self.shared == 1 else f"the same items ({share} of them at least)"
            why = f"Every two systems were judged on {same}: the design is paired"
        else:
            why = f"Some two systems share {share} of their items: the design is not paired"
        if test == self.test:
            so = "and so is the test" if self.paired else "and neither is the test"
            return f"{why}, {so} (chosen before looking at scores; --test overrides it)."
        if test == "rank-sum":
            return f"{why}, but the test is not, as asked for; it finds less than a paired one (--test randomisation)."
        return f"{why}; {test} was asked for."


def unit_column(judgements: Judgements, unit: str, which: NDArray[np.bool_]) -> Names:
    """To which unit every judgement belongs: an annotator's, a document's or any other label's."""
    column = judgements.annotator if unit == "annotator" else judgements.labels.get(unit)
    if column is None or not column.names:
        known = listed([*UNITS, "annotator", *judgements.labels])
        raise UsageError(f"no label {unit!r} to draw by; there are: {known} (--labels FILE.tsv joins more)")
    without = int((which & (column.codes == NONE)).sum())
    if without:
        raise DataError(
            f"{counted(without, 'judgement')} of no {unit}: whole {unit}s can be drawn only where every judgement has "
            "one"
        )
    return column


def check_crossed(judgements: Judgements, unit: str, which: NDArray[np.bool_], test: str | None) -> None:
    """Refuse units of two kinds where there are too few of either, or where another test was asked for."""
    if test not in (None, CLUSTERED):
        raise UsageError(
            f"--unit {unit}: units of two kinds lie across each other, and cannot be swapped or drawn at once as "
            f"{test} does; leave --test out"
        )
    names = unit.split(",")
    if len(names) > 2 or len(set(names)) < 2:
        raise UsageError(f"--unit {unit}: one label, or two with a comma between them (document,annotator)")
    for name in names:
        number = len(np.unique(unit_column(judgements, name, which).codes[which]))
        if number < LEAST:
            raise UsageError(
                f"--unit {unit}: {counted(number, name)} {'is' if number == 1 else 'are'} too few to tell how "
                f"{name}s differ ({LEAST} of either kind are needed); --unit translation or --model says what can be "
                "said"
            )


@dataclass(frozen=True)
class Grouping:
    """How much more scores vary by whole groups than by translations."""

    unit: str
    groups: int
    growth: float
    """Standard errors of differences by groups, over those by items: the median over pairs of systems."""


def groupings(judgements: Judgements, values: Floats, which: NDArray[np.bool_]) -> list[Grouping]:
    """What the labels show to hang together: judgements of a document, and of an annotator."""
    items = _spread(parts(judgements, values, np.zeros(len(judgements), np.int64), which=which), by_part=True)
    kinds = []
    for unit, column in (
        ("document", judgements.labels.get("document")),
        ("annotator", judgements.annotator),
    ):
        if column is None or (column.codes[which] == NONE).any():
            continue
        groups = len(np.unique(column.codes[which]))
        if not 1 < groups < len(np.unique(judgements.item.codes[which])):
            continue
        spread = _spread(parts(judgements, values, column.codes, which=which))
        with np.errstate(invalid="ignore", divide="ignore"):
            growth = spread / items
        if np.isfinite(growth).any():
            kinds.append(Grouping(unit, groups, float(np.nanmedian(growth))))
    return kinds


def standard_errors(
    judgements: Judgements, values: Floats, which: NDArray[np.bool_], unit: str
) -> tuple[Floats, float]:
    """Of the differences of all pairs of systems, as what is drawn has them; and how many units there are."""
    if unit in UNITS:
        items = parts(judgements, values, np.zeros(len(judgements), np.int64), which=which)
        return _spread(items, by_part=True), items.weights.shape[1]
    columns = [unit_column(judgements, name, which) for name in unit.split(",")]
    codes = [np.maximum(column.codes, 0) for column in columns]
    sizes = [len(column.names) for column in columns]
    drawn = parts(judgements, values, np.ravel_multi_index(codes, sizes), which=which)
    if len(columns) == 1:
        return _spread(drawn), len(np.unique(drawn.group))
    first, second = (map(str, place) for place in np.unravel_index(drawn.group, sizes))
    crossed = Crossed.of(list(first), list(second))
    weighted = np.where(drawn.weights > 0, drawn.weights * drawn.matrix.scores, 0.0)
    rows = np.stack([weighted, drawn.weights], axis=-1)[drawn.weights.any(1)]
    pairs = [
        crossed.difference(rows[a], rows[b]) for a, b in zip(*np.triu_indices(len(rows), 1), strict=True)
    ]
    return np.array([pair.error for pair in pairs]), min(pair.units for pair in pairs)


def _spread(parts: Parts, *, by_part: bool = False) -> Floats:
    """Standard errors of the differences of all pairs of systems, where whole groups (or items) are drawn."""
    judged = np.flatnonzero(parts.weights.any(1))
    weights = parts.weights[judged]
    scores = np.where(weights > 0, parts.matrix.scores[judged], 0.0)
    number = weights.sum(1, keepdims=True)
    off = weights * (scores - (weights * scores).sum(1, keepdims=True) / number) / number
    if not by_part:
        groups, place = np.unique(parts.group, return_inverse=True)
        summed = np.zeros((len(off), len(groups)))
        np.add.at(summed.T, place, off.T)
        off = summed
    a, b = np.triu_indices(len(off), 1)
    count = off.shape[1]
    deviations: Floats = np.sqrt(((off[a] - off[b]) ** 2).sum(1) * count / max(count - 1, 1))
    return deviations


def grouping_sentences(groupings: Sequence[Grouping]) -> list[str]:
    """What to say where translations are taken for independent and are not."""
    grown = [grouping for grouping in groupings if grouping.growth >= GROUPED]
    if not grown:
        return []
    growths = listed(
        [
            f"{grouping.growth:.1f} times as large by {counted(grouping.groups, grouping.unit)}"
            for grouping in grown
        ]
    )
    options = listed([f"--unit {grouping.unit}" for grouping in grown])
    at_once = "--model has annotators and items at once"
    if len(grown) > 1 and min(grouping.groups for grouping in grown) >= LEAST:
        at_once = f"--unit {','.join(grouping.unit for grouping in grown)} allows for both at once"
    return [
        f"Translations were treated as independent, but those of one {' or '.join(g.unit for g in grown)} are "
        f"alike: standard errors are {growths}, and p-values and intervals too small by that. {options} "
        f"{'draws' if len(grown) == 1 else 'draw'} whole ones; {at_once}."
    ]
