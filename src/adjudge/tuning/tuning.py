"""Cross-validated fitting: parameters from all folds but one, judged on that one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from adjudge import comparison
from adjudge.comparison.scoring import Progress, check, rows_by
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.metrics.base import Metric, spell
from adjudge.metrics.meteor import Meteor
from adjudge.metrics.meteor_columns import COLUMN
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.draws import fold_of_units
from adjudge.tuning.gathering import JudgedItems, gather
from adjudge.tuning.held_out import held_out
from adjudge.tuning.items import LEVELS, MEASURES, Items
from adjudge.tuning.search import search
from adjudge.tuning.space import Space
from adjudge.tuning.tuned_parameters import Tuning
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


@dataclass(frozen=True)
class TuningOptions:
    """The options of `tune`; an empty name is what the judgements ask for."""

    level: str = "segment"
    correlation: str = ""
    """A correlation of `MEASURES`; by itself Pearson's, or WMT's tau where segments were ranked."""
    fold_by: str = ""
    """What a fold is made of: segments (by itself), documents, or systems, the only choice at their own level."""
    min_gap: float = 0.0
    """Tau of scores takes pairs of one segment's translations whose scores differ by so much at least."""
    folds: int = 5
    seed: int = 12345
    resamples: int = 1000
    first_segment: int = 1
    """The number that judgements give the first segment."""
    skip_unknown_systems: bool = False
    """Whether judgements of systems without outputs are left out."""

    def for_judgements(self, judgements: Judgements) -> TuningOptions:
        """Options with the measure and the unit that fit these judgements; an error where they make no sense."""
        if self.level not in LEVELS:
            raise unknown_name("level", self.level, LEVELS)
        if not len(judgements):
            raise DataError("no judgements to fit to")
        measure = self._measure_of(judgements)
        if self.level == "system" and self.fold_by not in ("", "system"):
            raise UsageError("at the level of systems, systems are held out: --fold-by system")
        unit = self.fold_by or ("system" if self.level == "system" else "segment")
        return replace(self, correlation=measure, fold_by=unit)

    def _measure_of(self, judgements: Judgements) -> str:
        """The correlation that was asked for, or the one that fits."""
        ranked = judgements.is_ranking and self.level == "segment"
        measure = self.correlation or ("tau" if ranked else "pearson")
        if measure not in MEASURES:
            raise unknown_name("correlation", measure, MEASURES)
        if ranked and measure != "tau":
            raise UsageError(
                "ranks of segments can be fitted by tau only, for they order translations of one segment and no others"
            )
        if self.level == "system" and measure == "tau":
            raise UsageError("tau is for translations of one segment; of systems there is kendall")
        return measure


Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FEWEST_ITEMS = 4
"""Fewer have no correlation worth the name, nor Williams' test."""


def rows_of(
    metric: Metric,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> dict[str, Array]:
    """The rows of each system's output with each reference (segments × references × columns).

    They come from the cache where it has them. Which reference is the best depends on the parameters, so all are kept;
    where a segment lacks some, empty rows stand at its end.
    """
    for name in (names := [output.system for output in outputs]):
        if names.count(name) > 1:
            raise UsageError(f"{name} has several runs; people judge one output: name each apart, NAME=FILE")
    by_system = {name: np.zeros((len(test_set), len(test_set.references), COLUMN.all)) for name in names}
    filled = np.zeros(len(test_set), dtype=np.intp)
    steps = len(test_set.references) * len(outputs)
    for number, column in enumerate(test_set.references):
        given = np.array([at for at, text in enumerate(column) if text is not None], dtype=np.intp)
        whole = len(given) == len(column)
        alone = replace(
            test_set if whole else test_set[given.tolist()], references=(tuple(column[i] for i in given),)
        )
        compute = rows_by(metric, alone, threads, cache)
        for at, output in enumerate(outputs):
            if progress:
                progress(f"{metric.label} of {output.title}", number * len(outputs) + at, steps)
            translated = output
            if not whole:
                translated = replace(output, segments=tuple(output.segments[i] for i in given))
            by_system[output.system][given, filled[given]] = compute(translated)
        filled[given] += 1
    return by_system


def spec_with_file(metric: Meteor, path: str) -> str:
    """The metric that was fitted as a spec string, with its parameters from a file and all else as it was."""
    bare = replace(
        metric, task="rank", parameters="", alpha=None, beta=None, gamma=None, delta=None, weights=""
    )
    if metric.task == "universal":  # it chooses matchers and function words too, which a file does not
        words = metric.function_words or "own"
        bare = replace(bare, matchers="+".join(metric.matchers_used), function_words=words)
    options = bare.options() | {"parameters": path}
    return f"{metric.name}({','.join(f'{name}={spell(value)}' for name, value in options.items())})"


def tunable(spec: str) -> Meteor:
    """The metric of that spec, whose parameters can be fitted."""
    from adjudge import metrics

    chosen = metrics.metric(spec)
    if not isinstance(chosen, Meteor) or chosen.form != "1.5":
        raise UsageError(f"{chosen.spec} has no parameters that can be fitted; meteor has")
    return chosen


def tune_outputs(
    metric: Meteor,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    judgements: Judgements,
    options: TuningOptions,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> tuple[Meteor, Tuning, list[str]]:
    """The metric as it is on this test set, its parameters fitted, and warnings about its language."""
    (resolved,), prepared = comparison.resolve_metrics(metric, test_set)
    chosen = cast("Meteor", resolved)
    check(prepared, outputs, [chosen])
    rows = rows_of(chosen, test_set, outputs, threads=threads, cache=cache, progress=progress)
    result = tune(judgements, rows, test_set, chosen.in_force, options, threads=threads, progress=progress)
    return chosen, result, comparison.language_warnings([chosen], prepared)


def tune(
    judgements: Judgements,
    rows: Mapping[str, Array],
    test_set: TestSet,
    default: Parameters,
    options: TuningOptions | None = None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """Fit METEOR's parameters to judgements, given the rows of each system, as `rows_of` makes them."""
    options = (options or TuningOptions()).for_judgements(judgements)
    gathered = gather(
        judgements,
        rows,
        test_set,
        level=options.level,
        unit=options.fold_by,
        first=options.first_segment,
        min_gap=options.min_gap,
        skip_unknown_systems=options.skip_unknown_systems,
    )
    return tune_items(
        gathered, default, options, protocol=judgements.protocol, threads=threads, progress=progress
    )


def tune_items(
    gathered: JudgedItems,
    default: Parameters,
    options: TuningOptions,
    *,
    protocol: str,
    threads: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """Parameters fitted to items that are already gathered, by options that name a measure and a unit."""
    items, measure = gathered.items, options.correlation
    fit = _fit(items, default, options, threads, progress)
    return Tuning(
        parameters=fit.parameters,
        default=default,
        free=fit.space.free,
        measure=measure,
        level=options.level,
        unit=options.fold_by,
        protocol=protocol,
        fitted=_correlation(items, fit.parameters, measure),
        fitted_default=fit.default,
        held_out=held_out(
            items,
            fit.fold,
            fit.fold_parameters,
            default,
            measure,
            seed=options.seed,
            resamples=options.resamples,
            threads=threads,
            report=_steps_of(progress, "testing, resamples"),
        ),
        fold_parameters=fit.fold_parameters,
        fold_items=tuple(map(int, np.bincount(fit.fold, minlength=options.folds))),
        judgements=gathered.judgements,
        items=len(items),
        pairs=len(items.pairs) if measure == "tau" and items.pairs is not None else 0,
        units=items.units,
        systems=gathered.systems,
        segments=gathered.segments,
        left_out=gathered.left_out,
        grid=fit.space.size,
        folds=options.folds,
        seed=options.seed,
        resamples=options.resamples,
        warnings=tuple(_warnings(gathered, options.level)),
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    """The best parameters, with and without each fold."""

    fold: Indices
    """Of each item."""
    space: Space
    default: float
    """The correlation of the parameters that were there before."""
    fold_parameters: tuple[Parameters, ...]
    parameters: Parameters


def _fit(
    items: Items, default: Parameters, options: TuningOptions, threads: int, progress: Progress | None
) -> _Fit:
    """Search for the parameters that correlate best."""
    measure, folds, seed = options.correlation, options.folds, options.seed
    fold = fold_of_units(items.units, _checked_folds(items, folds, options.fold_by), seed)[items.unit]
    _check_target(items, fold, folds, measure)
    space = Space.of(items.rows, default)
    before = _correlation(items, default, measure)
    if math.isnan(before):
        raise DataError(
            "METEOR gives all of them the same score: no correlation; are these the right outputs?"
        )
    fitting = _steps_of(progress, f"fitting, {pluralise(space.size, 'point')}")
    optima = search(items, fold, folds, space, measure, seed=seed, threads=threads, report=fitting)
    *fold_parameters, parameters = (optimum.point for optimum in optima)
    return _Fit(fold, space, before, tuple(fold_parameters), parameters)


def _correlation(items: Items, parameters: Parameters, measure: str) -> float:
    """How far scores by these parameters follow all of the judgements."""
    return float(items.correlation(items.scores(parameters)[None], measure)[0])


def _steps_of(progress: Progress | None, what: str) -> Callable[[int, int], None]:
    """Reports steps of one kind of work, if anybody wants to know."""
    return lambda done, steps: progress(what, done, steps) if progress else None


def _checked_folds(items: Items, folds: int, unit: str) -> int:
    if folds < 2:
        raise UsageError(f"{folds} folds: at least 2 are needed, one to fit to and one to look at")
    if items.units < max(folds, FEWEST_ITEMS):
        remedy = f"; --folds {items.units}" if items.units >= FEWEST_ITEMS else ""
        raise DataError(
            f"too few judgements: {pluralise(items.units, unit)} for {folds} folds, and {FEWEST_ITEMS} are the fewest "
            f"that can be cross-validated{remedy}"
        )
    return folds


def _check_target(items: Items, fold: Indices, folds: int, measure: str) -> None:
    """Refuse judgements that correlate with nothing, in all or without one of the folds."""
    if measure == "tau":
        if items.pairs is None or not len(items.pairs):
            raise DataError(
                "no two translations of a segment that lie in one fold were scored apart: tau has no pairs; "
                "take another correlation, or another unit"
            )
        by_fold = np.bincount(fold[items.pairs[:, 0]], minlength=folds)
        if (by_fold == len(items.pairs)).any():
            raise DataError("too few ranked pairs: all lie in one fold; take fewer folds")
        return
    if np.ptp(items.human) == 0:
        raise DataError(
            f"all {pluralise(len(items), 'judgement')} are the same ({abs(items.human[0]):g}): no correlation"
        )
    for number in range(folds):
        if np.ptp(items.human[fold != number]) == 0:
            raise DataError(
                "the judgements are all the same without one of the folds: no correlation to fit to; take fewer folds"
            )


def _warnings(gathered: JudgedItems, level: str) -> list[str]:
    warnings = []
    if gathered.controls:
        warnings.append(f"left out {pluralise(gathered.controls, 'judgement')} of control items")
    if gathered.left_out:
        warnings.append(f"left out {pluralise(gathered.left_out, 'judgement')} of systems without outputs")
    if level == "system" and len(gathered.items) < 10:
        warnings.append(
            f"{len(gathered.items)} systems are very few to fit parameters to; expect nothing from the result"
        )
    return warnings
