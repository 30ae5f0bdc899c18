"""Checks of names of campaigns, systems and annotators, which become parts of addresses."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudge.errors import DataError

if TYPE_CHECKING:
    from adjudge.campaigns.campaign import Campaign

SIGNS = {"/": "a slash", "\\": "a backslash", "=": "an equals sign"}
"""Separators of addresses, paths and NAME=FILE, which names must not contain."""


def check(campaign: Campaign) -> None:
    """Refuse a name of a new campaign, or in it, that an address, a table or a command could not hold."""
    check_campaign(campaign.name)
    check_systems([*campaign.systems, campaign.reference_name])
    for field, names in (("names", campaign.annotators.names), ("judges", campaign.annotators.judges)):
        check_annotators(names, f"annotators.{field}")


def check_campaign(name: str) -> None:
    """Check the name of a campaign."""
    if name in (".", ".."):
        raise DataError(f"name: {name!r} is no name of a campaign; write letters or digits")
    _refuse("name", name, SIGNS)


def check_systems(names: Iterable[str], where: str = "systems") -> None:
    """Check the names of systems."""
    for name in names:
        _refuse(where, name, SIGNS)


def check_annotators(names: Iterable[str], where: str = "annotators") -> None:
    """Check the names of annotators, which may be any text on one line."""
    for name in names:
        _refuse(where, name, {})


def _refuse(where: str, name: str, signs: dict[str, str]) -> None:
    for place, sign in enumerate(name, 1):
        if sign in signs:
            raise DataError(
                f"{where}: {name!r} holds {signs[sign]}, which no name can; take another, such as -"
            )
        if unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Cs") or sign in "\u202a\u202b\u202c\u202d\u202e":
            code = f"U+{ord(sign):04X}"
            raise DataError(
                f"{where}: character {place} of {name!r} is a control character ({code}); take it out"
            )
    if name != name.strip():
        raise DataError(f"{where}: {name!r} begins or ends with a space; take it away")
