"""What may be said of systems beside a margin: that they differ by less, or that one is not worse by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudge.stats.design import Design
from adjudge.stats.equivalence import Equivalence
from adjudge.wording import counted, digits, listed, p_text, percent, signed

MOST = 6
"""Pairs that are named one by one."""
FIXED = "It counts only where the margin was fixed before the scores were seen."

ComparedPair = tuple[str, str, Equivalence]


def margin_claims(design: Design, *parts: tuple[Iterable[ComparedPair], str, int]) -> tuple[str, ...]:
    """Sentences, those first that show most: of pairs of systems, a − b positive where a is better, in what units.

    Each part is of one metric, with the name of its units and their decimals. Intervals allow for what the design
    ignores, and the last sentence says so.
    """
    sentences = [text for pairs, what, decimals in parts for text in _of_metric(list(pairs), what, decimals)]
    return (*sentences, FIXED, *_allowance(design)) if sentences else ()


def _allowance(design: Design) -> list[str]:
    """Whose opinion it is, and what intervals beside a margin allow for, where the test itself does not draw it."""
    names = [f"{grouping.name}s" for grouping in design.ignored]
    sentences = [f"All that is said beside the margin is so {design.opinion}."] if design.opinion else []
    if names:
        sentences.append(
            f"Intervals beside the margin allow for {listed(names)}, which the test does not draw."
        )
    return sentences


def _of_metric(pairs: Sequence[ComparedPair], what: str, decimals: int) -> list[str]:
    if not pairs:
        return []
    margin = pairs[0][2].margin
    pairs = [_better_first(*pair) for pair in pairs]
    same = [_same(a, b, equivalence, what, decimals) for a, b, equivalence in pairs if equivalence.equivalent]
    rest = [pair for pair in pairs if not pair[2].equivalent]
    one_way = [text for a, b, equivalence in rest if (text := _not_worse(a, b, equivalence, what, decimals))]
    open_ = [
        f"It is not shown that {a} and {b} differ by less than {margin:g} {what} ({_interval(equivalence, decimals)})."
        for a, b, equivalence in rest
        if not equivalence.not_worse and not equivalence.turned.not_worse
    ]
    sentences = [*same, *one_way, *open_]
    if len(sentences) > MOST:
        count = f"Of {counted(len(pairs), 'pair')}, {len(same):,} are shown to differ by less than {margin:g} {what}."
        sentences = [
            count,
            *sentences[:MOST],
            f"… and {len(sentences) - MOST:,} more beside the margin: -f json.",
        ]
    return sentences


def _better_first(a: str, b: str, equivalence: Equivalence) -> ComparedPair:
    """The pair in the order in which tables show it, so that both differences have the same sign."""
    return (b, a, equivalence.turned) if equivalence.low + equivalence.high < 0 else (a, b, equivalence)


def _same(a: str, b: str, equivalence: Equivalence, what: str, decimals: int) -> str:
    p = p_text(equivalence.p, equivalence.alpha)
    return f"{a} and {b} differ by less than {equivalence.margin:g} {what} ({_interval(equivalence, decimals)}, {p})."


def _not_worse(a: str, b: str, equivalence: Equivalence, what: str, decimals: int) -> str:
    if equivalence.turned.not_worse:
        a, b, equivalence = b, a, equivalence.turned
    if not equivalence.not_worse or equivalence.low > 0:  # who is better is not only not worse
        return ""
    p = p_text(equivalence.p_not_worse, equivalence.alpha)
    margin = f"{equivalence.margin:g} {what}"
    return f"{a} is not worse than {b} by {margin} or more ({_interval(equivalence, decimals)}, {p})."


def _interval(equivalence: Equivalence, decimals: int) -> str:
    places = digits(_numbers(equivalence), decimals)
    confidence = (
        percent(equivalence.confidence)
        if equivalence.confidence * 100 % 1 < 1e-9
        else f"{100 * equivalence.confidence:.2f} %"
    )
    return f"{confidence} interval {signed(equivalence.low, places)} to {signed(equivalence.high, places)}"


def _numbers(equivalence: Equivalence) -> Sequence[float]:
    return [equivalence.low, equivalence.high]
