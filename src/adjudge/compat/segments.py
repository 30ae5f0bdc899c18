"""Texts as packages for training give them, segment by segment, as a test set."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.data import TestSet


def batch_set(
    references: Sequence[str | Sequence[str]], sources: Sequence[str] | None = None, language: str = ""
) -> TestSet:
    """A test set from a reference a segment, or several, of which there may be more for one than for another."""
    given = [[texts] if isinstance(texts, str) else list(texts) for texts in references]
    count = max(map(len, given), default=0)
    return TestSet(
        references=tuple(
            tuple(texts[i] if i < len(texts) else None for texts in given) for i in range(count)
        ),
        sources=None if sources is None else tuple(map(str, sources)),
        language=language,
    )
