"""What rankings and comparisons side by side say of systems: scores, ranges of ranks, clusters, every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.data.judgements import ORDINARY, Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.judged import ONE_ANNOTATOR
from adjudge.evaluate.plan import SEED
from adjudge.evaluate.ranking_claims import ranking_claims
from adjudge.evaluate.wording import counted
from adjudge.human.agreement import ChoiceAgreement, ranking_agreement
from adjudge.human.diagnostics import Diagnosis, diagnoses
from adjudge.human.grouping import parts_by, settled, several_questions, without_tutorials
from adjudge.human.preferences import preferences
from adjudge.human.quality import ChoiceQuality, choice_quality
from adjudge.human.ranking import METHODS, Ranking, ranked
from adjudge.io.judgements import expanded
from adjudge.stats import multiple

CUSTOMS: Mapping[str, Mapping[str, Any]] = {
    "wmt09": {"method": "at-least-as-good"},
    "wmt13": {"method": "expected-wins"},
    "wmt16": {"method": "trueskill", "counting": "wmt"},
}
"""How others have done it, by the name that `--as` takes."""


@dataclass(frozen=True)
class RankedPair:
    """Two systems that were compared."""

    a: str
    b: str
    wins: int
    """How often a was preferred, or on how many items."""
    ties: int
    losses: int
    p: float
    """Two-sided sign test; ties say nothing."""
    p_adjusted: float
    significant: bool
    n_translations: int
    """n: distinct items on which the two were compared."""
    n_judgements: int
    """N: how often they were."""

    @property
    def effect(self) -> float:
        """Share of all comparisons in which a was preferred; ties are neither's."""
        return self.wins / (self.wins + self.ties + self.losses)

    @property
    def lost(self) -> float:
        """Share in which b was."""
        return self.losses / (self.wins + self.ties + self.losses)

    @property
    def delta(self) -> float:
        """Share of wins less share of losses."""
        return self.effect - self.lost


@dataclass(frozen=True)
class RankedGroup:
    """The systems by all judgements, or by those of one label."""

    by: Mapping[str, str]
    ranking: Ranking
    pairs: tuple[RankedPair, ...]
    claims: tuple[str, ...] = ()
    """What may be said of it, and what not."""


@dataclass(frozen=True)
class RankedAnalysis:
    """All that rankings say."""

    protocol: str
    judgements: int
    """Pairs of systems that were compared."""
    rankings: int
    """Answers they come from: one may rank several systems."""
    systems: int
    items: int
    annotators: int
    unit: str
    """What the sign tests count: every judgement, or every item."""
    alpha: float
    correction: str
    groups: tuple[RankedGroup, ...]
    """Everything first (`by` is empty)."""
    agreement: ChoiceAgreement
    annotator: tuple[Diagnosis, ...]
    controls: tuple[ChoiceQuality, ...]
    """Where one of two outputs had been damaged: who noticed."""
    warnings: tuple[str, ...]


def rank(
    judgements: Judgements,
    *,
    method: str = "expected-wins",
    counting: str = "judges",
    unit: str | None = None,
    by: Sequence[str] = (),
    custom: str | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = SEED,
    level: float = 0.95,
    regularisation: float = 0.0,
    threads: int = 0,
) -> RankedAnalysis:
    """Systems by what people preferred, with every pair tested; `custom` does as an evaluation of the past did.

    `unit` is what is drawn anew for ranges (`ranked`); by `item`, sign tests count items as well, where they otherwise
    take every judgement for one.
    """
    if not judgements.is_ranking:
        raise UsageError("these are ratings, not rankings")
    if custom is not None:
        if custom not in CUSTOMS:
            raise unknown_name("custom", custom, CUSTOMS)
        method = CUSTOMS[custom]["method"]
        counting = CUSTOMS[custom].get("counting", counting)
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if regularisation and method != "bradley-terry":
        raise UsageError(f"a regularisation is for bradley-terry; {method} needs none")
    tried = len(judgements)
    judgements = without_tutorials(judgements)
    tried -= len(judgements)
    options = {
        "method": method,
        "unit": unit,
        "resamples": resamples,
        "seed": seed,
        "level": level,
        "regularisation": regularisation,
        "threads": threads,
    }
    tested = "item" if unit == "item" else "judgement"
    # An output that several systems share was ranked once: it counts for each, but agreement is on what was seen.
    judgements = settled(judgements)
    single = settled(expanded(judgements))
    parts = parts_by(single, by, single.kind == ORDINARY)
    groups = [
        _group(single[rows] if label else single, label, tested, correction, alpha, options)
        for label, rows in parts.groups
    ]
    made = judgements.ranking
    return RankedAnalysis(
        protocol=judgements.protocol,
        judgements=len(judgements),
        rankings=len(judgements) if made is None else len(np.unique(made)),
        systems=len(groups[0].ranking.systems),
        items=len(judgements.item.names),
        annotators=len(judgements.annotator.names),
        unit=tested,
        alpha=alpha,
        correction=correction,
        groups=tuple(groups),
        agreement=ranking_agreement(judgements, counting=counting, resamples=resamples, seed=seed),
        annotator=diagnoses(judgements),
        controls=choice_quality(judgements),
        warnings=(
            *((f"{counted(tried, 'comparison')} in tutorials left out",) if tried else ()),
            *groups[0].ranking.remarks,
            *parts.warnings,
            *_warnings(groups[0], tested, len(judgements.annotator.names)),
            *several_questions(judgements),
        ),
    )


def _warnings(group: RankedGroup, tested: str, annotators: int) -> list[str]:
    found = []
    if annotators == 1:
        found.append(ONE_ANNOTATOR)
    n, total = (sum(getattr(p, name) for p in group.pairs) for name in ("n_translations", "n_judgements"))
    if tested == "judgement" and total > n:
        found.append(
            f"several people compared the same outputs: p takes {total:,} judgements of {n:,} questions for as many "
            "different ones and is too small; --unit item counts what most people said of each"
        )
    return found


def _group(
    judgements: Judgements,
    by: Mapping[str, str],
    tested: str,
    correction: str,
    alpha: float,
    options: Mapping[str, Any],
) -> RankedGroup:
    ranking = ranked(judgements, **options)
    found = preferences(judgements, unit=tested)
    adjusted = multiple.adjusted([one.p_value for one in found], correction)
    order = {system.system: place for place, system in enumerate(ranking.systems)}
    pairs = []
    for one, p in zip(found, adjusted, strict=True):
        pair = RankedPair(
            one.system,
            one.other,
            one.wins,
            one.ties,
            one.losses,
            one.p_value,
            float(p),
            bool(p < alpha),
            one.items,
            one.judgements,
        )
        if order[pair.a] > order[pair.b]:
            pair = replace(pair, a=pair.b, b=pair.a, wins=pair.losses, losses=pair.wins)
        pairs.append(pair)
    ordered = tuple(sorted(pairs, key=lambda p: (order[p.a], order[p.b])))
    scope = "these judgements"
    if by:
        scope = "the judgements of " + ", ".join(f"{name} {value}" for name, value in by.items())
    said = ranking_claims(
        ranking, ordered, unit=tested, alpha=alpha, correction=correction, scope=scope, caveats=not by
    )
    return RankedGroup(by, ranking, ordered, said)
