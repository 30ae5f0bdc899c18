"""Lemmas of single words, by simplemma: `houses` and `house` are the same word, wherever they stand."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from functools import cache
from typing import Any

from adjudge.data import languages
from adjudge.errors import MissingExtraError, UsageError

Lemmatizer = Callable[[str], str]


@cache
def lemmatizer(language: str) -> Lemmatizer:
    """What gives a word of this language, named by code or name, its lemma; each word is looked up once."""
    simplemma = _simplemma()
    code = languages.code(language)
    known = {"no": "nb"}.get(code, code)
    try:
        simplemma.lemmatize("a", lang=known)
    except (TypeError, ValueError):
        raise UsageError(
            f"simplemma knows no lemmas of {languages.name(code).title()}: take words as they stand, words=exact"
        ) from None
    return cache(lambda word: str(simplemma.lemmatize(word, lang=known)))


def signature() -> str:
    """Whose lemmas these are."""
    _simplemma()
    return f"simplemma-{importlib.metadata.version('simplemma')}"


def _simplemma() -> Any:
    try:
        import simplemma
    except ImportError:
        raise MissingExtraError("words=lemma", "lemmas") from None
    return simplemma
