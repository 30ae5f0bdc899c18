"""Results as JSON text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from adjudge.comparison.documents import plain


def json_text(document: Mapping[str, Any], *, ascii_only: bool = True) -> str:
    """A document as people and programs read it; what is not a finite number is null.

    ASCII only, so that any terminal, pipe or file can carry it, unless it holds what people are to copy.
    """
    return json.dumps(plain(document), indent=2, ensure_ascii=ascii_only, allow_nan=False) + "\n"
