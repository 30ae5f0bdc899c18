"""Ratings of several language pairs as one mean in which every pair counts alike.

A pair with more items or judgements counts no more than one with few. Units are drawn within each pair, so tests and
intervals hold for other texts in these pairs, not for other pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.crossing import cross_names
from adjudge.data.judgements import NONE, Judgements
from adjudge.errors import UsageError
from adjudge.human.assessment import Floats, translations
from adjudge.human.rating_scores import RatingScores
from adjudge.stats.tests.systems.base import system_test
from adjudge.wording import join_names, pluralise


def pooled_scores(scores: RatingScores, label: str, method: str | None) -> tuple[RatingScores, list[str]]:
    """The scores of systems that were judged in all pairs, items told apart by pair; and what to say of the rest.

    Without a label nothing is pooled.
    """
    if not label:
        return scores, []
    column = scores.judgements.labels.get(label)
    if column is None or len(np.unique(column.codes[column.codes != NONE])) < 2:
        raise UsageError("--pool-languages is for judgements of several language pairs")
    if method is not None and system_test(method).share is not None:
        raise UsageError(
            f"--pool-languages tests means, and --test {method} ranks: choose --test randomisation, or leave "
            "--pool-languages out, and each pair has its own test"
        )
    judgements = scores.judgements
    which = scores.which & (column.codes != NONE)
    shape = len(judgements.system.names), len(column.names)
    judged = np.zeros(shape, dtype=bool)
    judged[judgements.system.codes[which], column.codes[which]] = True
    pairs = np.flatnonzero(judged.any(0))
    everywhere = np.asarray(judged[:, pairs].all(1))
    if not everywhere.any():
        raise UsageError("no system was judged in all language pairs: there is no mean over them")
    lacking = [judgements.system.names[s] for s in np.flatnonzero(judged.any(1) & ~everywhere)]
    warnings = [
        f"{join_names(lacking, 6)} {'was' if len(lacking) == 1 else 'were'} not judged in all of "
        f"{pluralise(len(pairs), 'language pair')} and left out of the mean over them"
    ]
    items = cross_names(column, judgements.item, ":")
    which &= np.append(everywhere, False)[judgements.system.codes]  # the last one serves code −1
    return replace(
        scores, judgements=replace(judgements, item=items), which=which
    ), warnings if lacking else []


def pair_means(judgements: Judgements, values: Floats, which: NDArray[np.bool_], label: str) -> Floats:
    """Of every system, the mean over pairs of its means over translations."""
    codes = judgements.labels[label].codes
    pairs = np.unique(codes[which])
    means = [translations(judgements, values, which=which & (codes == pair)).scores for pair in pairs]
    mean: Floats = np.mean(means, axis=0)
    return mean


def pair_weights(
    weights: Floats | None, labels: Mapping[str, Sequence[str]] | None, label: str
) -> Floats | None:
    """Weights of systems × parts with which a weighted mean is the mean over pairs."""
    if weights is None or labels is None:
        return None
    _, pair = np.unique(np.asarray(labels[label]), return_inverse=True)
    members = (pair[:, None] == np.arange(int(pair.max()) + 1)).astype(np.float64)  # parts × pairs
    shares: Floats = weights / (weights @ members)[:, pair] * weights.shape[1] / members.shape[1]
    return shares
