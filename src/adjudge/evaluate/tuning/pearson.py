"""Pearson's correlation over the whole grid without a score ever being computed.

A score is F − gamma·F·G with F = Fmean (of delta, the weights and alpha) and G = frag^beta, so its sums, those of its
squares and of its products with the judgements h are made of those of F, FG, F², F²G, F²G², hF and hFG: one matrix
product for all alpha, beta and gamma. The sums are kept by fold; those of a part are all less those of its fold.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from adjudge.evaluate.tuning.items import Items
from adjudge.evaluate.tuning.space import Space, f_mean, fragmented, matches_of, precision_recall
from adjudge.metrics.meteor_parameters import Parameters

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

CHUNK = 1024
"""Items in one small product: a library of matrices does these in one thread, so that sums are the same everywhere."""


class PearsonSums:
    """Items laid out in chunks that lie in one fold each, filled up with empty rows, which add nothing to any sum."""

    def __init__(self, items: Items, fold: Indices, folds: int) -> None:
        centred = items.human - items.human.mean()
        places, owner = [], []
        for part in range(folds):
            mine = np.flatnonzero(fold == part)
            chunks = -(-len(mine) // CHUNK)
            places.append(np.concatenate([mine, np.full(chunks * CHUNK - len(mine), -1)]))
            owner += [part] * chunks
        place = np.concatenate(places)
        self.folds, self.owner = folds, np.array(owner)
        self.rows = np.where(place[:, None] < 0, 0.0, items.rows[place])
        self.human = np.where(place < 0, 0.0, centred[place])
        self.matches = matches_of(self.rows)
        self.fragmentation = fragmented(self.rows)
        weights = np.stack([np.ones(len(fold)), centred, centred**2])
        by_fold = np.stack([np.bincount(fold, each, folds).astype(np.float64) for each in weights])
        self.count, self.h, self.hh = without_each(by_fold)
        self.powers: dict[tuple[float, ...], Array] = {}

    def prepare(self, betas: tuple[float, ...]) -> None:
        """Powers of the fragmentation, which all ways of counting share: chunks × items × (1, G, G²)."""
        powers = np.stack([self.fragmentation**beta for beta in betas])
        stacked = np.concatenate([np.ones_like(powers[:1]), powers, powers**2])
        self.powers[betas] = np.ascontiguousarray(self._chunked(stacked).transpose(0, 2, 1))

    def values(self, way: Parameters, space: Space) -> tuple[list[tuple[float, float, float]], Array]:
        """Points (alpha, beta, gamma) of the grid for one way of counting, and their correlations: points × parts."""
        alphas, betas, gammas = space.axis("alpha"), space.axis("beta"), space.axis("gamma")
        precision, recall = precision_recall(self.rows, self.matches, way)
        f = np.stack([f_mean(precision, recall, alpha) for alpha in alphas])
        left = self._chunked(np.concatenate([f, f * self.human, f * f]))
        by_chunk = left @ self.powers[betas]  # chunks × (F, hF, F²) of each alpha × (1, G, G²) of each beta
        by_fold = np.zeros((self.folds, *by_chunk.shape[1:]))
        np.add.at(by_fold, self.owner, by_chunk)
        a, b = len(alphas), len(betas)
        sums = without_each(np.moveaxis(by_fold, 0, -1)).reshape(3, a, 1 + 2 * b, self.folds + 1)
        plain, squares = slice(1, 1 + b), slice(1 + b, None)
        gamma = np.array(gammas)[:, None]

        def part(kind: int, which: slice) -> Array:
            return sums[kind, :, which, None]  # alpha × beta × gamma × parts

        first = slice(0, 1)
        s = part(0, first) - gamma * part(0, plain)
        sh = part(1, first) - gamma * part(1, plain)
        ss = part(2, first) - 2 * gamma * part(2, plain) + gamma**2 * part(2, squares)
        spread = np.maximum(ss - s * s / self.count, 0.0) * (self.hh - self.h**2 / self.count)
        there = spread > 1e-12 * ss * self.hh
        found = (sh - s * self.h / self.count) / np.sqrt(np.where(there, spread, np.inf))
        points = list(product(alphas, betas, gammas))
        return points, np.where(there, found, np.nan).reshape(len(points), -1)

    def _chunked(self, lists: Array) -> Array:
        return np.ascontiguousarray(lists.reshape(len(lists), -1, CHUNK).transpose(1, 0, 2))


def without_each(by_fold: Array) -> Array:
    """Sums of all but each fold, and of all: (..., folds) -> (..., folds + 1)."""
    total = by_fold.sum(-1, keepdims=True)
    return np.concatenate([total - by_fold, total], axis=-1)
