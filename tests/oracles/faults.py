"""Kinds of faults as they are told, segment by segment and with nothing left out because it cannot be there."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from adjudge.checks.contents import addresses_of, digits_of, numbers_of
from adjudge.text.units import units_of

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>|&[a-z]+;|&#\d+;")
ITEMS = {"addresses lost": addresses_of, "units lost": units_of, "tags lost": TAG.findall}


def faults_of(kind: str, sources: Sequence[str], outputs: Sequence[str]) -> list[tuple[list[str], int]]:
    """What is faulty in each segment, and how many things there could be."""
    return [segment(kind, place, sources, outputs) for place in range(len(sources))]


def segment(kind: str, place: int, sources: Sequence[str], outputs: Sequence[str]) -> tuple[list[str], int]:
    """The same of one segment."""
    source, output = sources[place], outputs[place]
    if kind in ("numbers lost", "numbers invented"):
        own, other = (source, output) if kind == "numbers lost" else (output, source)
        numbers = sorted(numbers_of(own))
        return [number for number in numbers if number not in digits_of(other)], len(numbers)
    if kind in ITEMS:
        wanted = Counter(ITEMS[kind](source))
        return sorted((wanted - Counter(ITEMS[kind](output))).elements()), wanted.total()
    if kind == "untranslated":
        words = [word for word in WORD.findall(output) if len(word) >= 4 and word[0].islower()]
        return [word for word in words if word in WORD.findall(source)], len(words)
    if kind == "in circles":
        (phrase, times), (_, usual) = top_phrase(output), top_phrase(source)
        return [phrase] if times >= 2 and times - usual >= 2 else [], 1
    if kind == "word twice":
        return twice(output)[:1] if not twice(source) else [], 1
    if kind in ("too long", "too short"):
        ratio = length(place, sources, outputs)
        is_faulty = ratio > 2 if kind == "too long" else 0 < ratio < 0.5
        return [f"{ratio:.1f} times"] if is_faulty else [], 1
    if kind == "detached":
        others = {own for own, text in zip(sources, outputs, strict=True) if text == output}
        return [output] if len(others) > 1 and len(output.split()) >= 4 else [], 1
    assert kind == "empty"
    return ["nothing"] if source.strip() and not output.strip() else [], 1


def top_phrase(text: str) -> tuple[str, int]:
    """The phrase of four words that comes most often; characters are words where there are no spaces."""
    words = text.split()
    if len(words) * 20 < len(text):
        words = list(text)
    phrases = [" ".join(words[i : i + 4]) for i in range(len(words) - 3)]
    return Counter(phrases).most_common(1)[0] if phrases else ("", 0)


def twice(text: str) -> list[str]:
    """Words that stand twice in a row."""
    return [b for a, b in pairwise(WORD.findall(text)) if a.lower() == b.lower() and len(b) > 1]


def length(place: int, sources: Sequence[str], outputs: Sequence[str]) -> float:
    """How long an output is beside what is usual for such a source."""
    sizes = [(len(source), len(output)) for source, output in zip(sources, outputs, strict=True)]
    known = [own / of for of, own in sizes if of >= 20 and own]
    of, own = sizes[place]
    return own / of / (median(known) if known else 1.0) if of >= 20 else 1.0
