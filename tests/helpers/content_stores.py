"""What another process does with a store of contents; it must find this by its name."""

from pathlib import Path

from adjudge.io.content_store import ContentStore, key_of


def put_some(folder: Path, start: int) -> None:
    """Fifty numbers, each by itself."""
    store = ContentStore(folder)
    for i in range(start, start + 50):
        store.put("kind", {key_of(str(i)): str(i).encode()})
    store.close()
