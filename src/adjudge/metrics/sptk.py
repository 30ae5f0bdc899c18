"""SPTK (Croce, Moschitti & Basili 2011): PTK in which different words match as far as their vectors are alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge import workspace
from adjudge.data import TestSet
from adjudge.kernels import SPTK, Kernel
from adjudge.metrics.base import shortest, yes_no
from adjudge.metrics.ptk import Ptk
from adjudge.metrics.structure import References
from adjudge.text import vectors


@dataclass(frozen=True)
class Sptk(Ptk):
    """The normalised smoothed partial tree kernel of output and reference, in percent; the mean of segments."""

    name = "sptk"
    title = "SPTK"
    summary = (
        "smoothed partial tree kernel: as ptk, and different words match by their vectors (vectors=FILE)"
    )

    max_length: int | None = 20
    vectors: str = ""
    threshold: float = 0.01
    same_class: bool = True
    equal_words_match: bool = False

    def kernel(self, known: Any = None) -> Kernel[Any]:
        """SPTK with these parameters, and vectors where they are given."""
        return SPTK(**self.parameters(known))

    def parameters(self, known: Any) -> dict[str, Any]:
        """The kernel's parameters by name."""
        names = (
            "decay",
            "vertical",
            "terminal",
            "max_length",
            "threshold",
            "same_class",
            "equal_words_match",
        )
        return {name: getattr(self, name) for name in names} | {"vectors": {} if known is None else known}

    def prepare(self, test_set: TestSet) -> References:
        """References parsed, and as the kernel with its vectors reads them."""
        parsed = super().prepare(test_set)
        if not self.vectors:
            workspace.current().note(
                f"{self.label}: without word vectors, words are like themselves alone; give some: "
                f"{self.name}(vectors=FILE)"
            )
            return parsed
        kernel = self.kernel(vectors.load(self.vectors))
        return References.prepare(kernel, self.item, parsed.language, test_set.references)

    def signature_fields(self) -> dict[str, str]:
        """Fields of PTK's signature, and what makes words similar."""
        return super().signature_fields() | {
            "vectors": vectors.load(self.vectors).signature if self.vectors else "none",
            "threshold": shortest(self.threshold, "g"),
            "class": yes_no(self.same_class),
            "equal": yes_no(self.equal_words_match),
        }
