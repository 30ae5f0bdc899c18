"""Small numbers in words, in English, German, French and Spanish: 13 may stand as "thirteen" in a translation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_ENGLISH = str.split(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ENGLISH_TENS = str.split("twenty thirty forty fifty sixty seventy eighty ninety")
_GERMAN = str.split(
    "ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_GERMAN_TENS = str.split("zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig")
_FRENCH = str.split(
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit "
    "dix_neuf"
)
_FRENCH_TENS = str.split("vingt trente quarante cinquante soixante soixante quatre_vingt quatre_vingt")
_SPANISH = str.split(
    "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho "
    "diecinueve"
)
_SPANISH_TENS = str.split("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_BETWEEN = re.compile(r"[\s\-‐‑]+")


def is_spelled_out(digits: str, segment: str) -> bool:
    """Whether a number of at most two digits stands in a segment as a word, or as the start of one."""
    if len(digits) > 2 or not int(digits):
        return False
    return _pattern(int(digits)).search(_plain(segment)) is not None


@cache
def _pattern(number: int) -> re.Pattern[str]:
    words = "|".join(sorted(re.escape(word.replace("_", " ")) for word in _words(number)))
    # Inflected and joined words start with the number: thirteenth, dreizehnjährig, treizième.
    return re.compile(rf"\b(?:{words})")


def _words(number: int) -> Iterator[str]:
    tens, ones = divmod(number, 10)
    if number < 20:
        yield from (words[number - 1] for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH))
        return
    place = tens - 2
    if not ones:
        yield from (words[place] for words in (_ENGLISH_TENS, _GERMAN_TENS, _SPANISH_TENS))
    else:
        yield f"{_ENGLISH_TENS[place]} {_ENGLISH[ones - 1]}"
        yield f"{_GERMAN[ones - 1]}und{_GERMAN_TENS[place]}"
        yield f"veinti{_SPANISH[ones - 1]}" if tens == 2 else f"{_SPANISH_TENS[place]} y {_SPANISH[ones - 1]}"
    # French counts on from 60 and from 80 up to nineteen: soixante-quinze, quatre-vingt-dix.
    rest = ones + 10 if tens in (7, 9) else ones
    joined = " et " if rest in (1, 11) and tens < 8 else " "
    yield _FRENCH_TENS[place] + (joined + _FRENCH[rest - 1] if rest else "")


def _plain(segment: str) -> str:
    """In small letters without accents, hyphens as spaces."""
    marks = unicodedata.normalize("NFKD", segment.casefold())
    return _BETWEEN.sub(" ", "".join(c for c in marks if not unicodedata.combining(c)))
