"""From ratings to the scores that are tested: annotators on one scale, and which judgements count for systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data.crossing import cross_names
from adjudge.data.judgements import NONE, Judgements
from adjudge.errors import DataError, UsageError
from adjudge.human import assessment
from adjudge.human.assessment import Floats, Scales, translations
from adjudge.human.grouping import in_canonical_order, kind_counts, refuse_holes, without_tutorials
from adjudge.human.postediting import corrected_only, count_uncorrected
from adjudge.human.quality import Quality, failed_annotators, quality
from adjudge.human.results import RAW_PROTOCOLS
from adjudge.stats.common_items import ItemScores, ItemWeights
from adjudge.stats.design import Design
from adjudge.stats.tests.systems.base import system_test
from adjudge.stats.two_way import AdjustedScores, adjusted_scores
from adjudge.wording import join_names, pluralise

ADJUSTED = "adjusted"
"""Raw scores with annotators in the model."""


@dataclass(frozen=True, eq=False)
class RatingScores:
    """Ratings with all that is decided of them before systems are compared."""

    judgements: Judgements
    """Without dropped annotators, tutorials and outputs that could not be corrected."""
    kinds: Mapping[str, int]
    """Ordinary items, repeats, bad references, references, tutorials: how many of each there were."""
    controls: tuple[Quality, ...]
    dropped: tuple[str, ...]
    scales: Scales
    z: Floats | None
    """Of every judgement; None where no annotator's scale is known."""
    score: str
    """What is tested: z, raw, or raw scores adjusted for annotators."""
    which: NDArray[np.bool_]
    """The judgements that count for a system's score."""
    documents: NDArray[np.bool_] | None
    """Those of whole documents, where there are some beside those of segments."""
    uncorrected: Mapping[str, int]
    """By system, the outputs that could not be corrected."""

    @property
    def tested(self) -> Floats:
        """The score of every judgement that is tested."""
        return self.z if self.score == "z" and self.z is not None else self.judgements.score

    @property
    def adjusted(self) -> bool:
        """Whether annotators are in the model, because they were not spread evenly over systems."""
        return self.score == ADJUSTED

    def as_designed(self, design: Design) -> RatingScores:
        """The scores that a design asks for: with annotators in the model where it has them there.

        Where no annotator links two groups of systems, no model helps and z-scores say nothing: raw scores are
        compared, if annotators are drawn.
        """
        if design.adjusted:
            return replace(self, score=ADJUSTED)
        apart = design.balance is not None and design.balance.parts
        return replace(self, score="raw") if apart and not design.biased else self

    def adjusted_scores(self, which: NDArray[np.bool_]) -> AdjustedScores:
        """Scores of systems by these judgements, freed of annotators' severity; each translation counts once."""
        return _fit_adjusted(self.judgements, which.astype(np.float64))


@dataclass(frozen=True, eq=False)
class AdjustedItems(ItemScores):
    """Two systems at a time on some of their items, with annotators in the model.

    All judgements of other systems stay in the model, for they tell how severe annotators are.
    """

    judgements: Judgements
    which: NDArray[np.bool_]
    """Those that count."""
    order: Sequence[int]
    """The code of every system."""

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Systems × items: which system has a score on which item."""
        system, item = self.judgements.system, self.judgements.item
        present = np.zeros((len(system.names), len(item.names)), dtype=bool)
        present[system.codes[self.which], item.codes[self.which]] = True
        return present[list(self.order)]

    def rows(self, chosen: ItemWeights) -> dict[int, Floats]:
        """Rows whose mean is a system's score; the worst judgement of all is imputed, as by the average annotator."""
        weights, imputed = chosen.weights, chosen.imputed
        used = self._weights(weights)
        fitted, kept = _fit_adjusted(self.judgements, used), used[self.which] > 0
        scores = self.judgements.score[self.which]
        worst = scores.min() if self.judgements.higher_is_better else scores.max()
        rows = {}
        for s, weight in weights.items():
            code = self.order[s]
            lacking = float(imputed[s].sum()) if s in imputed else 0.0
            down = (worst - fitted.scores[code]) * lacking / (lacking + float(weight.sum()))
            values = np.stack([fitted.pseudo_values[code] + down, np.ones(kept.sum())], axis=1)
            rows[s] = np.zeros((len(kept), 2))
            rows[s][kept] = values * fitted.weights[code][:, None]
        return rows

    def comparable(self, weights: Mapping[int, Floats]) -> bool:
        """Whether annotators connect two systems by items of these weights, whichever one is left out."""
        a, b = (self.order[s] for s in weights)
        return bool(_fit_adjusted(self.judgements, self._weights(weights)).comparable[a, b])

    def _weights(self, weights: Mapping[int, Floats]) -> Floats:
        """Of every judgement that counts, that of its item where it is of one of these systems, else 1; 0 of others."""
        used = self.which.astype(np.float64)
        for s, weight in weights.items():
            of_system = self.which & (self.judgements.system.codes == self.order[s])
            used[of_system] = weight[self.judgements.item.codes[of_system]]
        return used


def _fit_adjusted(judgements: Judgements, weights: Floats) -> AdjustedScores:
    """The fit to judgements that have a weight; what was said of one translation counts once."""
    used = weights > 0
    system, item = (column.codes[used].astype(np.int64) for column in (judgements.system, judgements.item))
    _, annotator = np.unique(judgements.annotator.codes[used], return_inverse=True)
    cells = system * (int(item.max(initial=0)) + 1) + item
    _, cell, count = np.unique(cells, return_inverse=True, return_counts=True)
    return adjusted_scores(
        judgements.score[used], system, annotator.astype(np.int64), weights[used] / count[cell]
    )


def score_ratings(
    judgements: Judgements,
    *,
    score: str | None = None,
    repeats: bool = False,
    quality_test: str = "paired-t",
    drop_failed: bool = False,
    scales_of: Judgements | None = None,
) -> RatingScores:
    """Scores of judgements whose errors are weighed; `scales_of` is all that annotators judged, where that is more."""
    if not len(judgements):
        raise DataError("there are no judgements")
    unable = count_uncorrected(judgements)
    judgements = corrected_only(judgements)
    if not len(judgements):
        raise DataError("none of these outputs could be corrected: there is no HTER")
    refuse_holes(judgements)
    judgements = in_canonical_order(judgements)
    controls = quality(judgements, test=quality_test)
    dropped = failed_annotators(controls) if drop_failed else ()
    if dropped:
        judgements = _without(judgements, dropped)
    kinds = kind_counts(judgements)
    judgements = without_tutorials(judgements)
    scales = assessment.scales(judgements)
    if scales_of is not None:
        scales = assessment.scales(scales_of).of(judgements.annotator.names)
    which, documents = _levels(judgements, assessment.counting_judgements(judgements, repeats=repeats))
    if not which.any():
        present = ", ".join(pluralise(number, kind) for kind, number in kinds.items())
        raise DataError(
            f"none of these judgements is of an ordinary item ({present}): there is nothing to score systems by"
        )
    z = assessment.standard_scores(judgements, scales)
    if z is None or np.isnan(z[which]).all():
        z = None
    if score == "z" and z is None:
        raise DataError(
            "no annotator's scores vary, or none has a name: there are no z-scores, only raw ones (--score raw)"
        )
    tested = score or ("raw" if z is None or judgements.protocol in RAW_PROTOCOLS else "z")
    return RatingScores(judgements, kinds, controls, dropped, scales, z, tested, which, documents, unable)


def _without(judgements: Judgements, annotators: Sequence[str]) -> Judgements:
    gone = [judgements.annotator.names.index(name) for name in annotators]
    left = judgements[~np.isin(judgements.annotator.codes, gone)]
    if not len(left):
        who = "the only annotator fails" if len(gone) == 1 else f"all {len(gone)} annotators fail"
        raise DataError(
            f"{who} the control items, so that nothing is left; look at them first (without --drop-failed)"
        )
    return left


def _levels(
    judgements: Judgements, which: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """The judgements of segments, and those of whole documents where there are both: n is another for each."""
    level = judgements.labels.get("level")
    if level is None or "document" not in level.names:
        return which, None
    whole = which & (level.codes == level.names.index("document"))
    if not whole.any() or not (which & ~whole).any():
        return which, None
    return which & ~whole, whole


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
