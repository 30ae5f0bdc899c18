"""The options of a comparison as they stand in files: which there are, and of which kind."""

from __future__ import annotations

from typing import Any

from adjudge.io.fields import Fields

TEXTS = ("baseline", "method", "sampling", "interval", "unit", "strata", "correction", "family")
WHOLES = ("trials", "resamples", "seed")
NUMBERS = ("level", "alpha")
MOST = 10**9
"""Trials that anyone would wait for."""
OPTIONAL = ("baseline", "strata", "trials", "resamples")


def checked_options(fields: Fields) -> dict[str, Any]:
    """Keywords of `compare` from an object that holds them, perhaps among others."""
    found: dict[str, Any] = {}
    for name in (*TEXTS, *WHOLES, *NUMBERS):
        if name not in fields.values:
            continue
        if name not in fields:
            if name not in OPTIONAL:
                raise fields.fault(name, "null, but a value was expected")
            found[name] = None
        elif name in TEXTS:
            found[name] = fields.take(name, str)
        elif name in WHOLES:
            found[name] = fields.whole(name, 0, 2**64 - 1 if name == "seed" else MOST)
        else:
            found[name] = fields.number(name)
    if "margin" in fields:
        found["margin"] = _margin(fields)
    if "by" in fields:
        found["by"] = fields.texts("by")
    return found


def _margin(fields: Fields) -> float | dict[str, float]:
    """One number, or one for each metric that has one."""
    if not isinstance(fields.values["margin"], dict):
        return fields.number("margin")
    margins = fields.object("margin")
    return {name: margins.number(name) for name in margins.values}
