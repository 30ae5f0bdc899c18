"""Kinds of errors that can be marked: categories with subcategories, and severities, from a TOML file.

severities = ["minor", "major"]

[categories]
Accuracy = ["Addition", "Omission"]
Other = []
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudge.errors import DataError, UsageError

FOLDER = Path(__file__).parent / "typologies"


@dataclass(frozen=True)
class Typology:
    """What an error can be called."""

    name: str
    severities: tuple[str, ...]
    categories: tuple[tuple[str, tuple[str, ...]], ...]


def shipped() -> list[str]:
    """The typologies that come along."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Typology:
    """A typology that comes along, by its name, or a file's."""
    path = FOLDER / f"{name}.toml" if name in shipped() else Path(name)
    if not path.is_file():
        raise UsageError(
            f"typology: no file {name!r}, and none of this name comes along (known: {', '.join(shipped())})"
        )
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"{path}: no typology can be read: {error}") from None
    return _checked(found, path)


def _checked(found: dict[str, Any], path: Path) -> Typology:
    for name in found:
        if name not in ("severities", "categories"):
            raise DataError(f"{path}: unknown field {name!r} (known: severities, categories)")
    severities, categories = found.get("severities"), found.get("categories")
    if not _is_list(severities) or not severities:
        raise DataError(f'{path}: severities: a list of names was expected, as in ["minor", "major"]')
    if not isinstance(categories, dict) or not categories:
        raise DataError(
            f'{path}: categories: a table was expected, as in Accuracy = ["Addition", "Omission"]'
        )
    for name, inner in categories.items():
        if not _is_list(inner):
            raise DataError(f"{path}: categories.{name}: a list of subcategories was expected, or []")
        if "/" in name or any("/" in one for one in inner):
            raise DataError(
                f"{path}: categories.{name}: a slash divides categories from subcategories; no name has one"
            )
    return Typology(
        path.stem, tuple(severities), tuple((name, tuple(inner)) for name, inner in categories.items())
    )


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(one, str) and one for one in value)
        and len(set(value)) == len(value)
    )
