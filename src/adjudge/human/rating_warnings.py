"""What is to be said about an analysis of ratings beside its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from adjudge.data.judgements import NONE
from adjudge.human.grouping import several_questions
from adjudge.human.rating_scores import RatingScores
from adjudge.human.results import ONE_ANNOTATOR, RAW_PROTOCOLS, RatingFacts
from adjudge.stats.design import Design
from adjudge.wording import join_names
from adjudge.wording import pluralise as count_of

LEVELS = (
    "{} of whole documents (DR+DC) are analysed by themselves, as the group level document, and do not count among "
    "segments (SR+DC): documents are far fewer, and n is their number"
)
ALL_JUDGEMENTS = (
    "z is on each annotator's scale over all that he or she judged, also what was left out as asked; --rescale takes "
    "the scale from what is left"
)


def rating_warnings(
    scores: RatingScores, facts: RatingFacts, design: Design, of_groups: Sequence[str], *, rescaled: bool
) -> list[str]:
    """All of them, in their order; `of_groups` are those of the labels by which judgements were grouped."""
    documents = scores.documents
    return [
        *([ALL_JUDGEMENTS] if rescaled and facts.score == "z" and not facts.own_z else []),
        *_of_uncorrected(scores.uncorrected),
        *of_groups,
        *several_questions(scores.judgements),
        *([] if documents is None else [LEVELS.format(count_of(int(documents.sum()), "judgement"))]),
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
            f"{join_names(flat, 3)} gave the same score to everything, or only one ({count_of(lost, 'judgement')}): "
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
            f"{count_of(unknown, 'judgement')} without an annotator's name: no z, counted for the raw means only"
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
    return [
        f"{count_of(sum(unable.values()), 'output')} could not be corrected ({whose}): without HTER they are left out, "
        "which flatters these systems"
    ]
