"""Where numbers on a page lead: the segments that they are made of, where the page has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _nowhere(*_: str) -> str:
    return ""


@dataclass(frozen=True)
class Addresses:
    """Links of numbers by what these are of; '' where there is nothing to show."""

    system: Callable[[str], str] = _nowhere
    pair: Callable[[str, str], str] = _nowhere
    """Of one system held against another."""
    cell: Callable[[str, str], str] = _nowhere
    """Of a test set and a system."""


NOWHERE = Addresses()
