"""Share of output words that occur in the reference: a metric in a package of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adjudge.data import TestSet
from adjudge.metrics.base import MeanMetric, Rows


@dataclass(frozen=True)
class Covered(MeanMetric):
    """Mean over segments of the share of output words seen in the first reference."""

    name = "covered"
    title = "covered"
    summary = "share of output words that occur in the reference"
    presets: ClassVar[dict[str, dict[str, Any]]] = {"covered-lc": {"lowercase": True}}

    lowercase: bool = False

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """One score a segment."""
        # Import what is heavy here, and not above: `adjudge score --list` imports this file.
        fold = str.lower if self.lowercase else str
        scores = []
        for output, reference in zip(outputs, prepared.references[0], strict=True):
            words, known = fold(output).split(), set(fold(reference or "").split())
            scores.append(100 * sum(word in known for word in words) / max(1, len(words)))
        return np.array(scores)

    def signature_fields(self) -> dict[str, str]:
        """All that changes the score; package and version are added by adjudge."""
        return {"case": "lc" if self.lowercase else "mixed"}
