"""The kinds of values that options take, each with its limits and its message."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import click

from adjudge.errors import UsageError, unknown_name

MOST_DRAWS = 10**7
"""Trials, resamples or simulations: more than these say nothing more, and fill the memory."""
LARGEST_SEED = 2**63 - 1


class Whole(click.IntRange):
    """A whole number in a range, called so in messages; where no end is given, it ends at a thousand million."""

    name = "whole number"

    def __init__(self, low: int, most: int = 10**9) -> None:
        super().__init__(low, most)


class Real(click.types.FloatParamType):
    """A number that can be reckoned with: finite, and neither so large nor so small that nothing is left of it."""

    name = "number"

    def __init__(self, smallest: float = 1e-100, least: float = -1e100) -> None:
        self.smallest, self.least = smallest, least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, refused where it is none."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or abs(number) > 1e100:
            self.fail(
                f"{str(value)[:30]!r} is no number to reckon with: at most 1e100 was expected", param, ctx
            )
        if 0 < abs(number) < self.smallest:
            self.fail(
                f"{str(value)[:30]!r} is too small: 0 or at least {self.smallest:g} was expected", param, ctx
            )
        if number < self.least:
            self.fail(f"{str(value)[:30]!r} is too small: at least {self.least:g} was expected", param, ctx)
        return number


class Numbers(click.ParamType[Any]):
    """One number or several, with commas between them."""

    name = "numbers"

    def __init__(self, kind: type[int] | type[float] = float) -> None:
        self.kind = kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """All of them; an error where one is none."""
        if isinstance(value, tuple):
            return value
        try:
            numbers = tuple(self.kind(part) for part in value.split(","))
            if not all(1e-9 <= abs(number) <= 1e9 or number == 0 for number in numbers):  # nor nan
                raise ValueError
            return numbers
        except ValueError:
            what = "a whole number" if self.kind is int else "a number"
            raise UsageError(
                f"{param.opts[0] if param else ''} {value}: is not {what}, nor several with commas between them"
            ) from None


class Name(click.ParamType[str]):
    """One of a few names; an error for another one tells the nearest."""

    name = "name"

    def __init__(self, kind: str, names: Sequence[str]) -> None:
        self.kind, self.names = kind, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if it is known."""
        if value not in self.names:
            raise unknown_name(self.kind, value, self.names)
        return str(value)
