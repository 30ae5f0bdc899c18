"""Stems by Snowball, on the token as it stands: METEOR's languages in the core, in METEOR 1.5's edition of the rules.

Snowball has since changed the rules of every one of them (Dutch is another algorithm, Swedish cuts -et, Romanian knows
ș and ț), so the installed package would give other stems, and other scores, than METEOR. For languages METEOR does not
stem the installed package decides, and so it does for all where its edition is asked for; `signature` says which one.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable
from functools import cache, partial
from typing import Literal

from adjudge import _native
from adjudge.data import languages
from adjudge.errors import MissingExtraError, UsageError

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
