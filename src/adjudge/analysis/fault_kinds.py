"""What can be seen to be wrong beside the source: kinds of faults, each a way to find them in every segment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.seen_text import SeenText, top_phrase, words_twice
from adjudge.checks.contents import addresses_of
from adjudge.text.dates import Date, dates_of
from adjudge.text.identification import share_of_spaceless
from adjudge.text.units import units_of


@dataclass(frozen=True, eq=False)
class Found:
    """What is faulty in the segments that have any, and how many things there could be in every one."""

    what: Mapping[int, list[str]]
    of: NDArray[np.int64]


Find = Callable[[SeenText, SeenText], Found]
_TAG = re.compile(
    r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>"  # <b>, </b>, <br/>
    r"|&[a-z]+;|&#\d+;"  # &amp;
)
_PLACEHOLDER = re.compile(
    r"\{\{?[\w.:-]*\}?\}"  # {0}, {name}, {{name}}
    r"|%(?:\(\w+\))?[#0 +-]*\d*(?:\.\d+)?[sdifgxu@](?![\w])"  # %s, %(name)d, %.2f
    r"|\$\{?[A-Za-z_]\w*\}?"  # $NAME, ${NAME}
)
_NAME_PART = re.compile(r"\w+")
SHORTEST_WORD = 4
"""Letters of a word that counts as untranslated; shorter ones are alike in many languages by chance."""
TURNS = 2
"""How many times more often than the source's most frequent phrase (Guerreiro et al. 2023: top n-gram, 4 and 2)."""
DETACHED = 4
"""Words of an output that stands for several different sources."""
SHORTEST_TEXT = 20
"""Characters of a source whose translation can be too long or too short."""


@dataclass(frozen=True)
class FaultKind:
    """One kind of fault: how many of what there can be, and how many there are."""

    name: str
    meaning: str
    of: str
    """What it is a share of."""
    find: Find
    """From sources and outputs to what is faulty in each segment."""


def named_entities(names: Sequence[Sequence[str]], whose: str) -> FaultKind:
    """A kind for names of people, places and things that a text (`whose`) has, segment by segment: case aside.

    The text is a reference, whose names an output has as they are, or the source, where names are alike in both
    languages.
    """

    def find(sources: SeenText, outputs: SeenText) -> Found:
        lost = {}
        for place, wanted in enumerate(names):
            folded = _space_words(outputs[place]) if wanted else ""
            if missing := [name for name in wanted if _space_words(name) not in folded]:
                lost[place] = missing
        return Found(lost, np.array([len(wanted) for wanted in names], np.int64))

    return FaultKind("names lost", f"named entities of the {whose}", "named entities", find)


def _space_words(text: str) -> str:
    """Letters and figures without case, a space between words: so a name is found whole, whatever is around it."""
    words = " ".join(_NAME_PART.findall(text.casefold()))
    return words if share_of_spaceless(words) > 0.5 else f" {words} "


def _lost_numbers(sources: SeenText, outputs: SeenText) -> Found:
    return _unlike(sources, outputs)


def _new_numbers(sources: SeenText, outputs: SeenText) -> Found:
    return _unlike(outputs, sources)


def _unlike(seen_text: SeenText, other: SeenText) -> Found:
    """Numbers of one text that the other one has not."""
    lost = {}
    for place, numbers in seen_text.numbers.items():
        if missing := [number for number in numbers if number not in other.digits.get(place, "")]:
            lost[place] = missing
    return Found(lost, _sizes(seen_text.numbers, len(seen_text)))


def _sizes(items: Mapping[int, Sequence[object]], segments: int) -> NDArray[np.int64]:
    """How many there are in every segment."""
    of = np.zeros(segments, np.int64)
    of[list(items)] = list(map(len, items.values()))
    return of


def _find_lost(items: Callable[[str], Sequence[str]], may_have: Callable[[SeenText], Sequence[int]]) -> Find:
    """A way to find what a source has and an output has not; `may_have` are segments worth a look."""

    def find(sources: SeenText, outputs: SeenText) -> Found:
        wanted = sources.holding(items, may_have)
        lost = {}
        for place, terms in wanted.items():
            if missing := sorted((Counter(terms) - Counter(items(outputs[place]))).elements()):
                lost[place] = missing
        return Found(lost, _sizes(wanted, len(sources)))

    return find


def _with(*signs: str) -> Callable[[SeenText], Sequence[int]]:
    """Segments that have one of these signs."""

    def places(text: SeenText) -> list[int]:
        return [place for place, character in enumerate(text) if any(sign in character for sign in signs)]

    return places


def _with_address(text: SeenText) -> Sequence[int]:
    lowered = enumerate(map(str.lower, text))
    return [place for place, word in lowered if "@" in word or "://" in word or "www." in word]


def _addresses(segment: str) -> list[str]:
    return list(addresses_of(segment))


def _with_figures(text: SeenText) -> Sequence[int]:
    return text.figures


def _lost_dates(sources: SeenText, outputs: SeenText) -> Found:
    wanted: Mapping[int, Sequence[Date]] = sources.holding(dates_of, _with_figures)
    lost: dict[int, list[str]] = {}
    for place, dates in wanted.items():
        left = dates_of(outputs[place])
        for date in dates:
            same = next((entry for entry in left if entry.is_same(date)), None)
            if same is None:
                lost.setdefault(place, []).append(str(date))
            else:
                left.remove(same)
    return Found(lost, _sizes(wanted, len(sources)))


def _find_untranslated(sources: SeenText, outputs: SeenText) -> Found:
    """Words that begin with a small letter, which names do not, and stand in the source as they are."""
    counts = _Remembered(lambda word: len(word) >= SHORTEST_WORD and word[0].islower())
    lost = {}
    for place, (known, words) in enumerate(zip(sources.vocabularies, outputs.words, strict=True)):
        if not known.isdisjoint(words) and (same := [w for w in words if w in known and counts[w]]):
            lost[place] = same
    of = [sum(map(counts.__getitem__, words)) for words in outputs.words]
    return Found(lost, np.array(of, np.int64))


class _Remembered(dict[str, bool]):
    """Answers to a question about words, each asked once."""

    def __init__(self, ask: Callable[[str], bool]) -> None:
        super().__init__()
        self.ask = ask

    def __missing__(self, word: str) -> bool:
        self[word] = answer = self.ask(word)
        return answer


def _of_segments(what: Mapping[int, list[str]], text: SeenText) -> Found:
    """A kind that each segment has or has not."""
    return Found(what, np.ones(len(text), np.int64))


def _find_loops(sources: SeenText, outputs: SeenText) -> Found:
    turns = {
        place: [phrase]
        for place, (phrase, times) in outputs.circles.items()
        if times - top_phrase(sources[place])[1] >= TURNS
    }
    return _of_segments(turns, outputs)


def _find_doubled(sources: SeenText, outputs: SeenText) -> Found:
    """A word twice in a row, where the source has nothing twice in a row."""
    twice = {
        place: words[:1] for place, words in outputs.doubled.items() if not words_twice(sources.words[place])
    }
    return _of_segments(twice, outputs)


def _find_detached(sources: SeenText, outputs: SeenText) -> Found:
    """Outputs that repeat one text for several different sources."""
    first: dict[str, str] = {}
    several = {
        output
        for source, output in zip(sources, outputs, strict=True)
        if first.setdefault(output, source) != source and len(output.split()) >= DETACHED
    }
    places = (place for place, output in enumerate(outputs) if output in several) if several else ()
    return _of_segments({place: [outputs[place]] for place in places}, outputs)


def _too_long(sources: SeenText, outputs: SeenText) -> Found:
    ratios = _lengths(sources, outputs)
    return _of_segments(_times(ratios, ratios > 2), outputs)


def _too_short(sources: SeenText, outputs: SeenText) -> Found:
    ratios = _lengths(sources, outputs)
    return _of_segments(_times(ratios, (ratios > 0) & (ratios < 0.5)), outputs)


def _times(ratios: NDArray[np.float64], chosen: NDArray[np.bool_]) -> dict[int, list[str]]:
    return {place: [f"{ratios[place]:.1f} times"] for place in np.flatnonzero(chosen).tolist()}


def _lengths(sources: SeenText, outputs: SeenText) -> NDArray[np.float64]:
    """How long each output is beside what this text usually makes of a source; short ones are as usual."""
    of, output_lengths = sources.lengths, outputs.lengths
    long = of >= SHORTEST_TEXT
    ratios = output_lengths / np.where(long, of, 1)
    known = ratios[long & (output_lengths > 0)]
    return np.where(long, ratios / (np.median(known) if known.size else 1.0), 1.0)


def _empty(sources: SeenText, outputs: SeenText) -> Found:
    nothing = [place for place, output in enumerate(outputs) if not output or output.isspace()]
    return _of_segments({place: ["nothing"] for place in nothing if sources[place].strip()}, outputs)


KINDS = (
    FaultKind(
        "numbers lost",
        "numbers of the source, in whatever format, that are not there",
        "numbers",
        _lost_numbers,
    ),
    FaultKind("numbers invented", "numbers that the source has not", "numbers of the output", _new_numbers),
    FaultKind(
        "addresses lost",
        "web and e-mail addresses",
        "addresses",
        _find_lost(_addresses, _with_address),
    ),
    FaultKind("dates lost", "days of the source, however they are written", "dates", _lost_dates),
    FaultKind(
        "units lost",
        "units of measure and money beside a number",
        "units",
        _find_lost(units_of, _with_figures),
    ),
    FaultKind(
        "tags lost",
        "tags and entities of markup",
        "tags",
        _find_lost(_TAG.findall, _with("<", "&")),
    ),
    FaultKind(
        "placeholders lost",
        "placeholders and variables",
        "placeholders",
        _find_lost(_PLACEHOLDER.findall, _with("{", "%", "$")),
    ),
    FaultKind("untranslated", "words of the source as they are", "words of the output", _find_untranslated),
    FaultKind("in circles", "a phrase of four words again and again", "segments", _find_loops),
    FaultKind("word twice", "the same word twice in a row", "segments", _find_doubled),
    FaultKind("too long", "more than twice as long as is usual for such a source", "segments", _too_long),
    FaultKind("too short", "less than half as long as is usual for such a source", "segments", _too_short),
    FaultKind("detached", "the same text for different sources", "segments", _find_detached),
    FaultKind("empty", "nothing at all", "segments", _empty),
)
