"""Results kept with their rows (`--save`), for gate, verify and compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudge.comparison import Comparison, Scores
    from adjudge.comparison.documents import Arguments
    from adjudge.io import Input


def save_scores(
    path: str,
    scores: Scores,
    *,
    inputs: Sequence[Input],
    arguments: Arguments,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write scores that have their rows, with `extra` entries of the document."""
    from adjudge import __version__
    from adjudge.comparison.documents import score_document
    from adjudge.history import stored

    document = score_document(scores, version=__version__, inputs=inputs, arguments=arguments)
    document |= extra or {}
    stored.write(path, document, stored.rows_of(stored.measured_of(scores)), scores.labels)


def save_comparison(
    path: str, comparison: Comparison, *, inputs: Sequence[Input], arguments: Arguments
) -> None:
    """Write a comparison with the rows it was made from."""
    from adjudge import __version__
    from adjudge.comparison.documents import comparison_document
    from adjudge.history import stored

    document = comparison_document(comparison, version=__version__, inputs=inputs, arguments=arguments)
    stored.write(path, document, stored.rows_of(comparison.measured), comparison.labels)
