"""Porter's stemmer (1980) with the departures of its author's own programs, as TERp uses it."""

from __future__ import annotations

from functools import lru_cache

_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ou"),
    *("ism", "ate", "iti", "ous", "ive", "ize"),
)


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """The stem of a lower-cased English word; words of one or two letters are their own."""
    if len(word) <= 2:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    if len(word) > 1:
        word = _replace_suffix(word, _STEP_2)
    word = _replace_suffix(word, _STEP_3)
    if len(word) > 1:
        word = _cut(word)
    return _end(word)


def _forms(word: str) -> str:
    """Each letter as c or v."""
    forms = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and forms.endswith("c"))
        forms += "v" if vowel else "c"
    return forms


def _has_vowel(word: str) -> bool:
    return "v" in _forms(word)


def _measure(word: str) -> int:
    """How often a consonant follows a vowel."""
    return _forms(word).count("vc")


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _forms(word)[-1] == "c"


def _short(word: str) -> bool:
    """Whether the word ends in consonant, vowel, consonant, the last none of w, x, y."""
    return _forms(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(base := word.removesuffix(suffix)):
            if base.endswith(("at", "bl", "iz")):
                return base + "e"
            if _ends_double(base):
                return base if base[-1] in "lsz" else base[:-1]
            return base + "e" if _measure(base) == 1 and _short(base) else base
    return word


def _replace_suffix(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    for suffix, ending in rules:
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            return base + ending if _measure(base) > 0 else word
    return word


def _cut(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            base = word.removesuffix(suffix)
            if suffix in ("sion", "tion"):
                base += suffix[0]
            return base if _measure(base) > 1 else word
    return word


def _end(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _short(base)):
            word = base
    return word[:-1] if word.endswith("l") and _ends_double(word) and _measure(word) > 1 else word
