"""Names of languages: ISO codes, English names and METEOR's own abbreviations, folded into one code."""

from __future__ import annotations

import re

from adjudge.errors import unknown_name

NAMES = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""ISO 639-1 code to the English name that METEOR and Snowball use, for every language one of them knows."""

# METEOR's abbreviations that are no ISO code (its `se` would be Northern Sami), both Norwegians, three-letter codes.
_ALIASES = {
    "cz": "cs",
    "nb": "no",
    "nn": "no",
    "se": "sv",
    "xx": "other",
    "ara": "ar",
    "ces": "cs",
    "deu": "de",
    "eng": "en",
    "fra": "fr",
    "rus": "ru",
    "spa": "es",
}


def code(language: str) -> str:
    """The code of a language given by code (`de`, `pt-BR`, METEOR's `cz`) or English name; `other` stays.

    A well-formed code that nobody here knows comes back as it is: METEOR treats such languages as `other`.
    """
    folded = language.strip().lower()
    base = re.split(r"[-_]", folded, maxsplit=1)[0]
    by_name = {name: iso for iso, name in NAMES.items()}
    if folded == "other" or folded in by_name:
        return by_name.get(folded, folded)
    if not re.fullmatch(r"[a-z]{2,3}", base):
        raise unknown_name("language", language, [*NAMES, *by_name, "other"])
    return _ALIASES.get(base, base)


def target(language: str) -> str:
    """The code of the language that is translated into: `en-de` is a pair, `pt-BR` one language and its country."""
    *_, last = language.strip().replace("_", "-").split("-")
    return code(last if last.islower() else language)


def name(language: str) -> str:
    """The English name of a language, its code where we have no name for it."""
    folded = code(language)
    return NAMES.get(folded, folded)
