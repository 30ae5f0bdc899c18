"""Edit distances straight from their definitions: whole tables, no shortcuts."""

from collections import Counter
from collections.abc import Sequence


def levenshtein(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    table = [[0] * (len(reference) + 1) for _ in range(len(hypothesis) + 1)]
    for i in range(len(hypothesis) + 1):
        for j in range(len(reference) + 1):
            if i == 0 or j == 0:
                table[i][j] = i + j
                continue
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (hypothesis[i - 1] != reference[j - 1]),
            )
    return table[-1][-1]


def cder(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """Cost of covering the reference word by word; a jump goes from any place of a row to any other."""
    row = [0] + [1] * len(hypothesis)
    for word in reference:
        new = [row[0] + 1]
        for i, other in enumerate(hypothesis, start=1):
            new.append(min(new[i - 1] + 1, row[i] + 1, row[i - 1] + (word != other)))
        jump = min(new) + 1
        row = [min(cost, jump) for cost in new]
    return row[-1]


def per(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    return max(len(hypothesis), len(reference)) - (Counter(hypothesis) & Counter(reference)).total()
