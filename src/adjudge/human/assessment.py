"""From ratings to scores: annotators brought to one scale, then a mean a translation, then a mean a system."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix
from adjudge.data.judgements import NONE, ORDINARY, REPEAT, TUTORIAL, Judgements
from adjudge.stats.moments import moments

Floats = NDArray[np.float64]

RAW_PROTOCOLS = frozenset({"mqm", "hter", "post-edit", "yes-no", "comprehension"})
"""Protocols whose scores do not depend on who gave them."""


@dataclass(frozen=True, eq=False)
class Scales:
    """How each annotator used the scale: over all that he or she judged, control items and repeats too.

    Who judged nothing but tutorials has no mean (NaN).
    """

    annotators: tuple[str, ...]
    count: NDArray[np.int64]
    mean: Floats
    deviation: Floats
    """The sample's (n − 1 in the denominator); NaN for a single judgement."""

    @property
    def flat(self) -> NDArray[np.bool_]:
        """Whose scores say nothing of differences: all are the same, or there is only one."""
        with np.errstate(invalid="ignore"):
            return ~(self.deviation > 0)

    def of(self, annotators: Sequence[str]) -> Scales:
        """The scales of these annotators, in this order."""
        place = {name: number for number, name in enumerate(self.annotators)}
        chosen = np.array([place[name] for name in annotators], dtype=np.intp)
        return Scales(tuple(annotators), self.count[chosen], self.mean[chosen], self.deviation[chosen])


def scales(judgements: Judgements) -> Scales:
    """Mean and standard deviation of every annotator; tutorials are no part of what was judged."""
    names = judgements.annotator.names
    codes = np.where(judgements.kind == TUTORIAL, NONE, judgements.annotator.codes)
    by_annotator = moments(judgements.score, codes, len(names))
    return Scales(names, by_annotator.count, by_annotator.mean, by_annotator.deviation)


def standardise(judgements: Judgements, used: Scales | None = None) -> Floats:
    """Each score less its annotator's mean, over the annotator's deviation; NaN for those whose scale is flat.

    Anonymous judgements cannot be standardised: NaN as well.
    """
    used = scales(judgements) if used is None else used
    codes = judgements.annotator.codes
    mean = np.append(used.mean, math.nan)[codes]
    deviation = np.append(np.where(used.flat, math.nan, used.deviation), math.nan)[codes]
    z: Floats = (judgements.score - mean) / deviation
    return z


def standard_scores(judgements: Judgements, used: Scales | None = None) -> Floats | None:
    """Each judgement on one scale, as far as that can be (NaN elsewhere); None where there is nothing to go by.

    Where annotators are unknown but files have z-scores, those are taken.
    """
    file_scores = judgements.measures.get("z")
    if (
        file_scores is not None
        and (judgements.annotator.codes == NONE).all()
        and np.isfinite(file_scores).all()
    ):
        return file_scores
    z = standardise(judgements, used)
    return None if np.isnan(z).all() else z


@dataclass(frozen=True, eq=False)
class Translations:
    """The unit of analysis: one system's translation of one item, with the mean of what was said of it."""

    matrix: ScoreMatrix
    """Systems × items."""
    items: tuple[str, ...]
    judgements: NDArray[np.int64]
    """How many judgements stand behind each cell."""

    @property
    def scores(self) -> Floats:
        """A system's score: the mean over its translations."""
        known = ~np.isnan(self.matrix.scores)
        with np.errstate(invalid="ignore"):
            means: Floats = np.where(known, self.matrix.scores, 0.0).sum(1) / known.sum(1)
        return means

    @property
    def distinct(self) -> NDArray[np.int64]:
        """n: how many translations of each system were judged."""
        distinct: NDArray[np.int64] = np.count_nonzero(self.judgements, axis=1)
        return distinct


def counting_judgements(judgements: Judgements, *, repeats: bool) -> NDArray[np.bool_]:
    """Which judgements count for a system's score: the ordinary ones, with or without the repeats."""
    kinds = (ORDINARY, REPEAT) if repeats else (ORDINARY,)
    known: NDArray[np.bool_] = (judgements.system.codes != NONE) & (judgements.item.codes != NONE)
    return known & np.isin(judgements.kind, kinds)


def translations(
    judgements: Judgements, values: Floats, *, which: NDArray[np.bool_], by_judgement: bool = False
) -> Translations:
    """The mean of values a translation, over the judgements that count; NaN values are left out.

    `by_judgement` makes every judgement a unit of its own, which takes what several people said of one translation
    for several translations.
    """
    used = which & ~np.isnan(values)
    system, item = judgements.system.codes[used], judgements.item.codes[used].astype(np.int64)
    items = judgements.item.names
    if by_judgement:
        item, items = _one_each(system, item, items)
    width = len(items)
    cells = system.astype(np.int64) * width + item
    size = len(judgements.system.names) * width
    count = np.bincount(cells, minlength=size).reshape(-1, width)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(cells, values[used], size).reshape(-1, width) / count
    return Translations(ScoreMatrix(judgements.system.names, mean), items, count)


@dataclass(frozen=True, eq=False)
class TranslationParts:
    """What was said of translations, each by one group of judgements: an annotator's, or a document's.

    An annotator judges few translations, so that most of systems × parts is empty: only the rest is stored, in cells.
    """

    systems: tuple[str, ...]
    system: NDArray[np.int64]
    """The system of every cell; cells are in the order of their parts."""
    part: NDArray[np.int64]
    mean: Floats
    """Of a translation's judgements in a group: one a cell."""
    weight: Floats
    """Which part of a translation a cell is: 1 where all of its judgements are in the group."""
    group: NDArray[np.int64]
    """The group of every part."""
    item: NDArray[np.intp]
    """The item of every part."""

    def of_systems(self, order: Sequence[int]) -> TranslationParts:
        """The cells of some systems, which are numbered in this order."""
        number = np.full(len(self.systems), NONE)
        number[list(order)] = np.arange(len(order))
        system = number[self.system]
        cells = slice(None) if (system != NONE).all() else system != NONE
        return replace(
            self,
            systems=tuple(self.systems[s] for s in order),
            system=system[cells],
            part=self.part[cells],
            mean=self.mean[cells],
            weight=self.weight[cells],
        )

    @cached_property
    def matrix(self) -> ScoreMatrix:
        """Systems × parts: the means; NaN where a system has none."""
        scores = np.full((len(self.systems), len(self.group)), math.nan)
        scores[self.system, self.part] = self.mean
        return ScoreMatrix(self.systems, scores)

    @cached_property
    def weights(self) -> Floats:
        """Systems × parts."""
        weights = np.zeros((len(self.systems), len(self.group)))
        weights[self.system, self.part] = self.weight
        return weights


def translation_parts(
    judgements: Judgements, values: Floats, group: NDArray[np.integer], *, which: NDArray[np.bool_]
) -> TranslationParts:
    """Translations in parts, whose weighted mean a system is the mean over translations.

    Whole groups can be drawn anew then, although judgements of one translation lie in several of them.
    """
    used = which & ~np.isnan(values)
    system, item = (column.codes[used].astype(np.int64) for column in (judgements.system, judgements.item))
    systems, width = len(judgements.system.names), len(judgements.item.names)
    translation = system * width + item
    each = 1 / np.bincount(translation, minlength=systems * width)[translation]
    keys, cell = np.unique(
        (group[used].astype(np.int64) * width + item) * systems + system, return_inverse=True
    )
    weight = np.bincount(cell, each, len(keys)).astype(np.float64)
    mean = np.bincount(cell, each * values[used], len(keys)) / weight
    column, of_system = np.divmod(keys, max(systems, 1))
    is_new = np.diff(column, prepend=-1) > 0
    known = column[is_new]
    width = max(width, 1)
    return TranslationParts(
        judgements.system.names,
        of_system,
        np.cumsum(is_new) - 1,
        mean,
        weight,
        known // width,
        (known % width).astype(np.intp),
    )


def _one_each(
    system: NDArray[np.int32], item: NDArray[np.int64], items: tuple[str, ...]
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """A column of its own for the first, the second, … judgement of the same translation."""
    cells = system.astype(np.int64) * len(items) + item
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    turn = np.arange(len(cells)) - np.repeat(begins, np.diff(begins, append=len(cells)))
    number = np.empty(len(cells), np.int64)
    number[order] = turn
    columns, place = np.unique(number * len(items) + item, return_inverse=True)
    names = tuple(f"{items[c % len(items)]} #{c // len(items) + 1}" for c in columns)
    return place.astype(np.int64), names
