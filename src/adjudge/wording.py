"""Numbers and lists as people write them: p-values, differences, names in a row."""

from __future__ import annotations

import math
from collections.abc import Sequence

CORRECTIONS = {"holm": "Holm", "bh": "Benjamini–Hochberg", "none": "uncorrected"}
MISSING = "–"
"""In place of a number that there is not."""
MINUS = "−"
"""Before what is less than nothing, in differences and on pages; a hyphen is shorter and may end a line."""
SMALLEST_P = 0.001
MORE_DIGITS = 3
"""How many digits more than usual a difference may have, lest it looks like none."""


def p_number(p: float, alpha: float = 0.05) -> str:
    """A p-value with two or three decimals: never 0, and never rounded across alpha."""
    if math.isnan(p):
        return MISSING
    if p >= 1:
        return "1"
    if p >= 0.995 > alpha:
        return ">0.99"
    if p < SMALLEST_P:
        return f"<{SMALLEST_P}" if alpha >= SMALLEST_P else f"{p:.2g}"
    decimals = 2 if p >= 0.1 else 3
    while decimals < 9 and _side(float(f"{p:.{decimals}f}"), alpha) != _side(p, alpha):
        decimals += 1
    return f"{p:.{decimals}f}"


def p_text(p: float, alpha: float = 0.05) -> str:
    """The same in a sentence: `p = 0.003`, `p < 0.001`."""
    number = p_number(p, alpha)
    return f"p {number[0]} {number[1:]}" if number[0] in "<>" else f"p = {number}"


def largest_p(values: Sequence[float], alpha: float = 0.05) -> str:
    """What holds for all of some p-values: `p < 0.001`, `each p ≤ 0.004`."""
    worst = max(values, key=lambda p: math.inf if math.isnan(p) else p)  # what is not known may be anything
    each = "each " if len(values) > 1 else ""
    if len(values) == 1 or math.isnan(worst) or worst < SMALLEST_P or worst >= 0.995:
        return each + p_text(worst, alpha)
    upwards = math.ceil(worst * 1000 - 1e-9) / 1000
    shown = p_number(upwards if _side(upwards, alpha) == _side(worst, alpha) else worst, alpha)
    return f"{each}p ≤ {shown}"


def number(value: float, decimals: int, *, plus: str = "", minus: str = "-", kind: str = "f") -> str:
    """A number as people read it: a dash where there is none, and no sign of what is rounded to nothing.

    Of the kind `g`, `decimals` are the digits that count, wherever the point stands.
    """
    if math.isnan(value):
        return MISSING
    text = f"{abs(value):.{decimals}{kind}}"
    return text if not text.strip("0.") else f"{minus if value < 0 else plus}{text}"


def with_sign(value: float, decimals: int, *, kind: str = "f") -> str:
    """A difference with its sign, which is a minus and not a hyphen."""
    return number(value, decimals, plus="+", minus=MINUS, kind=kind)


def digits(values: Sequence[float], decimals: int) -> int:
    """As many decimals as it takes to show that none of the values is 0 where it is not."""
    wanted = decimals
    for value in values:
        defined = math.isfinite(value) and value != 0
        while defined and wanted < decimals + MORE_DIGITS and abs(value) < 0.5 * 10.0**-wanted:
            wanted += 1
    return wanted


def join_names(names: Sequence[str], most: int | None = None, *, last: str = "and") -> str:
    """Names in a row: `a, b and c`; beyond `most` of them, how many more there are."""
    if most is not None and len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} more"]
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def some_of(names: Sequence[str], most: int = 3) -> str:
    """Names as they stand in a file or a campaign, and how many more there are: `a, b, c and 20 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def pluralise(count: int, noun: str) -> str:
    """A number of things: 1 line, 2,000 lines, 3 losses, 4 hypotheses."""
    return f"{count:,} {noun_form(count, noun)}"


def noun_form(count: int, noun: str) -> str:
    """The noun as it stands beside a number."""
    if noun.endswith("sis"):
        return noun if count == 1 else f"{noun[:-2]}es"
    return noun if count == 1 else f"{noun}es" if noun.endswith("s") else f"{noun}s"


def are(count: int) -> str:
    """The verb behind a number of things: 1 line is, 2 lines are."""
    return "is" if count == 1 else "are"


def family(tests: int, own: str) -> str:
    """What p-values are corrected over: all tests of a report, or where that is none their own."""
    every = "the one test" if tests == 1 else f"all {tests:,} tests"
    return f"{every} of groups, classes and faults" if tests else own


def of_currency(amount: str, currency: str) -> str:
    """What an amount is called, with its currency where one is known: `saved (EUR)`."""
    return f"{amount} ({currency})" if currency else amount


def percent(share: float) -> str:
    """A level such as 0.95 as `95 %`."""
    return f"{share * 100:.6g} %"


def percent_of(share: float) -> str:
    """A share that was counted, never 0 % or 100 % for what is not all or nothing."""
    value = 100 * share
    if 0 < value < 0.1:
        return "under 0.1 %"
    if 99.9 < value < 100:
        return "over 99.9 %"
    return f"{value:.0f} %" if value >= 10 or value == int(value) else f"{value:.1f} %"


def _side(p: float, alpha: float) -> int:
    return (p > alpha) - (p < alpha)


def strip_version(signature: str) -> str:
    """A signature without the version of adjudge."""
    return "|".join(part for part in signature.split("|") if not part.startswith("version:"))
