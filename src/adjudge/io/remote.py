"""Files that are somewhere else: `s3://…`, `gs://…`, `https://…`, whatever fsspec knows."""

from __future__ import annotations

import os
import re
from typing import IO, cast

from adjudge.errors import DataError, MissingExtraError

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_url(path: str) -> bool:
    """Whether a path is an address and no name in a file system here."""
    return _URL.match(path) is not None


def opened(path: str) -> IO[bytes]:
    """A file to be read, here or elsewhere; what is wrong with an address is told with it."""
    if not is_url(path):
        return open(path, "rb")
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError(f"reading {path}", "remote") from None
    try:
        return cast(IO[bytes], fsspec.open(path, "rb").open())
    except FileNotFoundError:
        raise DataError(f"{path} does not exist, or may not be seen from here") from None
    except ImportError as error:  # s3fs, gcsfs: fsspec says which package it lacks
        raise DataError(f"{path} cannot be read: {error}") from None
    except OSError:
        raise
    except Exception as error:  # each store has errors of its own
        raise DataError(f"{path} cannot be read: {' '.join(str(error).split())[:200]}") from None


def size(path: str) -> int:
    """Bytes of a file as it is stored; 0 where nobody says."""
    if not is_url(path):
        return os.path.getsize(path)
    import fsspec

    system, place = fsspec.core.url_to_fs(path)
    try:
        return int(system.size(place) or 0)
    except Exception:
        return 0
