"""What files of word vectors hold: word2vec's text and binary form, GloVe's text, fastText's text (.vec)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

import numpy as np

from adjudge import workspace
from adjudge.errors import DataError
from adjudge.io.compression import expanded_file
from adjudge.text import fasttext_models
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Content = Iterator[tuple[bytes, NDArray[np.float32]]]

LONGEST_WORD = 4096
LONGEST_LINE = 1 << 20
TOLD = 10_000
"""Vectors from one report of progress to the next."""
COUNTS = re.compile(rb"\s*(\d{1,12})\s+(\d{1,6})\s*")


def read(path: str, stored: IO[bytes]) -> Content:
    """Every word with its vector, in the order of the file; what is wrong is an error with its line."""
    size = os.fstat(stored.fileno()).st_size
    file = expanded_file(path, stored)
    first, second = file.readline(LONGEST_LINE), file.readline(LONGEST_LINE)
    if first.startswith(fasttext_models.START):
        raise DataError(
            f"{path} is a compressed model of fastText, which is read where it lies: gunzip it first"
        )
    if not first.strip():
        raise DataError(f"{path} is empty: no word vectors in it")
    counts = COUNTS.fullmatch(first)
    stored.seek(0)
    file = expanded_file(path, stored)
    if counts is None:
        content = _text(path, file, 0, None, None)
    elif _is_binary(second):
        file.readline(LONGEST_LINE)
        content = _binary(path, file, int(counts[1]), int(counts[2]))
    else:
        file.readline(LONGEST_LINE)
        content = _text(path, file, 1, int(counts[1]), int(counts[2]))
    for number, entry in enumerate(content):
        if number % TOLD == 0:
            workspace.current().tell(
                f"reading {os.path.basename(path)}, this once", stored.tell(), max(size, 1)
            )
        yield entry


def _is_binary(line: bytes) -> bool:
    """Whether a line is no text: numbers in binary have bytes that text has not."""
    return any(byte < 32 and byte not in b"\t\n\r" for byte in line)


def _text(path: str, file: IO[bytes], before: int, count: int | None, dimension: int | None) -> Content:
    """A word and its numbers a line; without a first line of counts, the first vector says how long all are."""
    vectors = 0
    for number, raw in enumerate(file, before + 1):
        row = raw.rstrip()
        if not row:
            raise DataError(f"{path}, line {number}: empty; a word and its vector were expected")
        if dimension is None:
            dimension = len(row.split()) - 1
            if dimension < 1:
                raise DataError(
                    f"{path}, line {number}: a word and its numbers were expected, set apart by spaces"
                )
        # Some words of GloVe have spaces in them: numbers are counted from the end.
        parts = row.rsplit(None, dimension)
        vector = _numbers(path, number, parts, row, dimension)
        vectors += 1
        yield parts[0], vector
    if count is not None and vectors != count:
        raise DataError(
            f"{path} has {vectors} vectors, but its first line says {count}; it is cut off, or two files in one: get "
            "it again, or mend the first line"
        )


def _numbers(path: str, number: int, parts: list[bytes], row: bytes, dimension: int) -> NDArray[np.float32]:
    if len(parts) != dimension + 1:
        count = len(row.split()) - 1
        raise DataError(
            f"{path}, line {number}: {pluralise(count, 'number')}, but {dimension} were expected, as in the lines "
            "before; the file "
            "is cut off or damaged: get it again"
        )
    try:
        vector = np.array(parts[1:], dtype=np.float32)
    except ValueError:
        wrong = next(part for part in parts[1:] if not _is_number(part)).decode("utf-8", "replace")
        raise DataError(
            f"{path}, line {number}: {wrong[:30]!r} is no number; a word and {dimension} numbers were expected"
        ) from None
    if not np.isfinite(vector).all():
        raise DataError(f"{path}, line {number}: a number that is not finite")
    return vector


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _binary(path: str, file: IO[bytes], count: int, dimension: int) -> Content:
    """A word, a space and its numbers, float32 each; a line end may follow."""
    size = 4 * dimension
    for number in range(1, count + 1):
        word = bytearray()
        while (letter := file.read(1)) and letter != b" " and len(word) < LONGEST_WORD:
            word += letter
        data = file.read(size)
        if len(data) < size or letter != b" ":
            raise DataError(
                f"{path} ends in vector {number}, or is damaged there, but its first line says {count}; get it again"
            )
        vector = np.frombuffer(data, "<f4")
        if not np.isfinite(vector).all():
            raise DataError(
                f"{path}, vector {number}: a number that is not finite; the file is damaged, or has another dimension "
                f"than the {dimension} that it says"
            )
        yield bytes(word).lstrip(b"\n"), vector
    if file.read(16).strip():
        raise DataError(f"{path} goes on after the {count} vectors that its first line says; get it again")
