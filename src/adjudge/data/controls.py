"""Control items that a label tells, in comparisons of two systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.data.judgements import BAD_REFERENCE, NONE, ORDINARY, Judgements

SPAM = "spam"


def with_labelled_controls(judgements: Judgements) -> Judgements:
    """Comparisons with the control items among them that a label `spam` tells: it names what was damaged."""
    spam = judgements.labels.get(SPAM)
    if spam is None or judgements.other is None:
        return judgements
    damaged = np.array([*spam.names, ""], object)[spam.codes]
    sides = (
        np.array([*side.names, ""], object)[side.codes] for side in (judgements.system, judgements.other)
    )
    told = (spam.codes != NONE) & np.logical_or(*(damaged == side for side in sides))
    kind = np.where(told & (judgements.kind == ORDINARY), BAD_REFERENCE, judgements.kind).astype(np.int8)
    return replace(judgements, kind=kind)
