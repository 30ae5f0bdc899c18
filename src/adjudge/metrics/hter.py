"""HTER (Snover et al. 2006): TER of an output against its own post-edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge import _native
from adjudge.metrics.base import Rows, yes_no
from adjudge.metrics.ter import Ter


@dataclass(frozen=True)
class Hter(Ter):
    """TER where the references are post-edits of the very output that is scored.

    With `cap` no segment counts for more edits than its post-edit has words, so a segment's score ends at 100 as in
    the gold data of the quality-estimation tasks; the corpus score is still edits per post-edited word.
    """

    name = "hter"
    title = "HTER"
    summary = (
        "TER against a post-edit of the output itself, given as the reference; cap=true ends segments at 100"
    )

    cap: bool = False

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Edits and post-edited words; with `cap` no more edits than words, unless nothing was left of the segment."""
        rows = super().stats(prepared, outputs, threads=threads)
        if self.cap:
            edits, length = rows[:, 0], rows[:, 1]
            rows[:, 0] = np.where(length > 0, np.minimum(edits, length), edits)
        return rows

    def signature_fields(self) -> dict[str, str]:
        """Fields of TER's signature, and whether segments are capped."""
        return super().signature_fields() | {"cap": yes_no(self.cap)}
