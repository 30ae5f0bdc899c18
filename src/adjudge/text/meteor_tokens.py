"""Words as METEOR 1.5 sees them: its normaliser (`-norm`, `-noPunct`), or the text cut at spaces as it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from adjudge import _native
from adjudge.data import languages
from adjudge.errors import UsageError
from adjudge.text.resources import PREFIXES, Resource, Resources

# METEOR normalises these and refuses the others; what its program holds for them, but never reaches, is used here.
LANGUAGES = PREFIXES
_RULES = {"en": "english", "fr": "french"}


class Prefixes(NamedTuple):
    """Words whose dot stays with them: always, or only before a number."""

    always: list[str]
    before_numbers: list[str]


def texts(
    lines: Sequence[str | None],
    *,
    language: str,
    normalize: bool = True,
    keep_punctuation: bool = True,
    lowercase: bool = True,
    resources: Resources,
    threads: int = 0,
) -> _native.Texts:
    """Each line's words with a space between them, inside the core; METEOR lower-cases after it normalises."""
    if not (normalize or keep_punctuation):
        raise UsageError(
            "punctuation is only left out of normalised text; normalise it too, or keep punctuation"
        )
    rules, prefixes = "plain", Prefixes([], [])
    if normalize:
        iso = languages.code(language)
        rules = _RULES.get(iso, "western") if iso in LANGUAGES else "other"
        resource = resources.nonbreaking_prefixes(iso) if iso in LANGUAGES else None
        if resource is not None:
            status = resource.path.stat()
            prefixes = _prefixes(resource, status.st_size, status.st_mtime_ns)
    crossed = _native.texts(lines)
    return _native.meteor_texts(crossed, rules, keep_punctuation, *prefixes, lowercase, threads)


def tokens(
    lines: Sequence[str | None],
    *,
    language: str,
    normalize: bool = True,
    keep_punctuation: bool = True,
    lowercase: bool = True,
    resources: Resources,
) -> list[list[str]]:
    """The words of each line, none where one is missing."""
    written = texts(
        lines,
        language=language,
        normalize=normalize,
        keep_punctuation=keep_punctuation,
        lowercase=lowercase,
        resources=resources,
    )
    return [line.split(" ") if line else [] for line in written.strings()]


def read_prefixes(resource: Resource) -> Prefixes:
    """A list of non-breaking prefixes: one a line, `#` before a comment, `#NUMERIC_ONLY#` after a word like `No`."""
    prefixes: dict[str, bool] = {}
    for line in resource.lines():
        words = line.split()
        if words and not words[0].startswith("#"):
            prefixes[words[0]] = words[1:2] == ["#NUMERIC_ONLY#"]
    return Prefixes(
        [w for w, numeric in prefixes.items() if not numeric], [w for w, n in prefixes.items() if n]
    )


@lru_cache(maxsize=16)
def _prefixes(resource: Resource, size: int, changed: int) -> Prefixes:
    return read_prefixes(resource)
