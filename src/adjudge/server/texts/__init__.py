"""The words of the interface, one JSON file per language; to add a language, add a file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


def languages() -> list[str]:
    """The available languages."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def catalogue(language: str) -> dict[str, str]:
    """The words of one language; English where one is missing."""
    texts: dict[str, str] = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"))
    if language != "en":
        texts = {**texts, **json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))}
    return texts
