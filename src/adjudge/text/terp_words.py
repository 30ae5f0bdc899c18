"""What TERp knows of words: their stems, their synonyms, and which are not worth a shift."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from adjudge import _native
from adjudge.errors import DataError, MissingResourceError
from adjudge.io import files
from adjudge.text import porter, resources, stems
from adjudge.text.resources import Resources
from adjudge.text.synonyms import Synonyms, meteor_synonyms, open_multilingual_wordnet, terp_synonyms

NONE = "none"

# The words that TERp does not shift without another one: its own shift_word_stop_list.txt, which its parameters were
# tuned with, so that other words would give other scores than TERp's.
_LISTED = """
. , " ' ( ) & ! ? - $ : ; + a about actually after again ago ah all also although am among an and any
anyone anything are as at away be been before being between bit but by can center could did do does done
down during each either else entire even every everything fact few for from got had has have having here
if in indeed into is it its itself just kind kinds let located many might more most mostly much must
neither nor of off often oh on ones onto or other others ours out over perhaps please plenty really
regarding same self set shall should so some somebody something sometimes sort still such surely t than
that the them then there these thing this those though till to too type types um until up upon via was
way ways were what whether while will with within would yet yourself
"""
SHIFT_STOP_WORDS = frozenset(_LISTED.split())


@dataclass(frozen=True)
class TerpKnowledge:
    """Where what is known of words comes from; for English as in TERp, for others as far as there is something."""

    language: str
    stems: bool
    insist_on_stems: bool
    synonyms: str
    """`none`, a folder with WordNet's files, a file of the Open Multilingual Wordnet, or empty: what is installed."""
    stop_words: str
    """`none`, a file, or empty: TERp's own list."""

    def check(self) -> None:
        """Raise the error of a missing resource before any work is done."""
        self._stemmer()
        self._synonyms()
        self._stop_words()

    def of(self, words: Sequence[str]) -> _native.TerpWords:
        """What is known of these words, for the core."""
        stemmer, stop_words = self._stemmer(), self._stop_words()
        numbers: dict[str, int] = {}
        stemmed = [-1] * len(words)
        if stemmer is not None:
            stemmed = [numbers.setdefault(stemmer(word), len(numbers)) for word in words]
        synsets: list[tuple[int, ...]] = [()] * len(words)
        if self._synonyms() is not None:
            synsets = [_synsets(self.synonyms, word) for word in words]
        starts = [0, *accumulate(map(len, synsets))]
        flat = [synset for ids in synsets for synset in ids]
        return _native.TerpWords(stemmed, starts, flat, [word in stop_words for word in words])

    def sources(self, phrases: str) -> dict[str, str]:
        """How a signature names what was used."""
        synonyms = self._synonyms()
        english = self.language == "en"
        stemmed = "no" if self._stemmer() is None else "porter" if english else stems.signature(self.language)
        stop = "no" if not self._stop_words() else "terp" if not self.stop_words else _digest(self.stop_words)
        return {
            "stems": stemmed,
            "synonyms": "no" if synonyms is None else synonyms.name,
            "stop": stop,
            "phrases": _digest(phrases) if phrases else "no",
        }

    def _stemmer(self) -> Callable[[str], str] | None:
        if not self.stems:
            return None
        if self.language == "en":
            return porter.stem
        if self.language not in stems.LANGUAGES and not self.insist_on_stems:
            return None
        return stems.stemmer(self.language)

    def _synonyms(self) -> Synonyms | None:
        if self.synonyms == NONE or (not self.synonyms and self.language != "en"):
            return None
        return _load_synonyms(self.synonyms)

    def _stop_words(self) -> frozenset[str]:
        if self.stop_words == NONE or (not self.stop_words and self.language != "en"):
            return frozenset()
        if not self.stop_words:
            return SHIFT_STOP_WORDS
        lines = files.lines(self.stop_words, files.read_bytes(self.stop_words)[0])
        return frozenset(word for line in lines for word in line.split())


@cache
def _load_synonyms(source: str) -> Synonyms:
    if source:
        return terp_synonyms(source) if Path(source).is_dir() else open_multilingual_wordnet(source)
    folder = resources.debian_wordnet()
    if folder is not None:
        return terp_synonyms(folder)
    try:
        return meteor_synonyms(Resources())
    except MissingResourceError:
        raise MissingResourceError(
            f"TERp's synonyms need WordNet: looked in {resources.DEBIAN_WORDNET} and the package {resources.PACKAGE}; "
            f"apt-get install wordnet-base, {resources.INSTALL}, name its folder (synonyms=FOLDER) "
            "or do without (synonyms=none)"
        ) from None


# Systems of one test set share most of their words.
@lru_cache(maxsize=1 << 18)
def _synsets(source: str, word: str) -> tuple[int, ...]:
    return _load_synonyms(source).ids(word)


def _digest(path: str) -> str:
    try:
        status = Path(path).stat()
        return _file_digest(path, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None


@cache
def _file_digest(path: str, size: int, changed: int) -> str:
    with open(path, "rb") as file:
        return f"{Path(path).name}-{hashlib.file_digest(file, 'sha256').hexdigest()[:8]}"
