"""What rankings are samples of: items or their documents, and the annotators who compared them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adjudge.data.judgements import NONE, ORDINARY, Judgements
from adjudge.human.pairs import comparisons, units_of
from adjudge.human.preferences import Preference, differences, natural_unit
from adjudge.stats.design import ANNOTATOR, AUTO, DOCUMENT, FEWEST, Balance, Design, Grouping
from adjudge.stats.equivalence import clustered_error
from adjudge.wording import pluralise


def choose_unit(judgements: Judgements, asked: str | None = None) -> tuple[str, str]:
    """What is drawn, and why, from who compared what alone: items or documents, and annotators with them."""
    if asked not in (None, AUTO):
        return str(asked), ""
    natural, annotators = natural_unit(judgements), _annotators(judgements)
    number = pluralise(_units(judgements, natural), natural)
    if annotators >= FEWEST:
        return f"{natural},{ANNOTATOR}", (
            f"{number} and {annotators:,} annotators are drawn together, so that the result extends to others of "
            "their kind."
        )
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
    groupings = []
    for name in (name for name, is_known in known.items() if is_known and name not in drawn):
        errors = [clustered_error(pair.values, pair.weights) for pair in differences(judgements, name)]
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = np.array(errors) / used
        ratios = ratios[np.isfinite(ratios)]
        if len(ratios):
            groupings.append(Grouping(name, _units(judgements, name), float(np.median(ratios))))
    return tuple(groupings)


def _annotators(judgements: Judgements) -> int:
    """How many annotators there are; 0 where some comparison is of nobody in particular."""
    codes = judgements.annotator.codes[judgements.kind == ORDINARY]
    return 0 if (codes == NONE).any() else len(np.unique(codes))


def _units(judgements: Judgements, unit: str) -> int:
    """How many units there are; of two kinds, how many of the rarer one."""
    made = comparisons(judgements)
    return min(len(np.unique(units_of(judgements, made, kind))) for kind in unit.split(","))
