"""A study run from its file: metrics, people and other scores over all its test sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from adjudge import workspace
from adjudge.comparison.comparing import compare_sets
from adjudge.comparison.plan import Plan, PlanOptions, study_plan
from adjudge.comparison.ranked_sets import MeanPreference, RankedSets, TestedPreference
from adjudge.comparison.results import Comparison
from adjudge.comparison.scoring import Progress
from adjudge.comparison.study_material import StudyMaterial
from adjudge.data.joint_systems import expand_joint_systems
from adjudge.data.judgements import Judgements
from adjudge.human.grouping import in_canonical_order, without_tutorials
from adjudge.human.pairs import comparisons, expected_wins, units_of
from adjudge.human.preferences import (
    PairAnswers,
    PairComparisons,
    natural_unit,
    pair_answers,
    pair_comparisons,
)
from adjudge.human.study_scores import study_material
from adjudge.io.studies import LoadedStudy, load_study
from adjudge.stats import multiple
from adjudge.stats.crossed import Crossed
from adjudge.stats.design import ANNOTATOR, FEWEST, UNIT, Balance, Design
from adjudge.stats.ratios import sign_flip
from adjudge.stats.significance import significant

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


def run_study(
    study: str | LoadedStudy,
    metrics: Sequence[str] = (),
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Every system of a study on every test set, with means over sets and tests of these.

    `study` is a STUDY.toml, or what `load_study` made of it. Metrics and the plan of the tests are those of the file;
    `metrics` and options of `compare` (`seed`, `unit`, `baseline`, …) come before what it says. What a metric of the
    file runs, a program or a model, is run where the workspace allows programs that files name.
    """
    loaded = load_study(study, progress=progress) if isinstance(study, str) else study
    here = workspace.current().named_by_file
    with workspace.use(workspace.with_settings(named_by_file=here or not metrics)):
        return run_material(
            study_material(loaded),
            tuple(metrics) or loaded.study.metrics,
            study_plan(loaded.study, options),
            threads=threads,
            cache=cache,
            progress=progress,
        )


def run_material(
    material: Sequence[StudyMaterial],
    metrics: Sequence[str],
    plan: Plan | None = None,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Every system on every test set, with people's rankings where they ranked the systems of every set."""
    result = compare_sets(material, metrics, plan, threads=threads, cache=cache, progress=progress)
    return replace(result, rankings=_rankings(material, result.plan))


def _rankings(material: Sequence[StudyMaterial], plan: Plan) -> RankedSets | None:
    """Whom people prefer in the mean over sets, where they ranked systems on every one of them."""
    judged = [test_set.rankings for test_set in material if test_set.outputs]
    known = [judgements for judgements in judged if judgements is not None]
    return ranked_sets(known, plan) if known and len(known) == len(judged) else None


@dataclass(frozen=True, eq=False)
class _SetPair:
    """Two systems on one test set; `sign` is −1 where it names them the other way round."""

    sign: float
    units: PairAnswers
    """By documents or items."""
    compared: PairComparisons
    natural: str
    annotators: tuple[str, ...]
    """Who made each comparison, '' where it is unknown."""


def mean_preferences(judged: Sequence[Judgements]) -> tuple[MeanPreference, ...]:
    """Every two systems that were compared on any set; their p-values are to be adjusted where there are many."""
    by_pair: dict[tuple[str, str], list[_SetPair]] = {}
    for judgements in judged:
        seen = _ranked_outputs(judgements)
        natural, names = natural_unit(seen), (*seen.annotator.names, "")
        for units, made in zip(
            pair_answers(seen, natural), pair_comparisons(seen, natural, ANNOTATOR), strict=True
        ):
            a, b = sorted((units.system, units.other))
            people = tuple(names[min(code, len(names) - 1)] for code in made.units[ANNOTATOR].tolist())
            part = _SetPair(1.0 if units.system == a else -1.0, units, made, natural, people)
            by_pair.setdefault((a, b), []).append(part)
    return tuple(_mean(a, b, parts) for (a, b), parts in sorted(by_pair.items()))


def preference_design(judged: Sequence[Judgements]) -> Design:
    """What mean preferences rest on: the documents or items of all sets, and annotators, who may judge several."""
    kinds, number, people = set(), 0, set()
    for judgements in judged:
        seen = _ranked_outputs(judgements)
        kinds.add(natural := natural_unit(seen))
        number += len(np.unique(units_of(seen, comparisons(seen), natural)))
        people |= {*seen.annotator.values()}
    natural = kinds.pop() if len(kinds) == 1 else UNIT
    if not all(people):
        return Design(natural, number, anonymous=True)
    balance = Balance(len(people), 0.0, systematic=False)  # both systems of a comparison are one annotator's
    if len(people) < FEWEST:
        return Design(natural, number, balance=balance)
    rarer = natural if number < len(people) else ANNOTATOR
    return Design(f"{natural},{ANNOTATOR}", min(number, len(people)), balance=balance, rarer=rarer)


def ranked_sets(judged: Sequence[Judgements], plan: Plan) -> RankedSets | None:
    """Rankings of every set, corrected over pairs; None where no system was ranked on all of them."""
    each = [_expected_wins(judgements) for judgements in judged]
    names = dict.fromkeys(name for scores in each for name in scores)
    means = {name: float(np.mean([scores.get(name, np.nan) for scores in each])) for name in names}
    order = sorted((name for name in means if not np.isnan(means[name])), key=lambda name: -means[name])
    if not [name for name in order if name != plan.baseline]:
        return None
    compared = [
        pair
        for pair in mean_preferences(judged)
        if plan.baseline in (None, pair.a, pair.b) and {pair.a, pair.b} <= {*means}
    ]
    adjusted = multiple.adjust_p_values([pair.p for pair in compared], plan.correction)
    pairs = tuple(
        TestedPreference(pair, float(p), significant(float(p), plan.alpha))
        for pair, p in zip(compared, adjusted, strict=True)
    )
    others = tuple(name for name in means if name not in order)
    return RankedSets({name: means[name] for name in order}, pairs, others, preference_design(judged))


def _expected_wins(judgements: Judgements) -> dict[str, float]:
    """The score of every system by the rankings of one test set."""
    counts = comparisons(_ranked_outputs(judgements)).counts
    scores = expected_wins(counts.wins, counts.ties)
    return dict(zip(counts.systems, scores.tolist(), strict=True))


def _ranked_outputs(judgements: Judgements) -> Judgements:
    """What counts of the rankings of one test set, each system that shares an output by itself."""
    return in_canonical_order(expand_joint_systems(without_tutorials(judgements)))


def _mean(a: str, b: str, parts: Sequence[_SetPair]) -> MeanPreference:
    items = [round(float(part.units.weights.sum())) for part in parts]  # parts of them add up to whole items
    values = [part.sign * part.units.values / n for part, n in zip(parts, items, strict=True)]
    preferred = [float(value.sum()) for value in values]
    whole = math.lcm(*(part.units.parts * n for part, n in zip(parts, items, strict=True)))
    flipped = sign_flip(np.concatenate(values), parts=min(whole, 1 << 53))
    return MeanPreference(
        a,
        b,
        mean=float(np.mean(preferred)),
        p=max(flipped, _by_annotators(parts, preferred)),
        sets=len(parts),
        ahead_on=sum(value > 0 for value in preferred),
        behind_on=sum(value < 0 for value in preferred),
    )


def _by_annotators(parts: Sequence[_SetPair], preferred: Sequence[float]) -> float:
    """The p of a t-test clustered by documents or items and by annotators, who may judge several sets.

    0 where annotators are unknown or too few to tell how others differ.
    """
    people = [name for part in parts for name in part.annotators]
    if "" in people or len(set(people)) < FEWEST:
        return 0.0
    rows, units = [], []
    for place, (part, own) in enumerate(zip(parts, preferred, strict=True)):
        weighed = part.compared.weighed * (part.sign, 1.0) / part.compared.weighed[:, 1].sum()
        weighed[:, 0] += weighed[:, 1] * (float(np.mean(preferred)) - own)  # sets are these, and not drawn
        rows.append(weighed)
        units += [f"{place} {code}" for code in part.compared.units[part.natural].tolist()]
    mean = Crossed.of(units, people).mean(np.concatenate(rows))
    if math.isnan(mean.error):
        return 1.0
    heaviest = max(part.compared.heaviest for part in parts) / len(parts)
    return replace(mean, error=max(mean.error, heaviest)).p()
