"""CSPTK (Annesi, Croce & Basili 2014): SPTK on pairs of head and modifier, by the vectors of both together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge.data.dependencies import Parse
from adjudge.errors import UsageError
from adjudge.kernels import CSPTK, Kernel, Tree
from adjudge.kernels.vectors import Composition
from adjudge.metrics.base import yes_no
from adjudge.metrics.sptk import Sptk
from adjudge.text.trees import WordReading, compositional_tree


@dataclass(frozen=True)
class Csptk(Sptk):
    """The normalised compositional SPTK of output and reference, in percent; the mean of segments."""

    name = "csptk"
    title = "CSPTK"
    summary = "compositional SPTK: pairs of head and modifier match by the vectors of both (vectors=FILE)"

    composition: Composition = "sum"
    same_relation: bool = False
    kelp: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tree != "lct":
            raise UsageError(f"csptk(tree={self.tree}): its trees are lexical-centred; leave the option out")

    def kernel(self, known: Any = None) -> Kernel[Any]:
        """CSPTK with these parameters, and vectors where they are given."""
        return CSPTK(
            **self.parameters(known),
            composition=self.composition,
            same_relation=self.same_relation,
            kelp=self.kelp,
        )

    def item(self, parse: Parse, reading: WordReading) -> Tree:
        """The tree whose nodes are pairs of head and modifier."""
        return compositional_tree(parse, reading)

    def signature_fields(self) -> dict[str, str]:
        """Fields of SPTK's signature, and how two words make one."""
        return super().signature_fields() | {
            "composition": self.composition,
            "relation": yes_no(self.same_relation),
            "kelp": yes_no(self.kelp),
        }
