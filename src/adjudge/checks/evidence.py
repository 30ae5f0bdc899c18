"""How much speaks for two lines being translations of each other: rare words they share, and their lengths.

All numbers are log-likelihood ratios in nats, "this pair belongs together" against "two lines met by chance", so
that they can be added over lines. A word that stands in f of m lines is shared by chance with probability f/m.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge._native import Texts, shared_words, texts
from adjudge.checks.corpus import Text

RARE = 16
"""Words in more lines than this say little about which line is which, and would cost much."""
PAIRS = 3_000_000
"""At most so many pairs of lines that share a word are looked at; else only rarer words are."""
_COMBINING = re.compile("[\u0300-\u036f]+")
_IS_CYRILLIC = re.compile("[а-яіїєґўј]")
# Enough for names and numbers to meet across the two alphabets; ISO 9 is not needed for that.
_LETTERS = (
    "а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch"
)
_LETTERS += " ш sh щ shch ы y э e ю yu я ya і i ї i є e ґ g ў u ј j"
_CYRILLIC = str.maketrans(
    dict(zip(_LETTERS.split()[::2], _LETTERS.split()[1::2], strict=True)) | {"ъ": "", "ь": ""}
)

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Features:
    """The lines of a text as they are compared, and how long they are."""

    texts: Texts
    lengths: Numbers  # log of characters + 1; NaN where a line is empty


def features(text: Text) -> Features:
    """The text without case, accents, or differences of alphabets that can be told letter by letter."""
    lengths = np.where(text.lengths > 0, np.log(text.lengths + 1), np.nan)
    return Features(
        texts([s if s.isascii() else _fold_case(s) for s in text.segments], lowercase=True), lengths
    )


def _fold_case(segment: str) -> str:
    folded = _COMBINING.sub("", unicodedata.normalize("NFKD", segment.lower()))
    if _IS_CYRILLIC.search(folded):
        folded = folded.translate(_CYRILLIC)
    return folded.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair is no character


@dataclass(frozen=True, eq=False)
class LineEvidence:
    """What speaks for pairs of an output's lines and another text's lines."""

    rows: Integers
    columns: Integers
    weights: Numbers
    output_lengths: Numbers
    other_lengths: Numbers

    @cached_property
    def best(self) -> tuple[Integers, Numbers, Numbers]:
        """For each row: the column most speaks for (-1: none), how much that is, and how much for the next."""
        n = len(self.output_lengths)
        column, first, second = np.full(n, -1), np.zeros(n), np.zeros(n)
        if len(self.rows):
            starts = np.flatnonzero(np.r_[True, self.rows[1:] != self.rows[:-1]])  # rows are sorted
            rows = self.rows[starts]
            first[rows] = np.maximum.reduceat(self.weights, starts)
            at = np.flatnonzero(self.weights == first[self.rows])[::-1]
            column[self.rows[at]] = self.columns[at]  # the first of equals, which is written last
            others = np.where(column[self.rows] == self.columns, 0.0, self.weights)
            second[rows] = np.maximum.reduceat(others, starts)
        return column, first, second

    @cached_property
    def diagonal(self) -> Numbers:
        """What speaks for each line being where it is."""
        on_diagonal = np.zeros(len(self.output_lengths))
        here = self.rows == self.columns
        on_diagonal[self.rows[here]] = self.weights[here]
        return on_diagonal

    def at(self, offsets: Integers) -> NDArray[np.float32]:
        """What speaks, lengths included, for row i being column i + offset: rows × offsets."""
        n, m = len(self.output_lengths), len(self.other_lengths)
        table = np.zeros((n, len(offsets)), np.float32)
        distance = self.columns - self.rows
        place = np.searchsorted(offsets, distance)
        place[place == len(offsets)] = 0
        known = offsets[place] == distance
        table[self.rows[known], place[known]] = self.weights[known]
        ratio, spread = self._length_model
        for at, offset in enumerate(offsets):
            low, high = max(0, -offset), min(n, m - offset)
            if low < high:
                table[low:high, at] += _length_evidence(
                    self.output_lengths[low:high] - self.other_lengths[low + offset : high + offset] - ratio,
                    spread,
                )
            # Outside of the other text there is nothing to be a translation of.
            table[: max(0, low), at] = WORST
            table[max(0, high) :, at] = WORST
        return table

    @cached_property
    def _length_model(self) -> tuple[float, float]:
        ours, theirs = self.output_lengths, self.other_lengths
        ours, theirs = ours[~np.isnan(ours)], theirs[~np.isnan(theirs)]
        if len(ours) < 2 or len(theirs) < 2:
            return 0.0, 0.0
        return float(np.median(ours) - np.median(theirs)), float(np.hypot(ours.std(), theirs.std()))

    def length_peaks(self, most: int = 4) -> Integers:
        """Offsets at which the lengths of lines go together far more than chance would have it."""
        n, m = len(self.output_lengths), len(self.other_lengths)
        if min(n, m) < 30:
            return np.empty(0, np.int64)
        ours, theirs = _standardise(self.output_lengths), _standardise(self.other_lengths)
        size = 1 << (n + m - 1).bit_length()
        product = np.fft.irfft(np.conj(np.fft.rfft(ours, size)) * np.fft.rfft(theirs, size), size)
        offsets = np.r_[np.arange(m), np.arange(-n + 1, 0)]
        sums = np.r_[product[:m], product[size - n + 1 :]]
        overlap = np.minimum(n, m - offsets) - np.maximum(0, -offsets)
        score = np.where(overlap >= 30, sums / np.sqrt(np.maximum(overlap, 1)), 0)
        top = np.argsort(-score)[:most]
        peaks: Integers = offsets[top[score[top] > PEAK]]
        return peaks

    def length_correlation(self, columns: Integers) -> float:
        """How the lengths of the lines go together with those of these columns; NaN where that says little."""
        inside = (columns >= 0) & (columns < len(self.other_lengths))
        ours, theirs = self.output_lengths[inside], self.other_lengths[columns[inside]]
        both = ~np.isnan(ours) & ~np.isnan(theirs)
        ours, theirs = ours[both], theirs[both]
        if len(ours) < 100 or min(ours.std(), theirs.std()) < 0.2:
            return float("nan")
        return float(np.corrcoef(ours, theirs)[0, 1])


WORST = -3.0
"""No line speaks more against an offset than this: an odd length is an odd translation, not a proof."""
PEAK = 6.0
"""Standard errors above chance; among 200,000 offsets about one in ten million files passes 6 by luck."""
SPREAD = 0.3
"""The usual standard deviation of the log ratio of lengths of a sentence and its translation."""


def _length_evidence(difference: Numbers, background: float) -> Numbers:
    """How much better two lengths fit each other than two lines taken at random; 0 where nothing is known."""
    if background <= 2 * SPREAD:
        return np.zeros(len(difference))
    wide = np.log(background / SPREAD) - difference**2 / 2 * (1 / SPREAD**2 - 1 / background**2)
    return np.where(np.isnan(difference), 0.0, np.maximum(wide, WORST))


def _standardise(values: Numbers) -> Numbers:
    spread = np.nanstd(values) if not np.isnan(values).all() else 0.0
    if spread < 1e-9:
        return np.zeros(len(values))
    return np.nan_to_num((values - np.nanmean(values)) / spread)


def evidence(output: Features, other: Features) -> LineEvidence:
    """What the rare features that both texts have say about pairs of lines."""
    pairs = shared_words(output.texts, other.texts, RARE, PAIRS)
    rows, columns = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    return LineEvidence(rows, columns, np.ascontiguousarray(pairs[:, 2]), output.lengths, other.lengths)
