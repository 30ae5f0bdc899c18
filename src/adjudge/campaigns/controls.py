"""Control items: translations damaged on purpose, exact repeats, and references shown as if a system had made them.

Damage is done as in Direct Assessment: some words of an output give way to a phrase out of the reference of another
segment, so that both halves read well and the whole does not. (The field calls the result a "bad reference".)
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from adjudge.campaigns.items import CampaignMaterial, Candidate, Item, item_key, randomness
from adjudge.data import languages
from adjudge.errors import DataError

UNSPACED = frozenset(
    ("zh", "zho", "cmn", "yue", "ja", "jpn", "th", "tha", "lo", "lao", "km", "khm", "my", "mya")
)
"""Languages written without spaces, where characters are counted instead of words."""
DRAWS = 20


class UndamagedError(DataError):
    """The error for a text that cannot be damaged."""


@dataclass(frozen=True)
class DamagedText:
    """A text with some of its words replaced."""

    text: str
    start: int
    """The first word (or character) that was replaced, from 0."""
    replaced: int
    """How many words (or characters) were replaced."""
    phrase: tuple[str, ...]
    donor: int
    """The segment whose reference the phrase comes from."""


def words_to_replace(length: int) -> int:
    """How many of so many words are replaced in Direct Assessment (Graham et al. 2017)."""
    for longest, count in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if length <= longest:
            return count
    return length // 4


@dataclass(frozen=True)
class Phrases:
    """The references that phrases are taken from, the shortest first."""

    texts: tuple[tuple[str, ...], ...]
    """Each one as words, or as characters."""
    segments: tuple[int, ...]
    characters: bool = False

    @classmethod
    def of(cls, texts: Iterable[tuple[int, str]], language: str = "") -> Phrases:
        """Of segments and their references; in characters where the language is written without spaces.

        Where the language is not known, the texts tell.
        """
        given = [(segment, text) for segment, text in texts if text.split()]
        code = languages.pair(language)[1].replace("_", "-").partition("-")[0].lower()
        characters = code in UNSPACED if code else _lacks_spaces(text for _, text in given)
        split = sorted(((_split(text, characters), segment) for segment, text in given), key=_length)
        return cls(tuple(text for text, _ in split), tuple(segment for _, segment in split), characters)

    def damage(self, text: str, segment: int, draw: random.Random) -> DamagedText:
        """The text with words replaced; UndamagedError where there is no text that differs from it."""
        words = _split(text, self.characters)
        if not words:
            raise UndamagedError("the translation is empty")
        count = words_to_replace(len(words))
        count = min(len(words), 2 * count) if self.characters else count
        donors = self._donors(count, segment)
        if not donors:
            raise UndamagedError("there is no other segment with a reference")
        # Neither the first word nor the last, where there are enough of them.
        inside = len(words) - count >= 2
        starts = range(1, len(words) - count) if inside else range(len(words) - count + 1)
        for _ in range(DRAWS):
            donor = donors[draw.randrange(len(donors))]
            if self.segments[donor] == segment:
                continue
            offset = draw.randrange(max(1, len(self.texts[donor]) - count + 1))
            damaged = self._replace_phrase(words, donor, offset, starts[draw.randrange(len(starts))], count)
            if damaged is not None:
                return damaged
        return self._first_possible(words, segment, donors, starts, count)

    def _donors(self, count: int, segment: int) -> Sequence[int]:
        """Every reference that is long enough; where none is, the longest of other segments."""
        enough = range(bisect_left(self.texts, count, key=len), len(self.texts))
        if any(self.segments[place] != segment for place in enough):
            return enough
        others = [place for place, other in enumerate(self.segments) if other != segment]
        return [place for place in others if len(self.texts[place]) == len(self.texts[others[-1]])]

    def _replace_phrase(
        self, words: tuple[str, ...], donor: int, offset: int, start: int, count: int
    ) -> DamagedText | None:
        phrase = self.texts[donor][offset : offset + count]
        damaged = words[:start] + phrase + words[start + count :]
        if damaged == words:
            return None
        text = ("" if self.characters else " ").join(damaged)
        return DamagedText(text, start, count, phrase, self.segments[donor])

    def _first_possible(
        self, words: tuple[str, ...], segment: int, donors: Sequence[int], starts: range, count: int
    ) -> DamagedText:
        """The first possible damage, for texts so similar that random choice finds none."""
        seen: set[tuple[str, ...]] = set()
        for donor in donors:
            text = self.texts[donor]
            if self.segments[donor] == segment or text in seen:
                continue
            seen.add(text)
            for offset in range(max(1, len(text) - count + 1)):
                for start in starts:
                    damaged = self._replace_phrase(words, donor, offset, start, count)
                    if damaged is not None:
                        return damaged
        raise UndamagedError("no phrase of another segment's reference makes a different text of it")


def donor_phrases(material: CampaignMaterial, language: str = "") -> Phrases:
    """The phrases of a campaign's references, or of its outputs if it has no references."""
    numbers = range(len(material.test_set))
    if material.test_set.references:
        return Phrases.of(((n, material.reference(n) or "") for n in numbers), language)
    return Phrases.of(((n, outputs.segments[n]) for outputs in material.outputs for n in numbers), language)


def damaged_item(item: Item, known: Phrases, seed: int) -> Item:
    """The item with its translation damaged, the same for everyone who gets it.

    Of a document every segment is damaged that can be. UndamagedError where none can.
    """
    draw = randomness(seed, "damage", item.key)
    (candidate,) = item.candidates
    texts, problem = [], UndamagedError("there is no text")
    for segment, text in zip(item.segments, candidate.texts, strict=True):
        try:
            texts.append(known.damage(text, segment, draw).text)
        except UndamagedError as error:
            problem = error
            texts.append(text)
    if tuple(texts) == candidate.texts:
        raise problem
    return _control(item, "bad reference", (replace(candidate, texts=tuple(texts)),), seed)


def repeated_item(item: Item, seed: int) -> Item:
    """A repeat of an item; the order of compared translations is drawn again."""
    order = list(item.candidates)
    if len(order) > 1:
        randomness(seed, "repeat", item.key).shuffle(order)
    return _control(item, "repeat", tuple(order), seed)


def _control(item: Item, kind: str, candidates: tuple[Candidate, ...], seed: int) -> Item:
    texts = [text for candidate in candidates for text in candidate.texts]
    key = item_key(seed, kind, item.segments, texts, item.key)
    return replace(item, key=key, kind=kind, of=item.key, candidates=candidates)


def reference_item(
    material: CampaignMaterial, segments: Sequence[int], document: str, name: str, seed: int
) -> Item | None:
    """The reference as the translation of one more system; None where a segment has none."""
    texts = tuple(text for text in map(material.reference, segments) if text is not None)
    if len(texts) < len(segments):
        return None
    key = item_key(seed, "reference", segments, texts)
    return Item(key, tuple(segments), (Candidate((name,), texts),), "reference", document=document)


def _split(text: str, characters: bool) -> tuple[str, ...]:
    return tuple(text.strip()) if characters else tuple(text.split())


def _length(text_and_segment: tuple[tuple[str, ...], int]) -> int:
    return len(text_and_segment[0])


def _lacks_spaces(texts: Iterable[str]) -> bool:
    """Whether more than half of the letters are Han or kana."""
    letters = {c: n for c, n in Counter(chain.from_iterable(texts)).items() if c.isalpha()}
    unspaced = sum(n for c, n in letters.items() if any(low <= c <= high for low, high in _HAN_AND_KANA))
    return 2 * unspaced > sum(letters.values())


_HAN_AND_KANA = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\U00020000", "\U0003ffff"))
