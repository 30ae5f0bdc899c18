"""Random conditions of the segment browser, each with what it means: a text, and the segments that fulfil it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Holds = Callable[[int], bool]
Number = Callable[[int], float]
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "≤": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a < b or a > b,  # what is missing fulfils nothing
    "≠": lambda a, b: a < b or a > b,
}


@dataclass(frozen=True)
class Columns:
    """What conditions are about: numbers by system, labels, sets; the system is the second, the baseline the first."""

    systems: tuple[str, ...]
    numbers: dict[str, dict[str, Sequence[float]]]
    labels: dict[str, Sequence[str]]
    marks: dict[str, set[int]]

    def value(self, name: str, system: str) -> Number:
        column = self.numbers[name].get(system)
        return lambda i: math.nan if column is None else float(column[i])


class Conditions:
    """A source of conditions."""

    def __init__(self, columns: Columns, seed: int) -> None:
        self.columns = columns
        self.rng = random.Random(seed)

    def condition(self, depth: int = 3) -> tuple[str, Holds]:
        kind = self.rng.choice(["and", "or", "not", "leaf", "leaf"] if depth else ["leaf"])
        if kind in ("and", "or"):
            parts = [self.condition(depth - 1) for _ in range(self.rng.randint(2, 3))]
            join = all if kind == "and" else any
            word = self.rng.choice([kind, kind.upper()])
            text = f" {word} ".join(f"({text})" for text, _ in parts)
            return text, lambda i: join(holds(i) for _, holds in parts)
        if kind == "not":
            text, holds = self.condition(depth - 1)
            return f"not ({text})", lambda i: not holds(i)
        return self.rng.choice([self._comparison, self._comparison, self._chain, self._label, self._mark])()

    def _comparison(self) -> tuple[str, Holds]:
        left, a = self._sum()
        right, b = self._sum()
        sign = self.rng.choice(list(OPERATORS))
        space = self.rng.choice(["", " "])
        return f"{left}{space}{sign}{space}{right}", lambda i: OPERATORS[sign](a(i), b(i))

    def _chain(self) -> tuple[str, Holds]:
        low, high = sorted(self.rng.choices(range(100), k=2))
        name, value = self._name()
        return f"{low} <= {name} < {high}", lambda i: low <= value(i) < high

    def _sum(self) -> tuple[str, Number]:
        text, first = self._term()
        parts: list[tuple[int, Number]] = [(1, first)]
        for _ in range(self.rng.choice([0, 0, 1])):
            sign = self.rng.choice([1, -1])
            more, value = self._term()
            text += f" {'+' if sign > 0 else '-'} {more}"
            parts.append((sign, value))
        return text, lambda i: sum(sign * value(i) for sign, value in parts)

    def _term(self) -> tuple[str, Number]:
        kind = self.rng.choice(["number", "name", "name", "abs"])
        if kind == "number":
            number = self.rng.randint(0, 400) / 4
            return f"{number:g}", lambda i: number
        name, value = self._name()
        return (f"abs({name})", lambda i: abs(value(i))) if kind == "abs" else (name, value)

    def _name(self) -> tuple[str, Number]:
        name = self.rng.choice(list(self.columns.numbers))
        spelled = self.rng.choice([name, f'"{name}"', name.upper()])
        baseline, system, *others = self.columns.systems
        own, base = self.columns.value(name, system), self.columns.value(name, baseline)
        kind = self.rng.choice(["own", "own", "delta", "baseline", "other"])
        if kind == "delta":
            return self.rng.choice(["Δ", "delta "]) + spelled, lambda i: own(i) - base(i)
        if kind == "baseline":
            return f"baseline.{spelled}", base
        if kind == "other":
            other = self.rng.choice(others)
            named = other if other.isalnum() else f'"{other}"'
            return f"system:{named}.{spelled}", self.columns.value(name, other)
        return spelled, own

    def _label(self) -> tuple[str, Holds]:
        name = self.rng.choice(list(self.columns.labels))
        column = self.columns.labels[name]
        value = self.rng.choice(list(dict.fromkeys(column)))
        spelled = f'"{value}"' if not value.isalnum() else self.rng.choice([value, f'"{value}"'])
        kind = self.rng.choice(["=", "!=", "~", "in"])
        if kind == "~":
            part = value[1:4]
            return f'{name} ~ "{part.upper()}"', lambda i: part.lower() in column[i].lower()
        if kind == "in":
            other = self.rng.choice(column)
            return f'label:{name} in ({spelled}, "{other}")', lambda i: column[i] in (value, other)
        return f"{name} {kind} {spelled}", lambda i: (column[i] == value) == (kind == "=")

    def _mark(self) -> tuple[str, Holds]:
        name = self.rng.choice(list(self.columns.marks))
        return f'mark:"{name}"', lambda i: i in self.columns.marks[name]


def cases(columns: Columns, size: int, count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Conditions with the segments that they choose."""
    source = Conditions(columns, seed)
    made = (source.condition() for _ in range(count))
    return [{"text": text, "chosen": [i for i in range(size) if holds(i)]} for text, holds in made]
