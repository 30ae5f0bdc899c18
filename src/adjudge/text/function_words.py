"""Function words, which METEOR weighs apart: its own lists, and lists derived from a corpus.

A list is a text file, one word a line; blank lines and surrounding spaces do not count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from adjudge.errors import DataError, UsageError
from adjudge.io.atomic_write import write_whole
from adjudge.text import meteor_tokens
from adjudge.text.resources import Resource, Resources

# Denkowski and Lavie 2014, "Meteor Universal", and METEOR 1.5's own program (Parex): words above this share.
SHARE = 1e-3
PIECE = 100_000  # lines of a corpus cut into words at a time


def function_words(language: str, resources: Resources) -> frozenset[str]:
    """A language's list, none where METEOR has none; METEOR looks the lower-cased token up in it."""
    resource = resources.function_words(language)
    return frozenset() if resource is None else _read_list(resource)


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
    if total * share < 1:
        raise DataError(
            f"function words are those with a share above {share:g}, but of {total:,} tokens every one has more; "
            "take a larger corpus, of a million words or so"
        )
    return frozenset(word for word, count in counts.items() if count / total > share)


def of_corpus(
    path: str, *, language: str, normalize: bool, resources: Resources | None = None
) -> frozenset[str]:
    """The function words of a corpus in a file, a segment a line, cut into words as METEOR does it."""
    resources = resources or Resources()
    lines = Resource(Path(path)).lines()

    def sentences() -> Iterator[list[str]]:
        for start in range(0, len(lines), PIECE):
            yield from meteor_tokens.tokens(
                lines[start : start + PIECE], language=language, normalize=normalize, resources=resources
            )

    try:
        return derive(sentences())
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def write(words: Iterable[str], path: str) -> None:
    """Write a list, sorted, one word a line."""
    write_whole(path, "".join(f"{word}\n" for word in sorted(words)).encode())


def read(path: str) -> frozenset[str]:
    """Read a list from a file of the user's."""
    words = _read_list(Resource(Path(path)))
    if not words:
        raise DataError(f"{path}: no word in it; a list of function words has one a line")
    return words


def _read_list(resource: Resource) -> frozenset[str]:
    return _words(str(resource), resource.lines())


def _words(path: str, lines: Iterable[str]) -> frozenset[str]:
    words = set()
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if len(word.split()) > 1:
            raise DataError(f"{path}, line {number}: {word!r} is more than one word; one a line was expected")
        if word:
            words.add(word)
    return frozenset(words)
