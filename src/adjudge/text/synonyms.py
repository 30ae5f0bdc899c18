"""Synonyms as METEOR knows them: two words are synonyms where they, or their base forms, share a synset.

Three sources: METEOR's own files (which the installed `pycocoevalcap` has), the dictionary files of WordNet (Debian's
`wordnet-base`), and the tab files of the Open Multilingual Wordnet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from adjudge.errors import DataError, MissingResourceError
from adjudge.io import files
from adjudge.text import resources as _resources
from adjudge.text.resources import Resource, Resources

# WordNet's rules of detachment in METEOR's order (nouns, verbs, adjectives); the first that yields a known word holds.
DETACHMENTS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
)
# The same by part of speech, as TERp's reader of WordNet has them: it forgets the adjectives in -e.
BY_PART = {
    "noun": DETACHMENTS[:8],
    "verb": (DETACHMENTS[0], *DETACHMENTS[7:14]),
    "adj": DETACHMENTS[14:16],
    "adv": (),
}
PARTS_OF_SPEECH = {"noun": 0, "verb": 1, "adj": 2, "adv": 3}


@dataclass(frozen=True)
class Synonyms:
    """Which synsets a word is in; `name` says where that is known from."""

    name: str
    _listed: Callable[[str], frozenset[int]] = field(repr=False)
    _bases: Callable[[str], tuple[str, ...]] = field(repr=False)

    def synsets(self, word: str) -> frozenset[int]:
        """The synsets of a word and of its base forms; the word is looked up as it stands, case and all."""
        return self._listed(word).union(*map(self._listed, self._bases(word)))

    def ids(self, word: str) -> tuple[int, ...]:
        """The same, sorted."""
        return tuple(sorted(self.synsets(word)))


def meteor_synonyms(resources: Resources) -> Synonyms:
    """METEOR 1.5's English synonyms; it reads english.relations too, but never looks into them."""
    synsets, exceptions, _ = resources.synsets()
    listed = _pairs(synsets)
    if re.search(r"[^0-9 ]", "".join(listed.values())):
        raise DataError(
            f"{synsets}: not METEOR's file of synsets; pairs of lines, a word and numbers, were expected"
        )
    forms: dict[str, tuple[str, ...]] = {}
    for base, inflected in _pairs(exceptions).items():
        for form in inflected.split():
            forms[form] = (*forms.get(form, ()), base)

    def look_up(word: str) -> frozenset[int]:
        return frozenset(map(int, listed.get(word, "").split()))

    return Synonyms("meteor-1.5", look_up, partial(_english_bases, forms=forms, known=listed))


def wordnet(folder: str | Path) -> Synonyms:
    """English synonyms from WordNet's dictionary files: index.noun, noun.exc and so on, for the four parts of speech.

    METEOR forgets the part of speech, so that 296 pairs of unrelated synsets are one to it; here they stay apart.
    """
    listed: dict[str, frozenset[int]] = {}
    forms: dict[str, tuple[str, ...]] = {}
    for part, number in PARTS_OF_SPEECH.items():
        index, exceptions = _files_of(folder, part)
        for word, offsets in _index(index):
            ids = frozenset(offset * len(PARTS_OF_SPEECH) + number for offset in offsets)
            listed[word] = listed.get(word, frozenset()) | ids
        for form, bases in _exceptions(exceptions).items():
            forms[form] = tuple(dict.fromkeys((*forms.get(form, ()), *bases)))
    return Synonyms(
        "wordnet", partial(_listed_in, listed), partial(_english_bases, forms=forms, known=listed)
    )


def terp_synonyms(folder: str | Path) -> Synonyms:
    """The same by TERp's rule: each part of speech apart, and every base form its rules yield, not only the first."""
    count = len(PARTS_OF_SPEECH)
    parts = {}
    for part, number in PARTS_OF_SPEECH.items():
        index, exceptions = _files_of(folder, part)
        # Few words are ever asked for, so lines are taken apart when they are.
        lines = {line.partition(" ")[0]: line for line in index.lines() if not line.startswith("  ")}
        parts[part] = number, index, lines, _exceptions(exceptions)

    def look_up(word: str) -> frozenset[int]:
        found: set[int] = set()
        for part, (number, index, lines, exceptions) in parts.items():
            detached = [word.removesuffix(s) + e for s, e in BY_PART[part] if word.endswith(s)]
            for form in (word, *exceptions.get(word, ()), *detached):
                if form in lines:
                    found.update(offset * count + number for offset in _offsets(str(index), lines[form]))
        return frozenset(found)

    return Synonyms("wordnet", look_up, _no_bases)


def open_multilingual_wordnet(file: str | Path) -> Synonyms:
    """Synonyms from a tab file of the Open Multilingual Wordnet: `00001740-n`, `lemma` or `fra:lemma`, the word.

    Words are found as written and lower-cased (METEOR's text is), phrases never; there are no base forms.
    """
    listed: dict[str, set[int]] = {}
    for number, line in enumerate(files.lines(str(file), files.read_bytes(str(file))[0]), 1):
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split("\t")
        synset = re.fullmatch(r"(\d+)-([nvars])", fields[0])
        if synset is None or len(fields) < 3:
            raise DataError(
                f"{file}, line {number}: {line[:60]!r}; a synset such as 00001740-n, lemma and a word, "
                "with tabs between them, were expected"
            )
        word = fields[2].strip()
        if fields[1].split(":")[-1] == "lemma" and word:
            offset = int(synset[1]) * len(PARTS_OF_SPEECH) + "nvar".index(synset[2].replace("s", "a"))
            for form in {word, word.lower()}:
                listed.setdefault(form, set()).add(offset)
    if not listed:
        raise DataError(f"{file}: no lemma in it; a tab file of the Open Multilingual Wordnet was expected")
    frozen = {word: frozenset(ids) for word, ids in listed.items()}
    return Synonyms(Path(file).stem, partial(_listed_in, frozen), _no_bases)


def english_synonyms(resources: Resources) -> Synonyms:
    """METEOR's own synonyms, Debian's WordNet where METEOR's files are missing."""
    try:
        return meteor_synonyms(resources)
    except MissingResourceError as error:
        folder = _resources.debian_wordnet()
        if folder is None:
            raise MissingResourceError(f"{error}, or apt-get install wordnet-base") from None
        return wordnet(folder)


def _english_bases(
    word: str, *, forms: Mapping[str, tuple[str, ...]], known: Mapping[str, object]
) -> tuple[str, ...]:
    if word in forms:
        return forms[word]
    if len(word) <= 2 or word.endswith("ss"):
        return ()
    for suffix, ending in DETACHMENTS:
        if word.endswith(suffix) and (base := word.removesuffix(suffix) + ending) in known:
            return (base,)
    return ()


def _no_bases(word: str) -> tuple[str, ...]:
    return ()


def _listed_in(listed: Mapping[str, frozenset[int]], word: str) -> frozenset[int]:
    return listed.get(word, frozenset())


def _files_of(folder: str | Path, part: str) -> tuple[Resource, Resource]:
    """The index of a part of speech and its irregular forms."""
    found = Resource(Path(folder) / f"index.{part}"), Resource(Path(folder) / f"{part}.exc")
    for place in found:
        if not place.path.is_file():
            raise MissingResourceError(
                f"{place}: no such file; WordNet's dictionary files were expected in {folder} "
                "(Debian: apt-get install wordnet-base)"
            )
    return found


def _exceptions(resource: Resource) -> dict[str, tuple[str, ...]]:
    """The base forms of irregular forms."""
    forms: dict[str, tuple[str, ...]] = {}
    for form, *bases in filter(None, map(str.split, resource.lines())):
        forms[form] = tuple(dict.fromkeys((*forms.get(form, ()), *bases)))
    return forms


def _pairs(resource: Resource) -> dict[str, str]:
    lines = resource.lines()
    if len(lines) % 2 or not lines:
        raise DataError(
            f"{resource} is cut short: pairs of lines were expected, but there are {len(lines)} lines"
        )
    return dict(zip(lines[::2], lines[1::2], strict=True))


def _index(resource: Resource) -> list[tuple[str, list[int]]]:
    return [
        (line.partition(" ")[0], _offsets(f"{resource}, line {number}", line))
        for number, line in enumerate(resource.lines(), 1)
        if not line.startswith("  ")  # the licence
    ]


def _offsets(place: str, line: str) -> list[int]:
    try:
        _, _, count, *rest = line.split()
        offsets = [int(offset) for offset in rest[-int(count) :] if len(offset) == 8]
        if len(offsets) != int(count):
            raise ValueError
    except ValueError:
        raise DataError(f"{place}: not a line of WordNet's index: {line[:60]!r}") from None
    return offsets
