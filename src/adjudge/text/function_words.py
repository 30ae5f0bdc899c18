"""Function words, which METEOR weighs apart: its own lists, and lists derived from a corpus.

A list is a text file, one word a line; blank lines and surrounding spaces do not count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from adjudge.errors import DataError, UsageError
from adjudge.io import files
from adjudge.text.resources import Resource, Resources

# Denkowski and Lavie 2014, "Meteor Universal", section 4.2: words above this relative frequency.
SHARE = 1e-3


def function_words(language: str, resources: Resources) -> frozenset[str]:
    """A language's list, none where METEOR has none; METEOR looks the lower-cased token up in it."""
    resource = resources.function_words(language)
    return frozenset() if resource is None else _listed(resource)


def derive(sentences: Iterable[Iterable[str]], share: float = SHARE) -> frozenset[str]:
    """The words whose share among all tokens of a corpus is above `share`, lower-cased first."""
    if not (math.isfinite(share) and 0 < share < 1):
        raise UsageError(f"the share of a function word is between 0 and 1, not {share}")
    counts: Counter[str] = Counter()
    for tokens in sentences:
        if isinstance(tokens, str):
            raise UsageError("function words are derived from sentences cut into tokens, not from plain text")
        counts.update(token.lower() for token in tokens)
    total = counts.total()
    if not total:
        raise DataError("function words are derived from a corpus, but there is not a token in this one")
    return frozenset(word for word, count in counts.items() if count > share * total)


def write(words: Iterable[str], path: str) -> None:
    """Write a list, sorted, one word a line."""
    try:
        Path(path).write_text("".join(f"{word}\n" for word in sorted(words)), encoding="utf-8", newline="\n")
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from None


def read(path: str) -> frozenset[str]:
    """Read a list from a file of the user's."""
    words = _words(path, files.lines(path, files.read_bytes(path)[0]))
    if not words:
        raise DataError(f"{path}: no word in it; a list of function words has one a line")
    return words


def _listed(resource: Resource) -> frozenset[str]:
    return _words(str(resource), resource.lines())


def _words(path: str, lines: Iterable[str]) -> frozenset[str]:
    found = set()
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if len(word.split()) > 1:
            raise DataError(f"{path}, line {number}: {word!r} is more than one word; one a line was expected")
        if word:
            found.add(word)
    return frozenset(found)
