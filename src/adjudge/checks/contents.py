"""What should come through a translation unchanged: numbers, addresses, pairs of brackets and quotes.

Small numbers may be written in words in English, German, French and Spanish: 13 as "thirteen".
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from adjudge.checks.corpus import Corpus, Text
from adjudge.checks.findings import Finding, Severity
from adjudge.checks.registry import check, finding
from adjudge.wording import percent_of, pluralise

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
_GROUPS = " \u00a0\u202f\u2009"
# 1,000 and 1.000 and 1'000 and 1 000 (the last with groups of three only), and 3.5 and 3,5.
_NUMBER = re.compile(rf"\d+(?:(?:[.,'’٫٬]|[{_GROUPS}](?=\d{{3}}(?!\d)))\d+)*")
_NO_DIGIT = re.compile(r"\D+")
_DIGITS = re.compile(r"\d+")
# To the end of the line: one match tells all.
_LINE_WITH_DIGIT = re.compile(r"\d.*")
_LINE_WITH_ADDRESS = re.compile(r"(?:@|://|www\.).*")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
# Units that other languages count in otherwise: 3万 is 30,000, and 3 thousand may be 3 000.
_UNIT = re.compile(r"\s*[万萬亿億千百兆만억천十]")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"'“”«»（），。、]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PAIRS = ("()", "[]", "{}", "（）", "【】", "「」", "«»")
# “ opens in English and closes in German, ” opens in Swedish: what counts is that they are even in number.
_CURLED = "“”„‟"
_LINE_WITH_SIGN = re.compile("[" + re.escape("".join(_PAIRS)) + '"' + _CURLED + "].*")
SMALL = 12
"""Numbers up to this are spelled out in many languages."""


@cache
def _digits() -> dict[int, str]:
    """Digits of all scripts as 0 to 9."""
    every = map(chr, range(0x80, sys.maxunicode + 1))
    return {ord(c): str(unicodedata.digit(c)) for c in every if c.isdecimal()}


def numbers_of(segment: str) -> dict[str, str]:
    """The numbers that should survive, by their digits without zeros at either end, each as it is first written there.

    Those count that are above SMALL, without units of other languages.
    """
    western = segment
    if not segment.isascii() and _OTHER_DIGIT.search(segment):
        western = segment.translate(_digits())
    found_here: dict[str, str] = {}
    for match in _NUMBER.finditer(western):
        number = match[0]
        digits = (number if number.isdecimal() else _NO_DIGIT.sub("", number)).strip("0")
        if digits and (len(digits) > 2 or int(digits) > SMALL) and not _UNIT.match(western, match.end()):
            found_here.setdefault(digits, segment[slice(*match.span())])
    return found_here


def digits_of(segment: str) -> str:
    """All digits of a segment in one string."""
    if not segment.isascii() and _OTHER_DIGIT.search(segment):
        segment = segment.translate(_digits())
    return "".join(_DIGITS.findall(segment))


@check(
    "numbers",
    "numbers of source and reference that the output does not have, in whatever digits and format, or in words",
    "warning note",
    "Numbers are what readers trust most. 1,000, 1.000 and 1 000 count as the same; look at the lines named.",
)
def numbers(corpus: Corpus) -> Iterator[Finding]:
    """Numbers that all texts beside the output have."""
    wanted = _expected_contents(corpus, numbers_of, _LINE_WITH_DIGIT)
    total = sum(map(len, wanted.values()))
    for text in corpus.outputs:
        lost = []
        for line, expected in wanted.items():
            segment = text.segments[line]
            digits = digits_of(segment)
            missing = {number: written for number, written in expected.items() if number not in digits}
            missing = {key: number for key, number in missing.items() if not is_spelled_out(key, segment)}
            if missing and segment.strip():
                lost.append((line, missing))
        yield from _report_lost(text, lost, total, "number")


@check(
    "addresses",
    "web and e-mail addresses of source and reference that the output does not have",
    "warning note",
    "An address with one letter changed leads nowhere: keep addresses out of the system's hands.",
)
def addresses(corpus: Corpus) -> Iterator[Finding]:
    """Addresses that all texts beside the output have."""
    wanted = _expected_contents(corpus, _lowered_addresses, _LINE_WITH_ADDRESS)
    total = sum(map(len, wanted.values()))
    for text in corpus.outputs:
        lost = []
        for line, expected in wanted.items():
            lowered = text.segments[line].lower()
            missing = {address: address for address in expected if address not in lowered}
            if missing and lowered.strip():
                lost.append((line, missing))
        yield from _report_lost(text, lost, total, "address")


def addresses_of(segment: str) -> set[str]:
    """Web and e-mail addresses without the punctuation behind them."""
    return {match.rstrip(".,;:!?)…") for match in _ADDRESS.findall(segment.lower())}


def _lowered_addresses(segment: str) -> dict[str, str]:
    """Addresses as they are compared and as they are named: alike."""
    return {address: address for address in addresses_of(segment)}


def _expected_contents(
    corpus: Corpus, take: Callable[[str], dict[str, str]], pattern: re.Pattern[str]
) -> dict[int, dict[str, str]]:
    """What source and all references have in common, by line; only lines that the pattern matches have any.

    It is written as the source has it, or else the last reference.
    """
    beside = (*corpus.references, *((corpus.sources,) if corpus.sources is not None else ()))
    wanted: dict[int, dict[str, str]] = {}
    if not beside:
        return wanted
    for line in beside[-1].lines_with(pattern):
        if items := take(beside[-1].segments[line]):
            for other in beside[:-1]:
                if other.given[line] is not None:
                    known = take(other.segments[line])
                    items = {key: written for key, written in items.items() if key in known}
            if items:
                wanted[line] = items
    return wanted


def _report_lost(
    text: Text, lost: list[tuple[int, dict[str, str]]], total: int, noun: str
) -> Iterator[Finding]:
    number = sum(len(missing) for _, missing in lost)
    if not number:
        return
    severity: Severity = "warning" if number > max(3, 0.1 * total) else "note"
    line, missing = lost[0]
    share, example = percent_of(number / total), f"{missing[min(missing)]} in line {line + 1:,}"
    what = f"lacks {number:,} of {pluralise(total, noun)} ({share}), as {example}"
    yield finding(text, severity, what, lines=[line for line, _ in lost], count=number)


@check(
    "brackets",
    "brackets and quotes that do not come in pairs although they do in source and reference",
    "warning note",
    "A sign of lines cut off, or of text lost between brackets.",
)
def brackets(corpus: Corpus) -> Iterator[Finding]:
    """Open without close, or an odd number of quotes."""
    for text in corpus.outputs:
        signs = [pair for pair in _PAIRS if pair[0] in text.characters or pair[1] in text.characters]
        if not signs and text.characters.isdisjoint('"' + _CURLED):
            continue
        beside = corpus.beside(text)
        lines = [
            line
            for line in (text.lines_with(_LINE_WITH_SIGN) if beside else ())
            if not is_balanced(text.segments[line], signs)
            and all(is_balanced(other.segments[line], _PAIRS) for other in beside)
            and any(_has_pairs(other.segments[line]) for other in beside)
        ]
        share = len(lines) / max(1, len(text))
        # Speech that goes on over several segments opens in one and closes in another.
        if len(lines) > 1 and share > 0.005:
            severity: Severity = "warning" if share > 0.03 else "note"
            what = (
                f"has unpaired brackets or quotes in {pluralise(len(lines), text.unit)} ({percent_of(share)})"
            )
            yield finding(text, severity, what, lines=lines)


def is_balanced(segment: str, pairs: tuple[str, ...] | list[str]) -> bool:
    """Whether every kind of bracket opens as often as it closes, and quotes are even in number."""
    if quotes_in(segment) % 2:
        return False
    return all(segment.count(pair[0]) == segment.count(pair[1]) for pair in pairs)


def quotes_in(segment: str) -> int:
    """How many double quotation marks there are, of whatever form."""
    return segment.count('"') + (0 if segment.isascii() else sum(map(segment.count, _CURLED)))


def _has_pairs(segment: str) -> bool:
    return quotes_in(segment) > 0 or any(sign in segment for pair in _PAIRS for sign in pair)


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
