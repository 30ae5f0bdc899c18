"""What can be seen to be wrong beside the source: kinds of faults, each a way to find them in every segment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median

from adjudge.checks.contents import addresses_of, digits_of, numbers_of
from adjudge.text.dates import dates_of
from adjudge.text.identification import share_of_spaceless
from adjudge.text.units import units_of

Found = tuple[list[str], int]
"""What is faulty in a segment, and how many things there could be."""
Find = Callable[[Sequence[str], Sequence[str]], list[Found]]
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
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SHORTEST_WORD = 4
"""Letters of a word that counts as untranslated; shorter ones are alike in many languages by chance."""
CIRCLE = 4
"""Words of a phrase that comes again and again."""
REMEMBERED = 1 << 16
"""Sources of which it is remembered what they hold."""
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

    def find(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
        segments: list[Found] = []
        for wanted, output in zip(names, outputs, strict=True):
            folded = _spaced(output)
            segments.append(([name for name in wanted if _spaced(name) not in folded], len(wanted)))
        return segments

    return FaultKind("names lost", f"named entities of the {whose}", "named entities", find)


def _spaced(text: str) -> str:
    """Letters and figures without case, a space between words: so a name is found whole, whatever is around it."""
    words = " ".join(_NAME_PART.findall(text.casefold()))
    return words if share_of_spaceless(words) > 0.5 else f" {words} "


def _lost_numbers(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [
        ([number for number in sorted(wanted) if number not in digits_of(output)], len(wanted))
        for output, wanted in zip(outputs, map(numbers_of, sources), strict=True)
    ]


def _new_numbers(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [
        ([number for number in sorted(own) if number not in digits_of(source)], len(own))
        for source, own in zip(sources, map(numbers_of, outputs), strict=True)
    ]


def _lost(
    items: Callable[[str], Counter[str]],
) -> Callable[[Sequence[str], Sequence[str]], list[Found]]:
    of_source = lru_cache(REMEMBERED)(items)  # which stands beside every output

    def find(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
        segments: list[Found] = []
        for wanted, output in zip(map(of_source, sources), outputs, strict=True):
            lost = sorted((wanted - items(output)).elements()) if wanted else []
            segments.append((lost, wanted.total()))
        return segments

    return find


_dates_of_source = lru_cache(REMEMBERED)(dates_of)


def _lost_dates(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    segments: list[Found] = []
    for source, output in zip(sources, outputs, strict=True):
        wanted = _dates_of_source(source)
        left = dates_of(output) if wanted else []
        lost = []
        for date in wanted:
            same = next((own for own in left if own.is_same(date)), None)
            if same is None:
                lost.append(str(date))
            else:
                left.remove(same)
        segments.append((lost, len(wanted)))
    return segments


def _untranslated(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    """Words that begin with a small letter, which names do not, and stand in the source as they are."""
    segments = []
    for source, output in zip(sources, outputs, strict=True):
        known = _words_of(source)
        words = [w for w in _WORD.findall(output) if len(w) >= SHORTEST_WORD and w[0].islower()]
        segments.append(([word for word in words if word in known], len(words)))
    return segments


@lru_cache(REMEMBERED)
def _words_of(source: str) -> frozenset[str]:
    return frozenset(_WORD.findall(source))


def _circling(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    segments: list[Found] = []
    for source, output in zip(sources, outputs, strict=True):
        phrase, times = _top_phrase(output)
        turns = times >= TURNS and times - _top_phrase(source)[1] >= TURNS
        segments.append(([phrase] if turns else [], 1))
    return segments


def _top_phrase(segment: str) -> tuple[str, int]:
    """The phrase that comes most often, and how often; characters are words where there are no spaces."""
    words = segment.split()
    if len(words) * 20 < len(segment):
        words = list(segment)
    phrases = [" ".join(words[i : i + CIRCLE]) for i in range(len(words) - CIRCLE + 1)]
    if len(set(phrases)) == len(phrases):  # as nearly always
        return (phrases[0], 1) if phrases else ("", 0)
    return Counter(phrases).most_common(1)[0]


def _doubled(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    """A word twice in a row, where the source has nothing twice in a row."""
    segments: list[Found] = []
    for source, output in zip(sources, outputs, strict=True):
        words = _twice(output)[:1]
        segments.append((words if words and not _twice(source) else [], 1))
    return segments


def _twice(segment: str) -> list[str]:
    words = _WORD.findall(segment)
    return [b for a, b in pairwise(words) if a.lower() == b.lower() and len(b) > 1]


def _detached(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    """The same text for several different sources."""
    sources_of: dict[str, set[str]] = {}
    for source, output in zip(sources, outputs, strict=True):
        sources_of.setdefault(output, set()).add(source)
    return [
        ([output] if len(sources_of[output]) > 1 and len(output.split()) >= DETACHED else [], 1)
        for output in outputs
    ]


def _too_long(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [([f"{ratio:.1f} times"] if ratio > 2 else [], 1) for ratio in _lengths(sources, outputs)]


def _too_short(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [([f"{ratio:.1f} times"] if 0 < ratio < 0.5 else [], 1) for ratio in _lengths(sources, outputs)]


def _lengths(sources: Sequence[str], outputs: Sequence[str]) -> list[float]:
    """How long each output is beside what this text usually makes of a source; short ones are as usual."""
    sizes = [(len(source), len(output)) for source, output in zip(sources, outputs, strict=True)]
    known = [own / of for of, own in sizes if of >= SHORTEST_TEXT and own]
    usual = median(known) if known else 1.0
    return [own / of / usual if of >= SHORTEST_TEXT else 1.0 for of, own in sizes]


def _empty(sources: Sequence[str], outputs: Sequence[str]) -> list[Found]:
    return [
        (["nothing"] if source.strip() and not output.strip() else [], 1)
        for source, output in zip(sources, outputs, strict=True)
    ]


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
        _lost(lambda segment: Counter(addresses_of(segment))),
    ),
    FaultKind("dates lost", "days of the source, however they are written", "dates", _lost_dates),
    FaultKind(
        "units lost",
        "units of measure and money beside a number",
        "units",
        _lost(lambda segment: Counter(units_of(segment))),
    ),
    FaultKind(
        "tags lost",
        "tags and entities of markup",
        "tags",
        _lost(lambda segment: Counter(_TAG.findall(segment))),
    ),
    FaultKind(
        "placeholders lost",
        "placeholders and variables",
        "placeholders",
        _lost(lambda segment: Counter(_PLACEHOLDER.findall(segment))),
    ),
    FaultKind("untranslated", "words of the source as they are", "words of the output", _untranslated),
    FaultKind("in circles", "a phrase of four words again and again", "segments", _circling),
    FaultKind("word twice", "the same word twice in a row", "segments", _doubled),
    FaultKind("too long", "more than twice as long as is usual for such a source", "segments", _too_long),
    FaultKind("too short", "less than half as long as is usual for such a source", "segments", _too_short),
    FaultKind("detached", "the same text for different sources", "segments", _detached),
    FaultKind("empty", "nothing at all", "segments", _empty),
)
