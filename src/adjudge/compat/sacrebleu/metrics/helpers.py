"""N-gram counts as sacreBLEU hands them out; the scores themselves are counted in the core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """Counts of the n-grams of a list of tokens, each joined by spaces."""
    return Counter(" ".join(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """Counts of all n-grams of a line from one order to another, and the number of its tokens."""
    tokens = line.split()
    counts: Counter[tuple[str, ...]] = Counter()
    for n in range(min_order, max_order + 1):
        counts.update(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))
    return counts, len(tokens)


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Counts of the character n-grams of a line, which loses its whitespace unless it is to be included."""
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """Counts of character n-grams of a line, one counter an order from 1 up."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
