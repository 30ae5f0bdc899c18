"""Word vectors from files of word2vec, GloVe and fastText, compiled once and then used where they lie on the disk.

The compiled form holds the vectors as they are (float32), the words, and an index by hash, all of it mapped into
memory: looking up a word reads a few pages, whatever the size of the file. Of fastText's binary models only the index
is compiled: their vectors are put together from rows of the model itself.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import secrets
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

import numpy as np

from adjudge import workspace
from adjudge.errors import DataError
from adjudge.io.files import open_file
from adjudge.text import fasttext_models, paraphrases, vector_files
from adjudge.text.fasttext_models import FastTextVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adjudge.text.vector_files import Content

MAGIC = b"adjudge vectors1"
HEADER = struct.Struct("<16s32sQQQ")
"""Magic, sha256 of the source, number of words, of dimensions, and bytes of all words."""
ALIGNED = 64
PIECE = 4096
"""Vectors that are written at once."""


@dataclass(frozen=True, eq=False)
class VectorTable:
    """Vectors by word."""

    signature: str
    """The first eight digits of the source's sha256."""
    vectors: NDArray[np.float32]
    """One row per word, as in the file."""
    hashes: NDArray[np.uint64]
    """Of the words, in ascending order."""
    order: NDArray[np.uint64]
    """The row of each hash."""
    ends: NDArray[np.uint64]
    """Where each row's word ends among all words."""
    words: memoryview

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.vectors)

    def rows(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The row of each word, -1 where the word is unknown."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        wanted = np.fromiter(map(_hash, encoded), np.uint64, len(encoded))
        places = np.searchsorted(self.hashes, wanted)
        rows = np.full(len(encoded), -1, np.int64)
        for number, (word, place) in enumerate(zip(encoded, places, strict=True)):
            while place < len(self.hashes) and self.hashes[place] == wanted[number]:
                row = int(self.order[place])
                if self._word(row) == word:
                    rows[number] = row
                    break
                place += 1
        return rows

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.rows([word])[0] >= 0

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        row = int(self.rows([word])[0])
        if row < 0:
            raise KeyError(word)
        vector: NDArray[np.float32] = self.vectors[row]
        return vector

    def of(self, words: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors of the words that are known."""
        rows = self.rows(words)
        return {word: self.vectors[row] for word, row in zip(words, rows, strict=True) if row >= 0}

    def _word(self, row: int) -> bytes:
        start = int(self.ends[row - 1]) if row else 0
        return bytes(self.words[start : int(self.ends[row])])


def load(path: str, cache: Path | None = None) -> VectorTable | FastTextVectors:
    """The vectors in a file, compiled the first time into the folder `cache` (by default the user's).

    Where that cannot be written to, they stay in memory.
    """
    try:
        with open_file(path) as file:
            facts = os.fstat(file.fileno())
            key = (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)
            if key not in _open:
                _open[key] = _load(path, file, cache or paraphrases.default_cache())
            return _open[key]
    except FileNotFoundError:
        raise DataError(f"{path}: no such file; word vectors were expected") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from None


_open: dict[tuple[int, int, int, int], VectorTable | FastTextVectors] = {}


def _load(path: str, file: BinaryIO, cache: Path | None) -> VectorTable | FastTextVectors:
    source = hashlib.file_digest(cast(BufferedReader, file), "sha256").digest()
    kept = None if cache is None else cache / "vectors" / f"{source.hex()}.vectors"
    file.seek(0)
    if file.read(len(fasttext_models.START)) != fasttext_models.START:
        return _compile(path, kept, source, lambda: _from_start(path, file))
    data = fasttext_models.map_file(path, file)
    layout = fasttext_models.layout(path, data)
    index = _compile(path, kept, source, lambda: fasttext_models.words_of(path, data, layout))
    matrix = fasttext_models.rows_in(data, layout)
    return FastTextVectors(index.signature, path, layout, index, matrix)


def _from_start(path: str, file: BinaryIO) -> Content:
    file.seek(0)
    return vector_files.read(path, file)


def _compile(path: str, kept: Path | None, source: bytes, content: Callable[[], Content]) -> VectorTable:
    """The compiled form, as kept earlier or made of the content."""
    if kept is not None and (known := _map_file(kept, source)) is not None:
        return known
    if kept is not None:
        draft = kept.with_name(f"{kept.name}.{secrets.token_hex(8)}.tmp")
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("w+b") as target:
                _write(target, content(), source)
            draft.replace(kept)
        except OSError as error:
            workspace.current().note(
                f"{path}, compiled, cannot be kept in {kept.parent} ({error.strerror or error}), so every run reads it "
                "anew; ADJUDGE_CACHE=FOLDER names another place"
            )
        else:
            if (known := _map_file(kept, source)) is not None:
                return known
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    memory = BytesIO()
    _write(memory, content(), source)
    return _opened(memoryview(memory.getbuffer()), source) or _never(path)


def _never(path: str) -> VectorTable:
    raise DataError(f"{path}: the compiled vectors cannot be read back")


def _write(target: IO[bytes], content: Content, source: bytes) -> None:
    """The compiled form: header, vectors, then hashes, rows, ends of words, and words."""
    start = -(-HEADER.size // ALIGNED) * ALIGNED
    target.seek(start)
    words: dict[bytes, None] = {}
    waiting: list[NDArray[np.float32]] = []
    dimension = 0
    for word, vector in content:
        if word in words:  # the first one counts, as in word2vec's own readers
            continue
        words[word] = None
        waiting.append(vector)
        dimension = len(vector)
        if len(waiting) == PIECE:
            target.write(np.stack(waiting).astype("<f4").tobytes())
            waiting = []
    if waiting:
        target.write(np.stack(waiting).astype("<f4").tobytes())
    hashes = np.fromiter(map(_hash, words), np.uint64, len(words))
    order = np.argsort(hashes, kind="stable").astype("<u8")
    ends = np.cumsum(np.fromiter(map(len, words), np.uint64, len(words)), dtype=np.uint64)
    for column in (hashes[order.astype(np.int64)], order, ends):
        target.write(column.astype("<u8").tobytes())
    joined = b"".join(words)
    target.write(joined)
    target.seek(0)
    target.write(HEADER.pack(MAGIC, source, len(words), dimension, len(joined)))


def _map_file(path: Path, source: bytes) -> VectorTable | None:
    """The compiled vectors in a file, None where it is missing, cut off or made from something else."""
    try:
        with open_file(path) as file:
            return _opened(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)), source)
    except (OSError, ValueError):
        return None


def _opened(data: memoryview, source: bytes) -> VectorTable | None:
    if len(data) < HEADER.size:
        return None
    magic, written, count, dimension, letters = HEADER.unpack_from(data)
    start = -(-HEADER.size // ALIGNED) * ALIGNED
    places = [start, start + 4 * count * dimension]
    places += [places[1] + 8 * count * step for step in (1, 2, 3)]
    if magic != MAGIC or written != source or len(data) != places[-1] + letters or not count:
        return None

    def column(at: int) -> NDArray[np.uint64]:
        return np.frombuffer(data, "<u8", count, places[at])

    vectors = np.frombuffer(data, "<f4", count * dimension, start).reshape(count, dimension)
    return VectorTable(source.hex()[:8], vectors, column(1), column(2), column(3), data[places[4] :])


def _hash(word: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")
