"""The equations of a mixed model with crossed effects, reduced to those that must be solved (see mixed.py).

    V = I + γ_c Z_c Z_c' + γ_m Z_m Z_m' + Σ_f γ_f Z_f Z_f'        each γ a variance over that of the error

c are cells, m the many: either translations and items or tastes and raters, whichever are more. All other effects f
stay as dense columns. An effect that is not in the model has a γ of 0. M is the inverse of the first two terms, V2⁻¹
that of the first three; W = (X, Z_f, …), X the systems; Q = Z_m' M W; and B = W' V2⁻¹ W + (0, I/γ_f, …) are the
equations that remain. The projection P = V2⁻¹ − V2⁻¹ W B⁻¹ W' V2⁻¹ is all that the likelihood needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

MOST = 4000
"""Dense columns whose equations fit into memory and can be waited for."""
NESTS = (("item", "translation"), ("rater", "rater_system"))
"""Pairs of effects of which the second divides the first: one pair is eliminated with nothing but divisions."""
DENSE = 0.1
"""A table of which more than this share is filled is multiplied as a whole,"""
SMALL = 1 << 20
"""and so is one of fewer numbers."""


@dataclass(frozen=True, eq=False)
class State:
    """The likelihood at some variances, with all that a step needs."""

    variance: Floats
    """Of the error, then of the effects in the order of their names."""
    value: float
    """Negative restricted log-likelihood, but for constants."""
    gradient: Floats
    traces: Floats
    """Of P ∂V/∂variance, whose slope is the expected information."""
    fixed: Floats
    covariance: Floats
    remainder: Floats
    """P y, which predicts effects."""


class Equations:
    """The design, counted once: who judged what how often."""

    def __init__(self, y: Floats, system: Codes, factors: dict[str, Codes]) -> None:
        self.y, self.system, self.factors = y, system, factors
        self.sizes = {name: int(column.max()) + 1 for name, column in factors.items()}
        self.systems = int(system.max()) + 1
        many, cell = max(NESTS, key=lambda nest: sum(self.sizes.get(name, 0) for name in nest))
        self.dense = tuple(name for name in factors if name not in (many, cell))
        self.has_many, self.has_cells = many in factors, cell in factors
        self.names = (*self.dense, *(name for name in (many, cell) if name in factors))
        self.many = factors.get(many, np.zeros(len(y), np.int64))
        self.cell = factors.get(cell, self.many)
        self.manys = self.sizes.get(many, 1)
        self.places = self._places()
        self.width = self.systems + sum(self.sizes[name] for name in self.dense)
        if self.width > MOST:
            raise UsageError(
                f"{self.systems} systems with {_sizes(self.dense, self.sizes)} are more than a mixed model can hold "
                f"({MOST:,}): --unit document,annotator tests them without a model"
            )
        self.size = np.bincount(self.cell).astype(np.float64)
        self.owner = np.zeros(
            len(self.size), np.int64
        )  # of each cell, the one of the many that it belongs to
        self.owner[self.cell] = self.many
        self._last: tuple[Floats, _Solved] | None = None
        self._count()

    def _places(self) -> dict[str, slice]:
        """Where the columns of each dense effect lie in W."""
        places, begin = {}, self.systems
        for name in self.dense:
            places[name] = slice(begin, begin + self.sizes[name])
            begin += self.sizes[name]
        return places

    def _count(self) -> None:
        from scipy.sparse import csr_array

        n = len(self.y)
        columns = [self.system, *(self.places[name].start + self.factors[name] for name in self.dense)]
        self.placed = np.array(columns)  # where in W each judgement has its ones
        rows = np.tile(np.arange(n), len(columns))
        w = csr_array((np.ones(len(rows)), (rows, self.placed.ravel())), shape=(n, self.width))
        self.crossed: Floats = (w.T @ w).toarray()
        cells = csr_array((np.ones(n), (self.cell, np.arange(n))), shape=(len(self.size), n))
        table = (cells @ w).tocoo()  # how often a cell meets each column of W
        self.entry_cell, self.entry_times = table.row, table.data
        flat = self.owner[table.row] * self.width + table.col
        met, self.slot = np.unique(flat, return_inverse=True)
        self.met_row, self.met_column = met // self.width, met % self.width
        numbers = self.manys * self.width
        self.is_filled = numbers < SMALL or len(met) > DENSE * numbers
        self.grams = self._grams(table.tocsr()) if self.has_cells else []

    def _grams(self, table: Any) -> list[tuple[float, Any]]:
        """N'N over the cells of each size, N how often a cell meets each column of W."""
        parts = ((float(size), table[np.flatnonzero(self.size == size)]) for size in np.unique(self.size))
        return [(size, (part.T @ part).tocoo()) for size, part in parts]

    def table(self, weights: Floats) -> Any:
        """Z_m' D W, D the weights of the cells: sparse, or an array where most of it is filled."""
        from scipy.sparse import csr_array

        values = np.bincount(self.slot, self.entry_times * weights[self.entry_cell])
        shape = self.manys, self.width
        if self.is_filled:
            filled = np.zeros(shape)
            filled[self.met_row, self.met_column] = values
            return filled
        return csr_array((values, (self.met_row, self.met_column)), shape=shape)

    def across(self, x: Floats) -> Floats:
        """W'x."""
        sums = np.bincount(self.placed.ravel(), np.tile(x, len(self.placed)), self.width)
        return sums.astype(np.float64)

    def spread(self, b: Floats) -> Floats:
        """W b."""
        spread: Floats = b[self.placed].sum(0)
        return spread

    def at(self, variance: Floats) -> State:
        """The likelihood and its slope at these variances."""
        error, solved = float(variance[0]), self._solved(variance)
        freedom = len(self.y) - self.systems
        remainder, solution = solved.project(self.y)
        fit = float((self.y * remainder).sum())
        of_effects = solved.traces()
        rest = freedom - float((variance[1:] / error * of_effects).sum())
        traces = np.array([rest, *of_effects]) / error
        squares = np.array([float((remainder * part).sum()) for part in self._spread_out(remainder)])
        return State(
            variance=variance,
            value=(freedom * math.log(error) + solved.log_determinant + fit / error) / 2,
            gradient=(traces - squares / error**2) / 2,
            traces=traces,
            fixed=solution[: self.systems],
            covariance=error * solved.inverse[: self.systems, : self.systems],
            remainder=remainder,
        )

    def _solved(self, variance: Floats) -> _Solved:
        """Factored equations; those of the last variances are at hand, as slope and curvature are asked for in turn."""
        if self._last is None or not np.array_equal(self._last[0], variance):
            self._last = variance, _Solved(self, variance)
        return self._last[1]

    def information(self, variance: Floats) -> Floats:
        """About the likelihood's curvature at these variances: the average information."""
        solved = self._solved(variance)
        spread = self._spread_out(solved.project(self.y)[0])
        projected = [solved.project(direction)[0] for direction in spread]
        information = np.array([[float((a * b).sum()) for b in projected] for a in spread])
        return information / (2 * float(variance[0]) ** 3)

    def _spread_out(self, remainder: Floats) -> list[Floats]:
        """Z Z' P y of the error and of each effect."""
        columns = (self.factors[name] for name in self.names)
        return [remainder, *(np.bincount(c, remainder).astype(np.float64)[c] for c in columns)]

    def effects(self, at: State, name: str) -> Floats:
        """The predicted effects of a factor."""
        share = float(at.variance[1 + self.names.index(name)] / at.variance[0])
        return share * np.bincount(self.factors[name], at.remainder).astype(np.float64)


def _sizes(names: tuple[str, ...], sizes: dict[str, int]) -> str:
    return " and ".join(f"{sizes[name]:,} levels of {name.replace('_', ' × ')}" for name in names)


def _gram(left: Any, weights: Floats, right: Any) -> Any:
    """Left' D right, sparse where they are."""
    from scipy.sparse import diags_array, issparse

    return left.T @ (diags_array(weights) @ right if issparse(right) else weights[:, None] * right)


def _inner(gram: Any, inverse: Floats) -> float:
    """The trace of a product of two symmetric matrices, the first of which may be sparse."""
    from scipy.sparse import issparse

    if issparse(gram):
        gram = gram.tocoo()
        return float((gram.data * inverse[gram.row, gram.col]).sum())
    return float((gram * inverse).sum())


class _Solved:
    """The equations at some variances, factored."""

    def __init__(self, design: Equations, variance: Floats) -> None:
        self.design = design
        self.shares = dict(zip(design.names, (variance[1:] / variance[0]).tolist(), strict=True))
        left = [self.shares[name] for name in design.names[len(design.dense) :]]
        self.many = left[0] if design.has_many else 0.0
        self.cells = left[-1] if design.has_cells else 0.0
        self.shrink: Floats = 1 / (1 + self.cells * design.size)
        self.own: Floats = design.size * self.shrink  # Z_c' M Z_c
        self.sums = np.bincount(design.owner, self.own, design.manys).astype(np.float64)  # Z_m' M Z_m
        self.whole: Floats = 1 / (1 + self.many * self.sums)
        self.omega: Floats = self.many * self.whole
        self.q = design.table(self.shrink)
        self._solve()

    def _solve(self) -> None:
        from scipy.linalg import cho_factor
        from scipy.linalg.lapack import dpotri

        design = self.design
        u = design.crossed.copy()  # W' V2⁻¹ W
        for size, gram in design.grams:
            u[gram.row, gram.col] -= self.cells / (1 + self.cells * size) * gram.data
        if self.many:
            u -= _gram(self.q, self.omega, self.q)
        # γ_f goes to both sides of the equations, so that it may be 0.
        self.root = np.ones(design.width)
        for name, place in design.places.items():
            self.root[place] = math.sqrt(self.shares[name])
        scaled = u * np.outer(self.root, self.root)
        places = np.arange(design.systems, design.width)
        scaled[places, places] += 1
        self.factor = cho_factor(scaled, lower=True)
        half = np.tril(dpotri(self.factor[0], lower=True)[0])
        self.scaled_inverse: Floats = half + np.tril(half, -1).T
        self.inverse: Floats = self.scaled_inverse * np.outer(self.root, self.root)

    @property
    def log_determinant(self) -> float:
        """Of V and of X' V⁻¹ X together."""
        dense = 2 * float(np.log(np.diag(self.factor[0])).sum())
        return dense - float(np.log(self.whole).sum()) - float(np.log(self.shrink).sum())

    def without(self, x: Floats) -> Floats:
        """V2⁻¹ x."""
        design = self.design
        if self.cells:
            x = x - (self.cells * self.shrink * np.bincount(design.cell, x))[design.cell]
        if self.many:
            scaled = (self.omega * np.bincount(design.many, x, design.manys))[design.many]
            x = x - self.shrink[design.cell] * scaled
        return x

    def project(self, x: Floats) -> tuple[Floats, Floats]:
        """P x, and B⁻¹ W' V2⁻¹ x."""
        from scipy.linalg import cho_solve

        x = self.without(x)
        b = self.root * cho_solve(self.factor, self.root * self.design.across(x))
        return x - self.without(self.design.spread(b)), b

    def traces(self) -> list[float]:
        """Of Z'PZ, for each effect in the model."""
        design = self.design
        diagonal = np.diag(self.scaled_inverse)
        # Z'PZ = I/γ − B⁻¹/γ² in the columns of an effect.
        traces = [
            float((1 - diagonal[place]).sum()) / self.shares[name] for name, place in design.places.items()
        ]
        if design.has_many:
            form = _inner(_gram(self.q, self.whole**2, self.q), self.inverse)
            traces.append(float((self.sums * self.whole).sum()) - form)
        if design.has_cells:
            traces.append(self._trace_of_cells())
        return traces

    def _trace_of_cells(self) -> float:
        design = self.design
        inside = np.bincount(design.owner, self.own**2, design.manys)
        trace = float(self.own.sum() - (self.omega * inside).sum())
        for size, gram in design.grams:
            trace -= _inner(gram, self.inverse) / (1 + self.cells * size) ** 2
        if self.many:
            other = design.table(self.own * self.shrink)
            trace += 2 * _inner(_gram(self.q, self.omega, other), self.inverse)
            trace -= _inner(_gram(self.q, self.omega**2 * inside, self.q), self.inverse)
        return trace
