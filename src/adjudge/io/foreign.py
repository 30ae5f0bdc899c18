"""Files of other tools whose fields hold something else than those tools write: the file's fault, said in one place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from adjudge.errors import DataError
from adjudge.io.files import shown


@contextmanager
def shaped_like(tool: str, path: str) -> Iterator[None]:
    """Read what a tool wrote; a field of another type than the tool's own is said to be wrong, with the file's name.

    Readers name the place themselves where they look at a type; this is for the many fields where none does.
    """
    try:
        yield
    except (TypeError, AttributeError, KeyError, IndexError, ValueError, OverflowError) as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise DataError(
            f"{shown(path)}: a field holds something else than {tool} writes there ({reason}); "
            f"compare it with a file that {tool} made"
        ) from None
