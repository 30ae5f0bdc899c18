"""Sets of segments that numbers of people are made of: who judged them, who was preferred, what was marked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from adjudge.data.judgements import NONE, ORDINARY, Judgements
from adjudge.dossiers.marks import JUDGED, SEVERAL_TIMES, annotator_mark, error_mark, preferred_mark
from adjudge.dossiers.segment_table import Indices
from adjudge.human.mqm import NO_CATEGORY


def people_marks(judgements: Judgements, place: Mapping[str, int]) -> dict[str, Indices]:
    """By name, as places from 0; `place` says where an item stands, and items that stand nowhere are left out."""
    places = np.array([*(place.get(name, NONE) for name in judgements.item.names), NONE], np.intp)
    at = places[judgements.item.codes]
    rows = np.flatnonzero((at != NONE) & (judgements.kind == ORDINARY))
    members: dict[str, set[int]] = {}
    judges: dict[tuple[int, int, int], set[int]] = {}
    other = judgements.other
    for row in rows.tolist():
        segment = int(at[row])
        members.setdefault(JUDGED, set()).add(segment)
        annotator = int(judgements.annotator.codes[row])
        system = int(judgements.system.codes[row])
        rival = NONE if other is None else int(other.codes[row])
        judges.setdefault((segment, min(system, rival), max(system, rival)), set()).add(annotator)
        if annotator != NONE:
            members.setdefault(annotator_mark(judgements.annotator.names[annotator]), set()).add(segment)
        if other is not None and NONE not in (system, rival) and judgements.score[row]:
            pair = judgements.system.names[system], other.names[rival]
            winner, loser = pair if judgements.score[row] > 0 else pair[::-1]
            members.setdefault(preferred_mark(winner, loser), set()).add(segment)
        if judgements.spans is not None and system != NONE:
            for span in judgements.spans[row]:
                category, severity = span.category or NO_CATEGORY, span.severity.lower()
                name = error_mark(judgements.system.names[system], category, severity)
                members.setdefault(name, set()).add(segment)
    several = {segment for (segment, *_), who in judges.items() if len(who) > 1}
    if several:
        members[SEVERAL_TIMES] = several
    return {name: np.array(sorted(own), np.intp) for name, own in members.items()}
