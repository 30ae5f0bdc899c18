"""What all kernels share: items prepared once, then pairs of them, matrices and single values, normalised or not."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, UsageError

Values = NDArray[np.float64]
Item = TypeVar("Item")
Key = TypeVar("Key")


@dataclass(frozen=True)
class Kernel(ABC, Generic[Item]):
    """A kernel is a value whose fields are its parameters: K(a, b) counts, weighted, the parts that a and b share.

    `normalise` asks for K(a, b)/√(K(a, a)·K(b, b)) instead, which is 0 where one of the two has no parts. Whoever
    holds the same items against others again prepares them once:

        references = kernel.prepare(trees)
        outputs = kernel.prepare(other_trees, others=references)
        scores = kernel.pairs(outputs, references, normalise=True)
    """

    def __call__(self, a: Item, b: Item, *, normalise: bool = False) -> float:
        """K(a, b)."""
        return float(self.pairs([a], [b], normalise=normalise, threads=1)[0])

    def pairs(
        self,
        a: Sequence[Item] | PreparedStructures,
        b: Sequence[Item] | PreparedStructures,
        *,
        normalise: bool = False,
        threads: int = 0,
    ) -> Values:
        """K(a[i], b[i]) for every i; `threads` 0 means one a core, and never changes a value."""
        ours, theirs = self._both(a, b)
        if len(ours) != len(theirs):
            raise DataError(f"{len(ours)} items on the one side and {len(theirs)} on the other make no pairs")
        values = self._pairs(ours, theirs, threads)
        return (
            normalised(values, ours.selves(threads), theirs.selves(threads)) if normalise else finite(values)
        )

    def matrix(
        self,
        a: Sequence[Item] | PreparedStructures,
        b: Sequence[Item] | PreparedStructures | None = None,
        *,
        normalise: bool = False,
        threads: int = 0,
    ) -> Values:
        """K(a[i], b[j]) in row i and column j; without b the Gram matrix of a."""
        ours, theirs = self._both(a, a if b is None else b)
        values = self._matrix(ours, theirs, threads)
        if not normalise:
            return finite(values)
        return normalised(values, ours.selves(threads)[:, None], theirs.selves(threads)[None, :])

    @abstractmethod
    def prepare(self, items: Sequence[Item], others: PreparedStructures | None = None) -> PreparedStructures:
        """The items as the core reads them; `beside` are those that they shall be held against."""

    @abstractmethod
    def _pairs(self, a: PreparedStructures, b: PreparedStructures, threads: int) -> Values:
        """K(a[i], b[i])."""

    @abstractmethod
    def _matrix(self, a: PreparedStructures, b: PreparedStructures, threads: int) -> Values:
        """K(a[i], b[j])."""

    def _both(
        self, a: Sequence[Item] | PreparedStructures, b: Sequence[Item] | PreparedStructures
    ) -> tuple[PreparedStructures, PreparedStructures]:
        if isinstance(a, PreparedStructures) and isinstance(b, PreparedStructures):
            if a.vocabulary is not b.vocabulary:
                raise UsageError(
                    "these items were not prepared beside each other: prepare(items, others=the others)"
                )
            ours, theirs = a, b
        elif isinstance(a, PreparedStructures):
            ours, theirs = a, a if b is a else self.prepare(b, others=a)  # type: ignore[arg-type]
        elif isinstance(b, PreparedStructures):
            ours, theirs = self.prepare(a, others=b), b
        else:
            ours = self.prepare(a)
            theirs = ours if b is a else self.prepare(b, others=ours)
        for side in (ours, theirs):
            if side.kernel is not self and side.kernel != self:
                raise UsageError(f"these items were prepared for {side.kernel}, not for {self}")
        return ours, theirs


@dataclass(frozen=True, eq=False)
class PreparedStructures:
    """Trees or sequences as the core reads them, for one kernel; what is prepared beside it shares its vocabulary."""

    kernel: Kernel[Any]
    native: Any
    vocabulary: Any
    _selves: dict[str, Values] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.native)

    def selves(self, threads: int = 0) -> Values:
        """K(a, a) of every item, computed once."""
        if "values" not in self._selves:
            self._selves["values"] = self.kernel._pairs(self, self, threads)
        return self._selves["values"]


class Numbering(dict[Key, int]):
    """Numbers from 0 for things, in the order in which they are first asked for."""

    def __missing__(self, key: Key) -> int:
        number = self[key] = len(self)
        return number


@dataclass(eq=False)
class KernelVocabulary:
    """What labels have which numbers; grows with every item that is prepared."""

    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    """Held while labels are added."""


def finite(values: Values) -> Values:
    """The values, or an error where they are beyond what a number can hold."""
    if not np.isfinite(values).all():
        raise UsageError(
            "the kernel is larger than a number can be: so many parts need a smaller decay (or a maximal length)"
        )
    return values


def normalised(values: Values, a: Values, b: Values) -> Values:
    """Kernel values over the roots of both self-kernels; 0 where one of these is 0."""
    finite(values), finite(a), finite(b)
    with np.errstate(over="ignore", under="ignore"):
        product = a * b
        # √x² is x itself, so K(a, a) comes to 1; where the product leaves the range of numbers, roots stay in it.
        roots = np.where((product > 1e-280) & (product < 1e280), np.sqrt(product), np.sqrt(a) * np.sqrt(b))
    result = np.divide(values, roots, out=np.zeros_like(values), where=roots > 0)
    return np.where((result > 1) & (result < 1 + 1e-9), 1.0, result)  # by rounding alone


def number(value: object, name: str, *, above: float = 0.0, most: float = float("inf")) -> float:
    """The parameter as a number, or an error where it lies outside of its range."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and above < value <= most
    if not fits or value == float("inf"):
        bound = f" and at most {most:g}" if most < float("inf") else ""
        raise UsageError(f"{name}={value}: must be a number above {above:g}{bound}")
    return float(value)  # type: ignore[arg-type]


def length(value: object, name: str) -> int:
    """The parameter as a whole number from 1; None, for any length, is 0."""
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 10_000:
        raise UsageError(f"{name}={value}: must be a whole number from 1 to 10,000, or none")
    return value
