"""GTM's matches: greedy by looking at every run each time, and the best one by trying them all."""

from collections.abc import Iterator, Sequence

Pair = tuple[int, int]


def free_run(hypothesis: Sequence[str], reference: Sequence[str], used: set[Pair], i: int, j: int) -> int:
    rows, columns = {a for a, _ in used}, {b for _, b in used}
    length = 0
    while (
        i + length < len(hypothesis)
        and j + length < len(reference)
        and i + length not in rows
        and j + length not in columns
        and hypothesis[i + length] == reference[j + length]
    ):
        length += 1
    return length


def greedy(hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
    """Lengths of the runs, the longest taken first; of equals the first in the hypothesis, then the reference."""
    used: set[Pair] = set()
    runs = []
    while True:
        candidates = [
            (-free_run(hypothesis, reference, used, i, j), i, j)
            for i in range(len(hypothesis))
            for j in range(len(reference))
        ]
        length, i, j = min(candidates, default=(0, 0, 0))
        if length == 0:
            return runs
        used |= {(i + k, j + k) for k in range(-length)}
        runs.append(-length)


def matchings(hypothesis: Sequence[str], reference: Sequence[str], i: int = 0) -> Iterator[set[Pair]]:
    """Every way to pair equal words, each used at most once."""
    if i == len(hypothesis):
        yield set()
        return
    for rest in matchings(hypothesis, reference, i + 1):
        yield rest
        taken = {b for _, b in rest}
        for j, word in enumerate(reference):
            if word == hypothesis[i] and j not in taken:
                yield rest | {(i, j)}


def runs_of(pairs: set[Pair]) -> list[int]:
    runs = []
    for i, j in pairs:
        if (i - 1, j - 1) not in pairs:
            length = 1
            while (i + length, j + length) in pairs:
                length += 1
            runs.append(length)
    return runs


def size(runs: Sequence[int], exponent: float) -> float:
    return float(sum(run**exponent for run in runs) ** (1 / exponent))


def best(hypothesis: Sequence[str], reference: Sequence[str], exponent: float) -> float:
    return max(size(runs_of(pairs), exponent) for pairs in matchings(hypothesis, reference))
