"""What an evaluation by people may claim: nine points, each with a verdict and the evidence.

The points are those that reviews of claims of human parity found missing (Läubli et al. 2018, Toral et al. 2018,
Graham, Haddow and Koehn 2020). `points.py`, `ratings.py` and `rankings.py` judge them one by one; here they are put
together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from adjudge.dossiers.checklist import points, rankings, ratings
from adjudge.dossiers.checklist.parity import HUMAN_PARITY, Claim, human_parity
from adjudge.dossiers.checklist.points import FAIL, PASS, UNKNOWN, Point
from adjudge.dossiers.checklist.provenance import Provenance
from adjudge.errors import UsageError, unknown_name
from adjudge.human.ranking_results import RankingAnalysis
from adjudge.human.results import RatingAnalysis
from adjudge.planning.campaign_plan import EFFECT

__all__ = ["FAIL", "PASS", "UNKNOWN", "Checklist", "Claim", "Point", "Provenance", "checklist"]

CLAIMS = (HUMAN_PARITY,)
FACTS = ("origin", "reliability", "context", "languages", "domain", "planned")
"""What a user may declare where the files do not tell."""


@dataclass(frozen=True)
class Checklist:
    """The nine points, and the claim that was asked for."""

    points: tuple[Point, ...]
    claim: Claim | None = None


def checklist(
    analysis: RatingAnalysis | RankingAnalysis,
    provenance: Provenance,
    *,
    language: str = "",
    declared: Mapping[str, str] | None = None,
    effect: float = EFFECT,
    claim: str | None = None,
    human: str | None = None,
) -> Checklist:
    """Fill in what is known: from the judgements, their labels, and what the user declares.

    `human` names the system that is a person's translation, for the claim of human parity. What is declared fills gaps
    and never overrules what the judgements show.
    """
    declared = declared or {}
    for name in declared:
        if name not in FACTS:
            raise unknown_name("fact", name, FACTS)
    if claim is not None and claim not in CLAIMS:
        raise unknown_name("claim", claim, CLAIMS)
    if not 0 < effect < 1 or effect == 0.5:
        raise UsageError(
            f"effect={effect:g}: must lie between 0 and 1, and not at 0.5, which is no difference; it is the chance "
            "that of two translations, one of each system, the second one's is better (--effect 0.45)"
        )
    given: Any = {
        "effect": effect,
        "reliable": declared.get("reliability", ""),
        "planned": declared.get("planned", ""),
    }
    if isinstance(analysis, RatingAnalysis):
        own, systems = ratings.points(analysis, **given), [s.system for s in analysis.groups[0].systems]
        beside = partial(ratings.against, analysis)
    else:
        own = rankings.points(analysis, **given)
        systems = [s.system for s in analysis.groups[0].ranking.systems]
        beside = partial(rankings.against, analysis)
    nine_points = (
        points.direction(provenance, language, declared.get("origin", "")),
        own.reliability,
        points.context(provenance, declared.get("context", "")),
        points.languages(provenance, language, declared.get("languages", "")),
        points.domain(provenance, declared.get("domain", "")),
        own.size,
        own.numbers,
        own.statistic,
        own.clusters,
    )
    asked = None if claim is None else human_parity(nine_points, systems, human, beside)
    return Checklist(nine_points, asked)
