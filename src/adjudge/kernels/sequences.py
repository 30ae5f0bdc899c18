"""The sequence kernel: gapped subsequences that two sequences share (Bunescu and Mooney 2006)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from adjudge import _native
from adjudge.kernels.base import (
    Kernel,
    KernelVocabulary,
    Numbering,
    PreparedStructures,
    Values,
    length,
    number,
)


@dataclass(eq=False)
class Symbols(KernelVocabulary):
    """The numbers of symbols."""

    numbers: Numbering[Hashable] = field(default_factory=Numbering)


@dataclass(frozen=True)
class SK(Kernel[Sequence[Hashable]]):
    """The sum over common subsequences of up to `n` symbols of decay^(places they span, in a and in b).

    A sequence is a list of words, or of anything that can be a key of a dict; a string is one of characters.
    """

    n: int = 4
    decay: float = 0.75

    def __post_init__(self) -> None:
        length(self.n or "none", "n")
        number(self.decay, "decay", most=1)

    def prepare(
        self, items: Sequence[Sequence[Hashable]], others: PreparedStructures | None = None
    ) -> PreparedStructures:
        """Symbols as numbers."""
        symbols = others.vocabulary if others is not None else Symbols()
        with symbols.lock:
            rows = [list(map(symbols.numbers.__getitem__, item)) for item in items]
        sizes = np.array([len(row) for row in rows], np.int64)
        flat = np.array([symbol for row in rows for symbol in row], np.int32)
        return PreparedStructures(self, _native.KernelSequences(flat, sizes), symbols)

    def _pairs(self, a: PreparedStructures, b: PreparedStructures, threads: int) -> Values:
        return _native.sequence_kernel_pairs(a.native, b.native, self._native, threads)[:, 0]

    def _matrix(self, a: PreparedStructures, b: PreparedStructures, threads: int) -> Values:
        return _native.sequence_kernel_matrix(a.native, b.native, self._native, threads)

    @property
    def _native(self) -> _native.SequenceKernel:
        return _native.SequenceKernel(self.n, self.decay)
