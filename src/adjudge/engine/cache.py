"""Rows kept on disk by content, so that nothing is scored twice."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import struct
import time
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from adjudge import __version__, _native, metrics, qe, text
from adjudge.data import TestSet, add_texts
from adjudge.io.files import NoFileError, open_file
from adjudge.metrics.base import Metric, Rows

MAGIC = b"adjudge rows 1\n\0"
HEADER = struct.Struct("<16s32sQQ32s")
"""Magic, key, rows, columns, sha256 of the numbers, which follow as little-endian float64."""
SIZE = 1 << 30
"""Bytes that a cache may take; the rows that were asked for longest ago go first."""
ABANDONED = 3600.0
"""Seconds after which a file that was never finished belongs to a process that has died."""
REMEMBERED = 256
"""Texts whose hashes are remembered."""
DRAFT = re.compile(r"[0-9a-f]{64}\.rows\.[0-9a-f]+\.tmp")


class RowCache:
    """Rows in a folder, under a hash of all they depend on: signature, test set, outputs.

    Several processes may use a folder at once. Whatever is wrong with a folder or a file in it, rows are computed
    as if there were no cache. Only metrics of adjudge itself are kept: others may change unnoticed.
    """

    def __init__(self, folder: Path, size: int = SIZE) -> None:
        self.folder = folder
        self.size = size
        self._texts: dict[int, tuple[tuple[str, ...], bytes]] = {}
        self._used: int | None = None  # bytes; looked up when something is put for the first time
        self.notes: list[str] = []
        """What lay in the folder that has no business there."""

    def get(self, metric: Metric, test_set: TestSet, segments: Sequence[str]) -> Rows | None:
        """The rows of these outputs, or None where they are not known."""
        entry = self._entry(metric, test_set, segments)
        if entry is None:
            return None
        key, path = entry
        try:
            with open_file(path) as file:
                data = file.read() if os.fstat(file.fileno()).st_size <= self.size else b""
        except NoFileError as error:
            self.notes.append(f"{error}, though it has the name of one of the cache; scored without it")
            return None
        except OSError:
            return None
        rows = _unpack(key, data, len(segments))
        if rows is not None:
            with contextlib.suppress(OSError):
                os.utime(path)  # used last now; access times are switched off on many file systems
        return rows

    def put(self, metric: Metric, test_set: TestSet, segments: Sequence[str], rows: Rows) -> None:
        """Keep the rows; where nothing can be written, nothing happens."""
        entry = self._entry(metric, test_set, segments)
        if entry is None:
            return
        key, path = entry
        numbers = np.ascontiguousarray(rows, "<f8").tobytes()
        data = HEADER.pack(MAGIC, key, *rows.shape, hashlib.sha256(numbers).digest()) + numbers
        if len(data) > self.size:
            return
        # Written under a name of its own and then renamed: readers see all of a file or nothing of it.
        draft = path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(data)
            draft.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            return
        self._used = (
            sum(size for _, size, _ in self._files()) if self._used is None else self._used + len(data)
        )
        if self._used > self.size:
            self._make_room(path)

    def _entry(self, metric: Metric, test_set: TestSet, segments: Sequence[str]) -> tuple[bytes, Path] | None:
        """The key of rows and their file; None for a metric whose rows are not kept.

        A key has all that rows depend on: a model that a metric reads stands in its signature by its hash.
        """
        # str.lower and the character classes change with Python's Unicode.
        facts = [__version__, _build(), unicodedata.unidata_version]
        if not (metric.keeps_rows and metrics.is_builtin(metric)):
            return None
        facts += [metric.spec, metric.signature(test_set), test_set.fingerprint]
        if test_set.trees is not None or test_set.back_translations:
            facts.append(test_set.knowledge_of(segments))
        key = hashlib.sha256(MAGIC + _digest(facts) + self._text(segments)).digest()
        return key, self.folder / f"{key.hex()}.rows"

    def _text(self, segments: Sequence[str]) -> bytes:
        """The hash of a text, which several metrics ask for in turn."""
        known = self._texts.get(id(segments))
        if known is not None:
            return known[1]
        digest = _digest(segments)
        if isinstance(segments, tuple) and len(self._texts) < REMEMBERED:
            self._texts[id(segments)] = segments, digest  # held, so that nothing else gets its id
        return digest

    def _files(self) -> Iterator[tuple[float, int, str]]:
        """When each file was used last, its size and its path; drafts of dead processes are removed."""
        with contextlib.suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.name.endswith(".rows"):
                        facts = entry.stat()
                        yield facts.st_mtime, facts.st_size, entry.path
                    elif DRAFT.fullmatch(entry.name) and time.time() - entry.stat().st_mtime > ABANDONED:
                        os.unlink(entry.path)

    def _make_room(self, newest: Path) -> None:
        """Remove what was used longest ago until a tenth of the room is free, so that not every put does this."""
        files = sorted(self._files())
        self._used = sum(size for _, size, _ in files)
        for _, size, path in files:
            if self._used <= self.size - self.size // 10:
                break
            if path != str(newest):
                with contextlib.suppress(OSError):
                    os.unlink(path)
                    self._used -= size


@cache
def _build() -> str:
    """What tells apart two states of the code that have the same version, as they have while one works on it."""
    folders = [Path(path) for package in (metrics, qe, text) for path in package.__path__]
    files = [Path(_native.CORE), *(file for folder in folders for file in sorted(folder.glob("*.py")))]
    try:
        stats = [file.stat() for file in files]
    except OSError:  # an installation that is being replaced
        return ""
    return repr([(f.name, s.st_size, s.st_mtime_ns) for f, s in zip(files, stats, strict=True)])


def _digest(column: Sequence[str]) -> bytes:
    digest = hashlib.sha256()
    add_texts(digest, column)
    return digest.digest()


def _unpack(key: bytes, data: bytes, segments: int) -> Rows | None:
    """The rows in a file's bytes; None where it is damaged, unfinished or not what it should be."""
    if len(data) < HEADER.size:
        return None
    magic, written, count, width, digest = HEADER.unpack_from(data)
    numbers = memoryview(data)[HEADER.size :]
    if magic != MAGIC or written != key or count != segments or len(numbers) != count * width * 8:
        return None
    if hashlib.sha256(numbers).digest() != digest:
        return None
    return np.frombuffer(numbers, "<f8").reshape(count, width).astype(np.float64)
