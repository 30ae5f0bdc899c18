"""Kinds of errors that can be marked: categories with subcategories, and severities, from a TOML file.

severities = ["minor", "major"]

[categories]
Accuracy = ["Addition", "Omission"]
Other = []

[weights]  # what errors count; needed for severities that are not critical, major, minor or neutral
minor = 1
major = 5

[definitions]  # what annotators may look up; as many as one likes
"Accuracy/Addition" = "The translation says something that is not there."
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudge.data.error_weights import SEVERITIES
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io import fields, toml_places
from adjudge.io.files import read_bytes, whole_text

FOLDER = Path(__file__).parent / "typologies"
FIELDS = ("severities", "categories", "weights", "definitions")


@dataclass(frozen=True)
class Typology:
    """A typology of errors."""

    name: str
    severities: tuple[str, ...]
    categories: tuple[tuple[str, tuple[str, ...]], ...]
    definitions: tuple[tuple[str, str], ...] = ()
    """Definitions, by Category or Category/Subcategory."""
    weights: tuple[tuple[str, float], ...] = ()
    """Weights of severities, where the typology has them."""


def shipped_typologies() -> list[str]:
    """The names of the shipped typologies."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(named: str | Mapping[str, Any]) -> Typology:
    """A typology by the name of a shipped one, from a file, or from the content of a file (`table`)."""
    if not isinstance(named, str):
        inner = {key: value for key, value in named.items() if key != "name"}
        return _check_typology(inner, "typology", str(named.get("name", "own")))
    path = _path(named)
    return _check_typology(_read(path), str(path), path.stem)


def table(named: str, folder: str | Path = ".") -> str | dict[str, Any]:
    """What a campaign keeps of a typology: the name of one that comes along, or all that a file in `folder` holds.

    So a campaign goes on without the file, on any machine.
    """
    if named in shipped_typologies():
        return named
    path = _path(str(Path(folder) / named), named)
    content = _read(path)
    _check_typology(content, str(path), path.stem)
    return {"name": path.stem, **content}


def check_weights(severities: tuple[str, ...], weights: tuple[tuple[str, float], ...]) -> None:
    """Refuse severities without a known weight."""
    unknown = [severity for severity in severities if severity.lower() not in SEVERITIES]
    if unknown and not weights:
        raise DataError(
            f"typology: severities: what {', '.join(unknown)} count is not known (only of {', '.join(SEVERITIES)}); "
            f"say it in a table [weights] of the typology, as in {unknown[0]} = 1"
        )


def _path(place: str, named: str = "") -> Path:
    path = FOLDER / f"{place}.toml" if place in shipped_typologies() else Path(place)
    if not path.is_file():
        raise UsageError(
            f"typology: no file {named or place!r}, and none of this name comes along "
            f"(known: {', '.join(shipped_typologies())})"
        )
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        return toml_places.loads(whole_text(str(path), read_bytes(str(path))[0]))
    except ValueError as error:
        raise DataError(f"{path}: no typology can be read: {error}") from None


def _check_typology(content: Mapping[str, Any], place: str, name: str) -> Typology:
    for field in content:
        if field not in FIELDS:
            raise DataError(f"{place}: {unknown_name('field', field, FIELDS)}")
    severities, categories = content.get("severities"), content.get("categories")
    if not _is_list(severities) or not severities:
        raise DataError(f'{place}: severities: a list of names was expected, as in ["minor", "major"]')
    if not isinstance(categories, dict) or not categories:
        raise DataError(
            f'{place}: categories: a table was expected, as in Accuracy = ["Addition", "Omission"]'
        )
    for category, inner in categories.items():
        if not _is_list(inner):
            raise DataError(f"{place}: categories.{category}: a list of subcategories was expected, or []")
        if "/" in category or any("/" in part for part in inner):
            raise DataError(
                f"{place}: categories.{category}: a slash divides categories from subcategories; no name has one"
            )
    return Typology(
        name,
        tuple(severities),
        tuple((category, tuple(inner)) for category, inner in categories.items()),
        _definitions(content.get("definitions", {}), categories, place),
        _weights(content.get("weights", {}), severities, place),
    )


def _weights(given: Any, severities: list[str], place: str) -> tuple[tuple[str, float], ...]:
    if not isinstance(given, dict) or not all(_is_weight(number) for number in given.values()):
        raise DataError(f"{place}: weights: a table of numbers from 0 up was expected, as in minor = 1")
    for severity in given:
        if severity not in severities:
            raise unknown_name(f"{place}: weights: severity", severity, severities)
    missing = [severity for severity in severities if given and severity not in given]
    if missing:
        raise DataError(
            f"{place}: weights: {', '.join(missing)} has none; give one to every severity or to none"
        )
    return tuple((severity, float(given[severity])) for severity in severities if given)


def _is_weight(number: Any) -> bool:
    return (weight := fields.finite(number)) is not None and weight >= 0


def _definitions(given: Any, categories: Mapping[str, list[str]], place: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, dict) or not fields.is_texts(list(given.values())):
        raise DataError(
            f'{place}: definitions: a table of texts was expected, as in Accuracy = "It is wrong."'
        )
    known = {*categories, *(f"{name}/{below}" for name, inner in categories.items() for below in inner)}
    for category in given:
        if category not in known:
            raise DataError(f"{place}: definitions: there is no category {category!r}")
    return tuple(given.items())


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(entry, str) and entry for entry in value)
        and len(set(value)) == len(value)
    )
