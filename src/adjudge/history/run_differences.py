"""Differences between two JSON documents of the same shape, with readable names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.history.stored import same

KEYS = {
    "results": ("test_set", "system", "run", "metric"),
    "means": ("system", "metric"),
    "pairs": ("metric", "a", "b"),
    "groups": ("by",),
}
"""The fields that identify the entries of a list, so that their order does not matter."""
PARTS = {"results": "result", "means": "mean", "pairs": "pair"}


@dataclass(frozen=True)
class FieldChange:
    """A value that differs."""

    part: str
    where: str
    field: str
    stored: Any
    now: Any
    message: str = ""


def differences(
    stored: Mapping[str, Any], now: Mapping[str, Any], *, complete: bool = True
) -> tuple[int, list[FieldChange], list[str]]:
    """How many values of `stored` were compared with `now`, those that differ, and names that `now` does not have.

    Unless the documents are `complete`, entries and fields that only one of them has are no difference.
    """
    comparer = _Comparer(complete)
    comparer.objects(stored, now, _Place())
    return comparer.count, comparer.found, list(dict.fromkeys(comparer.unknown))


@dataclass(frozen=True)
class _Place:
    part: str = ""
    where: str = ""
    field: str = ""


class _Comparer:
    def __init__(self, complete: bool) -> None:
        self.complete = complete
        self.count = 0
        self.found: list[FieldChange] = []
        self.unknown: list[str] = []

    def objects(self, old: Mapping[str, Any], new: Mapping[str, Any], place: _Place) -> None:
        for name, value in old.items():
            inner = _Place(place.part or name, place.where, f"{place.field}.{name}" if place.field else name)
            if name not in new:
                if self.complete:
                    self.unknown.append(f"{place.part}.{name}" if place.part else name)
            elif name in KEYS and _entries(value) and _entries(new[name]):
                self.entries(value, new[name], name, place)
            else:
                self.values(value, new[name], inner)

    def entries(self, old: Sequence[Any], new: Sequence[Any], name: str, place: _Place) -> None:
        part = PARTS.get(name, name)
        known = {_key(entry, name): entry for entry in new}
        seen = set()
        for entry in old:
            key = _key(entry, name)
            where = _where(entry, name, place.where)
            seen.add(key)
            if key in known:
                self.objects(entry, known[key], _Place(part, where))
            elif self.complete:
                self._add(_Place(part, where), None, None, "is not a result of these files")
        for entry in new:
            if _key(entry, name) not in seen and self.complete:
                self._add(
                    _Place(part, _where(entry, name, place.where)), None, None, "is missing in the file"
                )

    def values(self, old: Any, new: Any, place: _Place) -> None:
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            self.objects(old, new, place)
        elif _entries(old) and _entries(new) and len(old) == len(new):
            for number, (entry, other) in enumerate(zip(old, new, strict=True)):
                self.objects(entry, other, _Place(place.part, place.where, f"{place.field}[{number}]"))
        elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
            self.lists(old, new, place)
        else:
            self.count += 1
            if not _equal(old, new):
                self._add(place, old, new)

    def lists(self, old: Sequence[Any], new: Sequence[Any], place: _Place) -> None:
        """Compare lists of numbers or sentences; all differences are reported as one."""
        self.count += len(old)
        if len(old) != len(new):
            self._add(place, None, None, f"has {len(old)} entries, {len(new)} are right")
            return
        wrong = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if not _equal(a, b)]
        if wrong:
            first = wrong[0]
            number = f"{place.field}[{first}]"
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            self._add(_Place(place.part, place.where, number + more), old[first], new[first])

    def _add(self, place: _Place, old: Any, new: Any, message: str = "") -> None:
        self.found.append(FieldChange(place.part, place.where, place.field, old, new, message))


def _entries(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(entry, Mapping) for entry in value)


def _key(entry: Mapping[str, Any], name: str) -> tuple[str, ...]:
    def text(value: Any) -> str:
        return repr(sorted(value.items())) if isinstance(value, Mapping) else repr(value or None)

    return tuple(text(entry.get(field)) for field in KEYS[name])


def _where(entry: Mapping[str, Any], name: str, outer: str) -> str:
    if name == "groups":
        by = entry.get("by")
        pairs = by.items() if isinstance(by, Mapping) else ()
        return ", ".join(f"{label} {value}" for label, value in pairs) or "everything"
    if name == "pairs":
        place = f"{entry.get('a')} and {entry.get('b')} by {entry.get('metric')}"
    else:
        run = f" (run {entry['run']})" if entry.get("run") else ""
        on = f" on {entry['test_set']}" if entry.get("test_set") else ""
        place = f"{entry.get('system')}{run}{on} by {entry.get('metric')}"
    return f"{place} ({outer})" if outer else place


def _equal(old: Any, new: Any) -> bool:
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        return len(old) == len(new) and all(map(_equal, old, new))
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
    if numbers:
        try:
            return same(float(old), float(new)) and math.isfinite(float(old))
        except OverflowError:
            return False
    return type(old) is type(new) and bool(old == new)
