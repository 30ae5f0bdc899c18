"""What TERp knows of words: stems, synonyms, words not worth a shift, and phrases that may stand for each other.

Tables of phrases are read in TERp's text format and in METEOR's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from adjudge import _native
from adjudge.errors import DataError, MissingResourceError
from adjudge.io import compression, files
from adjudge.io.files import read_errors
from adjudge.io.remote import open_address, shown_address
from adjudge.text import porter, resources, stems
from adjudge.text.resources import Resources
from adjudge.text.synonyms import Synonyms, meteor_synonyms, open_multilingual_wordnet, terp_synonyms

FORMS = {
    False: "PROBABILITY <p>PHRASE</p> <p>PHRASE</p>",
    True: "a probability, a phrase and its paraphrase on lines of their own",
}
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
        lines = files.read_lines(self.stop_words)
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


def terp_phrases(
    path: str, references: Sequence[_native.Texts], *, normalized: bool, no_punct: bool
) -> _native.TerpPhrases:
    """The pairs of a table, plain or compressed, of which one phrase is somewhere in the references.

    TERp's tables say what may stand in place of a phrase of the reference (of two probabilities in a line the cheaper
    counts, as in TERp's program); METEOR's hold in both directions.
    """
    phrases = _native.TerpPhrases(references, normalized, no_punct)
    rest, before, meteor = b"", 0, False
    for piece in _pieces(path):
        rest += piece
        if before == 0:
            meteor = b"<p>" not in rest.lstrip().partition(b"\n")[0]
        end = _end_of_entries(rest, lines=3 if meteor else 1)
        _read(phrases, path, rest[:end], before, meteor=meteor)
        before += rest.count(b"\n", 0, end)
        rest = rest[end:]
    if before == 0 and not rest.strip():
        raise DataError(
            f"{path}: no phrase in it; expected were lines {FORMS[False]}, or METEOR's paraphrases"
        )
    _read(phrases, path, rest, before, meteor=meteor)
    return phrases


def _read(phrases: _native.TerpPhrases, path: str, text: bytes, before: int, *, meteor: bool) -> None:
    """Read whole entries, which so many lines stand before."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = before + text.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path}, line {line}: not UTF-8 (0x{text[error.start]:02x}); convert the file: "
            f"iconv -f ITS-ENCODING -t UTF-8 {path}"
        ) from None
    if wrong := phrases.read(text, meteor):
        shown = text.split(b"\n", wrong)[wrong - 1][:60].decode("utf-8", "replace")
        raise DataError(
            f"{path}, line {before + wrong}: {shown!r} is no line of a phrase table; expected {FORMS[meteor]}"
        )


def _end_of_entries(text: bytes, *, lines: int) -> int:
    """Where the last whole entry of so many lines ends."""
    end = text.rfind(b"\n") + 1
    for _ in range(text.count(b"\n", 0, end) % lines):
        end = text.rfind(b"\n", 0, end - 1) + 1
    return end


def _pieces(path: str) -> Iterator[bytes]:
    """The text of a file, plain or compressed, about a megabyte at a time: tables may be larger than memory."""
    with read_errors(path), open_address(path) as stored:
        yield from compression.pieces(shown_address(path), stored)
