"""Rankings in which systems with the same output stand one by one: the same judgement, written down several times.

Files do not say it. But people see so many outputs at once and no more; a larger ranking was made larger by giving each
system with a shared output a line of its own. In such an item, systems that always stand together and always tie have
one output, as far as anybody can tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements
from adjudge.human.grouping import same, sides


@dataclass(frozen=True, eq=False)
class Single:
    """The judgements, each output once."""

    judgements: Judgements
    copies: int
    """Comparisons left out, which say again what others say."""
    shown: int
    """Outputs that people saw at once."""


def without_copies(judgements: Judgements) -> Single:
    """What was said of outputs, where several systems may have had the same one."""
    ranking = judgements.ranking
    if ranking is None or judgements.other is None or not len(judgements):
        return Single(judgements, 0, 0)
    first, second = sides(judgements)
    known = (first != NONE) & (second != NONE) & (judgements.item.codes != NONE)
    sizes = _sizes(ranking[known], first[known], second[known])
    shown, most = np.bincount(sizes).argmax(), sizes.max(initial=0)
    if shown < 2 or most <= shown or 2 * (sizes == shown).sum() <= len(sizes):
        return Single(judgements, 0, int(shown))
    item = judgements.item.codes.astype(np.int64)
    tied = known & (judgements.score == 0)
    width = int(max(first.max(), second.max())) + 1
    # Systems of an item, each with the rankings it is in; pairs with the rankings in which they tie.
    key, often = _often(
        np.concatenate([item[known], item[known]]) * width + np.concatenate([first[known], second[known]]),
        np.concatenate([ranking[known], ranking[known]]),
    )
    low, high = np.minimum(first, second)[tied], np.maximum(first, second)[tied]
    pair, ties = _often((item[tied] * width + low) * width + high, ranking[tied])
    of_low, of_high = pair // width, pair // width // width * width + pair % width
    together = (often[np.searchsorted(key, of_low)] == ties) & (often[np.searchsorted(key, of_high)] == ties)
    large = np.unique(item[known][np.isin(ranking[known], _larger(ranking[known], sizes, int(shown)))])
    copies = of_high[together & np.isin(pair // width // width, large)]
    gone = np.isin(item * width + first, copies) | np.isin(item * width + second, copies)
    gone &= known
    return Single(judgements[~gone] if gone.any() else judgements, int(gone.sum()), int(shown))


def _sizes(
    ranking: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many systems each ranking holds, in the order of their numbers."""
    width = int(max(first.max(initial=0), second.max(initial=0))) + 1
    number = np.unique(ranking, return_inverse=True)[1]
    members = np.unique(np.concatenate([number, number]) * width + np.concatenate([first, second]))
    return np.bincount(members // width).astype(np.int64)


def _larger(ranking: NDArray[np.int64], sizes: NDArray[np.int64], shown: int) -> NDArray[np.int64]:
    return np.unique(ranking)[sizes > shown]


def _often(key: NDArray[np.int64], ranking: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each key, in order, with the number of different rankings it is in."""
    values, code = np.unique(key, return_inverse=True)
    _, at = np.unique(same(code, ranking), return_index=True)
    return values, np.bincount(code[at], minlength=len(values)).astype(np.int64)
