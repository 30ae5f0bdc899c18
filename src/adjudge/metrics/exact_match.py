"""Exact match: how many segments are just what a reference says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge import _native
from adjudge.metrics.base import MeanMetric, Rows, require, yes_no
from adjudge.metrics.words import WordMetric


@dataclass(frozen=True)
class ExactMatch(WordMetric, MeanMetric):
    """Share of segments that are equal to one of their references.

    Words are compared, so white space may differ unless `whitespace` says that it counts; two texts without
    words are equal.
    """

    name = "exact-match"
    title = "exact match"
    summary = "share of segments equal to a reference"
    references_used = "any"

    tokenize: str = "none"
    whitespace: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require(
            not self.whitespace or self.tokenize == "none",
            f"exact-match(whitespace=true,tokenize={self.tokenize}): tokenizers change white space; "
            "leave one of the two out",
        )

    def segments(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """100 where the segment is a reference, else 0."""
        rows = _native.exact_rows(
            self.hypotheses(outputs), prepared, self.tokenizer.core_name, self.whitespace, threads
        )
        return 100.0 * rows[:, 0]

    def signature_fields(self) -> dict[str, str]:
        """Case, tokenizer, choice of reference, and whether white space counts."""
        return super().signature_fields() | {"space": yes_no(self.whitespace)}
