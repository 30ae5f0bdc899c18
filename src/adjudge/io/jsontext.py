"""JSON as people write it by hand: what stands twice is said, and not silently the later one."""

from __future__ import annotations

import json
from typing import Any

from adjudge.errors import DataError


def parse(text: str | bytes) -> Any:
    """The value of a JSON text; DataError names a key that stands twice, ValueError is JSON's own."""
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DataError(f"{key!r} stands there twice; take one of them away")
        found[key] = value
    return found
