"""Links into the segment browser: what it shows, as an address; any number of a report can lead to its segments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal
from urllib.parse import quote

Show = Literal["all", "different", "changed"]
Order = Literal["", "up", "down"]
Within = Literal["", "source", "reference", "output"]
_WORD = re.compile(r"[^\W\d]\w*")
_RESERVED = {"and", "or", "not", "in", "missing", "delta", "abs"}


@dataclass(frozen=True)
class View:
    """What the browser shows; what is empty is as usual."""

    where: str = ""
    """A condition: `chrf < 40 and domain = news` (docs/segments.md)."""
    sort: str = ""
    """The name of a score, a label or a class of errors, with Δ before it for the difference to the baseline."""
    order: Order = ""
    """Rising or falling; empty: the worst first, or for a difference the greatest loss."""
    system: str = ""
    """The one looked at; empty: the first that is not the baseline."""
    baseline: str = ""
    """The one it is held against; empty: the first, `-` for none."""
    search: str = ""
    """Words that stand in any text of a segment."""
    regex: bool = False
    """Whether they are a regular expression."""
    within: Within = ""
    """Where they are searched; empty: in all texts."""
    against: Literal["", "reference", "nothing"] = ""
    """What words are compared with; empty: the baseline's output."""
    show: Show | Literal[""] = ""
    """All, those that differ from the baseline, or of those the words that changed alone; empty: all."""
    segment: str = ""
    """The identifier of the one that is opened."""


def segment_link(view: View) -> str:
    """The address of a view on the same page."""
    parts = []
    for each in fields(view):
        value = getattr(view, each.name)
        if value:
            parts.append(f"{each.name}={'1' if value is True else quote(value, safe='')}")
    return "#segments" + ("?" + "&".join(parts) if parts else "")


def name_in_condition(name: str) -> str:
    """A name, or the value of a label, as conditions have it: in quotes where it is more than a word."""
    if _WORD.fullmatch(name) and name.lower() not in _RESERVED:
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def of_mark(name: str) -> str:
    """The condition that a segment belongs to a named set."""
    return f"mark:{name_in_condition(name)}"


def of_label(name: str, value: str) -> str:
    """The condition that a label has a value."""
    return f"label:{name_in_condition(name)} = {name_in_condition(value)}"


def of_any_label(name: str, values: Sequence[str]) -> str:
    """The condition that a label has one of several values."""
    if len(values) == 1:
        return of_label(name, values[0])
    return f"label:{name_in_condition(name)} in ({', '.join(map(name_in_condition, values))})"


def of_present_label(name: str) -> str:
    """The condition that a label has any value."""
    return f"label:{name_in_condition(name)} != missing"
