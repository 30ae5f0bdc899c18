"""Synonyms as METEOR knows them: two words are synonyms where they, or their base forms, share a synset.

Three sources: METEOR's own files (which the installed `pycocoevalcap` has), the dictionary files of WordNet (Debian's
`wordnet-base`), and the tab files of the Open Multilingual Wordnet.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from adjudge import _native
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
# Suffixes by part of speech, as TERp's reader of WordNet has them: it forgets the adjectives in -e.
BY_PART = {
    "noun": DETACHMENTS[:8],
    "verb": (DETACHMENTS[0], *DETACHMENTS[7:14]),
    "adj": DETACHMENTS[14:16],
    "adv": (),
}
PARTS_OF_SPEECH = {"noun": 0, "verb": 1, "adj": 2, "adv": 3}


class Synonyms(ABC):
    """Which synsets a word is in; `name` says where that is known from."""

    name: str

    @abstractmethod
    def ids(self, word: str) -> tuple[int, ...]:
        """The synsets of a word and of its base forms, sorted; the word is looked up as it stands, case and all."""

    def synsets(self, word: str) -> frozenset[int]:
        """The synsets of a word and of its base forms, as a set."""
        return frozenset(self.ids(word))


class SynonymTable(Synonyms):
    """Synonyms in the core, by METEOR's rule: irregular forms first, then the first rule that yields a known word."""

    def __init__(self, name: str, synsets: str, exceptions: str, rules: Sequence[tuple[str, str]]) -> None:
        """Take texts in METEOR's format: a word and its synsets, a base form and its irregular forms, on two lines."""
        self.name = name
        self.native = _native.SynonymTable(synsets, exceptions, rules)
        digest = hashlib.sha256(f"{synsets}\0{exceptions}".encode()).hexdigest()
        self.signature = f"{name}-{digest[:8]}"

    def ids(self, word: str) -> tuple[int, ...]:
        """The synsets of a word and of its base forms."""
        return self.native.synsets(word)


def meteor_synonyms(resources: Resources) -> SynonymTable:
    """METEOR 1.5's English synonyms; it reads english.relations too, but never looks into them."""
    synsets, exceptions, _ = resources.synsets()
    listed, irregular = _pairs(synsets), _pairs(exceptions)
    try:
        return SynonymTable("meteor-1.5", listed, irregular, DETACHMENTS)
    except ValueError as error:
        raise DataError(
            f"{synsets}: not METEOR's file of synsets; pairs of lines, a word and numbers, were expected ({error})"
        ) from None


def wordnet(folder: str | Path) -> SynonymTable:
    """English synonyms from WordNet's dictionary files: index.noun, noun.exc and so on, for the four parts of speech.

    METEOR forgets the part of speech, so that 296 pairs of unrelated synsets are one to it; here they stay apart.
    """
    listed: dict[str, set[int]] = {}
    irregular: dict[str, list[str]] = {}
    for part, number in PARTS_OF_SPEECH.items():
        index, exceptions = _files_of(folder, part)
        for word, offsets in _index(index):
            ids = listed.setdefault(word, set())
            ids.update(offset * len(PARTS_OF_SPEECH) + number for offset in offsets)
        for form, bases in _exceptions(exceptions).items():
            for base in bases:
                irregular.setdefault(base, []).append(form)
    return SynonymTable("wordnet", _join_paths(listed), _in_pairs(irregular), DETACHMENTS)


class TerpSynonyms(Synonyms):
    """WordNet's synonyms by TERp's rule: each part of speech apart, and every base form its rules yield."""

    name = "wordnet"

    def __init__(self, folder: str | Path) -> None:
        self._parts = {}
        for part, number in PARTS_OF_SPEECH.items():
            index, exceptions = _files_of(folder, part)
            # Few words are ever asked for, so lines are taken apart when they are.
            lines = {line.partition(" ")[0]: line for line in index.lines() if not line.startswith("  ")}
            self._parts[part] = number, index, lines, _exceptions(exceptions)

    def ids(self, word: str) -> tuple[int, ...]:
        """The synsets of a word and of all its base forms."""
        ids: set[int] = set()
        for part, (number, index, lines, exceptions) in self._parts.items():
            detached = [word.removesuffix(s) + e for s, e in BY_PART[part] if word.endswith(s)]
            for form in (word, *exceptions.get(word, ()), *detached):
                if form in lines:
                    offsets = _offsets(str(index), lines[form])
                    ids.update(offset * len(PARTS_OF_SPEECH) + number for offset in offsets)
        return tuple(sorted(ids))


def terp_synonyms(folder: str | Path) -> TerpSynonyms:
    """The synonyms of WordNet's dictionary files as TERp sees them."""
    return TerpSynonyms(folder)


def open_multilingual_wordnet(file: str | Path) -> SynonymTable:
    """Synonyms from a tab file of the Open Multilingual Wordnet: `00001740-n`, `lemma` or `fra:lemma`, the word.

    Words are found as written and lower-cased (METEOR's text is), phrases never; there are no base forms.
    """
    listed: dict[str, set[int]] = {}
    for number, line in enumerate(Resource(Path(file)).lines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split("\t")
        synset = re.fullmatch(r"([0-9]{1,8})-([nvars])", fields[0])
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
    return SynonymTable(Path(file).stem, _join_paths(listed), "", ())


def english_synonyms(resources: Resources) -> SynonymTable:
    """METEOR's own synonyms, Debian's WordNet where METEOR's files are missing."""
    try:
        return meteor_synonyms(resources)
    except MissingResourceError as error:
        folder = _resources.debian_wordnet()
        if folder is None:
            raise MissingResourceError(f"{error}, or apt-get install wordnet-base") from None
        return wordnet(folder)


def _files_of(folder: str | Path, part: str) -> tuple[Resource, Resource]:
    """The index of a part of speech and its irregular forms."""
    files = Resource(Path(folder) / f"index.{part}"), Resource(Path(folder) / f"{part}.exc")
    for place in files:
        if not place.path.is_file():
            raise MissingResourceError(
                f"{place}: no such file; WordNet's dictionary files were expected in {folder} "
                "(Debian: apt-get install wordnet-base)"
            )
    return files


def _exceptions(resource: Resource) -> dict[str, tuple[str, ...]]:
    """The base forms of irregular forms."""
    forms: dict[str, tuple[str, ...]] = {}
    for form, *bases in filter(None, map(str.split, resource.lines())):
        forms[form] = tuple(dict.fromkeys((*forms.get(form, ()), *bases)))
    return forms


def _pairs(resource: Resource) -> str:
    """The text of a file of METEOR's, which has lines in pairs."""
    data = resource.read()
    text = files.whole_text(str(resource), data).removesuffix("\n") if data else ""
    count = text.count("\n") + 1 if text else 0
    if count % 2 or not count:
        raise DataError(f"{resource} is cut short: pairs of lines were expected, but there are {count} lines")
    return text


def _in_pairs(listed: Mapping[str, Iterable[str]]) -> str:
    """Synonyms in the format of METEOR's files, from what other files say."""
    return "".join(f"{word}\n{' '.join(values)}\n" for word, values in listed.items())


def _join_paths(listed: Mapping[str, set[int]]) -> str:
    return _in_pairs({word: map(str, sorted(ids)) for word, ids in listed.items()})


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
