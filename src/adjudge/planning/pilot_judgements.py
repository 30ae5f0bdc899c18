"""Pilots of judgements: what people said of two systems, one score a translation, drawn again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix
from adjudge.data.judgements import NONE, Judgements, of_language
from adjudge.errors import DataError, unknown_name
from adjudge.human import assessment
from adjudge.human.grouping import refuse_holes, settled
from adjudge.human.mqm import weighed
from adjudge.human.pairs import comparisons
from adjudge.human.preferences import differences
from adjudge.human.results import RAW_PROTOCOLS, SCORES
from adjudge.human.units import TRANSLATION, annotator_balance, other_groupings
from adjudge.human.whole_systems import are_of_whole_systems
from adjudge.planning.pilot import PREFERENCE, ROW_TESTS, Pilot, pair_of, pilot_of_scores
from adjudge.stats.design import ANNOTATOR, DOCUMENT, Grouping
from adjudge.stats.equivalence import clustered_error
from adjudge.stats.intraclass import intraclass_one_way


def pilot_of_judgements(
    judgements: Judgements,
    pair: Sequence[str] = (),
    *,
    score: str | None = None,
    language: str = "",
    seed: int,
) -> Pilot:
    """A pilot of ratings (standardised by annotator unless numbers mean the same to all), or of preferences.

    Of judgements of several language pairs it takes those of `language`, and without one refuses. The unit is the
    translation: what several people said of one is averaged first. n allows for what translations of one annotator or
    document have in common.
    """
    if score is not None and score not in SCORES:
        raise unknown_name("score", score, SCORES)
    judgements = settled(of_language(judgements, language))
    if judgements.is_ranking:
        return _of_preferences(judgements, pair, seed)
    judgements = weighed(judgements).judgements
    refuse_holes(judgements)
    if are_of_whole_systems(judgements):
        raise DataError("a pilot needs judgements of segments; these are scores of whole systems")
    which = assessment.counted(judgements, repeats=False)
    z = assessment.standard_scores(judgements)
    if z is None or np.isnan(z[which]).all():
        z = None
    if score == "z" and z is None:
        raise DataError(
            "no annotator's scores vary, or none has a name: there are no z-scores, only raw ones"
        )
    name = score or ("raw" if z is None or judgements.protocol in RAW_PROTOCOLS else "z")
    values = z if z is not None and name == "z" else judgements.score
    pair = pair_of(judgements.system.names, pair)
    used = which & ~np.isnan(values) & np.isin(judgements.system.codes, _codes(judgements, pair))
    translations = assessment.translations(judgements, values, which=used)
    pilot = pilot_of_scores(
        translations.matrix,
        pair,
        name="z-score" if name == "z" else judgements.protocol or "score",
        higher_is_better=judgements.higher_is_better,
        seed=seed,
    )
    cells = (
        judgements.system.codes[used].astype(np.int64) * len(translations.items) + judgements.item.codes[used]
    )
    icc = intraclass_one_way(values[used], cells).value
    facts = replace(pilot.facts, judgements=int(used.sum()), icc=math.nan if icc is None else icc)
    design = replace(pilot.design, balance=annotator_balance(judgements, used))
    return replace(pilot, facts=facts, design=design).allowing_for(
        other_groupings(judgements, values, used, TRANSLATION)
    )


def _of_preferences(judgements: Judgements, pair: Sequence[str], seed: int) -> Pilot:
    """On each segment how much more often one system was preferred; nobody gave scores, so only signs are tested."""
    made = comparisons(judgements)
    a, b = pair_of(made.systems, pair)
    first, second, k = made.systems.index(a), made.systems.index(b), len(made.systems)
    won, lost = made.cells == first * k + second, made.cells == second * k + first
    compared = won | lost | (made.cells == k * k + min(first, second) * k + max(first, second))
    if not compared.any():
        raise DataError(f"{a} and {b} were never compared with each other in these judgements")
    item, codes = np.unique(judgements.item.codes[made.rows[compared]], return_inverse=True)
    preferred = np.bincount(codes, won[compared].astype(np.float64) - lost[compared]) / np.bincount(codes)
    matrix = ScoreMatrix((a, b), np.stack([preferred, np.zeros(len(item))]))
    pilot = pilot_of_scores(matrix, (a, b), name=PREFERENCE, seed=seed)
    shares = [float((preferred < 0).mean()), float((preferred == 0).mean())]
    facts = replace(
        pilot.facts, effect=shares[0] + shares[1] / 2, correlation=math.nan, judgements=int(compared.sum())
    )
    tests = ("sign", *ROW_TESTS)
    pilot = replace(pilot, facts=facts, tests=tests, simulate={test: pilot.simulate[test] for test in tests})
    return pilot.allowing_for(_preference_groupings(judgements, {a, b}))


def _preference_groupings(judgements: Judgements, pair: set[str]) -> list[Grouping]:
    """The annotators and documents of two systems' comparisons, with how much larger errors are by them."""
    errors = {}
    for unit in ("item", ANNOTATOR, DOCUMENT):
        if unit == "item" or _is_known(judgements, unit):
            for own in differences(judgements, unit):
                if {own.system, own.other} == pair:
                    errors[unit] = clustered_error(own.values, own.weights), len(own.values)
    used = errors.pop("item")[0]
    return [Grouping(name, groups, error / used) for name, (error, groups) in errors.items() if used > 0]


def _is_known(judgements: Judgements, unit: str) -> bool:
    column = judgements.annotator if unit == ANNOTATOR else judgements.labels.get(unit)
    return column is not None and bool(column.names) and not (column.codes == NONE).any()


def _codes(judgements: Judgements, pair: tuple[str, str]) -> NDArray[np.intp]:
    return np.array([judgements.system.names.index(name) for name in pair], dtype=np.intp)
