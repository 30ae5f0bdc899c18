"""What rankings and comparisons side by side say of systems: scores, ranges of ranks, clusters, every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.comparison.claims import margin_claims
from adjudge.comparison.plan import SEED
from adjudge.data.joint_systems import expand_joint_systems
from adjudge.data.judgements import ORDINARY, Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.human.agreement import ranking_agreement
from adjudge.human.choices import DistinctOutputs, without_copies
from adjudge.human.diagnostics import diagnoses
from adjudge.human.grouping import (
    in_canonical_order,
    judgement_groups,
    kind_counts,
    scope_of,
    several_questions,
    without_tutorials,
)
from adjudge.human.pairs import comparisons, units_of
from adjudge.human.preferences import Preference, natural_unit, pair_answers, preferences
from adjudge.human.quality import choice_quality
from adjudge.human.ranking import METHODS, NO_RESAMPLING, Ranking, RankOptions, rank_systems
from adjudge.human.ranking_claims import ranking_claims, too_small
from adjudge.human.ranking_results import RankedPair, RankingAnalysis, RankingFacts, RankingGroup
from adjudge.human.results import ONE_ANNOTATOR
from adjudge.human.units import drawn_together, group_count, grouping_of
from adjudge.stats import multiple
from adjudge.stats.clusters import placements
from adjudge.stats.design import ANNOTATOR, AUTO, DOCUMENT, FEWEST, Balance, Design, Grouping
from adjudge.stats.equivalence import Equivalence, check_margin, clustered_error, within_margin
from adjudge.stats.significance import significant
from adjudge.stats.tests.preferences.base import preference_test
from adjudge.stats.tests.preferences.sign import PUBLISHED
from adjudge.wording import pluralise

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "wmt09": {"method": "at-least-as-good", "unit": "ranking"},
    "wmt13": {"method": "expected-wins", "unit": "ranking"},
    "wmt16": {"method": "trueskill", "unit": "pair", "counting": "wmt"},
}
"""How others have done it, by the name that `--preset` takes."""


def analyse_rankings(
    judgements: Judgements,
    *,
    ranking: str = "expected-wins",
    counting: str = "judges",
    unit: str | None = None,
    by: Sequence[str] = (),
    preset: str | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = SEED,
    confidence: float = 0.95,
    regularisation: float = 0.0,
    margin: float | None = None,
    threads: int = 0,
) -> RankingAnalysis:
    """Systems by what people preferred, with every pair tested; `preset` does as an evaluation of the past did.

    `unit` is what is tested, and drawn anew for intervals: documents where items are labelled with them, else items,
    and from three annotators on these at the same time, for people have tastes. From these tests come clusters and
    ranks. By `pair` and `ranking`, and by TrueSkill's `none`, it is as published: every comparison is tested as an item
    of its own, and clusters come from ranges of ranks; where several people compared the same, such a p is too small,
    and nothing is claimed from it. With a `margin`, from 0 to 1, pairs are also tested for being preferred to each
    other by less than it.
    """
    if not judgements.is_ranking:
        raise UsageError("these are ratings, not rankings")
    method, counting, unit = _as_preset(preset, ranking, counting, unit)
    _check(method, regularisation, margin)
    seen = without_tutorials(judgements)
    tests = _PairTests(None if unit in (None, AUTO, NO_RESAMPLING) else unit, correction, alpha, margin)
    options: RankOptions = {
        "unit": None if unit == AUTO else unit,
        "regularisation": regularisation,
        "threads": threads,
        "resamples": resamples,
        "seed": seed,
        "confidence": confidence,
    }
    seen = in_canonical_order(seen)
    groups, ungrouped = _groups(seen, by, tests, method, options)
    once = without_copies(seen)
    return RankingAnalysis(
        facts=_facts(seen, tests, groups[0], by_tests=unit not in (*PUBLISHED, NO_RESAMPLING)),
        groups=groups,
        controls=choice_quality(seen),
        agreement=ranking_agreement(once.judgements, counting=counting, resamples=resamples, seed=seed),
        annotators=diagnoses(once.judgements),
        warnings=(
            *_tutorials(len(judgements) - len(seen)),
            *groups[0].ranking.remarks,
            *ungrouped,
            *_warnings(groups[0], tests, seen),
            *several_questions(seen),
            *_copies(once, len(seen)),
        ),
    )


def _groups(
    judgements: Judgements, by: Sequence[str], tests: _PairTests, method: str, options: RankOptions
) -> tuple[tuple[RankingGroup, ...], tuple[str, ...]]:
    """The systems by all judgements and by those of every label, and warnings of those without one.

    An output that several systems share was ranked once: it counts for each, but agreement is on what was seen.
    """
    single = in_canonical_order(expand_joint_systems(judgements))
    parts = judgement_groups(single, by, single.kind == ORDINARY)
    groups = []
    for label, rows in parts.groups:
        part = single[rows] if label else single
        unit, reason = choose_ranking_unit(part, tests.asked)
        by_tests = options["unit"] not in (*PUBLISHED, NO_RESAMPLING)
        ranking = rank_systems(part, method=method, **(options | {"unit": options["unit"] or unit}))
        pairs = preferences(part, unit=unit)
        design = ranking_design(part, pairs, unit, reason, whole=not label)
        groups.append(
            _group(label, ranking, _tested_pairs(pairs, tests, design), tests, design, by_tests=by_tests)
        )
    return tuple(groups), parts.warnings


@dataclass(frozen=True)
class _PairTests:
    """How every pair of systems is tested."""

    asked: str | None
    """What counts as one answer; None where the design says so."""
    correction: str
    alpha: float
    margin: float | None


def _as_preset(
    preset: str | None, method: str, counting: str, unit: str | None
) -> tuple[str, str, str | None]:
    """Method, counting and unit as an evaluation of the past had them, or as they were asked for."""
    if preset is None:
        return method, counting, unit
    if preset not in PRESETS:
        raise unknown_name("preset", preset, PRESETS)
    settings = PRESETS[preset]
    return settings["method"], settings.get("counting", counting), unit or settings["unit"]


def _check(method: str, regularisation: float, margin: float | None) -> None:
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if regularisation and method != "bradley-terry":
        raise UsageError(f"a regularisation is for bradley-terry; {method} needs none")
    if margin is not None:
        check_margin(margin)


def _tutorials(comparisons: int) -> list[str]:
    return [f"{pluralise(comparisons, 'comparison')} in tutorials left out"] if comparisons else []


def _facts(
    judgements: Judgements, tests: _PairTests, everything: RankingGroup, *, by_tests: bool
) -> RankingFacts:
    unit = everything.design.unit
    answers = judgements.ranking
    return RankingFacts(
        protocol=judgements.protocol,
        judgements=len(judgements),
        rankings=len(judgements) if answers is None else len(np.unique(answers)),
        systems=len(everything.systems),
        items=len(judgements.item.names),
        annotators=len(judgements.annotator.names),
        unit=unit,
        too_small=preference_test(unit).every_comparison and too_small(everything.pairs) != "",
        alpha=tests.alpha,
        correction=tests.correction,
        by_tests=by_tests,
        kinds=kind_counts(judgements),
        design=everything.design.reason,
    )


def _copies(once: DistinctOutputs, total: int) -> list[str]:
    if not once.copies:
        return []
    return [
        f"{once.copies:,} of {pluralise(total, 'comparison')} count for systems' scores but not for agreement: most "
        f"rankings hold {once.shown} systems, and in larger ones some always stand together and tie, as systems "
        "with the same output do; what was said of one output is counted once"
    ]


def _warnings(group: RankingGroup, tests: _PairTests, judgements: Judgements) -> list[str]:
    warnings, design = [], group.design
    if len(judgements.annotator.names) == 1:
        warnings.append(ONE_ANNOTATOR)
    each = preference_test(design.unit).every_comparison
    if each and (why := too_small(group.pairs)):
        warnings.append(f"{why}; without --unit, items or documents are tested, and annotators with them")
    if design.unit == "item" and natural_unit(judgements) == "document":
        warnings.append(
            "items are tested as if those of one document had nothing in common; without --unit, documents are tested"
        )
    least = design.smallest_p * (len(group.pairs) if tests.correction != "none" else 1)
    if not each and design.unit != "item" and not significant(least, tests.alpha):
        warnings.append(
            f"{pluralise(design.units, design.unit.split(',')[0])} can give no p below {design.smallest_p:.2g}, "
            "whatever people said: nothing can be shown with so few"
        )
    return warnings


def _group(
    by: Mapping[str, str],
    ranking: Ranking,
    tested: Sequence[RankedPair],
    tests: _PairTests,
    design: Design,
    *,
    by_tests: bool,
) -> RankingGroup:
    order = {system.system: place for place, system in enumerate(ranking.systems)}
    pairs = [pair if order[pair.a] < order[pair.b] else pair.swapped for pair in tested]
    ordered = tuple(sorted(pairs, key=lambda p: (order[p.a], order[p.b])))
    if by_tests:
        ranking = _with_clusters(ranking, ordered)
    sentences = ranking_claims(
        ranking,
        ordered,
        design,
        by_tests=by_tests,
        alpha=tests.alpha,
        correction=tests.correction,
        scope=scope_of(by),
        caveats=not by,
    )
    alike = [(pair.a, pair.b, pair.margin) for pair in ordered if pair.margin is not None]
    claims = (*margin_claims(design, (alike, "of preference", 3)), *sentences)
    return RankingGroup(by, ranking, ordered, design, claims)


def _tested_pairs(by_pair: Sequence[Preference], tests: _PairTests, design: Design) -> list[RankedPair]:
    adjusted = multiple.adjust_p_values([preference.p for preference in by_pair], tests.correction)
    wrong = preference_test(design.unit).every_comparison and any(
        preference.judgements > preference.items for preference in by_pair
    )

    def beside(preference: Preference) -> Equivalence | None:
        if tests.margin is None or wrong:
            return None
        return within_margin(
            preference.mean,
            preference.error,
            preference.equal_units,
            tests.margin,
            design=design,
            alpha=tests.alpha,
            tests=1 if tests.correction == "none" else len(by_pair),
        )

    return [
        RankedPair(
            preference.system,
            preference.other,
            preference.wins,
            preference.ties,
            preference.losses,
            preference.mean,
            preference.p,
            float(p),
            significant(float(p), tests.alpha) and not wrong,
            preference.items,
            preference.judgements,
            preference.units,
            preference.independent,
            beside(preference),
        )
        for preference, p in zip(by_pair, adjusted, strict=True)
    ]


def _with_clusters(ranking: Ranking, pairs: Sequence[RankedPair]) -> Ranking:
    """The ranking with clusters and ranks from the significant preferences."""
    scored = [s for s in ranking.systems if s.cluster is not None]
    place = {s.system: at for at, s in enumerate(scored)}
    beats = np.zeros((len(scored), len(scored)), dtype=bool)
    for pair in pairs:
        if pair.significant and pair.a in place and pair.b in place:
            worse = pair.b if pair.better == pair.a else pair.a
            beats[place[pair.better], place[worse]] = True
    placed = placements(np.array([s.score for s in scored]), beats)
    at = {s.system: placement for s, placement in zip(scored, placed, strict=True)}
    systems = tuple(
        replace(s, cluster=at[s.system].cluster, rank=at[s.system].rank) if s.system in at else s
        for s in ranking.systems
    )
    return replace(ranking, systems=systems)


def choose_ranking_unit(judgements: Judgements, asked: str | None = None) -> tuple[str, str]:
    """What is drawn, and why, from who compared what alone: items or documents, and annotators with them."""
    if asked not in (None, AUTO):
        return str(asked), ""
    natural, annotators = natural_unit(judgements), _annotators(judgements)
    number = pluralise(_units(judgements, natural), natural)
    if annotators >= FEWEST:
        return f"{natural},{ANNOTATOR}", drawn_together(number, annotators)
    if natural == DOCUMENT:
        return (
            natural,
            f"{number} are drawn as wholes: comparisons of one document are alike.",
        )
    return natural, ""


def ranking_design(
    judgements: Judgements, by_pair: Sequence[Preference], unit: str, reason: str, *, whole: bool
) -> Design:
    """What the tests of pairs rest on; of the whole, with the design effects of what was not drawn."""
    annotators = _annotators(judgements)
    return Design(
        unit,
        _units(judgements, unit),
        reason,
        groupings=_groupings(judgements, by_pair, unit) if whole else (),
        smallest_p=min((preference.smallest_p for preference in by_pair), default=0.0),
        # Both systems of a comparison are judged by the same person: annotators are spread evenly over them.
        balance=Balance(annotators, 0.0, systematic=False) if annotators else None,
        anonymous=not annotators,
    )


def _groupings(judgements: Judgements, by_pair: Sequence[Preference], unit: str) -> tuple[Grouping, ...]:
    """Documents and annotators that were not drawn, each with its design effect."""
    natural = natural_unit(judgements)
    drawn = (natural, ANNOTATOR) if unit == ANNOTATOR else unit.split(",")
    known = {DOCUMENT: natural == DOCUMENT, ANNOTATOR: _annotators(judgements) > 1}
    used = np.array([preference.error for preference in by_pair])
    groupings: list[Grouping] = []
    for name in (name for name, is_known in known.items() if is_known and name not in drawn):
        errors = [clustered_error(pair.values, pair.weights) for pair in pair_answers(judgements, name)]
        groupings += grouping_of(name, _units(judgements, name), np.array(errors), used)
    return tuple(groupings)


def _annotators(judgements: Judgements) -> int:
    """How many annotators there are; 0 where some comparison is anonymous."""
    return group_count(judgements, ANNOTATOR, judgements.kind == ORDINARY)


def _units(judgements: Judgements, unit: str) -> int:
    """How many units there are; of two kinds, how many of the rarer one."""
    made = comparisons(judgements)
    return min(len(np.unique(units_of(judgements, made, kind))) for kind in unit.split(","))
