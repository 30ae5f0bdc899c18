"""Names of labels: the standard name, and its synonyms in files."""

from __future__ import annotations

from collections.abc import Iterable

SYNONYMS = {
    "document": ("document", "doc", "docid", "doc_id", "document_id"),
    "domain": ("domain", "genre"),
    "origin": ("origin", "origlang", "orig_lang", "original_language"),
}


def meant(name: str, labels: Iterable[str]) -> str:
    """The label with this name, or else with a synonym of it."""
    known = set(labels)
    words = [word for word, names in SYNONYMS.items() if name.lower() in names]
    return words[0] if name not in known and words and words[0] in known else name


def with_synonyms(labels: Iterable[str]) -> str:
    """Labels with what else they may be called, for messages."""
    return ", ".join(
        f"{name} (also {', '.join(other for other in SYNONYMS[name] if other != name)})"
        if name in SYNONYMS
        else name
        for name in labels
    )
