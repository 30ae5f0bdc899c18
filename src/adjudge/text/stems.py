"""Stems by Snowball, on the token as it stands: METEOR's languages in the core, in METEOR 1.5's edition of the rules.

Snowball has since changed the rules of every one of them (Dutch is another algorithm, Swedish cuts -et, Romanian knows
ș and ț), so the installed package would give other stems, and other scores, than METEOR. For languages METEOR does not
stem the installed package decides, and so it does for all where its edition is asked for; `signature` says which one.

Lemmas of single words come from simplemma: `houses` and `house` are one word wherever they stand.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Literal

from adjudge import _native
from adjudge.data import languages
from adjudge.errors import MissingExtraError, UsageError

Lemmatizer = Callable[[str], str]
LANGUAGES = dict(languages.NAMES)
"""ISO code to Snowball's name, for every language that Snowball stems."""
METEORS = frozenset(_native.stemmer_languages())
"""The languages of METEOR 1.5's stemmers."""

METEOR = "meteor-1.5"

Stemmer = Callable[[str], str]
Edition = Literal["meteor", "snowball"]


def stemmer(language: str, edition: Edition = "meteor") -> Stemmer:
    """The stemmer of a language, given by code or name: METEOR's edition where it has one, else the installed one."""
    iso = languages.code(language)
    if iso not in LANGUAGES:
        raise UsageError(f"Snowball has no stems for {iso!r}, only for {', '.join(sorted(LANGUAGES))}")
    return _stemmer(iso, edition)


def signature(language: str, edition: Edition = "meteor") -> str:
    """Whose rules these are, for a signature: METEOR's, or those of the snowballstemmer that is installed."""
    stemmer(language, edition)
    if edition == "meteor" and languages.code(language) in METEORS:
        return METEOR
    return f"snowballstemmer-{importlib.metadata.version('snowballstemmer')}"


@cache
def _stemmer(iso: str, edition: Edition) -> Stemmer:
    if edition == "meteor" and iso in METEORS:
        return partial(_native.stem, iso)
    return _snowball(LANGUAGES[iso])


def _snowball(name: str) -> Stemmer:
    try:
        import snowballstemmer  # noqa: F401
    except ImportError:
        raise MissingExtraError(f"stems in {name.title()}", "meteor") from None
    # The classes themselves, not snowballstemmer.stemmer(): that one takes whatever PyStemmer is installed instead.
    try:
        module = importlib.import_module(f"snowballstemmer.{name}_stemmer")
    except ImportError:
        raise UsageError(
            f"the installed snowballstemmer has no stemmer for {name.title()}: "
            "pip install --upgrade snowballstemmer"
        ) from None
    stem: Stemmer = getattr(module, f"{name.title()}Stemmer")().stemWord
    return stem


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


def lemma_signature() -> str:
    """Whose lemmas these are."""
    _simplemma()
    return f"simplemma-{importlib.metadata.version('simplemma')}"


def _simplemma() -> Any:
    try:
        import simplemma
    except ImportError:
        raise MissingExtraError("words=lemma", "lemmas") from None
    return simplemma
