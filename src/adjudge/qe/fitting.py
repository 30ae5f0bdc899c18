"""Training an estimator on what people said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge import __version__
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.table import Input
from adjudge.qe import features
from adjudge.qe.companions import Companions
from adjudge.qe.estimator import Estimator, GlassBox, UnseenSegments
from adjudge.qe.features import NAMES, NO_COMPANIONS, black_box_features
from adjudge.qe.hashed_ngrams import hashed_ngrams, rarity, weigh_ngrams
from adjudge.qe.labelled import BAD, KINDS, LOWER, LabelledSegments
from adjudge.qe.measures import Array
from adjudge.qe.regression import fit_ridge, fit_sparse
from adjudge.qe.resources import EstimatorResources, train_resources
from adjudge.qe.word_tagger import TaggedWords, WordTagger, tagged_words, train_tagger
from adjudge.stats.draws import fold_of_units, fold_splits, group_folds
from adjudge.wording import are, pluralise

FEWEST = 50
"""Segments that are enough to learn anything."""
FEWEST_GLASS_BOX = 30


@dataclass(frozen=True)
class ParallelText:
    """Text that is known to be a translation of another."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    inputs: tuple[Input, ...] = ()


@dataclass(frozen=True)
class TrainingOptions:
    """How an estimator is trained."""

    kind: str = ""
    """da, hter or mqm; by the name of the score where it is not said."""
    languages: tuple[str, str] = ("", "")
    folds: int = 5
    seed: int = 12345
    threads: int = 0
    lower_is_better: bool | None = None
    """As the kind has it where it is not said."""
    companions: Companions = NO_COMPANIONS


def train(
    segments: LabelledSegments, parallel: ParallelText | None = None, options: TrainingOptions | None = None
) -> Estimator:
    """The estimator, with what it says of segments that it had not seen."""
    options = options or TrainingOptions()
    kind = _kind(options, segments)
    _check(segments, options)
    fold = _folds(segments, options)
    parts = _Parts(segments, parallel, options, fold)
    matrix = hashed_ngrams(segments.outputs)
    weights = rarity(matrix)
    ngrams, held_out_ngrams = fit_sparse(weigh_ngrams(matrix, weights).tocsr(), segments.scores, fold)
    columns = np.concatenate([parts.features, held_out_ngrams[:, None]], 1)
    segment, held_out = fit_ridge(columns, segments.scores, fold)
    box = _glass_box(segments, held_out, fold)
    lower = options.lower_is_better
    recipe = _recipe(segments, parallel, options, parts.resources)
    return Estimator(
        kind,
        kind not in LOWER if lower is None else not lower,
        segments.score_name,
        parts.resources,
        weights,
        ngrams,
        segment,
        UnseenSegments(held_out, segments.scores),
        box,
        parts.tagger,
        options.companions.identities,
        recipe | {"penalties": {"ngrams": ngrams.penalty, "segment": segment.penalty}},
    )


class _Parts:
    """Features of the training segments.

    Where no parallel text is given, the segments are it themselves. Of their own text language models and lexicons know
    too much, so features of each fold come from the text of the others.
    """

    def __init__(
        self,
        segments: LabelledSegments,
        parallel: ParallelText | None,
        options: TrainingOptions,
        fold: NDArray[np.intp],
    ) -> None:
        self._segments, self._options, self._fold = segments, options, fold
        targets = segments.post_edits or segments.outputs
        pair = (parallel.sources, parallel.targets) if parallel else (segments.sources, targets)
        self.resources = train_resources(*pair, options.languages, threads=options.threads)
        self.features = np.empty((len(segments), len(NAMES)))
        tagged: list[tuple[NDArray[np.intp], TaggedWords]] = []
        for fitted, unseen in fold_splits(fold):
            rows, rest = np.flatnonzero(unseen), np.flatnonzero(fitted)
            resources = self.resources
            if parallel is None:
                texts = _take(pair[0], rest), _take(pair[1], rest)
                resources = train_resources(texts[0], texts[1], options.languages, threads=options.threads)
            self.features[rows] = self._features(resources, rows)
            if segments.tags is not None:
                known = np.array([row for row in rows if segments.tags[row] is not None], np.intp)
                texts = _take(segments.sources, known), _take(segments.outputs, known)
                tagged.append((known, tagged_words(resources, texts[0], texts[1], threads=options.threads)))
        self.tagger = self._tagger(tagged) if tagged else None

    def _features(self, resources: EstimatorResources, rows: NDArray[np.intp]) -> Array:
        sources, outputs = (_take(side, rows) for side in (self._segments.sources, self._segments.outputs))
        options = self._options
        return black_box_features(resources, sources, outputs, options.companions, threads=options.threads)

    def _tagger(self, parts: Sequence[tuple[NDArray[np.intp], TaggedWords]]) -> WordTagger:
        from scipy.sparse import vstack

        tags = self._segments.tags
        assert tags is not None
        rows = np.concatenate([known for known, _ in parts])
        words = TaggedWords(
            np.concatenate([part.numbers for _, part in parts]),
            vstack([part.hashed for _, part in parts]).tocsr(),
            np.concatenate([part.sizes for _, part in parts]),
        )
        bad = np.array([tag == BAD for row in rows for tag in tags[row] or ()])
        return train_tagger(words, bad, np.repeat(self._fold[rows], words.sizes))


def _take(texts: Sequence[str], rows: NDArray[np.intp]) -> list[str]:
    return [texts[row] for row in rows]


def _kind(options: TrainingOptions, segments: LabelledSegments) -> str:
    if options.kind:
        if options.kind not in KINDS:
            raise unknown_name("kind of score", options.kind, KINDS)
        return options.kind
    name = segments.score_name.lower()
    return next((kind for kind in KINDS if kind in name), "da")


def _check(segments: LabelledSegments, options: TrainingOptions) -> None:
    if len(segments) < FEWEST:
        raise DataError(
            f"{pluralise(len(segments), 'judged segment')} {are(len(segments))} too few to learn from: at least "
            f"{FEWEST} are needed, and thousands are better"
        )
    if np.ptp(segments.scores) < 1e-12 * max(1.0, float(np.abs(segments.scores).max())):
        raise DataError(
            f"all segments have the same {segments.score_name}, {segments.scores[0]:g}: there is nothing to learn; is "
            "it the right column (--column NAME)?"
        )
    if not 2 <= options.folds <= len(segments):
        raise UsageError(f"--folds {options.folds}: at least 2 are needed, and at most one a segment")
    same = sum(a.strip() == b.strip() for a, b in zip(segments.sources, segments.outputs, strict=True))
    if same > len(segments) / 2:
        raise DataError(
            f"{same:,} of {len(segments):,} outputs are their sources: both columns are in one language, or one was "
            "named twice"
        )


def _folds(segments: LabelledSegments, options: TrainingOptions) -> NDArray[np.intp]:
    """Whole documents where they are known, else segments; equal sources are never apart."""
    groups = segments.units
    if len(set(groups)) < options.folds:
        return fold_of_units(len(segments), options.folds, options.seed)
    return group_folds(groups, options.folds, options.seed)


def _glass_box(segments: LabelledSegments, held_out: Array, fold: NDArray[np.intp]) -> GlassBox | None:
    """What log-probabilities explain of what the rest leaves unexplained, where enough segments have them."""
    if segments.log_probabilities is None:
        return None
    given = features.glass_box_features(segments.log_probabilities)
    for columns in (given.shape[1], 1):
        rows = np.flatnonzero(~np.isnan(given[:, :columns]).any(1))
        if len(rows) >= FEWEST_GLASS_BOX:
            left = segments.scores[rows] - held_out[rows]
            _, inner_fold = np.unique(fold[rows], return_inverse=True)
            ridge, explained = fit_ridge(given[rows, :columns], left, inner_fold)
            scores = segments.scores[rows]
            return GlassBox(columns, ridge, UnseenSegments(held_out[rows] + explained, scores))
    return None


def _recipe(
    segments: LabelledSegments,
    parallel: ParallelText | None,
    options: TrainingOptions,
    resources: EstimatorResources,
) -> dict[str, object]:
    """All that made the model, so that it can be made again."""
    files = [*segments.inputs, *(parallel.inputs if parallel else ())]
    return {
        "adjudge": __version__,
        "files": [asdict(item) for item in files],
        "segments": len(segments),
        "score": segments.score_name,
        "languages": list(options.languages),
        "parallel_segments": resources.segments,
        "parallel": "given" if parallel else "post-edits" if segments.post_edits else "outputs",
        "folds": options.folds,
        "grouped_by": "document" if segments.documents else "source",
        "seed": options.seed,
    }
