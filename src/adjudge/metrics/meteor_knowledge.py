"""What METEOR knows of words: function words, stems, synonyms and paraphrases, and texts read with that knowledge."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import Lock

from adjudge import _native
from adjudge.data import languages
from adjudge.errors import MissingResourceError, UsageError
from adjudge.text import meteor_tokens, stems
from adjudge.text.function_words import function_words, of_corpus, read
from adjudge.text.paraphrases import Paraphrases
from adjudge.text.resources import Resources
from adjudge.text.synonyms import SynonymTable, english_synonyms, open_multilingual_wordnet

CORPUS = "corpus:"


@dataclass(frozen=True)
class Knowledge:
    """What the matchers in use ask for; those not in use have nothing."""

    function_words: frozenset[str] = frozenset()
    stem: Callable[[str], str] | None = None
    core_stemmer: str = ""
    """The language whose stems the core knows by itself; `stem` is for the others."""
    synonyms: SynonymTable | None = None
    paraphrases: Paraphrases | None = None
    hashes: dict[str, str] = field(default_factory=dict, hash=False)
    """Which data they are, by their names in a signature: data that differ give other scores."""

    def lexicon(self, *, characters: bool) -> _native.MeteorLexicon:
        """Stems, synonyms and function words in the form that the core takes."""
        synonyms = self.synonyms.native if self.synonyms else None
        return _native.MeteorLexicon(self.core_stemmer, synonyms, list(self.function_words), characters)


@dataclass(frozen=True)
class Sources:
    """Where knowledge comes from: the user's folder and files, else what is installed."""

    folder: str = ""
    function_words: str = ""
    synonyms: str = ""
    paraphrases: str = ""
    stems: stems.Edition = "meteor"
    normalize: bool = True
    """Whether a corpus of function words is normalised, as the text is that is scored."""


def knowledge(language: str, matchers: tuple[str, ...], sources: Sources) -> Knowledge:
    """Load what these matchers need in a language; files of the user's anew where they have changed."""
    corpus = sources.function_words.removeprefix(CORPUS)
    return _knowledge(
        language, matchers, sources, tuple(map(_stamp, (corpus, sources.synonyms, sources.paraphrases)))
    )


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return None
    return facts.st_size, facts.st_mtime_ns


@lru_cache(maxsize=8)
def _knowledge(
    language: str, matchers: tuple[str, ...], sources: Sources, stamps: tuple[tuple[int, int] | None, ...]
) -> Knowledge:
    resources = Resources(sources.folder)
    words = _function_words(language, resources, sources)
    hashes = {"function": _digest([" ".join(sorted(words))])} if words else {}
    stem, core_stemmer = None, ""
    if "stem" in matchers:
        with _way_out("stem", matchers):
            edition = stems.signature(language, sources.stems)
        if edition == stems.METEOR:
            core_stemmer = language
        else:
            stem, hashes["stems"] = stems.stemmer(language, sources.stems), edition
    synonyms: SynonymTable | None = None
    if "synonym" in matchers:
        with _way_out("synonym", matchers):
            synonyms = _synonyms(language, resources, sources.synonyms)
        hashes["synonyms"] = synonyms.signature
    table: Paraphrases | None = None
    if "paraphrase" in matchers:
        with _way_out("paraphrase", matchers):
            path = sources.paraphrases or resources.paraphrase_table(language)
            if path is None:
                raise MissingResourceError(
                    f"METEOR has no paraphrase table for {languages.name(language).title()}; name one of yours "
                    "(paraphrases=FILE)"
                )
        table = Paraphrases.load(path)
        hashes["paraphrases"] = table.signature
    return Knowledge(words, stem, core_stemmer, synonyms, table, hashes)


@contextmanager
def _way_out(matcher: str, matchers: tuple[str, ...]) -> Iterator[None]:
    """Say of what is missing how to do without it."""
    try:
        yield
    except UsageError as error:
        others = "+".join(name for name in matchers if name != matcher)
        raise MissingResourceError(
            f"{error}; or leave the matcher out (matchers={others or 'exact'})"
        ) from None


def _function_words(language: str, resources: Resources, sources: Sources) -> frozenset[str]:
    which = sources.function_words
    # METEOR 1.5 has lists for six languages, but its program sets the English one before it hears of the language.
    if which in ("", "english"):
        return function_words("en", resources)
    if which == "own":
        return function_words(language, resources)
    if which.startswith(CORPUS):
        corpus = which.removeprefix(CORPUS)
        return of_corpus(corpus, language=language, normalize=sources.normalize, resources=resources)
    return read(which)


def _synonyms(language: str, resources: Resources, file: str) -> SynonymTable:
    if file:
        return open_multilingual_wordnet(file)
    if language != "en":
        raise MissingResourceError(
            f"METEOR has no synonyms in {languages.name(language).title()}; name a file of the Open Multilingual "
            "Wordnet (synonyms=FILE)"
        )
    return _english(resources)


@cache
def _english(resources: Resources) -> SynonymTable:
    return english_synonyms(resources)


def _digest(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:8]


@dataclass(frozen=True)
class Reading:
    """How text is cut into words."""

    language: str
    normalize: bool
    punctuation: bool
    lowercase: bool
    folder: str

    def texts(self, segments: Sequence[str | None], threads: int = 0) -> _native.Texts:
        """Each segment's words with a space between them; what is missing stays so."""
        return meteor_tokens.texts(
            segments,
            language=self.language,
            normalize=self.normalize,
            keep_punctuation=self.punctuation,
            lowercase=self.lowercase,
            resources=Resources(self.folder),
            threads=threads,
        )


class Vocabulary:
    """Texts as numbers for the core; each distinct word is stemmed and looked up once, whichever text it is in."""

    def __init__(self, known: Knowledge, *, characters: bool) -> None:
        self.words = _native.MeteorWords(known.lexicon(characters=characters))
        self._stem = known.stem
        self._lock = Lock()

    def read(self, texts: _native.Texts) -> _native.MeteorSegments:
        """Number the words of texts; new ones are looked up."""
        with self._lock:
            segments = self.words.read(texts)
            self.words.look_up(list(map(self._stem, self.words.fresh())) if self._stem else [])
            return segments
