"""Scores that files give to whole systems: shown in their order, and tested in no way.

Results of campaigns are often published so. What a system's score was made from is not in such a file: how many
translations were judged, how far they differ, who said what. A test, an interval or a cluster would be made up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import KINDS, NONE, ORDINARY, Judgements
from adjudge.errors import DataError
from adjudge.human import assessment
from adjudge.human.agreement import rating_agreement
from adjudge.human.diagnostics import diagnoses
from adjudge.human.grouping import judgement_groups, refuse_holes
from adjudge.human.results import RAW_PROTOCOLS, RatedSystem, RatingAnalysis, RatingFacts, RatingGroup

PARTS = ("domain", "languages")
"""Where a system has several scores, they are of these; each is shown by itself then."""
UNTESTED = (
    "The files have scores of whole systems, not the judgements behind them: neither tests, intervals and clusters nor "
    "agreement and annotators can be computed. That takes a file with a row a judgement or a segment."
)
SEVERAL = "Of a system's several scores the mean is shown, in which each counts the same."

Floats = NDArray[np.float64]


def is_of_whole_systems(judgements: Judgements) -> bool:
    """Whether no judgement says what was judged; an error where some do and others do not."""
    unknown = judgements.item.codes == NONE
    if not unknown.any():
        return False
    if not unknown.all():
        place = judgements.place(int(np.argmax(unknown)))
        raise DataError(
            f"{place}: the score of a whole system, among judgements of segments; analyse the files one by one"
        )
    return True


def analyse_system_scores(
    judgements: Judgements, *, score: str | None = None, by: Sequence[str] = ()
) -> RatingAnalysis:
    """The systems with the scores that the files give them, the best first; by domain where there are several."""
    refuse_holes(judgements)
    judgements = judgements[judgements.kind == ORDINARY]
    if not len(judgements):
        raise DataError("none of these scores is of an ordinary item: there is nothing to show systems by")
    z = assessment.standard_scores(judgements)
    if score == "z" and z is None:
        raise DataError("the files have no z-scores of these systems, only raw ones (--score raw)")
    facts = RatingFacts(
        protocol=judgements.protocol,
        judgements=len(judgements),
        kinds={KINDS[ORDINARY]: len(judgements)},
        systems=len(judgements.system.names),
        items=0,
        annotators=len(judgements.annotator.names),
        score=score or ("raw" if z is None or judgements.protocol in RAW_PROTOCOLS else "z"),
        higher_is_better=judgements.higher_is_better,
        repeats=False,
        unit="system",
        whole_systems=True,
        own_z=z is not None and not judgements.annotator.names,
    )
    by = by or [
        name for name in PARTS if name in judgements.labels and len(judgements.labels[name].names) > 1
    ]
    parts = judgement_groups(judgements, by, np.ones(len(judgements), bool))
    groups = [_group(judgements, z, rows, facts, label) for label, rows in parts.groups]
    return RatingAnalysis(
        facts,
        tuple(groups),
        controls=(),
        scales=assessment.scales(judgements),
        errors=(),
        agreement=rating_agreement(judgements),
        annotators=diagnoses(judgements),
        warnings=parts.warnings,
        judgements=judgements,
        z=z,
        which=np.ones(len(judgements), dtype=bool),
    )


def _group(
    judgements: Judgements,
    z: Floats | None,
    which: NDArray[np.bool_],
    facts: RatingFacts,
    by: Mapping[str, str],
) -> RatingGroup:
    codes = judgements.system.codes
    systems = [
        _system(judgements, z, code, np.flatnonzero(which & (codes == code)), facts)
        for code in np.unique(codes[which])
    ]
    direction = -1.0 if facts.higher_is_better else 1.0
    several = f" {SEVERAL}" if int(which.sum()) > len(systems) else ""
    order = sorted(systems, key=lambda system: (direction * system.score, system.system))
    return RatingGroup(by, tuple(order), None, "" if by else UNTESTED + several)


def _system(
    judgements: Judgements, z: Floats | None, code: int, rows: NDArray[np.intp], facts: RatingFacts
) -> RatedSystem:
    mean = float(judgements.score[rows].mean())
    standard = None if z is None or np.isnan(z[rows]).all() else float(np.nanmean(z[rows]))
    # Judgements can be counted; an anonymous score does not say how many it was made from.
    by_name = (judgements.annotator.codes[rows] != NONE).all()
    return RatedSystem(
        system=judgements.system.names[code],
        mean=mean,
        z=standard,
        n_translations=_sample_size(judgements, "n", rows),
        n_judgements=len(rows) if by_name else _sample_size(judgements, "judgements", rows),
        low=np.nan,
        high=np.nan,
        cluster=None,
        rank=None,
        rank_interval=None,
        score=standard if facts.score == "z" and standard is not None else mean,
    )


def _sample_size(judgements: Judgements, name: str, rows: NDArray[np.intp]) -> int | None:
    """What a score was made from, where the file says so."""
    column = judgements.measures.get(name)
    if column is None or not np.isfinite(column[rows]).all():
        return None
    return int(column[rows].sum())
