"""TER (Snover et al. 2006) as sacreBLEU computes it, and as tercom 0.7.25 itself does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from adjudge import _native
from adjudge.data import TestSet
from adjudge.errors import DataError
from adjudge.metrics.base import Metric, Rows, divide, require, yes_no

Implementation = Literal["sacrebleu", "tercom"]


@dataclass(frozen=True)
class Ter(Metric):
    """Edits and shifts of word spans per reference word; rows are the fewest edits and the mean reference length.

    The two implementations differ on long or garbled segments (which shifts they try, where they stop looking) and in
    the words of normalised text: white space is Unicode's or ASCII's, kana apart or not.
    """

    name = "ter"
    title = "TER"
    summary = "edits and shifts per reference word (sacreBLEU's; implementation=tercom for tercom's own)"
    higher_is_better = False
    scale = (float("inf"), 0.0)

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    implementation: Implementation = "sacrebleu"

    def __post_init__(self) -> None:
        require(
            self.implementation in ("sacrebleu", "tercom"),
            f"{self.name}(implementation={self.implementation}): must be one of sacrebleu, tercom",
        )

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core."""
        return [_native.texts(column, lowercase=not self.case_sensitive) for column in test_set.references]

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The fewest edits to any of the references, and the mean of their lengths."""
        hypotheses = _native.texts(outputs, lowercase=not self.case_sensitive)
        options = self.normalized, self.no_punct, self.asian_support, self.implementation == "tercom"
        try:
            return _native.ter_rows(hypotheses, prepared, *options, threads)
        except ValueError as error:
            raise DataError(f"{self.name}: {error}") from None

    def aggregate(self, sums: Rows) -> Rows:
        """Edits per word in percent; without any reference word 100 if there is something to delete, else 0."""
        sums = np.asarray(sums, np.float64)
        edits, length = sums[..., 0], sums[..., 1]
        return 100.0 * np.where(length > 0, divide(edits, length, otherwise=0.0), edits > 0)

    def signature_fields(self) -> dict[str, str]:
        """Fields of sacreBLEU's signature, and the implementation where it is tercom's."""
        fields = {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": yes_no(self.normalized),
            "punct": yes_no(not self.no_punct),
            "asian": yes_no(self.asian_support),
        }
        if self.implementation != "sacrebleu":
            fields["impl"] = self.implementation
        return fields
