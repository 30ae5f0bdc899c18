"""Remote files: `s3://…`, `gs://…`, `https://…`, and whatever else fsspec supports."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from adjudge import workspace
from adjudge.errors import AdjudgeError, DataError, MissingExtraError, unasked_program

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_USER = re.compile(rf"({_URL.pattern})[^/?]*@")
_IN_TEXT = re.compile(rf"{_URL.pattern}[^\s'\"<>]+")
GONE = (404, 410)


def is_url(path: str) -> bool:
    """Whether a path is an address and no name in a file system here."""
    return _URL.match(path) is not None


def shown_address(path: str) -> str:
    """An address without user, password and query, which can be secrets; a name in a file system as it is."""
    return _USER.sub(r"\1", path).partition("?")[0] if is_url(path) else path


def check_asked(path: str) -> None:
    """Refuse an address that comes from a file and not from the user, since it could point anywhere."""
    if is_url(path) and not workspace.current().may_run:
        raise unasked_program(f"the address {shown_address(path)}", "read")


def open_address(path: str) -> IO[bytes]:
    """A local or remote file for reading; errors name the address."""
    if not is_url(path):
        return open(path, "rb")
    check_asked(path)
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError(f"reading {shown_address(path)}", "remote") from None
    with _errors_with_address(path):
        return cast(IO[bytes], _RemoteFile(fsspec.open(path, "rb").open(), path))


class _RemoteFile:
    """A remote file, whose connection can also break while it is read."""

    def __init__(self, file: Any, path: str) -> None:
        self._file, self._path = file, path

    def __enter__(self) -> _RemoteFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        with _errors_with_address(self._path):
            return cast(bytes, self._file.read(size))


@contextmanager
def _errors_with_address(path: str) -> Iterator[None]:
    """Turn errors of remote stores into messages that name the address."""
    place = shown_address(path)
    try:
        yield
    except (AdjudgeError, MemoryError):
        raise
    except Exception as error:
        why: BaseException = error
        while isinstance(why, FileNotFoundError) and why.__cause__ is not None:
            why = why.__cause__  # what fsspec calls missing can be any answer, which it keeps
        if isinstance(why, FileNotFoundError) or getattr(why, "status", 0) in GONE:
            raise DataError(f"{place} does not exist, or may not be seen from here") from None
        text = " ".join(str(why).split()) or type(why).__name__
        text = _IN_TEXT.sub(lambda match: shown_address(match[0]), text)
        raise DataError(f"{place} cannot be read: {text[:200]}") from None


def size(path: str) -> int:
    """The size of a stored file in bytes; 0 if unknown."""
    if not is_url(path):
        return os.path.getsize(path)
    import fsspec

    system, place = fsspec.core.url_to_fs(path)
    try:
        return int(system.size(place) or 0)
    except Exception:
        return 0
