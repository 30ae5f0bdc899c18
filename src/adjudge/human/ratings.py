"""What people's ratings say of systems: from judgements to scores, tests, clusters and what may be claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.comparing import compare_scores
from adjudge.comparison.plan import Plan, SignificanceOptions, plan_of
from adjudge.comparison.results import Comparison, Standing
from adjudge.data import ScoreMatrix
from adjudge.data.error_weights import ErrorWeights
from adjudge.data.judgements import NONE, Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.human import assessment
from adjudge.human.agreement import agreement_on_tested_scores
from adjudge.human.diagnostics import diagnoses
from adjudge.human.grouping import JudgementGroups, judgement_groups, scope_of, several_questions
from adjudge.human.mqm import ErrorScores, error_types, weigh_errors
from adjudge.human.rating_scores import (
    AdjustedItems,
    RatingScores,
    pair_means,
    pair_weights,
    pooled_scores,
    score_ratings,
)
from adjudge.human.results import (
    ONE_ANNOTATOR,
    RAW_PROTOCOLS,
    SCORES,
    RatedSystem,
    RatingAnalysis,
    RatingFacts,
    RatingGroup,
    decimals_of,
)
from adjudge.human.units import (
    TRANSLATION,
    UNITS,
    ItemOverlap,
    annotator_balance,
    check_unit,
    group_count,
    other_groupings,
    rating_design,
    unit_column,
)
from adjudge.human.whole_systems import analyse_system_scores, is_of_whole_systems
from adjudge.stats.common_items import ItemColumns, ItemScores
from adjudge.stats.design import AUTO, DOCUMENT, Design
from adjudge.stats.tests.systems import DEFAULT, TWO_KINDS, UNPAIRED
from adjudge.stats.two_way import AdjustedScores
from adjudge.stats.units import CodedLabels
from adjudge.wording import join_names, pluralise

LEVELS = (
    "{} of whole documents (DR+DC) are analysed by themselves, as the group level document, and do not count among "
    "segments (SR+DC): documents are far fewer, and n is their number"
)
ALL_JUDGEMENTS = (
    "z is on each annotator's scale over all that he or she judged, also what was left out as asked; --rescale takes "
    "the scale from what is left"
)


@dataclass(frozen=True)
class RatingPreset:
    """What an evaluation of the past did with ratings."""

    repeats: bool
    test: str
    options: SignificanceOptions


PRESETS: Mapping[str, RatingPreset] = {
    "wmt21": RatingPreset(
        repeats=True,
        test=UNPAIRED,
        options={"alternative": "better-score", "correction": "none", "alpha": 0.05},
    )
}
"""How others have done it, by the name that `--preset` takes."""


def analyse_ratings(
    judgements: Judgements,
    *,
    score: str | None = None,
    by: Sequence[str] = (),
    repeats: bool = False,
    unit: str = AUTO,
    drop_failed: bool = False,
    scales_of: Judgements | None = None,
    quality_test: str = "paired-t",
    preset: str | None = None,
    weights: ErrorWeights | None = None,
    most_errors: int | None = None,
    test: str | None = None,
    pool: str = "",
    threads: int = 0,
    **options: Unpack[SignificanceOptions],
) -> RatingAnalysis:
    """Scores of systems with tests of all pairs; `options` as in `compare` (correction, alpha, seed, …).

    `scales_of` is all that annotators judged, where only some of it is analysed: z is by their scale over all of it.
    Without a `test` it follows from the design: paired where systems were judged on the same items. `unit` is
    auto (documents or else items, and annotators with them), translation, document, annotator or another label, whose
    groups are drawn as wholes, two of them at once (document,annotator), or judgement.
    With `pool`, a label, a score is the mean over its values, each counting alike; units are drawn within each.
    `preset` sets what an evaluation of the past did (`wmt21`) and overrules the rest. Errors that were marked by MQM
    are weighed, all of a segment or its `most_errors` heaviest, by `weights` or else as the files have them.
    """
    if judgements.is_ranking:
        raise UsageError("these are rankings, not ratings")
    if score is not None and score not in SCORES:
        raise unknown_name("score", score, SCORES)
    if preset is not None:
        as_then = _preset(preset)
        repeats, test, options = as_then.repeats, as_then.test, {**options, **as_then.options}
        unit = TRANSLATION if unit == AUTO else unit
    errors_weighed = weigh_errors(judgements, weights, most=most_errors)
    if is_of_whole_systems(errors_weighed.judgements):
        return analyse_system_scores(errors_weighed.judgements, score=score, by=by)
    everything = None if scales_of is None else weigh_errors(scales_of, weights, most=most_errors).judgements
    scores = score_ratings(
        errors_weighed.judgements,
        score=score,
        repeats=repeats,
        quality_test=quality_test,
        drop_failed=drop_failed,
        scales_of=everything,
    )
    scores, absent = pooled_scores(scores, pool, test)
    check_unit(scores.judgements, unit, scores.which, test)
    design = rating_design(scores.judgements, scores.which, unit, test)
    scores = scores.as_designed(design)
    facts = _facts(scores, repeats=repeats, unit=design.unit, pool=pool)
    facts, plan = _with_plan(scores, facts, _chosen_test(scores, facts, test), options)
    facts = replace(facts, weights=errors_weighed.weights)
    parts = judgement_groups(scores.judgements, by, scores.which, absent)
    warnings = _warnings(scores, facts, design, parts.warnings, rescaled=scales_of is not None)
    groups = _groups(scores, facts, plan, design, parts, threads)
    return _analysis(scores, facts, groups, errors_weighed, warnings)


def _chosen_test(scores: RatingScores, facts: RatingFacts, test: str | None) -> str | None:
    """The test that was asked for, as far as these scores leave a choice."""
    if facts.pooled and scores.adjusted:
        raise UsageError(
            "annotators are not spread evenly over systems: --pool-languages cannot allow for that; leave it out, "
            "and each pair is analysed by itself"
        )
    if scores.adjusted:
        return None
    return DEFAULT if facts.pooled and facts.unit in UNITS and test is None else test


def _analysis(
    scores: RatingScores,
    facts: RatingFacts,
    groups: tuple[RatingGroup, ...],
    errors_weighed: ErrorScores,
    warnings: Sequence[str],
) -> RatingAnalysis:
    """The systems, with what else these judgements say: errors, agreement, annotators."""
    return RatingAnalysis(
        facts=facts,
        groups=groups,
        controls=scores.controls,
        scales=scores.scales,
        errors=error_types(scores.judgements[scores.which], errors_weighed.weigh),
        agreement=agreement_on_tested_scores(scores.judgements, scores.z, raw=scores.score == "raw"),
        annotators=diagnoses(scores.judgements),
        warnings=(*errors_weighed.warnings, *warnings),
        judgements=scores.judgements,
        z=scores.z,
        which=scores.which,
    )


def _preset(name: str) -> RatingPreset:
    """What an evaluation of the past did."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]


def _groups(
    scores: RatingScores, facts: RatingFacts, plan: Plan, design: Design, parts: JudgementGroups, threads: int
) -> tuple[RatingGroup, ...]:
    """The systems by all judgements, by those of every part, and by whole documents where these were judged."""
    groups = [
        _group(scores, rows, *_inside_a_document(scores, rows, facts, plan, design), label, threads)
        for label, rows in parts.groups
    ]
    if scores.documents is not None:
        by = {"level": "document"}
        groups.append(_group(scores, scores.documents, facts, plan, design, by, threads))
    return tuple(groups)


def _inside_a_document(
    scores: RatingScores, which: NDArray[np.bool_], facts: RatingFacts, plan: Plan, design: Design
) -> tuple[RatingFacts, Plan, Design]:
    """What is asked of a group: of a single document its items are drawn, unless a unit was asked for."""
    names = design.unit.split(",")
    if not design.reason or DOCUMENT not in names or group_count(scores.judgements, DOCUMENT, which) != 1:
        return facts, plan, design
    unit = ",".join(["item", *names[1:]]) if names[1:] else TRANSLATION
    reason = f"Items are drawn: these judgements are of one {DOCUMENT}."
    plan = replace(plan, unit=AUTO if unit == TRANSLATION else unit)
    return replace(facts, unit=unit), plan, replace(design, unit=unit, reason=reason)


def _facts(scores: RatingScores, *, repeats: bool, unit: str, pool: str) -> RatingFacts:
    judgements = scores.judgements
    return RatingFacts(
        protocol=judgements.protocol,
        judgements=sum(scores.kinds.values()),
        kinds=scores.kinds,
        systems=len(np.unique(judgements.system.codes[scores.which])),
        items=len(judgements.item.names),
        annotators=len(judgements.annotator.names),
        score=scores.score,
        higher_is_better=judgements.higher_is_better,
        repeats=repeats,
        unit=unit,
        dropped=scores.dropped,
        pooled=pool,
        own_z=scores.z is not None and not judgements.annotator.names,
    )


def _with_plan(
    scores: RatingScores, facts: RatingFacts, test: str | None, options: SignificanceOptions
) -> tuple[RatingFacts, Plan]:
    """By the test that was asked for, or else the one that the design asks for, with the reason for it."""
    if facts.unit not in UNITS:
        test = TWO_KINDS if "," in facts.unit else test or DEFAULT
        return facts, plan_of(Plan(test=test, unit=facts.unit), options)
    if facts.unit == "judgement":
        return facts, plan_of(Plan(test=test or UNPAIRED), options)
    test, reason = _test_of_translations(scores, test, options.get("baseline"))
    return replace(facts, design=reason), plan_of(Plan(test=test), options)


def _test_of_translations(scores: RatingScores, test: str | None, baseline: str | None) -> tuple[str, str]:
    """The test where translations are drawn, and why it is this one."""
    translations = assessment.translations(scores.judgements, scores.tested, which=scores.which)
    judged = np.flatnonzero(translations.distinct)
    systems = [translations.matrix.systems[s] for s in judged]
    overlap = ItemOverlap.of(translations.judgements[judged] > 0, systems, baseline)
    test = test or overlap.test
    return test, overlap.sentence(test) if len(systems) > 1 else ""


def _group(
    ratings: RatingScores,
    which: NDArray[np.bool_],
    facts: RatingFacts,
    plan: Plan,
    design: Design,
    by: Mapping[str, str],
    threads: int,
) -> RatingGroup:
    """The systems by some of the judgements, each pair of them tested."""
    judgements, values = ratings.judgements, ratings.tested
    units = assessment.translations(judgements, values, which=which, by_judgement=facts.unit == "judgement")
    judged = np.flatnonzero(units.distinct)
    direction = 1.0 if judgements.higher_is_better else -1.0
    pool = "" if by else facts.pooled
    adjusted = ratings.adjusted_scores(which) if ratings.adjusted else None
    scores = units.scores if adjusted is None else adjusted.scores
    if pool:
        scores = pair_means(judgements, values, which, pool)
    order = sorted(map(int, judged), key=lambda s: (-direction * scores[s], units.matrix.systems[s]))
    unit_scores = _unit_scores(ratings, which, facts.unit, order, adjusted, units, pool)
    if by:
        design = replace(design, balance=annotator_balance(judgements, which))
    elif len(order) > 1:
        design = replace(design, groupings=other_groupings(judgements, values, which, facts.unit))
    design = _with_missing(design, ratings, which, order, plan, by_items=unit_scores.items is not None)
    decimals = 3 if facts.score == "z" else decimals_of(facts.protocol, scores[order].tolist())
    in_parts = unit_scores.weights is not None
    comparison = compare_scores(
        ScoreMatrix(tuple(units.matrix.systems[s] for s in order), unit_scores.scores),
        replace(plan, strata=pool) if pool and not plan.crossed else plan,
        name=_label(facts, pool),
        higher_is_better=judgements.higher_is_better,
        decimals=decimals,
        threads=threads,
        scope=scope_of(by),
        by_people=True,
        caveats=not by,
        alone=True,
        weights=unit_scores.weights,
        labels=unit_scores.labels,
        design=design,
        items=_item_scores(ratings, which, order, unit_scores) if design.common else None,
        comparable=None if adjusted is None else adjusted.comparable[np.ix_(order, order)],
        item_scores={units.matrix.systems[s]: units.matrix.scores[s] for s in order} if in_parts else None,
    )
    systems = _rated_systems(ratings, which, order, scores, comparison)
    if pool:
        systems = _with_pair_means(systems, ratings, which, pool)
    if len(order) == 1:
        return RatingGroup(by, systems, None, f"{systems[0].system} is the only system.")
    # Tests of ranks may put a system with a worse mean into a better cluster.
    return RatingGroup(by, tuple(sorted(systems, key=lambda s: s.cluster or 0)), comparison)


def _rated_systems(
    ratings: RatingScores,
    which: NDArray[np.bool_],
    order: Sequence[int],
    scores: NDArray[np.float64],
    comparison: Comparison,
) -> tuple[RatedSystem, ...]:
    """The systems in this order, each with its means, its interval and its place."""
    judgements, z = ratings.judgements, ratings.z
    raw = assessment.translations(judgements, judgements.score, which=which)
    standard = None if z is None else assessment.translations(judgements, z, which=which)
    several = len(order) > 1

    def rated(s: int, result: Standing) -> RatedSystem:
        return RatedSystem(
            system=raw.matrix.systems[s],
            mean=float(raw.scores[s]),
            z=None if standard is None else float(standard.scores[s]),
            n_translations=int(raw.distinct[s]),
            n_judgements=int(raw.judgements[s].sum()),
            low=result.low,
            high=result.high,
            cluster=result.cluster if several else None,
            rank=result.rank if several else None,
            rank_interval=result.rank_interval if several else None,
            score=float(scores[s]),
        )

    return tuple(rated(s, result) for s, result in zip(order, comparison.results, strict=True))


def _with_pair_means(
    systems: Sequence[RatedSystem], ratings: RatingScores, which: NDArray[np.bool_], pool: str
) -> tuple[RatedSystem, ...]:
    """The systems with raw means and z that are means over pairs too."""
    judgements, z = ratings.judgements, ratings.z
    place = {name: s for s, name in enumerate(judgements.system.names)}
    raw = pair_means(judgements, judgements.score, which, pool)
    standard = None if z is None else pair_means(judgements, z, which, pool)
    return tuple(
        replace(
            system,
            mean=float(raw[place[system.system]]),
            z=None if standard is None else float(standard[place[system.system]]),
        )
        for system in systems
    )


@dataclass(frozen=True, eq=False)
class _UnitScores:
    """Scores as they are drawn: systems × translations, or parts of these with the units they belong to."""

    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None
    labels: Mapping[str, Sequence[str]] | None = None
    items: NDArray[np.intp] | None = None
    """The item of every column; None where columns are no items' own."""


def _unit_scores(
    ratings: RatingScores,
    which: NDArray[np.bool_],
    unit: str,
    order: Sequence[int],
    adjusted: AdjustedScores | None,
    units: assessment.Translations,
    pool: str,
) -> _UnitScores:
    """Scores as they are drawn: adjusted for annotators, by whole groups, or translation by translation."""
    if adjusted is not None:
        names = unit.split(",")
        columns = {name: unit_column(ratings.judgements, name, which) for name in names}
        labels = {
            name: CodedLabels.of_codes(column.names, column.codes[which]) for name, column in columns.items()
        }
        items = ratings.judgements.item.codes[which].astype(np.intp)
        return _UnitScores(adjusted.pseudo_values[order], adjusted.weights[order], labels, items)
    if pool:
        unit = pool if unit in UNITS else f"{unit},{pool}"
        unit_scores = _scores_by_unit(ratings.judgements, ratings.tested, which, unit, order)
        return replace(unit_scores, weights=pair_weights(unit_scores.weights, unit_scores.labels, pool))
    if unit not in UNITS:
        return _scores_by_unit(ratings.judgements, ratings.tested, which, unit, order)
    used = np.flatnonzero((units.judgements[order] > 0).any(0))
    columns_of_items = None if unit == "judgement" else np.arange(len(used), dtype=np.intp)
    return _UnitScores(units.matrix.scores[order][:, used], items=columns_of_items)


def _item_scores(
    ratings: RatingScores, which: NDArray[np.bool_], order: Sequence[int], unit_scores: _UnitScores
) -> ItemScores:
    """Scores by items, of which two systems are compared on those that both have."""
    if ratings.adjusted:
        return AdjustedItems(ratings.judgements, which, order)
    assert unit_scores.items is not None
    return ItemColumns.of(
        unit_scores.items, unit_scores.scores, unit_scores.weights, higher=ratings.judgements.higher_is_better
    )


def _with_missing(
    design: Design,
    ratings: RatingScores,
    which: NDArray[np.bool_],
    order: Sequence[int],
    plan: Plan,
    *,
    by_items: bool,
) -> Design:
    """The design with the items that systems lack, and whether pairs are compared on common ones, if drawn by items.

    Where scores choose the side of a test, as WMT has it, each system is tested on all that it has.
    """
    translations = assessment.translations(ratings.judgements, ratings.tested, which=which)
    present, systems = translations.judgements[order] > 0, [translations.matrix.systems[s] for s in order]
    overlap = ItemOverlap.of(present, systems, plan.baseline)
    common = overlap.paired and by_items and plan.alternative != "better-score"
    return replace(design, shared=overlap.shared, missing=_missing(present, systems), common=common)


def _missing(present: NDArray[np.bool_], systems: Sequence[str]) -> dict[str, int]:
    """How many items that others have each system lacks, of those that lack some."""
    lacking = present.any(0).sum() - present.sum(1)
    return {name: int(number) for name, number in zip(systems, lacking, strict=True) if number}


def _scores_by_unit(
    judgements: Judgements,
    values: NDArray[np.float64],
    which: NDArray[np.bool_],
    unit: str,
    order: Sequence[int],
) -> _UnitScores:
    columns = {name: unit_column(judgements, name, which) for name in unit.split(",")}
    sizes = [len(column.names) for column in columns.values()]
    group = np.ravel_multi_index([np.maximum(column.codes, 0) for column in columns.values()], sizes)
    parts = assessment.translation_parts(judgements, values, group, which=which).of_systems(order)
    labels = {
        name: CodedLabels.of_codes(column.names, codes)
        for (name, column), codes in zip(columns.items(), np.unravel_index(parts.group, sizes), strict=True)
    }
    return _UnitScores(parts.matrix.scores, parts.weights, labels, parts.item)


def _label(facts: RatingFacts, pool: str) -> str:
    label = facts.protocol.upper() if facts.score == "raw" else f"{facts.protocol.upper()} {facts.score}"
    return f"{label} (mean over {pool})" if pool else label


def _warnings(
    scores: RatingScores, facts: RatingFacts, design: Design, of_groups: Sequence[str], *, rescaled: bool
) -> list[str]:
    """All of them, in their order; `of_groups` are those of the labels by which judgements were grouped."""
    documents = scores.documents
    return [
        *([ALL_JUDGEMENTS] if rescaled and facts.score == "z" and not facts.own_z else []),
        *_of_uncorrected(scores.uncorrected),
        *of_groups,
        *several_questions(scores.judgements),
        *([] if documents is None else [LEVELS.format(pluralise(int(documents.sum()), "judgement"))]),
        *_of_scales(scores, facts),
        *design.unevenness(),
        *_of_annotators(scores, facts),
    ]


def _of_scales(scores: RatingScores, facts: RatingFacts) -> list[str]:
    """Annotators without a scale of their own."""
    warnings, scales = [], scores.scales
    flat = [name for name, without in zip(scales.annotators, scales.flat, strict=True) if without]
    if facts.score == "z" and flat:
        lost = int(
            (scores.which & np.isin(scores.judgements.annotator.codes, np.flatnonzero(scales.flat))).sum()
        )
        warnings.append(
            f"{join_names(flat, 3)} gave the same score to everything, or only one ({pluralise(lost, 'judgement')}): "
            "such scores have no z and count for the raw means only"
        )
    if (
        facts.score == "raw"
        and facts.annotators
        and facts.protocol not in RAW_PROTOCOLS
        and len(flat) == facts.annotators
    ):
        warnings.append(
            "every annotator gave the same score to everything, or only one: there are no z-scores, raw ones are tested"
        )
    return warnings


def _of_annotators(scores: RatingScores, facts: RatingFacts) -> list[str]:
    """Who has no name, who is alone, and who fails the control items."""
    warnings, judgements = [], scores.judgements
    unknown = int((scores.which & (judgements.annotator.codes == NONE)).sum())
    if facts.score == "z" and facts.annotators and unknown:
        warnings.append(
            f"{pluralise(unknown, 'judgement')} without an annotator's name: no z, counted for the raw means only"
        )
    if facts.annotators == 1:
        warnings.append(ONE_ANNOTATOR)
    if facts.unit == "judgement":
        warnings.append(
            "every judgement counts as one more translation, though several people judged the same ones: p-values are "
            "too small; --unit translation (the default) is right"
        )
    fails = [control.annotator for control in scores.controls if control.passed is False]
    if fails and not facts.dropped:
        verb = "does" if len(fails) == 1 else "do"
        warnings.append(
            f"{join_names(fails, 3)} {verb} not tell damaged translations from whole ones (p > 0.05) and still "
            f"{'counts' if len(fails) == 1 else 'count'}; --drop-failed leaves out who fails"
        )
    if facts.dropped:
        warnings.append(f"left out {join_names(facts.dropped, 3)}, who failed the control items")
    return warnings


def _of_uncorrected(unable: Mapping[str, int]) -> list[str]:
    if not unable:
        return []
    whose = ", ".join(f"{number} of {system}" for system, number in unable.items())
    outputs = pluralise(sum(unable.values()), "output")
    return [
        f"{outputs} could not be corrected ({whose}): without HTER they are left out, which flatters these systems"
    ]
