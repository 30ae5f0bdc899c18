"""Minimum error rate training on n-best lists: from many starts, and held against lists that were not fitted to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison import Progress, language_warnings, resolve_metrics
from adjudge.data import TestSet
from adjudge.data.nbest import NBestLists
from adjudge.errors import DataError, UsageError
from adjudge.io.nbest import weights_of
from adjudge.metrics.base import Direction, Metric
from adjudge.stats.draws import generator
from adjudge.stats.resampling import bootstrap_p, estimate, resampled_scores, tolerance
from adjudge.tuning.weights.search import LEAST_GAIN, Array, WeightedLists, WeightPoint, climb
from adjudge.tuning.weights.weight_fit import HeldOutWeights, WeightFit, WeightOptions
from adjudge.wording import join_names, pluralise


def tune_weights(
    lists: NBestLists,
    metric: Metric | str = "bleu",
    *,
    start: Mapping[str, float] | None = None,
    held_out: NBestLists | None = None,
    options: WeightOptions | None = None,
    language: str = "",
    threads: int = 0,
    progress: Progress | None = None,
) -> WeightFit:
    """Weights with which the best hypotheses of all lists score best by a metric; without a start, all begin alike."""
    options = options or WeightOptions()
    (chosen,), _ = resolve_metrics(metric, _check_lists(lists, language))
    problem = weighted_lists(lists, chosen, language=language, threads=threads)
    given = dict.fromkeys(lists.feature_names, 1.0) if start is None else dict(start)
    first = weights_of(given, lists.feature_names, "the start")
    used = _varying_features(lists)
    points = _climb(problem, used, first, options, progress)
    best = max(points, key=lambda point: point.worth)
    weights = np.zeros(len(used))
    weights[used] = best.weights
    names = lists.feature_names
    return WeightFit(
        metric=chosen.spec,
        label=chosen.label,
        signature=chosen.signature(lists.test_set(language)),
        higher_is_better=problem.higher,
        weights=dict(zip(names, weights.tolist(), strict=True)),
        start_weights=dict(zip(names, first.tolist(), strict=True)),
        start=problem.score(first),
        score=problem.score(weights),
        segments=len(lists),
        hypotheses=lists.begins[-1],
        reached=sum(point.worth >= best.worth - LEAST_GAIN for point in points),
        options=options,
        held_out=None
        if held_out is None
        else _held_out(held_out, lists, chosen, first, weights, options, language, threads),
        warnings=tuple(_warnings(lists, chosen, used, held_out, language)),
    )


def weighted_lists(
    lists: NBestLists, metric: Metric, *, language: str = "", threads: int = 0
) -> WeightedLists:
    """Lists with the rows of all hypotheses by a metric."""
    if metric.direction is Direction.NEITHER:
        raise UsageError(f"weights cannot be fitted to {metric.spec}: neither high nor low is better")
    if "trees" in metric.needs:
        raise UsageError(f"weights cannot be fitted to {metric.spec}: it needs trees of every hypothesis")
    if "sources" in metric.needs and lists.sources is None:
        raise UsageError(f"{metric.title} needs the source: 'source' in every line, or -s FILE")
    assert lists.features is not None
    rows = metric.stats(
        metric.prepare(lists.test_set(language, spread=True)), lists.all_hypotheses(), threads=threads
    )
    higher = metric.direction is Direction.HIGHER
    return WeightedLists(lists.features, rows, lists.begins, metric.aggregate, higher)


def _check_lists(lists: NBestLists, language: str) -> TestSet:
    """The segments of lists that can be fitted to."""
    if lists.features is None:
        raise DataError(
            "the hypotheses have no features, so there is nothing to weigh: 'features' in every line"
        )
    if (missing := lists.without_reference()) is not None:
        raise DataError(f"{lists.place(missing)} has no reference: 'reference' in every line, or -r FILE")
    if all(len(hypothesis) == 1 for hypothesis in lists.hypotheses):
        raise DataError("every list has a single hypothesis: there is nothing to choose")
    return lists.test_set(language)


def _varying_features(lists: NBestLists) -> NDArray[np.bool_]:
    """Which features differ between hypotheses of one list; others choose nothing."""
    assert lists.features is not None
    feature_lists = np.split(lists.features, lists.begins[1:-1])
    used = np.any([np.ptp(features, axis=0) > 0 for features in feature_lists], axis=0)
    if not used.any():
        raise DataError(
            "all features are the same for all hypotheses of each list: no weight chooses anything"
        )
    return np.asarray(used)


def _climb(
    problem: WeightedLists,
    used: NDArray[np.bool_],
    first: Array,
    options: WeightOptions,
    progress: Progress | None,
) -> list[WeightPoint]:
    """Where the given start and those that are drawn lead to."""
    if not options.lowest < options.highest:
        raise UsageError(f"starts from {options.lowest:g} to {options.highest:g}: the second must be larger")
    active = WeightedLists(
        np.ascontiguousarray(problem.features[:, used]),
        problem.rows,
        problem.begins,
        problem.aggregate,
        problem.higher,
    )
    rng = generator(options.seed)
    points = []
    for done in range(options.restarts + 1):
        begin = first[used]
        if done:
            begin = rng.uniform(options.lowest, options.highest, len(first))[used]
        points.append(
            climb(
                active,
                begin,
                search=options.search,
                random_directions=options.random_directions,
                rng=rng,
            )
        )
        if progress:
            progress("fitting weights", done + 1, options.restarts + 1)
    return points


def _held_out(
    lists: NBestLists,
    fitted: NBestLists,
    metric: Metric,
    start: Array,
    tuned: Array,
    options: WeightOptions,
    language: str,
    threads: int,
) -> HeldOutWeights:
    """Both weights on other lists, paired."""
    _check_lists(lists, language)
    if set(lists.feature_names) != set(fitted.feature_names):
        differing = sorted(set(lists.feature_names) ^ set(fitted.feature_names))
        raise DataError(
            f"the held-out lists have other features: {join_names(differing, 3)} stands in one of both only"
        )
    order = [fitted.feature_names.index(name) for name in lists.feature_names]
    problem = weighted_lists(lists, metric, language=language, threads=threads)
    rows = [problem.chosen(weights[order]) for weights in (tuned, start)]
    after, before = (float(metric.aggregate(row.sum(0))) for row in rows)
    scores = resampled_scores(
        rows, metric.aggregate, resamples=options.resamples, seed=options.seed, threads=threads
    )
    differences = scores[:, 0] - scores[:, 1]
    interval = estimate(after - before, differences)
    p = bootstrap_p(after - before, differences, rounding=tolerance(after, before), units=len(lists))
    return HeldOutWeights(len(lists), before, after, after - before, interval.low, interval.high, p)


def _warnings(
    lists: NBestLists, metric: Metric, used: NDArray[np.bool_], held_out: NBestLists | None, language: str
) -> list[str]:
    warnings = list(language_warnings([metric], lists.test_set(language)))
    idle = [name for name, is_used in zip(lists.feature_names, used, strict=True) if not is_used]
    if idle:
        warnings.append(
            f"{join_names(idle, 4)}: the same for all hypotheses of each list, so the weight is 0 and means nothing"
        )
    if held_out is None:
        warnings.append(
            f"the score is that of the {pluralise(len(lists), 'segment')} that {pluralise(int(used.sum()), 'weight')} "
            "were fitted to, and too good for that: --held-out FILE shows what they are worth"
        )
    return warnings
