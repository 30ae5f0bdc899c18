"""RIBES from its description: words aligned by growing contexts, pairs counted one by one."""

from collections.abc import Sequence
from itertools import combinations
from math import exp


def occurrences(ngram: Sequence[str], text: Sequence[str]) -> list[int]:
    size = len(ngram)
    return [i for i in range(len(text) - size + 1) if list(text[i : i + size]) == list(ngram)]


def place(i: int, hypothesis: Sequence[str], reference: Sequence[str]) -> int | None:
    """Where the reference has the hypothesis's i-th word, if a context says so; left goes before right."""
    for width in range(len(hypothesis)):
        for start, offset in ((i - width, width), (i, 0)):
            ngram = hypothesis[start : start + width + 1] if start >= 0 else ()
            if len(ngram) < width + 1:
                continue
            result = occurrences(ngram, reference)
            if len(result) == 1 and len(occurrences(ngram, hypothesis)) == 1:
                return result[0] + offset
    return None


def ribes(hypothesis: Sequence[str], reference: Sequence[str], alpha: float, beta: float) -> float:
    if not hypothesis or not reference:
        return float(len(hypothesis) == len(reference))
    places = [p for i in range(len(hypothesis)) if (p := place(i, hypothesis, reference)) is not None]
    if len(places) == 1 and len(reference) == 1:
        order = 1.0
    elif len(places) < 2:
        return 0.0
    else:
        pairs = list(combinations(places, 2))
        order = sum(a < b for a, b in pairs) / len(pairs)
    brevity = min(1.0, exp(1 - len(reference) / len(hypothesis)))
    return order * (len(places) / len(hypothesis)) ** alpha * brevity**beta
