"""Names of languages: ISO codes, English names and METEOR's own abbreviations, folded into one code."""

from __future__ import annotations

import re

from adjudge.errors import UsageError, unknown_name

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

# METEOR's abbreviations that are no ISO code (its `se` would be Northern Sami), both Norwegians.
_ALIASES = {"cz": "cs", "nb": "no", "nn": "no", "nob": "no", "nno": "no", "se": "sv", "xx": "other"}
# The codes of three letters of the languages above, some of which have two.
_THREE_LETTERS = """
ara=ar cat=ca ces=cs cze=cs dan=da deu=de ger=de ell=el gre=el eng=en epo=eo spa=es est=et eus=eu baq=eu fas=fa per=fa
fin=fi fra=fr fre=fr gle=ga hin=hi hun=hu hye=hy arm=hy ind=id ita=it lit=lt nep=ne nld=nl dut=nl nor=no pol=pl por=pt
ron=ro rum=ro rus=ru srp=sr sot=st swe=sv tam=ta tur=tr yid=yi
"""
# All of ISO 639-1: two letters that are not among them are a mistake.
_TWO_LETTERS = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et
eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk
kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny
oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_ALIASES |= dict(pair.split("=") for pair in _THREE_LETTERS.split())
_ISO_639_1 = frozenset(_TWO_LETTERS.split())
_COUNTRIES = {"cn": "zh", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk"}


def code(language: str) -> str:
    """The code of a language given by code (`de`, `deu`, `pt-BR`, METEOR's `cz`) or English name; `other` stays.

    The code of a language that nobody here knows comes back as it is: METEOR treats such languages as `other`.
    """
    folded = language.strip().lower()
    base = re.split(r"[-_]", folded, maxsplit=1)[0]
    by_name = {name: iso for iso, name in NAMES.items()}
    if folded == "other" or folded in by_name:
        return by_name.get(folded, folded)
    if base in _COUNTRIES:
        raise UsageError(f"unknown language {language!r}; did you mean {_COUNTRIES[base]!r}?")
    if base in _ALIASES or base in _ISO_639_1 or re.fullmatch(r"[a-z]{3}", base):
        return _ALIASES.get(base, base)
    raise unknown_name(
        "language", language, [*NAMES, *by_name, "other"], "or any language's code: zh, ja, uk, …"
    )


def target(language: str) -> str:
    """The code of the language that is translated into: `en-de` is a pair, `pt-BR` one language and its country."""
    *_, last = language.strip().replace("_", "-").split("-")
    return code(last if last.islower() else language)


def name(language: str) -> str:
    """The English name of a language, its code where we have no name for it."""
    folded = code(language)
    return NAMES.get(folded, folded)
