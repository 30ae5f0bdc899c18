"""What people's ratings say of systems: from judgements to scores, tests, clusters and what may be claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix
from adjudge.data.error_weights import Weights
from adjudge.data.judgements import Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.comparing import compare_scores
from adjudge.evaluate.comparison import Comparison, Standing
from adjudge.evaluate.plan import CLUSTERED, RANK_TESTS
from adjudge.human import assessment
from adjudge.human.agreement import CLOSE_Z, agreement
from adjudge.human.diagnostics import diagnoses
from adjudge.human.grouping import parts_by
from adjudge.human.mqm import error_types, weighed
from adjudge.people.rating_scores import RatingScores, score_ratings
from adjudge.people.rating_warnings import rating_warnings
from adjudge.people.results import (
    SCORES,
    RatedSystem,
    RatingAnalysis,
    RatingFacts,
    RatingGroup,
    decimals_of,
)
from adjudge.people.units import UNITS, ItemOverlap, check_crossed, grouping_sentences, groupings, unit_column
from adjudge.people.whole_systems import analyse_system_scores, are_of_whole_systems
from adjudge.stats.resampling import tolerance

CUSTOMS: Mapping[str, Mapping[str, Any]] = {
    "wmt21": {
        "repeats": True,
        "method": "rank-sum",
        "alternative": "better-score",
        "correction": "none",
        "alpha": 0.05,
    }
}
"""How others have done it, by the name that `--as` takes."""


def analyse_ratings(
    judgements: Judgements,
    *,
    score: str | None = None,
    by: Sequence[str] = (),
    repeats: bool = False,
    unit: str = "translation",
    drop_failed: bool = False,
    scales_of: Judgements | None = None,
    quality_test: str = "paired-t",
    custom: str | None = None,
    weights: Weights | None = None,
    most_errors: int | None = None,
    method: str | None = None,
    threads: int = 0,
    **options: Any,
) -> RatingAnalysis:
    """Scores of systems with tests of all pairs; `options` as in `compare` (correction, alpha, seed, …).

    `scales_of` is all that annotators judged, where only some of it is analysed: z is by their scale over all of it.
    Without a `method` the test follows from the design: paired where systems were judged on the same items. `unit` is
    translation, document, annotator or another label, whose groups are drawn as wholes, two of them at once
    (document,annotator), or judgement.
    `custom` sets what an evaluation of the past did (`wmt21`) and overrules the rest. Errors that were marked by MQM
    are weighed, all of a segment or its `most_errors` heaviest, by `weights` or else as the files have them.
    """
    if judgements.is_ranking:
        raise UsageError("these are rankings, not ratings")
    if score is not None and score not in SCORES:
        raise unknown_name("score", score, SCORES)
    chosen = {"repeats": repeats, "method": method, **options, **_customs(custom)}
    repeats = chosen.pop("repeats")
    errors_weighed = weighed(judgements, weights, most=most_errors)
    if are_of_whole_systems(errors_weighed.judgements):
        return analyse_system_scores(errors_weighed.judgements, score=score, by=by)
    everything = None if scales_of is None else weighed(scales_of, weights, most=most_errors).judgements
    scores = score_ratings(
        errors_weighed.judgements,
        score=score,
        repeats=repeats,
        quality_test=quality_test,
        drop_failed=drop_failed,
        scales_of=everything,
    )
    facts = replace(_facts(scores, repeats=repeats, unit=unit), weights=errors_weighed.weights)
    facts, chosen = _with_test(scores, facts, chosen)
    parts = parts_by(scores.judgements, by, scores.which)
    groups = [_group(scores, rows, facts, label, chosen, threads) for label, rows in parts.groups]
    if unit == "translation" and len(groups[0].systems) > 1:
        related = groupings(scores.judgements, scores.tested, scores.which)
        groups[0] = groups[0].saying(grouping_sentences(related))
    if scores.documents is not None:
        groups.append(_group(scores, scores.documents, facts, {"level": "document"}, chosen, threads))
    of_z = {"values": scores.z, "margin": CLOSE_Z} if scores.score == "z" else {}
    return RatingAnalysis(
        facts=facts,
        groups=tuple(groups),
        controls=scores.controls,
        scales=scores.scales,
        errors=error_types(scores.judgements[scores.which], errors_weighed.weigh),
        agreement=agreement(scores.judgements, **of_z),
        annotators=diagnoses(scores.judgements),
        warnings=(
            *errors_weighed.warnings,
            *rating_warnings(scores, facts, parts.warnings, rescaled=scales_of is not None),
        ),
        judgements=scores.judgements,
        z=scores.z,
        which=scores.which,
    )


def _customs(custom: str | None) -> Mapping[str, Any]:
    """What an evaluation of the past set."""
    if custom is not None and custom not in CUSTOMS:
        raise unknown_name("custom", custom, CUSTOMS)
    return {} if custom is None else CUSTOMS[custom]


def _facts(scores: RatingScores, *, repeats: bool, unit: str) -> RatingFacts:
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
        own_z=scores.z is not None and not judgements.annotator.names,
    )


def _with_test(
    scores: RatingScores, facts: RatingFacts, chosen: Mapping[str, Any]
) -> tuple[RatingFacts, dict[str, Any]]:
    """The test that was asked for, or else the one that the design asks for, with the reason for it."""
    judgements, which, method = scores.judgements, scores.which, chosen["method"]
    if "," in facts.unit:
        check_crossed(judgements, facts.unit, which, method)
        return facts, {**chosen, "method": CLUSTERED}
    if facts.unit not in UNITS:
        unit_column(judgements, facts.unit, which)  # refuses what is no unit
        if method in RANK_TESTS:
            raise UsageError(
                f"a {method} test takes every translation for itself: --unit {facts.unit} goes with --test "
                "randomisation or bootstrap"
            )
        return facts, {**chosen, "method": method or "randomisation"}
    if facts.unit == "judgement":
        return facts, {**chosen, "method": method or "rank-sum"}
    translations = assessment.translations(judgements, scores.tested, which=which)
    judged = np.flatnonzero(translations.distinct)
    systems = [translations.matrix.systems[s] for s in judged]
    overlap = ItemOverlap.of(translations.judgements[judged] > 0, systems, chosen.get("baseline"))
    method = method or overlap.test
    reason = overlap.sentence(method) if len(systems) > 1 else ""
    return replace(facts, design=reason), {**chosen, "method": method}


def _group(
    ratings: RatingScores,
    which: NDArray[np.bool_],
    facts: RatingFacts,
    by: Mapping[str, str],
    options: Mapping[str, Any],
    threads: int,
) -> RatingGroup:
    judgements, z, values = ratings.judgements, ratings.z, ratings.tested
    raw = assessment.translations(judgements, judgements.score, which=which)
    standard = None if z is None else assessment.translations(judgements, z, which=which)
    units = assessment.translations(judgements, values, which=which, by_judgement=facts.unit == "judgement")
    judged = np.flatnonzero(units.distinct)
    direction = 1.0 if judgements.higher_is_better else -1.0
    scores = units.scores
    order = sorted(map(int, judged), key=lambda s: (-direction * scores[s], units.matrix.systems[s]))
    used = (units.judgements[order] > 0).any(0)
    unit_scores = _UnitScores(units.matrix.scores[order][:, used])
    if facts.unit not in UNITS:
        unit_scores = _scores_by_unit(judgements, values, which, facts.unit, order)
    decimals = 3 if facts.score == "z" else decimals_of(facts.protocol, scores[order].tolist())
    comparison = compare_scores(
        ScoreMatrix(tuple(units.matrix.systems[s] for s in order), unit_scores.scores),
        name=_label(facts),
        higher_is_better=judgements.higher_is_better,
        decimals=decimals,
        threads=threads,
        scope=_scope(by),
        by_people=True,
        caveats=not by,
        alone=True,
        weights=unit_scores.weights,
        **unit_scores.options,
        **options,
    )
    if unit_scores.weights is not None:
        comparison = _by_items(comparison, direction * units.matrix.scores[order])
    several = len(order) > 1

    def rated(s: int, result: Standing) -> RatedSystem:
        return RatedSystem(
            system=units.matrix.systems[s],
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

    systems = [rated(s, result) for s, result in zip(order, comparison.results, strict=True)]
    if several:
        # Tests of ranks may put a system with a worse mean into a better cluster.
        return RatingGroup(by, tuple(sorted(systems, key=lambda s: s.cluster or 0)), comparison)
    return RatingGroup(by, tuple(systems), None, f"{systems[0].system} is the only system.")


def _scope(by: Mapping[str, str]) -> str:
    """For which judgements a result holds."""
    of = ", ".join(f"{name} {value}" for name, value in by.items())
    return f"the judgements of {of}" if by else "these judgements"


@dataclass(frozen=True, eq=False)
class _UnitScores:
    """Scores as they are drawn: systems × translations, or parts of these with the units they belong to."""

    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


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
    parts = assessment.parts(judgements, values, group, which=which)
    labels = {
        name: [column.names[code] for code in codes]
        for (name, column), codes in zip(columns.items(), np.unravel_index(parts.group, sizes), strict=True)
    }
    return _UnitScores(parts.matrix.scores[order], parts.weights[order], {"unit": unit, "labels": labels})


def _by_items(comparison: Comparison, scores: NDArray[np.float64]) -> Comparison:
    """The same with shares of items, not of the parts that were unit_scores."""
    systems = [s.system for s in comparison.results]
    near = tolerance(float(np.nanmax(np.abs(scores), initial=0.0)))
    pairs = []
    for pair in comparison.pairs:
        ahead = scores[systems.index(pair.a)] - scores[systems.index(pair.b)]
        ahead = ahead[~np.isnan(ahead)]
        better, worse = ((ahead > near).mean(), (ahead < -near).mean()) if len(ahead) else (np.nan, np.nan)
        pairs.append(replace(pair, better_on=float(better), worse_on=float(worse), common=len(ahead)))
    return replace(comparison, pairs=tuple(pairs))


def _label(facts: RatingFacts) -> str:
    return f"{facts.protocol.upper()} {facts.score}" if facts.score == "z" else facts.protocol.upper()
