"""The key of a service: what may be done with it, and texts without it."""

from __future__ import annotations

import json
import re

from adjudge.errors import UsageError

HIDDEN = "[key]"
TELLING = 8
"""Characters by which a part of a key is known for one; a shorter key is known as a whole."""


def checked_key(text: str, variable: str) -> str:
    """A key as it goes into a header; what cannot go there is refused without being shown."""
    key = text.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(
            f"the key in ${variable} has spaces or characters that no header carries; it is not shown here"
        )
    return key


def without_key(text: str, key: str) -> str:
    """A text in which the key, or a long beginning of it, is hidden."""
    if not key:
        return text
    for form in {key, json.dumps(key)[1:-1]}:
        text = text.replace(form, HIDDEN)
    if len(key) > TELLING:
        text = re.sub(re.escape(key[:TELLING]) + r"[^\s\"'<>,;]*", HIDDEN, text)
    return text
