"""What people's ratings are samples of: whether systems were judged on the same items, and what hangs together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements, NameColumn
from adjudge.errors import DataError, UsageError
from adjudge.human.assessment import Floats, TranslationParts, translation_parts
from adjudge.stats.common_items import ItemColumns, ItemWeights
from adjudge.stats.crossed import Crossed
from adjudge.stats.design import (
    ANNOTATOR,
    AUTO,
    DOCUMENT,
    FEWEST,
    ITEM,
    MOST_SHARED,
    Balance,
    Design,
    Grouping,
)
from adjudge.stats.tests.systems import DEFAULT, TWO_KINDS, UNPAIRED
from adjudge.stats.tests.systems.base import system_test
from adjudge.stats.two_way import balance
from adjudge.wording import are, join_names, pluralise

PAIRED = MOST_SHARED
"""Two systems were judged on the same items where both share more than so much of what was judged of them.

With a share s of items in common, whose scores correlate by r, a rank-sum test takes differences to vary by
1 / √(1 − s r) more than they do: at half of them and r = 0.4 it finds 3 % by chance instead of 5, and 72 % of what a
paired test finds in 80 % (docs/statistics.md). With fewer it loses less than that."""
TRANSLATION = "translation"
UNITS = (TRANSLATION, "judgement")
"""Units that are no label."""


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
        return DEFAULT if self.paired else UNPAIRED

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
        if self.paired and not system_test(test).paired:
            return f"{why}, but the test is not, as asked for; it finds less than a paired one (--test {DEFAULT})."
        return f"{why}; {test} was asked for."


def unit_column(judgements: Judgements, unit: str, which: NDArray[np.bool_]) -> NameColumn:
    """To which unit every judgement belongs: an annotator's, a document's or any other label's."""
    column = {ANNOTATOR: judgements.annotator, ITEM: judgements.item}.get(unit, judgements.labels.get(unit))
    if column is None or not column.names:
        known = join_names([*UNITS, "annotator", *judgements.labels])
        raise UsageError(f"no label {unit!r} to draw by; there are: {known} (--labels FILE.tsv joins more)")
    without = int((which & (column.codes == NONE)).sum())
    if without:
        raise DataError(
            f"{pluralise(without, 'judgement')} of no {unit}: whole {unit}s can be drawn only where every judgement "
            "has one"
        )
    return column


def check_unit(judgements: Judgements, unit: str, which: NDArray[np.bool_], test: str | None) -> None:
    """Refuse a unit that was asked for where it cannot be drawn, or not by the test that was asked for."""
    if unit in (AUTO, *UNITS):
        return
    if "," in unit:
        _check_crossed(judgements, unit, which, test)
        return
    unit_column(judgements, unit, which)
    if test is not None and system_test(test).single_segments:
        raise UsageError(
            f"a {test} test takes every translation for itself: --unit {unit} goes with --test "
            "randomisation or bootstrap"
        )


def _check_crossed(judgements: Judgements, unit: str, which: NDArray[np.bool_], test: str | None) -> None:
    """Refuse units of two kinds where there are too few of either, or where another test was asked for."""
    if test is not None and system_test(test).kinds < 2:
        raise UsageError(
            f"--unit {unit}: units of two kinds lie across each other, and cannot be swapped or drawn at once as "
            f"{test} does; leave --test out"
        )
    names = unit.split(",")
    if len(names) > 2 or len(set(names)) < 2:
        raise UsageError(f"--unit {unit}: one label, or two with a comma between them (document,annotator)")
    for name in names:
        number = len(np.unique(unit_column(judgements, name, which).codes[which]))
        if number < FEWEST:
            raise UsageError(
                f"--unit {unit}: {pluralise(number, name)} {are(number)} too few to tell how "
                f"{name}s differ ({FEWEST} of either kind are needed); --unit translation says what can be said"
            )


def choose_rating_unit(
    judgements: Judgements, which: NDArray[np.bool_], method: str | None
) -> tuple[str, str]:
    """What is drawn, and why, from who judged what alone: items or their documents, and annotators with them.

    A test of ranks takes every translation for itself; swaps and resamples draw units of one kind.
    """
    test = None if method is None else system_test(method)
    if test is not None and test.single_segments:
        return TRANSLATION, ""
    documents, annotators = (group_count(judgements, name, which) for name in (DOCUMENT, ANNOTATOR))
    items = len(np.unique(judgements.item.codes[which]))
    inner = DOCUMENT if 1 < documents < items else ITEM
    if annotators < FEWEST or (test is not None and test.kinds < 2):
        if inner != DOCUMENT:
            return TRANSLATION, ""
        return (
            DOCUMENT,
            f"Whole documents are drawn, {documents:,} of them: judgements of one document are alike.",
        )
    number = f"{pluralise(documents, 'document')}" if inner == DOCUMENT else f"{pluralise(items, 'item')}"
    return f"{inner},{ANNOTATOR}", drawn_together(number, annotators)


def drawn_together(number: str, annotators: int) -> str:
    """Why annotators are drawn with so many items or documents."""
    return (
        f"{number} and {annotators:,} annotators are drawn together, so that the result extends to others of their "
        "kind."
    )


def rating_design(judgements: Judgements, which: NDArray[np.bool_], unit: str, method: str | None) -> Design:
    """What is drawn of ratings and how annotators are spread over systems, before anyone looks at a score.

    Where annotators were not spread evenly, they are drawn unless another unit was asked for. Where they are drawn with
    items or documents and connect the systems, they are in the model too.
    """
    spread = annotator_balance(judgements, which)
    reason = ""
    if unit == AUTO and spread is not None and spread.systematic:
        unit, reason = choose_rating_unit(judgements, which, TWO_KINDS)
        if ANNOTATOR not in unit:
            unit = f"{ITEM if unit == TRANSLATION else unit},{ANNOTATOR}"
    elif unit == AUTO:
        unit, reason = choose_rating_unit(judgements, which, method)
    uneven = spread is not None and spread.systematic and not spread.parts
    adjusted = uneven and "," in unit and ANNOTATOR in unit.split(",")
    return Design(unit, 0, reason, balance=spread, adjusted=adjusted, anonymous=spread is None)


def group_count(judgements: Judgements, name: str, which: NDArray[np.bool_]) -> int:
    """How many documents or annotators there are; 0 where some judgement is of none."""
    column = judgements.annotator if name == ANNOTATOR else judgements.labels.get(name)
    if column is None or not column.names or (column.codes[which] == NONE).any():
        return 0
    return len(np.unique(column.codes[which]))


def annotator_balance(judgements: Judgements, which: NDArray[np.bool_]) -> Balance | None:
    """How annotators are spread over systems; None where some judgement is anonymous.

    A document that an annotator judged of a system counts once: documents are assigned as wholes.
    """
    if not group_count(judgements, ANNOTATOR, which):
        return None
    whole = judgements.labels[DOCUMENT] if group_count(judgements, DOCUMENT, which) else judgements.item
    columns = (judgements.system, judgements.annotator, whole)
    sizes = tuple(len(column.names) for column in columns)
    codes = np.ravel_multi_index([column.codes[which].astype(np.int64) for column in columns], sizes)
    system, assigned, _ = np.unravel_index(np.unique(codes), sizes)
    _, annotator = np.unique(assigned, return_inverse=True)
    return balance(system.astype(np.int64), annotator.astype(np.int64), judgements.system.names)


def other_groupings(
    judgements: Judgements, values: Floats, which: NDArray[np.bool_], unit: str
) -> tuple[Grouping, ...]:
    """Documents, annotators and items that were not drawn, each with its design effect."""
    groupings: list[Grouping] = []
    used: Floats | None = None
    drawn = [] if unit in UNITS else [unit_column(judgements, name, which) for name in unit.split(",")]
    number = len(np.unique(judgements.item.codes[which]))
    for name in (DOCUMENT, ANNOTATOR, ITEM):
        groups = number if name == ITEM else group_count(judgements, name, which)
        fewer = groups > 1 if name == ITEM else 1 < groups < number
        if not fewer or name in unit.split(",") or (name == ITEM and unit in UNITS):
            continue
        if any(_is_nested(unit_column(judgements, name, which), column, which) for column in drawn):
            continue
        drawn.append(unit_column(judgements, name, which))  # what lies within it has been spoken of
        used = standard_errors(judgements, values, which, unit)[0] if used is None else used
        groupings += grouping_of(name, groups, standard_errors(judgements, values, which, name)[0], used)
    return tuple(groupings)


def grouping_of(name: str, groups: int, errors: Floats, used: Floats) -> list[Grouping]:
    """A grouping whose design effect is the median ratio of errors by it to those `used`; none without such a ratio."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = errors / used
    ratios = ratios[np.isfinite(ratios)]
    return [Grouping(name, groups, float(np.median(ratios)))] if len(ratios) else []


def _is_nested(inner: NameColumn, outer: NameColumn, which: NDArray[np.bool_]) -> bool:
    """Whether every group of the first kind lies in one unit of the second, so that it is drawn with that unit."""
    first, second = (column.codes[which].astype(np.int64) for column in (inner, outer))
    return len(np.unique(first * (len(outer.names) + 1) + second)) == len(np.unique(first))


def standard_errors(
    judgements: Judgements, values: Floats, which: NDArray[np.bool_], unit: str
) -> tuple[Floats, float]:
    """Of the differences of all pairs of systems, as what is drawn has them; and how many units there are."""
    if unit in UNITS:
        items = translation_parts(judgements, values, np.zeros(len(judgements), np.int64), which=which)
        return _spread(items, by_part=True), items.weights.shape[1]
    columns = [unit_column(judgements, name, which) for name in unit.split(",")]
    codes = [np.maximum(column.codes, 0) for column in columns]
    sizes = [len(column.names) for column in columns]
    drawn = translation_parts(judgements, values, np.ravel_multi_index(codes, sizes), which=which)
    if len(columns) == 1:
        return _spread(drawn), len(np.unique(drawn.group))
    crossed = Crossed.coded(*np.unravel_index(drawn.group, sizes))
    cells = [np.flatnonzero(drawn.system == s) for s in range(len(drawn.systems))]
    rows = tuple(np.stack([drawn.weight[c] * drawn.mean[c], drawn.weight[c]], axis=1) for c in cells)
    by_item = ItemColumns(drawn.item, tuple(drawn.part[c] for c in cells), rows, math.nan)
    every_item = np.ones(len(judgements.item.names))
    pairs = []
    for a, b in combinations([s for s, cell in enumerate(cells) if len(cell)], 2):
        seen = by_item.seen_rows(ItemWeights({a: every_item, b: every_item}))
        pairs.append(crossed.among(seen.places).difference(seen.rows[a], seen.rows[b]))
    return np.array([pair.error for pair in pairs]), min(pair.units for pair in pairs)


def _spread(drawn: TranslationParts, *, by_part: bool = False) -> Floats:
    """Standard errors of the differences of all pairs of systems, where whole groups (or items) are drawn."""
    judged = np.flatnonzero(drawn.weights.any(1))
    weights = drawn.weights[judged]
    scores = np.where(weights > 0, drawn.matrix.scores[judged], 0.0)
    number = weights.sum(1, keepdims=True)
    off = weights * (scores - (weights * scores).sum(1, keepdims=True) / number) / number
    if not by_part:
        groups, place = np.unique(drawn.group, return_inverse=True)
        summed = np.zeros((len(off), len(groups)))
        np.add.at(summed.T, place, off.T)
        off = summed
    a, b = np.triu_indices(len(off), 1)
    count = off.shape[1]
    deviations: Floats = np.sqrt(((off[a] - off[b]) ** 2).sum(1) * count / max(count - 1, 1))
    return deviations
