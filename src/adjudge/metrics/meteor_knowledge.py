"""What METEOR knows of words: function words, stems, synonyms and paraphrases, and texts read with that knowledge."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import Lock

from adjudge import _native
from adjudge.errors import UsageError
from adjudge.io import files
from adjudge.text import languages, meteor_tokens, stems
from adjudge.text.function_words import function_words, read
from adjudge.text.paraphrases import Paraphrases
from adjudge.text.resources import Resources
from adjudge.text.synonyms import Synonyms, english_synonyms, open_multilingual_wordnet


@dataclass(frozen=True)
class Knowledge:
    """What the matchers in use ask for; those not in use have nothing."""

    function_words: frozenset[str] = frozenset()
    stem: Callable[[str], str] | None = None
    synonyms: Synonyms | None = None
    paraphrases: Paraphrases | None = None
    hashes: dict[str, str] = field(default_factory=dict, hash=False)
    """Which data they are, by their names in a signature: data that differ give other scores."""


@dataclass(frozen=True)
class Sources:
    """Where knowledge comes from: the user's folder and files, else what is installed."""

    folder: str = ""
    function_words: str = ""
    synonyms: str = ""
    paraphrases: str = ""
    stems: stems.Edition = "meteor"


@lru_cache(maxsize=8)
def knowledge(language: str, matchers: tuple[str, ...], sources: Sources) -> Knowledge:
    """Load what these matchers need in a language."""
    resources = Resources(sources.folder)
    words = _function_words(language, resources, sources.function_words)
    hashes = {"function": _digest([" ".join(sorted(words))])} if words else {}
    stem: stems.Stemmer | None = None
    if "stem" in matchers:
        stem, edition = stems.stemmer(language, sources.stems), stems.signature(language, sources.stems)
        hashes |= {"stems": edition} if edition != stems.METEOR else {}
    found: Synonyms | None = None
    if "synonym" in matchers:
        found, hashes["synonyms"] = _synonyms(language, resources, sources.synonyms)
    table: Paraphrases | None = None
    if "paraphrase" in matchers:
        path = sources.paraphrases or resources.paraphrase_table(language)
        if path is None:
            raise UsageError(
                f"METEOR has no paraphrase table for {languages.name(language).title()}; name one of yours "
                "(paraphrases=FILE) or leave the matcher out (matchers=exact+stem)"
            )
        table = Paraphrases.load(path)
        hashes["paraphrases"] = table.signature
    return Knowledge(words, stem, found, table, hashes)


def _function_words(language: str, resources: Resources, which: str) -> frozenset[str]:
    # METEOR 1.5 has lists for six languages, but its program sets the English one before it hears of the language.
    if which in ("", "english"):
        return function_words("en", resources)
    return function_words(language, resources) if which == "own" else read(which)


def _synonyms(language: str, resources: Resources, file: str) -> tuple[Synonyms, str]:
    if file:
        data = files.read_bytes(file)[0]
        return open_multilingual_wordnet(file), _digest([data.decode("utf-8", "surrogateescape")])
    if language != "en":
        raise UsageError(
            f"METEOR has no synonyms in {languages.name(language).title()}; name a file of the Open Multilingual "
            "Wordnet (synonyms=FILE) or leave the matcher out (matchers=exact+stem)"
        )
    found = _english(resources)
    return found, found.name


@cache
def _english(resources: Resources) -> Synonyms:
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

    def lines(self, segments: Sequence[str | None]) -> list[str | None]:
        """Each segment's words with a space between them; what is missing stays so."""
        lines = meteor_tokens.normalized(
            segments,
            language=self.language,
            normalize=self.normalize,
            keep_punctuation=self.punctuation,
            resources=Resources(self.folder),
        )
        return [line.lower() if line else line for line in lines] if self.lowercase else lines


class Vocabulary:
    """Texts as numbers for the core; each distinct word is stemmed and looked up once, whichever text it is in."""

    def __init__(self, known: Knowledge, *, characters: bool) -> None:
        self.words = _native.MeteorWords()
        self._known, self._characters = known, characters
        self._lock = Lock()

    def read(self, lines: Sequence[str | None]) -> _native.MeteorSegments:
        """Number the words of lines; new ones are described."""
        with self._lock:
            segments = self.words.read(_native.texts(lines))
            fresh, known = self.words.fresh(), self._known
            self.words.describe(
                fresh if known.stem is None else list(map(known.stem, fresh)),
                [known.synonyms.ids(word) if known.synonyms else () for word in fresh],
                [word.lower() in known.function_words for word in fresh],
                [_length(word) if self._characters else 1 for word in fresh],
            )
            return segments


def _length(word: str) -> int:
    """Characters as Java counts them: those beyond 16 bits are two."""
    return len(word.encode("utf-16-le", "surrogatepass")) // 2
