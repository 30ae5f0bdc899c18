"""Whom people prefer in the mean over several test sets, each counting alike, and whether chance would do as much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.joint_systems import expanded
from adjudge.data.judgements import Judgements
from adjudge.human.grouping import settled, without_tutorials
from adjudge.human.preferences import Differences, differences, natural_unit
from adjudge.stats.signflip import sign_flip


@dataclass(frozen=True)
class MeanPreference:
    """Two systems on all test sets on which people compared them."""

    a: str
    b: str
    mean: float
    """How far a is preferred, −1 to 1: the mean over sets of the preference on each of them."""
    p_value: float
    """Two-sided sign-flip test of that mean: documents or items turn by coins, within each set."""
    sets: int
    ahead_on: int
    """Sets on which a is preferred."""
    behind_on: int
    """Sets on which b is; on the others neither."""


def mean_preferences(judged: Sequence[Judgements]) -> tuple[MeanPreference, ...]:
    """Every two systems that were compared on any set; their p-values are to be adjusted where there are many."""
    by_pair: dict[tuple[str, str], list[tuple[float, Differences]]] = {}
    for own in judged:
        seen = settled(expanded(without_tutorials(own)))
        for pair in differences(seen, natural_unit(seen)):
            a, b = sorted((pair.system, pair.other))
            by_pair.setdefault((a, b), []).append((1.0 if pair.system == a else -1.0, pair))
    return tuple(_mean(a, b, parts) for (a, b), parts in sorted(by_pair.items()))


def _mean(a: str, b: str, parts: Sequence[tuple[float, Differences]]) -> MeanPreference:
    items = [round(float(pair.weights.sum())) for _, pair in parts]  # parts of them add up to whole items
    values = [sign * pair.values / n for (sign, pair), n in zip(parts, items, strict=True)]
    preferred = [float(own.sum()) for own in values]
    whole = math.lcm(*(pair.parts * n for (_, pair), n in zip(parts, items, strict=True)))
    return MeanPreference(
        a,
        b,
        mean=float(np.mean(preferred)),
        p_value=sign_flip(np.concatenate(values), parts=min(whole, 1 << 53)),
        sets=len(parts),
        ahead_on=sum(own > 0 for own in preferred),
        behind_on=sum(own < 0 for own in preferred),
    )
