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

from adjudge.lint.corpus import SPACELESS, Text

RARE = 16
"""Words in more lines than this say little about which line is which, and would cost much."""
PAIRS = 3_000_000
"""At most so many pairs of lines that share a word are looked at; the rarest words come first."""
PREFIX = 5
"""Words of two languages that start alike are often cognates, and names take endings."""
_COMBINING = re.compile("[\u0300-\u036f]+")
_WORD = re.compile(rf"[^\W_{SPACELESS}]+|\n")
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
    """Which features each line has, as ids of one vocabulary, each once a line; and how long the lines are."""

    lines: Integers
    ids: Integers
    lengths: Numbers  # log of characters + 1; NaN where a line is empty

    def __len__(self) -> int:
        return len(self.lengths)


class Vocabulary:
    """Ids for features, shared by all texts that are to be compared."""

    def __init__(self) -> None:
        self._ids = _Ids()
        self._break = self._ids["\n"]
        self._prefixes = np.empty(0, np.int64)  # by id of a word: the id of its start, -1 if it is too short
        self._seen: dict[int, Features] = {}
        self._texts: list[Text] = []  # keeps the texts alive whose id() is a key

    def features(self, text: Text) -> Features:
        """The features of a text, taken once."""
        if id(text) not in self._seen:
            self._texts.append(text)
            self._seen[id(text)] = self._take(text)
        return self._seen[id(text)]

    def _take(self, text: Text) -> Features:
        segments = text.segments
        if "\n" in "".join(segments):
            segments = tuple(segment.replace("\n", " ") for segment in segments)
        folded = "\n".join(segments).lower()
        words = _WORD.findall(folded)
        ids = np.fromiter(map(self._ids.__getitem__, words), np.int64, len(words))
        lines = np.cumsum(ids == self._break)
        starts = self._starts(ids)
        known = starts >= 0
        lines, ids = np.r_[lines, lines[known]], np.r_[ids, starts[known]]
        if text.spaceless:
            where, pairs = self._pairs(folded)
            lines, ids = np.r_[lines, where], np.r_[ids, pairs]
        lines, ids = lines[ids != self._break], ids[ids != self._break]
        size = self._ids.next
        keys = np.sort(lines * size + ids)
        keys = keys[np.r_[True, keys[1:] != keys[:-1]]] if len(keys) else keys
        characters = np.fromiter(map(len, segments), np.float64, len(segments))
        lengths = np.where(characters > 0, np.log(characters + 1), np.nan)
        return Features(keys // size, keys % size, lengths)

    def _starts(self, ids: Integers) -> Integers:
        """The first letters of each word as a feature of its own; no word is spelled with a ^."""
        known = len(self._prefixes)
        if self._ids.next > known:
            prefixes = np.full(self._ids.next, -1)
            prefixes[:known] = self._prefixes
            for word in self._ids.words[known:]:
                if len(word) > PREFIX:
                    prefixes[self._ids[word]] = self._ids["^" + word[:PREFIX]]
            self._prefixes = np.r_[prefixes, np.full(self._ids.next - len(prefixes), -1)]
        return self._prefixes[ids]

    def _pairs(self, folded: str) -> tuple[Integers, Integers]:
        """Pairs of neighbouring characters, and their lines, of scripts without spaces."""
        codes = np.frombuffer(folded.encode("utf-32-le", "replace"), np.uint32).astype(np.int64)
        inside = np.zeros(len(codes), bool)
        for first, last in re.findall("(.)-(.)", SPACELESS):
            inside |= (codes >= ord(first)) & (codes <= ord(last))
        at = np.flatnonzero(inside[:-1] & inside[1:])
        pairs, which = np.unique(codes[at] << 21 | codes[at + 1], return_inverse=True)
        named = (chr(pair >> 21) + chr(pair & 0x1FFFFF) for pair in pairs.tolist())
        ids = np.fromiter(map(self._ids.__getitem__, named), np.int64, len(pairs))
        return np.cumsum(codes == ord("\n"))[at], ids[which]


class _Ids(dict[str, int]):
    """Ids of words as they are met; words that differ in accents, width or alphabet only share one."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        """The first word of each id, folded."""

    @property
    def next(self) -> int:
        """The id that a new word gets."""
        return len(self.words)

    def __missing__(self, word: str) -> int:
        folded = word
        if not word.isascii():
            folded = _COMBINING.sub("", unicodedata.normalize("NFKD", word)).translate(_CYRILLIC)
        if folded not in self.keys():
            self[folded] = len(self.words)
            self.words.append(folded)
        self[word] = number = self[folded]
        return number


@dataclass(frozen=True, eq=False)
class Evidence:
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
        found = np.zeros(len(self.output_lengths))
        here = self.rows == self.columns
        found[self.rows[here]] = self.weights[here]
        return found

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
        ours, theirs = _standardised(self.output_lengths), _standardised(self.other_lengths)
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
        there = ~np.isnan(ours) & ~np.isnan(theirs)
        ours, theirs = ours[there], theirs[there]
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


def _standardised(values: Numbers) -> Numbers:
    spread = np.nanstd(values) if not np.isnan(values).all() else 0.0
    if spread < 1e-9:
        return np.zeros(len(values))
    return np.nan_to_num((values - np.nanmean(values)) / spread)


def evidence(output: Features, other: Features) -> Evidence:
    """What the rare features that both texts have say about pairs of lines."""
    size = int(max(output.ids.max(initial=0), other.ids.max(initial=0))) + 1
    ours, theirs = np.bincount(output.ids, minlength=size), np.bincount(other.ids, minlength=size)
    pairs = ours * theirs
    usable = (ours > 0) & (theirs > 0) & (ours <= RARE) & (theirs <= RARE)
    if pairs[usable].sum() > PAIRS:
        cheap = np.argsort(np.where(usable, pairs, np.iinfo(np.int64).max), kind="stable")
        within = np.cumsum(pairs[cheap[: usable.sum()]]) <= PAIRS
        usable[:] = False
        usable[cheap[: len(within)][within]] = True
    rows, columns, ids = _joined(output, other, usable)
    chance = np.maximum(ours, theirs) / max(1, len(other))
    # A matching pair shares a word of one of its lines in about one case of three.
    weights = np.maximum(0.0, -np.log(np.maximum(chance[ids], 1e-12) * 3))
    keys = rows * max(1, len(other)) + columns
    order = np.argsort(keys, kind="stable")
    keys, weights = keys[order], weights[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.empty(0, np.int64)
    sums = np.add.reduceat(weights, starts) if len(keys) else np.empty(0)
    return Evidence(
        keys[starts] // max(1, len(other)),
        keys[starts] % max(1, len(other)),
        sums,
        output.lengths,
        other.lengths,
    )


def _joined(output: Features, other: Features, usable: NDArray[np.bool_]) -> tuple[Integers, ...]:
    """Every pair of lines that shares a usable feature, with the feature."""
    left, right = usable[output.ids], usable[other.ids]
    ours = output.lines[left], output.ids[left]
    order = np.argsort(other.ids[right], kind="stable")
    theirs = other.lines[right][order], other.ids[right][order]
    low = np.searchsorted(theirs[1], ours[1], "left")
    number = np.searchsorted(theirs[1], ours[1], "right") - low
    total = int(number.sum())
    rows, ids = np.repeat(ours[0], number), np.repeat(ours[1], number)
    within = np.arange(total) - np.repeat(np.cumsum(number) - number, number)
    return rows, theirs[0][np.repeat(low, number) + within], ids
