"""How rich the words of outputs are beside the reference's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.analysis.base import REFERENCE, AnalysisInputs, Cutting, texts_with_reference
from adjudge.data import Outputs, TestSet
from adjudge.display import DOWN, UP, Column, Data, Displayable, Records, Section
from adjudge.wording import percent, pluralise

Ints = NDArray[np.int64]
WINDOW = 100
"""Words of a window of MATTR."""
THRESHOLD = 0.72
"""The share of different words at which a factor of MTLD is full (McCarthy and Jarvis 2010)."""


@dataclass(frozen=True)
class TextDiversity:
    """The words of one text."""

    text: str
    words: int
    types: int
    """Different words."""
    ttr: float
    """Types over words: falls with length, so it only compares texts of like length."""
    mattr: float
    """Mean share of different words in every window of so many words (Covington and McFall 2010)."""
    mtld: float
    """Mean length of stretches that keep more than 72 % different words; NaN of a text without words."""
    yule_k: float
    """Yule's K: how often two words drawn are the same, times 10,000; low is rich."""
    hapaxes: float
    """The share of types that come only once."""


@dataclass(frozen=True)
class Diversity(Displayable):
    """Several texts, the reference last."""

    texts: tuple[TextDiversity, ...]
    window: int
    threshold: float

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Words of {pluralise(len(self.texts), 'text')}"

    def sections(self) -> list[Section]:
        """One row per text."""
        table = self._records().table(rule=lambda row: row.text == REFERENCE)
        notes = (
            "Arrows point to richer words, which is not better: what counts is how far a system is from the reference. "
            "TTR falls with the length of a text; MATTR (share of different words in windows) and MTLD (length of "
            f"stretches with more than {percent(self.threshold)} different words) do not. once only: share of "
            "different words that come once.",
        )
        return [Section("How rich the words are", (table,), notes=notes)]

    def data(self) -> Data:
        """One row per text."""
        return self._records().data()

    def _records(self) -> Records:
        columns = (
            Column.of("text", "Text"),
            Column.of("words", "words", 0),
            Column.of("types", "different", 0),
            Column.of("ttr", "TTR", 3, better=UP),
            Column.of("mattr", f"MATTR {self.window}", 3, better=UP),
            Column.of("mtld", "MTLD", 1, better=UP),
            Column.of("yule_k", "Yule's K", 1, better=DOWN),
            Column.of("hapaxes", "once only", 3, better=UP),
        )
        return Records(columns, self.texts)


def diversity(
    test_set: TestSet, outputs: Sequence[Outputs], *, cutting: Cutting | None = None, window: int = WINDOW
) -> Diversity:
    """How rich the words of every output are, and those of the first reference; punctuation does not count."""
    cut = cutting or Cutting(lowercase=True)
    tokenizer = cut.tokenizer(test_set)
    texts = texts_with_reference(test_set, outputs)
    crossed = [tokenizer.cross(segments, lowercase=cut.lowercase) for segments in texts.values()]
    words, numbered = _native.numbered_words(crossed, tokenizer.core_name)
    is_word = np.array([any(c.isalnum() for c in word) for word in words] or [False])
    return Diversity(
        tuple(
            text_diversity(name, ids[is_word[ids]], window)
            for name, (ids, _) in zip(texts, numbered, strict=True)
        ),
        window,
        THRESHOLD,
    )


def text_diversity(name: str, ids: Ints, window: int = WINDOW) -> TextDiversity:
    """Diversity of one text whose words are given as numbers."""
    _, counts = np.unique(ids, return_counts=True)
    words, types = len(ids), len(counts)
    return TextDiversity(
        text=name,
        words=words,
        types=types,
        ttr=types / words if words else math.nan,
        mattr=_mattr(ids, window),
        mtld=(_mtld(ids) + _mtld(ids[::-1])) / 2 if words else math.nan,
        yule_k=10_000 * float((counts * counts).sum() - words) / words**2 if words else math.nan,
        hapaxes=float((counts == 1).sum()) / types if types else math.nan,
    )


def _mattr(ids: Ints, window: int) -> float:
    """A text that is shorter than a window is one."""
    if not len(ids):
        return math.nan
    size = min(window, len(ids))
    # A word is the first of its kind in a window that begins after the one before it.
    places = np.arange(len(ids))
    first = np.maximum(np.maximum(_before(ids) + 1, places - size + 1), 0)
    end = np.minimum(places, len(ids) - size)
    known = first <= end
    begun = np.bincount(first[known], minlength=len(ids) - size + 2)
    ended = np.bincount(end[known] + 1, minlength=len(ids) - size + 2)
    return float(np.cumsum(begun - ended)[:-1].mean()) / size


def _before(ids: Ints) -> Ints:
    """Where each word stood last; −1 for the first of its kind."""
    order = np.argsort(ids, kind="stable")
    before = np.full(len(ids), -1, np.int64)
    repeated = ids[order[1:]] == ids[order[:-1]]
    before[order[1:][repeated]] = order[:-1][repeated]
    return before


def _mtld(ids: Ints) -> float:
    """Words over factors, one way."""
    factors = _native.diversity_factors(_before(ids), THRESHOLD)
    return len(ids) / factors if factors else float(len(ids))


def analyse(inputs: AnalysisInputs, *, tokenize: str = "", window: int = WINDOW) -> Diversity:
    """Show how rich the words of outputs are beside the reference's: TTR, MATTR, MTLD, Yule's K.

    \b
    adjudge analyse diversity -r reference.en rulebased.en neural.en
    """
    loaded = inputs.load()
    cutting = Cutting(tokenize, lowercase=True)
    return diversity(loaded.test_set, loaded.outputs, cutting=cutting, window=window)
