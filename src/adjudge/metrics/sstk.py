"""SSTK (Collins & Duffy 2001): parts that trees share, with all children of a node or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge.kernels import SSTK, Kernel
from adjudge.metrics.base import shortest, yes_no
from adjudge.metrics.structure import TreeMetric


@dataclass(frozen=True)
class Sstk(TreeMetric):
    """The normalised subset tree kernel of output and reference, in percent; the mean of segments."""

    name = "sstk"
    title = "SSTK"
    summary = "subset tree kernel: parts of syntax trees in which each node keeps all its children or none"

    decay: float = 0.4
    leaves: bool = True

    def kernel(self) -> Kernel[Any]:
        """SSTK with these parameters."""
        return SSTK(self.decay, self.leaves)

    def signature_fields(self) -> dict[str, str]:
        """Case, words, the shape of trees and the kernel's parameters."""
        return super().signature_fields() | {
            "decay": shortest(self.decay, "g"),
            "leaves": yes_no(self.leaves),
        }
