"""NIST from Doddington's definition, counting every n-gram of all references."""

from collections import Counter
from collections.abc import Sequence
from math import exp, log, log2

Words = tuple[str, ...]


def ngrams(words: Words, order: int) -> Counter[Words]:
    return Counter(words[i : i + order] for i in range(len(words) - order + 1))


def information(references: Sequence[Sequence[Words]], orders: int) -> dict[Words, float]:
    """Bits of each n-gram; `references` has one list of word tuples a segment."""
    counts: Counter[Words] = Counter()
    for segment in references:
        for words in segment:
            for order in range(1, orders + 1):
                counts += ngrams(words, order)
            counts[()] += len(words)
    # mteval's Perl takes a first part "0" for none.
    return {g: log2(counts[() if g[:-1] == ("0",) else g[:-1]] / count) for g, count in counts.items() if g}


def nist(hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], orders: int = 5) -> float:
    weights = information(references, orders)
    score = 0.0
    for order in range(1, orders + 1):
        gained, total = 0.0, 0
        for hypothesis, segment in zip(hypotheses, references, strict=True):
            clip: Counter[Words] = Counter()
            for words in segment:
                clip |= ngrams(words, order)
            own = ngrams(hypothesis, order)
            gained += sum(weights[g] * count for g, count in (own & clip).items())
            total += own.total()
        score += gained / max(total, 1)
    length = sum(map(len, hypotheses))
    mean = sum(sum(map(len, segment)) / len(segment) for segment in references)
    if length == 0:
        return 0.0
    beta = log(0.5) / log(1.5) ** 2
    return score * (exp(beta * log(length / mean) ** 2) if length < mean else 1.0)
