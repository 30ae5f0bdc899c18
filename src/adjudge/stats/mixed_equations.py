"""The equations of a mixed model with crossed effects, reduced to those that must be solved (see mixed.py).

    V = I + γ_t Z_t Z_t' + γ_m Z_m Z_m' + γ_f Z_f Z_f'        each γ a variance over that of the error

t are translations, m the many (items, as a rule), f the few (raters). What is not in the model has a γ of 0. M is the
inverse of the first two terms, V2⁻¹ that of the first three; W = (X, Z_f), X the systems; Q = Z_m' M W; and
B = W' V2⁻¹ W + (0, I/γ_f) are the equations that remain. The projection P = V2⁻¹ − V2⁻¹ W B⁻¹ W' V2⁻¹ is all that the
likelihood needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.stats.agreement import numbered

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

MOST = 4000
"""Systems and raters (or items) whose equations fit into memory and can be waited for."""
BLOCK = 1 << 22
"""Numbers of a table of items that are in memory at a time."""


@dataclass(frozen=True, eq=False)
class State:
    """The likelihood at some variances, with all that a step needs."""

    variance: Floats
    """Of the error, then of the effects in the order of their names."""
    value: float
    """Negative restricted log-likelihood, but for constants."""
    gradient: Floats
    fixed: Floats
    covariance: Floats
    remainder: Floats
    """P y, which predicts effects."""


class Equations:
    """The design, counted once: who judged what how often."""

    def __init__(self, y: Floats, system: Codes, factors: dict[str, Codes]) -> None:
        self.y, self.system, self.factors = y, system, factors
        sizes = {name: int(column.max()) + 1 for name, column in factors.items()}
        few, many = "rater", "item"
        if "translation" not in factors and sizes.get("rater", 0) > sizes.get("item", math.inf):
            few, many = many, few  # without translations either can be eliminated: the larger one
        self.has_few, self.has_many, self.has_cells = (name in factors for name in (few, many, "translation"))
        self.names = tuple(name for name in (few, many, "translation") if name in factors)
        nothing = np.zeros(len(y), np.int64)
        self.few, self.many = factors.get(few, nothing), factors.get(many, nothing)
        self.cell = factors.get("translation", self.many)
        self.systems, self.fews, self.manys = int(system.max()) + 1, sizes.get(few, 0), sizes.get(many, 1)
        self.width = self.systems + self.fews
        if self.width > MOST:
            raise UsageError(
                f"{self.systems} systems and {self.fews} {few}s are more than a mixed model can hold ({MOST}): "
                "take z-scores, or judgements by those with many of them only"
            )
        self.size = np.bincount(self.cell).astype(np.float64)
        self.owner = np.zeros(len(self.size), np.int64)  # of each translation, its item
        self.owner[self.cell] = self.many
        self._count()

    def _count(self) -> None:
        columns = [self.system, *([self.systems + self.few] if self.has_few else [])]
        cells, places, times = [], [], []
        for column in columns:
            key = numbered(self.cell * self.width + column)
            first = np.zeros(int(key.max()) + 1, np.int64)
            first[key] = np.arange(len(key))
            cells.append(self.cell[first])
            places.append(column[first])
            times.append(np.bincount(key))
        cell, place = np.concatenate(cells), np.concatenate(places)
        order = np.argsort(self.owner[cell], kind="stable")
        self.entry_cell, self.entry_place = cell[order], place[order]
        self.entry_times = np.concatenate(times)[order].astype(np.float64)
        self.entry_owner = self.owner[self.entry_cell]

        self.crossed = np.zeros((self.width, self.width))  # W'W
        here, beyond = np.arange(self.systems), np.arange(self.systems, self.width)
        self.crossed[here, here] = np.bincount(self.system)
        if self.has_few:
            both = np.bincount(self.system * self.fews + self.few, minlength=self.systems * self.fews)
            self.crossed[: self.systems, self.systems :] = both.reshape(self.systems, self.fews)
            self.crossed[self.systems :, : self.systems] = self.crossed[: self.systems, self.systems :].T
            self.crossed[beyond, beyond] = np.bincount(self.few)
        self.grams = self._grams() if self.has_cells else []

    def _grams(self) -> list[tuple[float, Any]]:
        """N'N over the translations of each size, N how often a translation meets each column of W."""
        from scipy.sparse import csr_array

        shape = (len(self.size), self.width)
        table = csr_array((self.entry_times, (self.entry_cell, self.entry_place)), shape=shape)
        parts = ((float(size), table[np.flatnonzero(self.size == size)]) for size in np.unique(self.size))
        return [(size, (part.T @ part).tocoo()) for size, part in parts]

    def tables(self, weights: Floats) -> Iterator[tuple[slice, Floats]]:
        """Z_m' D W in blocks of the many, D the weights of the translations."""
        step = max(1, BLOCK // self.width)
        values = self.entry_times * weights[self.entry_cell]
        for begin in range(0, self.manys, step):
            end = min(begin + step, self.manys)
            low, high = np.searchsorted(self.entry_owner, [begin, end])
            flat = (self.entry_owner[low:high] - begin) * self.width + self.entry_place[low:high]
            rows = np.bincount(flat, values[low:high], (end - begin) * self.width).astype(np.float64)
            yield slice(begin, end), rows.reshape(end - begin, self.width)

    def across(self, x: Floats) -> Floats:
        """W'x."""
        few = [np.bincount(self.few, x, self.fews)] if self.has_few else []
        return np.concatenate([np.bincount(self.system, x, self.systems), *few])

    def spread(self, b: Floats) -> Floats:
        """W b."""
        return b[self.system] + b[self.systems + self.few] if self.has_few else b[self.system]

    def at(self, variance: Floats) -> State:
        """The likelihood and its slope at these variances."""
        error, solved = float(variance[0]), _Solved(self, variance)
        freedom = len(self.y) - self.systems
        remainder, solution = solved.project(self.y)
        fit = float((self.y * remainder).sum())
        traces = solved.traces()
        traces.insert(0, freedom - float((variance[1:] / error * traces).sum()))
        squares = np.array([float((remainder * part).sum()) for part in self._spread_out(remainder)])
        return State(
            variance=variance,
            value=(freedom * math.log(error) + solved.log_determinant + fit / error) / 2,
            gradient=(np.array(traces) / error - squares / error**2) / 2,
            fixed=solution[: self.systems],
            covariance=error * solved.inverse[: self.systems, : self.systems],
            remainder=remainder,
        )

    def information(self, variance: Floats) -> Floats:
        """About the likelihood's curvature at these variances: the average information."""
        solved = _Solved(self, variance)
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


class _Solved:
    """The equations at some variances, factored."""

    def __init__(self, design: Equations, variance: Floats) -> None:
        from scipy.linalg import cho_factor
        from scipy.linalg.lapack import dpotri

        self.design = design
        shares = dict(zip(design.names, (variance[1:] / variance[0]).tolist(), strict=True))
        self.few, self.many, self.cells = 0.0, 0.0, shares.get("translation", 0.0)
        if design.has_few:
            self.few = shares[design.names[0]]
        if design.has_many:
            self.many = shares[design.names[int(design.has_few)]]
        self.shrink: Floats = 1 / (1 + self.cells * design.size)
        self.own: Floats = design.size * self.shrink  # Z_t' M Z_t
        self.sums = np.bincount(design.owner, self.own, design.manys).astype(np.float64)  # Z_m' M Z_m
        self.whole: Floats = 1 / (1 + self.many * self.sums)
        self.omega: Floats = self.many * self.whole

        u = design.crossed.copy()  # W' V2⁻¹ W
        for size, gram in design.grams:
            u[gram.row, gram.col] -= self.cells / (1 + self.cells * size) * gram.data
        if self.many:
            for place, q in design.tables(self.shrink):
                q *= np.sqrt(self.omega[place])[:, None]
                u -= q.T @ q
        self.u = u
        # γ_f goes to both sides of the equations, so that it may be 0.
        self.root = np.ones(design.width)
        self.root[design.systems :] = math.sqrt(self.few)
        scaled = u * np.outer(self.root, self.root)
        places = np.arange(design.systems, design.width)
        scaled[places, places] += 1
        self.factor = cho_factor(scaled, lower=True)
        half = np.tril(dpotri(self.factor[0], lower=True)[0])
        self.inverse: Floats = (half + np.tril(half, -1).T) * np.outer(self.root, self.root)

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
            held = (self.omega * np.bincount(design.many, x, design.manys))[design.many]
            x = x - self.shrink[design.cell] * held
        return x

    def project(self, x: Floats) -> tuple[Floats, Floats]:
        """P x, and B⁻¹ W' V2⁻¹ x."""
        from scipy.linalg import cho_solve

        x = self.without(x)
        b = self.root * cho_solve(self.factor, self.root * self.design.across(x))
        return x - self.without(self.design.spread(b)), b

    def traces(self) -> list[float]:
        """Of Z'PZ, for each effect in the model."""
        design, inverse = self.design, self.inverse
        traces = []
        if design.has_few:
            part = self.u[design.systems :]
            traces.append(float(np.trace(part[:, design.systems :]) - ((part @ inverse) * part).sum()))
        if not (design.has_many or design.has_cells):
            return traces
        form, crossed = np.empty(design.manys), np.empty(design.manys)
        others = design.tables(self.own * self.shrink)
        for place, q in design.tables(self.shrink):
            turned = q @ inverse
            form[place] = np.einsum("ij,ij->i", turned, q)
            if design.has_cells:
                crossed[place] = np.einsum("ij,ij->i", turned, next(others)[1])
        if design.has_many:
            traces.append(float((self.sums * self.whole).sum() - (self.whole**2 * form).sum()))
        if design.has_cells:
            inside = np.bincount(design.owner, self.own**2, design.manys)
            plain = float(self.own.sum() - (self.omega * inside).sum())
            for size, gram in design.grams:
                plain -= float((gram.data * inverse[gram.row, gram.col]).sum()) / (1 + self.cells * size) ** 2
            traces.append(
                plain + float(2 * (self.omega * crossed).sum() - (self.omega**2 * inside * form).sum())
            )
        return traces
