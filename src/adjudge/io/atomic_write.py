"""Files that are written whole or not at all: a full disk leaves the old file."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from adjudge.errors import DataError

Pieces = Callable[[], Iterable[bytes]]
_OWN_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_NO_ROOM_BESIDE = (errno.EACCES, errno.EPERM, errno.EROFS)


def write_whole(path: str | Path, data: bytes, *, private: bool = False) -> None:
    """Write a file beside `path` and move it there, so that readers see the old or the new file, never a part.

    A link is followed. Pipes, devices and /dev/stdout take the bytes as they come. A file that was there keeps its
    permissions; a new `private` one can be read by its owner alone, whatever the umask.
    """
    write_pieces(path, lambda: (data,), private=private)


def write_pieces(path: str | Path, pieces: Pieces, *, private: bool = False) -> None:
    """Write a file as `write_whole` does, piece by piece; the pieces may be asked for twice."""
    try:
        _write(os.fspath(path), pieces, 0o600 if private else 0o666)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path itself
        raise DataError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None


def _write(path: str, pieces: Pieces, mode: int) -> None:
    descriptor = own_descriptor(path)
    if descriptor is not None:  # not opened anew, which would cut off what stands before
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.writelines(pieces())
        return
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        _overwrite(target, pieces)
        return
    # Not named after the target, whose name may be as long as names can be.
    draft = os.path.join(os.path.dirname(target), f".adjudge-{secrets.token_hex(8)}")
    try:
        _replace(draft, target, pieces, mode)
    except OSError as error:
        if error.errno not in _NO_ROOM_BESIDE or not os.access(target, os.W_OK):
            raise
        _overwrite(target, pieces)  # a file that may be written, in a folder that may not
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def _overwrite(target: str, pieces: Pieces) -> None:
    with open(target, "wb") as file:
        file.writelines(pieces())


def _replace(draft: str, target: str, pieces: Pieces, mode: int) -> None:
    with open(draft, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
        file.writelines(pieces())
        file.flush()
        os.fsync(file.fileno())  # a disk over the network may say only now that it is full
    if os.path.exists(target):
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
        before = os.stat(target)
        shutil.copymode(target, draft)
        if (before.st_uid, before.st_gid) != (os.stat(draft).st_uid, os.stat(draft).st_gid):
            os.chown(draft, before.st_uid, before.st_gid)
    os.replace(draft, target)


def own_descriptor(path: str) -> int | None:
    """The number of this process's file descriptor that a path names, as /dev/stdout does."""
    absolute = os.path.abspath(path)
    match = _OWN_DESCRIPTOR.fullmatch(absolute)
    return int(match[1]) if match else _STREAMS.get(absolute)
