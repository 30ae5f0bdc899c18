"""Hjerson's rules as they are told, step by step and with whole tables."""

import re
from collections.abc import Sequence


def alignment(hypothesis: Sequence[str], reference: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Places of the hypothesis and of the reference side by side: from the end, both before a reference word alone."""
    cost = [[i + j for j in range(len(hypothesis) + 1)] for i in range(len(reference) + 1)]
    for i, word in enumerate(reference, 1):
        for j, other in enumerate(hypothesis, 1):
            cost[i][j] = min(cost[i - 1][j - 1] + (word != other), cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    i, j = len(reference), len(hypothesis)
    steps: list[tuple[int | None, int | None]] = []
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + (reference[i - 1] != hypothesis[j - 1]):
            i, j = i - 1, j - 1
            steps.append((j, i))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
            steps.append((None, i))
        else:
            j -= 1
            steps.append((j, None))
    return steps[::-1]


def unknown(
    own: Sequence[str], own_bases: Sequence[str], other: Sequence[str], other_bases: Sequence[str]
) -> list[str]:
    """x, err, or inflected for each word of one side."""
    words, bases = list(other), list(other_bases)
    labels = []
    for word in own:
        if word in words:
            place = words.index(word)
            del words[place], bases[place]
            labels.append("x")
        else:
            labels.append("err")
    for place, base in enumerate(own_bases):
        if labels[place] == "err" and base in bases:
            bases.remove(base)
            labels[place] = "inflected"
    return labels


def classes(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    hypothesis_bases: Sequence[str],
    reference_bases: Sequence[str],
) -> tuple[str, str]:
    """A letter a word: of the hypothesis, of the reference."""
    off_hypothesis: dict[int, str] = {}
    off_reference: dict[int, str] = {}
    for h, r in alignment(hypothesis, reference):
        if h is None and r is not None:
            off_reference[r] = "m"
        elif r is None and h is not None:
            off_hypothesis[h] = "e"
        elif h is not None and r is not None and hypothesis[h] != reference[r]:
            off_hypothesis[h] = off_reference[r] = "l"
    sides = []
    for own, bases, other, other_bases, off, other_off in (
        (hypothesis, hypothesis_bases, reference, reference_bases, off_hypothesis, off_reference),
        (reference, reference_bases, hypothesis, hypothesis_bases, off_reference, off_hypothesis),
    ):
        letters = []
        for place, label in enumerate(unknown(own, bases, other, other_bases)):
            letters.append({"x": "x", "inflected": "i", "err": off.get(place, "x")}[label])
        left = [other[place] for place in sorted(other_off)]
        for place in sorted(off):
            if own[place] in left:
                left.remove(own[place])
                letters[place] = "r"
        sides.append("".join(letters))
    return sides[0], sides[1]


def numbers_of(sides: dict[str, str], columns: Sequence[str]) -> list[int]:
    """How many words each column names, or runs of such words."""
    letters = {"inflection": "i", "reordering": "r", "missing": "m", "extra": "e", "lexical": "l"}
    numbers = []
    for column in columns:
        side, errors, *blocks = column.split()
        numbers.append(len(re.findall(letters[errors] + ("+" if blocks else ""), sides[side])))
    return numbers
