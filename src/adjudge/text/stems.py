"""Stems by Snowball, on the token as it stands; English and German in the core, in METEOR's edition of the rules.

Snowball 3 changed its English and German (technologist, organic, emergency; arbeitet, Benutzerin, aktuell), so the
installed package would give other stems than METEOR 1.5, and it is some fifty times slower. Russian is
METEOR's too. For the other languages the installed package decides: METEOR's edition of those is
snowballstemmer's before 3 (but for French words with ë or ï), and `edition` says which one it is.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable
from functools import cache

from adjudge import _native
from adjudge.errors import MissingExtraError, UsageError, unknown_name
from adjudge.text import languages

LANGUAGES = dict(languages.NAMES)
"""ISO code to Snowball's name, for every language that Snowball stems."""

Stemmer = Callable[[str], str]
IN_THE_CORE: dict[str, Stemmer] = {"de": _native.stem_german, "en": _native.stem_english}


def stemmer(language: str) -> Stemmer:
    """The stemmer of a language, given by code or name."""
    iso = languages.code(language)
    if iso not in LANGUAGES:
        raise unknown_name("stemmer", language, LANGUAGES, "Snowball has none for this language")
    return _stemmer(iso)


def edition(language: str) -> str:
    """Whose rules these are, for a signature: METEOR's, or those of the snowballstemmer that is installed."""
    stemmer(language)
    if languages.code(language) in (*IN_THE_CORE, "ru"):
        return "meteor-1.5"
    return f"snowballstemmer-{importlib.metadata.version('snowballstemmer')}"


@cache
def _stemmer(iso: str) -> Stemmer:
    if iso in IN_THE_CORE:
        return IN_THE_CORE[iso]
    stem = _snowball(LANGUAGES[iso])
    return _russian(stem) if iso == "ru" else stem


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


def _russian(stem: Stemmer) -> Stemmer:
    # METEOR's edition leaves ё alone; later ones make it е. A character that is in no rule stands in for it.
    def apply(word: str) -> str:
        return stem(word.replace("ё", "\ue000")).replace("\ue000", "ё") if "ё" in word else stem(word)

    return apply
