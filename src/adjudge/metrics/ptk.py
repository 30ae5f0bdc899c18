"""PTK (Moschitti 2006): parts that the trees of output and reference share, with gaps between children."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge.kernels import PTK, Kernel
from adjudge.metrics.base import shortest
from adjudge.metrics.structure import TreeMetric


@dataclass(frozen=True)
class Ptk(TreeMetric):
    """The normalised partial tree kernel of output and reference, in percent; the mean of segments."""

    name = "ptk"
    title = "PTK"
    summary = "partial tree kernel: parts that the syntax trees of output and reference share"

    decay: float = 0.4
    vertical: float = 0.4
    terminal: float = 1.0
    max_length: int | None = None

    def kernel(self) -> Kernel[Any]:
        """PTK with these parameters."""
        return PTK(self.decay, self.vertical, self.terminal, self.max_length)

    def signature_fields(self) -> dict[str, str]:
        """Case, words, the shape of trees and the kernel's parameters."""
        return super().signature_fields() | {
            "decay": shortest(self.decay, "g"),
            "vertical": shortest(self.vertical, "g"),
            "terminal": shortest(self.terminal, "g"),
            "length": "any" if self.max_length is None else str(self.max_length),
        }
