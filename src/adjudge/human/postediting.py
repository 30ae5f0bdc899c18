"""Post-editing: how fast, how much was typed and changed, and what it costs beside translating from scratch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements
from adjudge.errors import DataError, UsageError

Floats = NDArray[np.float64]

WORDS = "words"
KEYSTROKES = "keystrokes"
UNABLE = "unable"


def corrected_only(judgements: Judgements) -> Judgements:
    """All but the outputs that somebody could not correct (`unable`): those have no HTER."""
    hopeless = _uncorrectable(judgements)
    return judgements[~hopeless] if hopeless.any() else judgements


def count_uncorrected(judgements: Judgements) -> dict[str, int]:
    """How many outputs of each system could not be corrected, where there are any."""
    names = judgements.system.names
    codes = judgements.system.codes[_uncorrectable(judgements)]
    counts = np.bincount(codes[codes != NONE], minlength=len(names)).tolist()
    return {name: count for name, count in sorted(zip(names, counts, strict=True)) if count}


def _uncorrectable(judgements: Judgements) -> NDArray[np.bool_]:
    unable = judgements.measures.get(UNABLE)
    if unable is None:
        return np.zeros(len(judgements), bool)
    hopeless: NDArray[np.bool_] = (unable == 1) & np.isnan(judgements.score)
    return hopeless


@dataclass(frozen=True)
class Effort:
    """A kind of effort: its rows (amount, words) and what their quotient is called."""

    name: str
    label: str
    """What it is called beside other measures: HTER is also the name of a mean over translations."""
    unit: str
    decimals: int
    rows: Mapping[str, Floats]
    """Items × 2 for every system; (0, 0) where nothing is known."""
    amounts: Floats
    """Of every post-edit; NaN where nothing is known."""


def efforts(judgements: Judgements) -> list[Effort]:
    """Seconds a word, keystrokes a word and HTER, as far as they were recorded.

    Several people's work on one translation is added up, their words as well: the quotient is a mean weighted by
    words. So HTER is here all edits over all words, shown as edits a word, while ratings have its mean over
    translations.
    """
    words = judgements.measures.get(WORDS)
    if words is None:
        raise DataError(
            "post-edits need a column 'words' (of the source, or of the output) to tell how fast they were made"
        )
    bad = np.flatnonzero(~(words >= 0))
    if len(bad):
        row = int(bad[0])
        number = "no number" if math.isnan(words[row]) else f"{words[row]:g} is no number"
        raise DataError(f"{judgements.place(row)}: {number} of words, which every post-edit needs")
    if not words.any():
        raise DataError(f"{judgements.place(0)}: 0 words, and nowhere more: effort a word cannot be told")
    kinds = []
    if judgements.seconds is not None and not np.isnan(judgements.seconds).all():
        kinds.append(_effort(judgements, "seconds a word", "s", 2, judgements.seconds))
    if KEYSTROKES in judgements.measures:
        kinds.append(_effort(judgements, "keystrokes a word", "", 2, judgements.measures[KEYSTROKES]))
    if not np.isnan(judgements.score).all():
        kinds.append(_effort(judgements, "HTER", "", 3, judgements.score * words, "edits a word"))
    if not kinds:
        raise DataError("post-edits without seconds, keystrokes or HTER: there is nothing to measure")
    return kinds


def _effort(
    judgements: Judgements, name: str, unit: str, decimals: int, amounts: Floats, label: str = ""
) -> Effort:
    known = (
        ~np.isnan(amounts)
        & (judgements.measures[WORDS] > 0)
        & (judgements.system.codes != NONE)
        & (judgements.item.codes != NONE)
    )
    bad = np.flatnonzero(known & (amounts < 0))
    if len(bad):
        row = int(bad[0])
        raise DataError(f"{judgements.place(row)}: less than nothing was done ({amounts[row]:g})")
    amounts = np.where(known, amounts, math.nan)
    return Effort(name, label or name, unit, decimals, rows_by_item(judgements, amounts), amounts)


def rows_by_item(judgements: Judgements, amounts: Floats) -> dict[str, Floats]:
    """Of every system, items × (amount, words): several people's work on one translation is added up."""
    known, systems, items = ~np.isnan(amounts), judgements.system, judgements.item
    cells = systems.codes[known].astype(np.int64) * len(items.names) + items.codes[known]
    size = len(systems.names) * len(items.names)
    amount = np.bincount(cells, amounts[known], size).reshape(len(systems.names), -1)
    word = np.bincount(cells, judgements.measures[WORDS][known], size).reshape(len(systems.names), -1)
    return {name: np.stack([amount[s], word[s]], axis=1) for s, name in enumerate(systems.names)}


@dataclass(frozen=True)
class PostEditingRates:
    """What is paid: all in one currency."""

    wage: float
    """An hour of a post-editor or translator."""
    scratch_speed: float
    """Words an hour when translating from scratch."""
    engine: float = 0.0
    """A thousand words of machine translation."""
    currency: str = ""
    """Of all of them, where it is known."""

    def __post_init__(self) -> None:
        for name, value, least in (("wage", self.wage, 0.0), ("engine cost", self.engine, -math.inf)):
            if not math.isfinite(value) or value <= least or (name == "engine cost" and value < 0):
                raise UsageError(
                    f"{name} {value:g}: must be a number {'above 0' if least == 0 else 'from 0 up'}"
                )
        if not math.isfinite(self.scratch_speed) or self.scratch_speed <= 0:
            raise UsageError(f"scratch speed {self.scratch_speed:g}: must be a number of words an hour")


def rates_of_prices(
    wage: float | None = None,
    scratch_speed: float | None = None,
    engine_cost: float = 0.0,
    currency: str = "",
    cost_per_word: float | None = None,
) -> PostEditingRates | None:
    """Rates of these prices, None where none is given; an error where one has no use without another."""
    if wage is None and scratch_speed is None:
        if engine_cost:
            raise UsageError(
                "--engine-cost is a part of what post-editing costs: give --wage and --scratch-speed too"
            )
        if currency and cost_per_word is None:
            raise UsageError(
                "--currency names that of prices, and none was given: --wage and --scratch-speed"
            )
        return None
    if wage is None or scratch_speed is None:
        raise UsageError("the cost of post-editing follows from both --wage and --scratch-speed")
    return PostEditingRates(wage, scratch_speed, engine_cost, currency)


@dataclass(frozen=True)
class Bill:
    """What a thousand words cost with one system, and what is gained by it."""

    system: str
    words_an_hour: float
    words_low: float
    words_high: float
    cost: float
    """Engine and post-editing, a thousand words."""
    cost_low: float
    cost_high: float
    scratch: float
    """Translating these words from scratch."""
    saved: float
    saved_low: float
    saved_high: float
    gain: float
    """Saved over spent: 0.5 means that each unit of money spent on it saves another half."""
    gain_low: float
    gain_high: float


def bill(system: str, seconds: tuple[float, float, float], rates: PostEditingRates) -> Bill:
    """The bill from seconds a word (estimate, low, high of the interval)."""

    def cost(each: float) -> float:
        return rates.engine + rates.wage * each * 1000 / 3600

    value, low, high = seconds
    scratch = 1000 * rates.wage / rates.scratch_speed
    return Bill(
        system=system,
        words_an_hour=_hour(value),
        words_low=_hour(high),
        words_high=_hour(low),
        cost=cost(value),
        cost_low=cost(low),
        cost_high=cost(high),
        scratch=scratch,
        saved=scratch - cost(value),
        saved_low=scratch - cost(high),
        saved_high=scratch - cost(low),
        gain=_gain(scratch, cost(value)),
        gain_low=_gain(scratch, cost(high)),
        gain_high=_gain(scratch, cost(low)),
    )


def _gain(scratch: float, cost: float) -> float:
    return math.nan if math.isnan(cost) else (scratch - cost) / cost if cost > 0 else math.inf


def _hour(seconds: float) -> float:
    return 3600 / seconds if seconds > 0 else math.nan if math.isnan(seconds) else math.inf
