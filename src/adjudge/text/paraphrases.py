"""Paraphrases: METEOR's table of phrases that say the same, compiled once and then used where it lies on the disk."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from adjudge._native import ParaphraseBuilder, ParaphraseTable, texts
from adjudge.errors import DataError
from adjudge.io.compression import expanded_file
from adjudge.io.files import open_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORM = 1
"""The version of the compiled form, as in its header (native/paraphrases.hpp)."""
PIECE = 1 << 22  # bytes of text decompressed at a time
ABANDONED = 3600.0  # seconds after which an unfinished file belongs to a process that has died

T = TypeVar("T")
Progress = Callable[[float], None]
"""Told, now and then, which share of a table has been read."""
Complaint = Callable[[Path, str], None]
"""Told in which folder a compiled table could not be kept, and why."""


class PhraseMatch(NamedTuple):
    """Words of the reference and words of the hypothesis of which one is a paraphrase of the other."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int


class Paraphrases:
    """A paraphrase table; what is looked up lies in a mapped file that all processes share."""

    native: ParaphraseTable
    """What the aligner asks."""
    signature: str
    """The first eight digits of the table's sha256."""

    def __init__(self, native: ParaphraseTable) -> None:
        self.native = native
        self.signature = native.source.hex()[:8]

    @classmethod
    def load(
        cls, path: str | Path, cache: Path | None = None, *, progress: Progress | None = None
    ) -> Paraphrases:
        """Open METEOR's table at `path` (`.gz`; a probability, a phrase and its paraphrase on three lines each).

        The first time it is compiled into the folder `cache` (by default the user's, see `default_cache`), which
        takes some seconds and tells `progress` (by default the program's, see `watched_by`); a compiled table that
        is damaged is made anew. Where the folder cannot be written to, the table stays in memory.
        """
        progress = progress or _watching.progress
        try:
            with open(path, "rb") as file:
                facts = os.fstat(file.fileno())
                key = facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns
                table = _open_tables.get(key)
                if table is None:
                    table = cls(_table(str(path), file, cache or default_cache(), progress))
                    _open_tables[key] = table
        except FileNotFoundError:
            raise DataError(f"{path}: no such file; a paraphrase table of METEOR was expected") from None
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}") from None
        return table

    def __len__(self) -> int:
        """How many entries the table has."""
        return len(self.native)

    def pairs(self, hypothesis: Sequence[str], reference: Sequence[str]) -> list[PhraseMatch]:
        """All matches between two segments, given as words, in the order in which METEOR 1.5 finds them.

        A pair that the table has in both directions comes twice.
        """
        return [PhraseMatch(*match) for match in self.native.matches(texts(hypothesis), texts(reference))]


def keep_in(folder: Path | None) -> None:
    """Let tables that are loaded without a folder lie in this one from now on, or with None in memory only.

    For programs: a metric that needs a table is not told where its user's caches are.
    """
    _chosen[:] = [folder]


def watched_by(progress: Progress | None, unkept: Complaint | None = None) -> None:
    """Tell these from now on how far a table is that is compiled, and that it could not be kept; None tells nobody.

    For programs, like `keep_in`.
    """
    _watching.progress, _watching.unkept = progress, unkept


def default_cache() -> Path | None:
    """Where compiled tables are kept by default; None without a home folder."""
    if _chosen:
        return _chosen[0]
    try:
        return Path.home() / ".cache" / "adjudge"
    except RuntimeError:
        return None


@dataclass
class _Watching:
    progress: Progress | None = None
    unkept: Complaint | None = None


_chosen: list[Path | None] = []
_watching = _Watching()
# Tables in use, so that several metrics of one process hash and open a file only once.
_open_tables: WeakValueDictionary[tuple[int, int, int, int], Paraphrases] = WeakValueDictionary()


def _table(path: str, file: BufferedReader, cache: Path | None, progress: Progress | None) -> ParaphraseTable:
    import hashlib

    source = hashlib.file_digest(file, "sha256").digest()
    kept = None if cache is None else cache / "paraphrases" / f"{source.hex()}.{FORM}"
    table = None if kept is None else _map_file(kept, source)
    if table is not None:
        return table
    file.seek(0)
    compiled = _compile(path, file, source, progress)
    if kept is not None:
        why_not = _write_file(kept, compiled.data)
        table = None if why_not else _map_file(kept, source)
        if why_not and _watching.unkept is not None:
            _watching.unkept(kept.parent, why_not)
    return table or ParaphraseTable(compiled)


def _map_file(path: Path, source: bytes) -> ParaphraseTable | None:
    """The compiled table in a file, None where it is missing, damaged or made from something else."""
    import mmap

    try:
        with open_file(path) as file:
            table = ParaphraseTable(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):
        return None
    return table if table.source == source else None


def _write_file(path: Path, compiled: memoryview) -> str:
    """Put the file there, or say why not; readers see all of it or nothing, even if several processes write it."""
    import secrets

    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for abandoned in path.parent.glob("*.tmp"):
            with contextlib.suppress(OSError):
                if time.time() - abandoned.stat().st_mtime > ABANDONED:
                    abandoned.unlink()
        draft.write_bytes(compiled)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        return error.strerror or str(error)
    return ""


def _compile(path: str, file: BufferedReader, source: bytes, progress: Progress | None) -> NDArray[np.uint8]:
    from concurrent.futures import ThreadPoolExecutor

    builder = ParaphraseBuilder()
    size = os.fstat(file.fileno()).st_size
    # Neither side holds the interpreter's lock: one core decompresses while the other reads.
    with expanded_file(path, file) as text, ThreadPoolExecutor(1) as pool:
        ahead = pool.submit(text.read, PIECE)
        while piece := ahead.result():
            ahead = pool.submit(text.read, PIECE)
            _check_step(path, builder.feed, piece)
            if progress is not None:
                progress(min(file.tell() / size, 0.99))  # all of it is done when it is sorted, too
    compiled = _check_step(path, builder.finish, source)
    if progress is not None:
        progress(1.0)
    return compiled


def _check_step(path: str, step: Callable[[bytes], T], argument: bytes) -> T:
    """What a step of the builder gives, its complaints about the table made ours."""
    try:
        return step(argument)
    except ValueError as error:
        line, _, why = str(error).partition(": ")
        raise DataError(
            f"{path}, {line}: {why}; METEOR's paraphrase tables have three lines an entry (a probability, "
            "a phrase, its paraphrase) in UTF-8: mend the table or install it again"
        ) from None
