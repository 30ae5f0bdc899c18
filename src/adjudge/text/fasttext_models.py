"""fastText's binary models (.bin): vectors of words, known or not, from the pieces that words are made of.

A model holds a row for each word and one for each of many buckets, into which all n-grams of characters are thrown by
a hash (Bojanowski et al. 2017). The vector of a word is the mean of its own row and of those of its n-grams; a word
that is not in the model has n-grams too. The rows stay where they lie on the disk.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol

import numpy as np

from adjudge.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjudge.text.vector_files import Content

MAGIC = 793712314
START = (MAGIC).to_bytes(4, "little")
"""How such models begin."""
VERSIONS = (11, 12)
SUPERVISED = 3
HEADER = struct.Struct("<2i12id")
"""Magic, version, then the arguments of its making, of which five matter here."""
SIZES = struct.Struct("<3i2q")
"""Entries, words, labels, tokens seen, and pairs of an index of pruned n-grams, -1 where there is none."""
AFTER_WORD = 1 + 8 + 1
"""Bytes of an entry beside its word: a zero, a count and a kind."""
MATRIX = struct.Struct("<?2q")
"""Whether it is quantised, its rows and columns."""
END_OF_SENTENCE = b"</s>"
"""The one word without n-grams."""
FNV_START, FNV_PRIME = 2166136261, 16777619


class WordIndex(Protocol):
    """Says which row each word has, -1 for words that are not in it."""

    def rows(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The row of each word."""


@dataclass(frozen=True)
class ModelLayout:
    """Where a model's file has what, and how its words are cut."""

    dimension: int
    words: int
    buckets: int
    shortest: int
    """Letters of the shortest n-grams, the signs for a word's begin and end counted."""
    longest: int
    """Letters of the longest n-grams; 0 where only whole words have vectors."""
    entries: int
    """Where the first word stands."""
    matrix: int
    """Where the first row stands."""


@dataclass(frozen=True, eq=False)
class FastTextVectors:
    """Vectors by word, put together from rows of a model."""

    signature: str
    """The first eight digits of the file's sha256."""
    path: str
    layout: ModelLayout
    index: WordIndex
    matrix: NDArray[np.float32]
    """Rows of words, then those of buckets, as they lie in the file."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self.layout.dimension

    def __len__(self) -> int:
        return self.layout.words

    def pieces(self, word: str) -> list[int]:
        """The rows whose mean is the word's vector; none for a word that is unknown and too short for n-grams."""
        row = int(self.index.rows([word])[0])
        encoded = word.encode("utf-8", "surrogatepass")
        return [row] * (row >= 0) + list(buckets_of(encoded, self.layout))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and bool(self.pieces(word))

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        pieces = self.pieces(word)
        if not pieces:
            raise KeyError(word)
        vector = self.matrix[pieces].mean(0, dtype=np.float64)
        if not np.isfinite(vector).all():
            raise DataError(
                f"{self.path}: the vector of {word!r} is not finite; the file is damaged: get it again"
            )
        return np.asarray(vector, np.float32)

    def of(self, words: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors of the words that have one."""
        return {word: self[word] for word in words if word in self}


def buckets_of(word: bytes, layout: ModelLayout) -> Iterator[int]:
    """The rows of a word's n-grams, which begin and end at whole characters."""
    if word == END_OF_SENTENCE or layout.longest < 1 or not layout.buckets:
        return
    marked = b"<" + word + b">"
    starts = [at for at, byte in enumerate(marked) if byte & 0xC0 != 0x80] + [len(marked)]
    last = len(starts) - 1
    for begin in range(last):
        for end in range(begin + max(1, layout.shortest), min(begin + layout.longest, last) + 1):
            if end - begin > 1 or (begin > 0 and end < last):  # a sign for begin or end alone is no n-gram
                yield layout.words + _hash(marked[starts[begin] : starts[end]]) % layout.buckets


def _hash(piece: bytes) -> int:
    """FNV-1a, as fastText has it: bytes from 128 on are negative numbers."""
    value = FNV_START
    for byte in piece:
        value = (value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * FNV_PRIME & 0xFFFFFFFF
    return value


def map_file(path: str, file: IO[bytes]) -> mmap.mmap:
    """The file as memory."""
    try:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise DataError(f"{path} cannot be mapped into memory: {error.strerror or error}") from None


def layout(path: str, data: mmap.mmap) -> ModelLayout:
    """Where the parts of a model are; what cannot be used is an error."""
    damaged = DataError(f"{path} is a model of fastText, but cut off or damaged: get it again")
    try:
        _, version, dimension, *rest, _ = HEADER.unpack_from(data)
        kind, buckets, shortest, longest = rest[6:10]
        _, words, labels, _, pruned = SIZES.unpack_from(data, HEADER.size)
        if version not in VERSIONS:
            raise DataError(
                f"{path} is a model of fastText in version {version}; those of 11 and 12 can be read"
            )
        entries = HEADER.size + SIZES.size
        walk = _walk(data, entries, words + labels)
        matrix = entries + sum(len(word) + AFTER_WORD for word in walk)
        quantised, rows, columns = MATRIX.unpack_from(data, matrix + 8 * max(pruned, 0))
    except (struct.error, ValueError):
        raise damaged from None
    if quantised or pruned >= 0:
        raise DataError(
            f"{path} is a quantised model of fastText, which has no vectors of words as they were learned; take the "
            "one it was made from (.bin, not .ftz)"
        )
    start = matrix + MATRIX.size
    if min(words, dimension, buckets + 1) < 0 or (rows, columns) != (words + buckets, dimension) or not rows:
        raise damaged
    if start + 4 * rows * columns > len(data):
        raise damaged
    whole_words = (
        version == VERSIONS[0] and kind == SUPERVISED
    )  # such models were made before n-grams counted there
    return ModelLayout(dimension, words, buckets, shortest, 0 if whole_words else longest, entries, start)


def words_of(path: str, data: mmap.mmap, place: ModelLayout) -> Content:
    """Every word with an empty vector: what an index of the words is made of."""
    nothing = np.zeros(0, np.float32)
    distinct: set[bytes] = set()
    for word in _walk(data, place.entries, place.words):
        if word in distinct:
            raise DataError(
                f"{path} is a model of fastText that has {word.decode('utf-8', 'replace')!r} twice; the file is "
                "damaged: get it again"
            )
        distinct.add(word)
        yield word, nothing


def rows_in(data: mmap.mmap, place: ModelLayout) -> NDArray[np.float32]:
    """The model's rows, where they lie; the file has them at any place, so that they may not be aligned."""
    rows = place.words + place.buckets
    flat = np.frombuffer(data, "<f4", rows * place.dimension, place.matrix)
    return flat.reshape(rows, place.dimension)


def _walk(data: mmap.mmap, at: int, count: int) -> Generator[bytes]:
    """The words of so many entries; ValueError where there are fewer."""
    for _ in range(count):
        end = data.find(b"\0", at)
        if end < 0:
            raise ValueError
        yield data[at:end]
        at = end + AFTER_WORD
