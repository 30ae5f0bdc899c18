"""What output and source show without any model: lengths, copies, numbers, punctuation, capitals, script, language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from adjudge.qe.means import Array
from adjudge.text.identification import identifier, of_segments

NAMES = (
    "length_ratio",
    "log_source_length",
    "log_output_length",
    "copied_words",
    "copied_lower_case",
    "numbers_missing",
    "numbers_added",
    "punctuation_difference",
    "end_differs",
    "brackets_unpaired",
    "capitals_difference",
    "repeated_pairs",
    "digits",
    "foreign_script",
    "same_text",
)
LANGUAGE = "other_language"
MARKS = ".,;:!?"
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
WORD = re.compile(r"\w+")
PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"), ("„", "“"))


def surface_features(sources: Sequence[str], outputs: Sequence[str]) -> Array:
    """Segments × 15."""
    rows = [_row(source, output) for source, output in zip(sources, outputs, strict=True)]
    return np.array(rows, np.float64).reshape(len(rows), len(NAMES))


def language_feature(outputs: Sequence[str], language: str) -> Array:
    """1 where an output is surely in another language than it should be; 0 where it is not, or nobody can tell."""
    identify = identifier()
    if identify is None or not language:
        return np.zeros(len(outputs))
    return np.array([float(bool(name) and name != language) for name in of_segments(outputs, identify)])


def _row(source: str, output: str) -> list[float]:
    words, source_words = WORD.findall(output), set(WORD.findall(source))
    copied = [word for word in words if word in source_words and not word.isdigit()]
    missing, added = _number_differences(source, output)
    letters = sum(map(str.isalpha, output))
    return [
        np.log((len(output) + 1) / (len(source) + 1)),
        np.log1p(len(source)),
        np.log1p(len(output)),
        len(copied) / max(1, len(words)),
        sum(word.islower() for word in copied) / max(1, len(words)),
        missing,
        added,
        sum(abs(source.count(mark) - output.count(mark)) for mark in MARKS) / (1 + len(words)),
        float(_end(source) != _end(output)),
        float(sum(abs(output.count(a) - output.count(b)) for a, b in PAIRS)),
        _capitals(output) - _capitals(source),
        _repeated(words),
        sum(map(str.isdigit, output)) / max(1, len(output)),
        _foreign(output) / max(1, letters),
        float(source.strip() == output.strip()),
    ]


def _number_differences(source: str, output: str) -> tuple[float, float]:
    """Numbers of the source that the output lacks, and the other way round; separators may differ."""
    mine, other = (
        Counter(re.sub(r"[.,]", "", text) for text in NUMBER.findall(side)) for side in (output, source)
    )
    return float((other - mine).total()), float((mine - other).total())


def _end(text: str) -> str:
    last = text.rstrip()[-1:]
    return last if last and not last.isalnum() else ""


def _capitals(text: str) -> float:
    words = WORD.findall(text)
    return float(sum(word[0].isupper() for word in words) / max(1, len(words)))


def _repeated(words: Sequence[str]) -> float:
    """The share of neighbouring pairs of words that stand there more than once."""
    pairs = Counter(pairwise(words))
    return sum(count - 1 for count in pairs.values()) / max(1, pairs.total())


def _foreign(text: str) -> float:
    """Letters that are not of the script that most letters are of."""
    if text.isascii():
        return 0.0
    scripts = Counter(unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha())
    return float(scripts.total() - max(scripts.values(), default=0))
