"""What may be said of systems beside a margin: that they differ by less, or that one is not worse by it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudge.stats.equivalence import Equivalence
from adjudge.wording import digits, p_text, percent, signed

MOST = 6
"""Pairs that are named one by one."""
FIXED = "It counts only where the margin was fixed before the scores were seen."

Found = tuple[str, str, Equivalence]


def margin_claims(*parts: tuple[Iterable[Found], str, int]) -> tuple[str, ...]:
    """Sentences, those first that show most: of pairs of systems, a − b positive where a is better, in what units.

    Each part is of one metric, with the name of its units and their decimals.
    """
    said = [text for found, what, decimals in parts for text in _of_one(list(found), what, decimals)]
    return (*said, FIXED) if said else ()


def _of_one(pairs: Sequence[Found], what: str, decimals: int) -> list[str]:
    if not pairs:
        return []
    margin = pairs[0][2].margin
    pairs = [_better_first(*pair) for pair in pairs]
    same = [_same(a, b, one, what, decimals) for a, b, one in pairs if one.equivalent]
    rest = [one for one in pairs if not one[2].equivalent]
    one_way = [text for a, b, one in rest if (text := _not_worse(a, b, one, what, decimals))]
    open_ = [
        f"It is not shown that {a} and {b} differ by less than {margin:g} {what} ({_interval(one, decimals)})."
        for a, b, one in rest
        if not one.not_worse and not one.turned.not_worse
    ]
    said = [*same, *one_way, *open_]
    if len(said) > MOST:
        count = f"Of {len(pairs):,} pairs, {len(same):,} are shown to differ by less than {margin:g} {what}."
        said = [count, *said[:MOST], f"… and {len(said) - MOST:,} more beside the margin: -f json."]
    return said


def _better_first(a: str, b: str, one: Equivalence) -> Found:
    """The pair in the order in which tables show it, so that both differences have the same sign."""
    return (b, a, one.turned) if one.low + one.high < 0 else (a, b, one)


def _same(a: str, b: str, one: Equivalence, what: str, decimals: int) -> str:
    p = p_text(one.p, one.alpha)
    return f"{a} and {b} differ by less than {one.margin:g} {what} ({_interval(one, decimals)}, {p})."


def _not_worse(a: str, b: str, one: Equivalence, what: str, decimals: int) -> str:
    if one.turned.not_worse:
        a, b, one = b, a, one.turned
    if not one.not_worse or one.low > 0:  # who is better is not only not worse
        return ""
    p = p_text(one.p_not_worse, one.alpha)
    return f"{a} is not worse than {b} by {one.margin:g} {what} or more ({_interval(one, decimals)}, {p})."


def _interval(one: Equivalence, decimals: int) -> str:
    places = digits(_numbers(one), decimals)
    level = percent(one.level) if one.level * 100 % 1 < 1e-9 else f"{100 * one.level:.2f} %"
    return f"{level} interval {signed(one.low, places)} to {signed(one.high, places)}"


def _numbers(one: Equivalence) -> Sequence[float]:
    return [one.low, one.high]
