"""A model of fastText written byte by byte, and the vectors that its own words and n-grams give, said the slow way."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class FastTextModel:
    """All that a file says; rows of words first, then those of buckets."""

    words: Sequence[str]
    matrix: np.ndarray
    buckets: int
    shortest: int = 3
    longest: int = 6
    labels: Sequence[str] = ()
    version: int = 12
    kind: int = 2
    quantised: bool = False
    pruned: int = -1

    def file(self) -> bytes:
        """The bytes of a `.bin` file, with a small output matrix at its end."""
        rows, columns = self.matrix.shape
        arguments = (columns, 5, 5, 1, 5, 1, 1, self.kind, self.buckets, self.shortest, self.longest, 100)
        data = struct.pack("<ii", 793712314, self.version) + struct.pack("<12id", *arguments, 1e-4)
        entries = [(word, 0) for word in self.words] + [(label, 1) for label in self.labels]
        data += struct.pack("<iiiqq", len(entries), len(self.words), len(self.labels), 99, self.pruned)
        for word, kind in entries:
            data += word.encode() + b"\0" + struct.pack("<qb", 7, kind)
        data += b"".join(struct.pack("<ii", i, i) for i in range(self.pruned))
        data += struct.pack("<?qq", self.quantised, rows, columns) + self.matrix.astype("<f4").tobytes()
        return data + struct.pack("<?qq", False, 1, columns) + bytes(4 * columns)

    def vector(self, word: str) -> np.ndarray | None:
        """The mean of the word's row and those of its n-grams; None for a word without either."""
        rows = [self.words.index(word)] if word in self.words else []
        rows += [len(self.words) + number for number in self.n_grams(word)]
        return self.matrix[rows].mean(0) if rows else None

    def n_grams(self, word: str) -> list[int]:
        """The bucket of each n-gram of letters of `<word>` that is more than one of the two signs."""
        if word == "</s>" or not self.buckets:
            return []
        marked = f"<{word}>"
        pieces = [
            marked[begin : begin + size]
            for begin in range(len(marked))
            for size in range(max(1, self.shortest), self.longest + 1)
            if begin + size <= len(marked) and not (size == 1 and begin in (0, len(marked) - 1))
        ]
        return [self.hash(piece) % self.buckets for piece in pieces]

    @staticmethod
    def hash(piece: str) -> int:
        """32 bits of FNV-1a over signed bytes."""
        value = np.uint32(2166136261)
        with np.errstate(over="ignore"):
            for byte in np.frombuffer(piece.encode(), np.int8):
                value = np.uint32((int(value) ^ (int(byte) & 0xFFFFFFFF)) * 16777619 & 0xFFFFFFFF)
        return int(value)
