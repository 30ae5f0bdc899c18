"""Words as METEOR 1.5 sees them: its normaliser (`-norm`, `-noPunct`), or the text cut at spaces as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.text import languages
from adjudge.text.resources import PREFIXES, Resource, Resources

# METEOR normalises these and refuses the others; what its program holds for them, but never reaches, is used here.
LANGUAGES = PREFIXES
_RULES = {"en": "english", "fr": "french"}


class Prefixes(NamedTuple):
    """Words whose dot stays with them: always, or only before a number."""

    always: list[str]
    before_numbers: list[str]


def normalized(
    lines: Sequence[str | None],
    *,
    language: str,
    normalize: bool,
    keep_punctuation: bool,
    resources: Resources,
    threads: int = 0,
) -> list[str | None]:
    """Each line's words with a space between them, None where a line is missing; case stays as it is."""
    if not (normalize or keep_punctuation):
        raise UsageError(
            "punctuation is only left out of normalised text; normalise it too, or keep punctuation"
        )
    rules, prefixes = "plain", Prefixes([], [])
    if normalize:
        iso = languages.code(language)
        rules = _RULES.get(iso, "western") if iso in LANGUAGES else "other"
        resource = resources.nonbreaking_prefixes(iso) if iso in LANGUAGES else None
        prefixes = read_prefixes(resource) if resource is not None else prefixes
    crossed = _native.texts(lines)
    return _native.meteor_normalize(crossed, rules, keep_punctuation, *prefixes, threads)


def tokens(
    lines: Sequence[str | None],
    *,
    language: str,
    normalize: bool = True,
    keep_punctuation: bool = True,
    lowercase: bool = True,
    resources: Resources,
) -> list[list[str]]:
    """The words of each line, none where one is missing; METEOR lower-cases after it normalises."""
    joined = normalized(
        lines,
        language=language,
        normalize=normalize,
        keep_punctuation=keep_punctuation,
        resources=resources,
    )
    fold = str.lower if lowercase else str
    return [fold(line).split(" ") if line else [] for line in joined]


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
    """The same inside the core, where the aligner cuts it at its spaces."""
    joined = normalized(
        lines,
        language=language,
        normalize=normalize,
        keep_punctuation=keep_punctuation,
        resources=resources,
        threads=threads,
    )
    return _native.texts(joined, lowercase=lowercase)


def read_prefixes(resource: Resource) -> Prefixes:
    """A list of non-breaking prefixes: one a line, `#` before a comment, `#NUMERIC_ONLY#` after a word like `No`."""
    found: dict[str, bool] = {}
    for line in resource.lines():
        words = line.split()
        if words and not words[0].startswith("#"):
            found[words[0]] = words[1:2] == ["#NUMERIC_ONLY#"]
    return Prefixes([w for w, numeric in found.items() if not numeric], [w for w, n in found.items() if n])
