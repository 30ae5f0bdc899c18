"""Scores of many resampled corpora at once, in the arithmetic sacreBLEU does it in: equal to the last bit.

sacreBLEU resamples in float32, and numpy keeps a float32 single when it meets a number of Python's. So sums of type
float32 give scores in single precision here, as far as sacreBLEU does, and float64 gives double.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.bleu import SMOOTH_VALUES, Bleu
from adjudge.metrics.chrf import EPSILON, Chrf

Sums = NDArray[Any]


def bleu_scores(sums: Sums, metric: Bleu) -> NDArray[np.float64]:
    """Precisions as precise as the sums, then Python's logarithms in double: numpy's differ in the last bit."""
    order = metric.max_order
    matches, totals = sums[:, 2 : 2 + order].copy(), sums[:, 2 + order :].copy()
    matched = matches.any(-1)
    k = SMOOTH_VALUES[metric.smooth] if metric.smooth_value is None else metric.smooth_value
    if metric.smooth == "add-k":
        matches[:, 1:] += k
        totals[:, 1:] += k
    counted = np.cumprod(totals != 0, axis=-1).astype(bool)
    divisors = np.where(counted, totals, 1)
    precisions = 100 * matches / divisors
    empty = counted & (matches == 0)
    if metric.smooth == "exp":
        halved = divisors * 2 ** np.cumsum(empty, axis=-1).astype(sums.dtype)
        precisions = np.where(empty, 100 / halved, precisions)
    elif metric.smooth == "floor":
        precisions = np.where(empty, 100 * (k or 0.0) / divisors, precisions)
    orders = counted.sum(-1) if metric.effective_order else np.full(len(sums), order)
    used = np.arange(order) < orders[:, None]
    defined = matched & ((precisions > 0) & counted | ~used).all(-1)
    scores = np.zeros(len(sums))
    if defined.any():
        logs = _each(math.log, np.where(used, precisions, 1)[defined]).T.tolist()
        means = np.array(list(map(sum, zip(*logs, strict=True)))) / orders[defined]
        scores[defined] = _brevity_penalties(sums[defined]) * _each(math.exp, means)
    return scores


def _brevity_penalties(sums: Sums) -> NDArray[np.float64]:
    lengths, references = sums[:, 0].astype(np.float64), sums[:, 1].astype(np.float64)
    penalties = np.ones(len(sums))
    short = lengths < references
    penalties[short] = _each(math.exp, 1 - references[short] / lengths[short])
    return penalties


def chrf_scores(sums: Sums, metric: Chrf) -> NDArray[Any]:
    """F-scores of the orders' mean precision and recall, or with an epsilon the mean of their F-scores."""
    hyp, ref, match = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
    factor = metric.beta**2
    if metric.eps_smoothing:
        return _smoothed_chrf(hyp, ref, match, factor)
    both = (hyp > 0) & (ref > 0)
    orders = np.maximum(both.sum(-1), 1).astype(sums.dtype)

    def mean(counts: Sums) -> Sums:
        ratios = np.where(both, match / np.where(both, counts, 1), 0).astype(sums.dtype)
        return np.asarray(np.cumsum(ratios, axis=-1)[:, -1] / orders)

    precision, recall = mean(hyp), mean(ref)
    defined = precision + recall > 0
    divisor = np.where(defined, factor * precision + recall, 1)
    return _mixed(100 * ((1 + factor) * precision * recall / divisor), ~defined, np.zeros(len(sums)))


def _smoothed_chrf(hyp: Sums, ref: Sums, match: Sums, factor: float) -> NDArray[Any]:
    # An epsilon is a number of Python's: a sum of nothing but epsilons stays in double precision.
    kind = hyp.dtype
    neither = (1 + factor) * EPSILON * EPSILON / (factor * EPSILON + EPSILON)
    total, single = np.zeros(len(hyp)), np.zeros(len(hyp), bool)
    for n in range(hyp.shape[1]):
        both = (hyp[:, n] > 0) & (ref[:, n] > 0)
        precision = match[:, n] / np.where(both, hyp[:, n], 1)
        recall = match[:, n] / np.where(both, ref[:, n], 1)
        weighted = factor * precision + recall
        some = both & (weighted > 0)
        score = (1 + factor) * precision * recall / np.where(some, weighted, 1)
        # Without n-grams of the hypothesis the score is 0 (an epsilon where beta is 0); and where the
        # reference has none, sacreBLEU counts none of the hypothesis.
        missing = ~both & (ref[:, n] > 0)
        without = 0.0 if factor else EPSILON
        term = np.where(some, score, np.where(both, EPSILON, np.where(missing, without, neither)))
        single |= some | missing & (factor > 0)
        total = np.where(single, total.astype(kind) + term.astype(kind), total + term)
    return _mixed(100 * total.astype(kind) / kind.type(hyp.shape[1]), ~single, 100 * total / hyp.shape[1])


def ter_scores(sums: Sums) -> NDArray[Any]:
    """Edits per word of the references, in percent."""
    edits, length = sums[:, 0], sums[:, 1]
    defined = length > 0
    return _mixed(100 * (edits / np.where(defined, length, 1)), ~defined, np.where(edits > 0, 100.0, 0.0))


def _mixed(scores: NDArray[Any], where: NDArray[np.bool_], others: NDArray[np.float64]) -> NDArray[Any]:
    """Scores with some numbers of Python's among them, which make an array of doubles of all."""
    return np.where(where, others, scores.astype(np.float64)) if where.any() else scores


def _each(function: Any, values: NDArray[Any]) -> NDArray[np.float64]:
    return np.fromiter(map(function, values.ravel().tolist()), np.float64, values.size).reshape(values.shape)
