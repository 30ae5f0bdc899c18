"""Ridge regression: of a few columns beside each other, and of very many that are mostly empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.correlation import dot
from adjudge.stats.draws import fold_splits

Array = NDArray[np.float64]
FARTHEST = 4.0
"""Standard deviations from the mean at which a column is cut off: one odd segment must not decide a score."""
EXACT = 1e-12
"""Conjugate gradients end where the square of what is left is so small beside that of the whole."""
PENALTIES = (30.0, 100.0, 300.0, 1000.0, 3000.0)
SPARSE_PENALTIES = (10.0, 30.0, 100.0)


@dataclass(frozen=True, eq=False)
class Ridge:
    """A weighted sum of columns, each at mean 0 and standard deviation 1 in training."""

    means: Array
    scales: Array
    """Standard deviations; 0 for columns that were constant, which count for nothing."""
    weights: Array
    intercept: float
    penalty: float

    def predict(self, columns: Array) -> Array:
        """One value per row."""
        # Row by row: the product of a matrix library depends in its last digit on how many rows there are.
        return np.asarray((self.standardised(columns) * self.weights).sum(-1) + self.intercept)

    def predict_sparse(self, matrix: Any) -> Array:
        """One value per row of a sparse matrix, whose columns are taken as they are."""
        return np.asarray(matrix @ self.weights + self.intercept)

    def standardised(self, columns: Array) -> Array:
        """Columns as they are weighted."""
        return _standardise(columns, self.means, self.scales)


def fit_ridge(columns: Array, target: Array, fold: NDArray[np.intp]) -> tuple[Ridge, Array]:
    """The sum with the penalty that predicts folds best that it has not seen, and these predictions."""
    choices = [(_held_out(columns, target, fold, penalty), penalty) for penalty in PENALTIES]
    errors = [float(((held_out - target) ** 2).mean()) for held_out, _ in choices]
    held_out, penalty = choices[int(np.argmin(errors))]
    return _fit(columns, target, penalty), held_out


def fit_sparse(matrix: Any, target: Array, fold: NDArray[np.intp]) -> tuple[Ridge, Array]:
    """A ridge regression on a sparse matrix, its columns unscaled, and its cross-validated predictions."""
    best: tuple[float, float, Array] | None = None
    for penalty in SPARSE_PENALTIES:
        held_out = np.empty(len(target))
        for fitted, unseen in fold_splits(fold):
            mean = target[fitted].mean()
            weights = sparse_weights(matrix[fitted], target[fitted] - mean, penalty)
            held_out[unseen] = matrix[unseen] @ weights + mean
        error = float(((held_out - target) ** 2).mean())
        if best is None or error < best[0]:
            best = error, penalty, held_out
    assert best is not None
    _, penalty, held_out = best
    mean = float(target.mean())
    # As a model's file has them, so that what was trained and what is read say the same.
    weights = sparse_weights(matrix, target - mean, penalty).astype(np.float32).astype(np.float64)
    nothing = np.zeros(len(weights))
    return Ridge(nothing, nothing + 1.0, weights, mean, penalty), held_out


def _fit(columns: Array, target: Array, penalty: float) -> Ridge:
    means, scales = columns.mean(0), columns.std(0)
    scales = np.where(scales > 1e-9 * np.maximum(1.0, np.abs(means)), scales, 0.0)
    standard = _standardise(columns, means, scales)
    centre = standard.mean(0)
    moments = (standard - centre).T @ (standard - centre) + penalty * np.eye(standard.shape[1])
    mean = float(target.mean())
    weights = np.linalg.solve(moments, (standard - centre).T @ (target - mean))
    return Ridge(means, scales, weights, mean - float(centre @ weights), penalty)


def _held_out(columns: Array, target: Array, fold: NDArray[np.intp], penalty: float) -> Array:
    held_out = np.empty(len(target))
    for fitted, unseen in fold_splits(fold):
        held_out[unseen] = _fit(columns[fitted], target[fitted], penalty).predict(columns[unseen])
    return held_out


def _standardise(columns: Array, means: Array, scales: Array) -> Array:
    used = scales > 0
    return np.clip(np.where(used, (columns - means) / np.where(used, scales, 1.0), 0.0), -FARTHEST, FARTHEST)


def sparse_weights(matrix: Any, target: Array, penalty: float, start: Array | None = None) -> Array:
    """The weights by conjugate gradients, which ask for products with the matrix alone."""
    transposed = matrix.T.tocsr()
    weights = np.zeros(matrix.shape[1]) if start is None else start.copy()
    whole = transposed @ target
    residual = whole - transposed @ (matrix @ weights) - penalty * weights
    direction, size = residual.copy(), dot(residual, residual)
    enough = EXACT * dot(whole, whole)
    for _ in range(200):
        if size <= enough:
            break
        image = transposed @ (matrix @ direction) + penalty * direction
        step = size / dot(direction, image)
        weights += step * direction
        residual -= step * image
        size, before = dot(residual, residual), size
        direction = residual + size / before * direction
    return weights
