"""What rankings and comparisons side by side say of systems: scores, ranges of ranks, clusters, every pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.data.judgements import ORDINARY, Judgements
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.margin_claims import margin_claims
from adjudge.evaluate.plan import SEED
from adjudge.human.agreement import ChoiceAgreement, ranking_agreement
from adjudge.human.copies import Single, without_copies
from adjudge.human.diagnostics import Diagnosis, diagnoses
from adjudge.human.grouping import parts_by, settled, several_questions, without_tutorials
from adjudge.human.preferences import PUBLISHED, Preference, natural_unit, preferences
from adjudge.human.quality import ChoiceQuality, choice_quality
from adjudge.human.ranking import METHODS, NO_RESAMPLING, Ranking, ranked
from adjudge.io.judgements import expanded
from adjudge.people.ranking_claims import ranking_claims, too_small
from adjudge.people.results import ONE_ANNOTATOR
from adjudge.stats import multiple
from adjudge.stats.clusters import placements
from adjudge.stats.equivalence import Equivalence, check_margin, within_margin
from adjudge.wording import counted

CUSTOMS: Mapping[str, Mapping[str, Any]] = {
    "wmt09": {"method": "at-least-as-good", "unit": "ranking"},
    "wmt13": {"method": "expected-wins", "unit": "ranking"},
    "wmt16": {"method": "trueskill", "unit": "pair", "counting": "wmt"},
}
"""How others have done it, by the name that `--as` takes."""


@dataclass(frozen=True)
class RankedPair:
    """Two systems that were compared."""

    a: str
    b: str
    wins: int
    """How often a was preferred."""
    ties: int
    losses: int
    delta: float
    """How far a is preferred, −1 to 1: the share of wins less that of losses on each item, then the mean over items."""
    p: float
    """Two-sided sign-flip test of delta."""
    p_adjusted: float
    significant: bool
    """Never where p is known to be too small."""
    n_translations: int
    """n: distinct items on which the two were compared."""
    n_judgements: int
    """N: how often they were."""
    units: int
    """What was tested: items, documents, annotators or comparisons."""
    independent: float
    """So many items by themselves would say as much as these, which may come from the same documents or people."""
    margin: Equivalence | None = None
    """Whether the two are the same within a margin, where one was given."""

    @property
    def better(self) -> str:
        """The one that the test found preferred, '' if neither."""
        return self.a if self.delta > 0 else self.b if self.delta < 0 else ""

    @property
    def effect(self) -> float:
        """Share of all comparisons in which a was preferred; ties are neither's."""
        return self.wins / (self.wins + self.ties + self.losses)

    @property
    def lost(self) -> float:
        """Share in which b was."""
        return self.losses / (self.wins + self.ties + self.losses)

    @property
    def turned(self) -> RankedPair:
        """The same seen from b."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            wins=self.losses,
            losses=self.wins,
            delta=-self.delta,
            margin=self.margin.turned if self.margin else None,
        )


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
    """What was tested: items, documents or annotators; as published, every pair or ranking."""
    too_small: bool
    """Whether p takes judgements of the same for judgements of different items, so that nothing follows from it."""
    by_tests: bool
    """Whether clusters and ranks come from the tests of pairs, or from ranges of ranks over resamples."""
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
    margin: float | None = None,
    threads: int = 0,
) -> RankedAnalysis:
    """Systems by what people preferred, with every pair tested; `custom` does as an evaluation of the past did.

    `unit` is what is tested, and drawn anew for intervals: documents where items are labelled with them, else items.
    From these tests come clusters and ranks. By `pair` and `ranking`, and by TrueSkill's `none`, it is as published:
    every comparison is tested as an item of its own, and clusters come from ranges of ranks; where several people
    compared the same, such a p is too small, and nothing is claimed from it. With a `margin`, from 0 to 1, pairs are
    also tested for being preferred to each other by less than it.
    """
    if not judgements.is_ranking:
        raise UsageError("these are ratings, not rankings")
    if custom is not None:
        if custom not in CUSTOMS:
            raise unknown_name("custom", custom, CUSTOMS)
        method = CUSTOMS[custom]["method"]
        counting = CUSTOMS[custom].get("counting", counting)
        unit = unit or CUSTOMS[custom]["unit"]
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    if regularisation and method != "bradley-terry":
        raise UsageError(f"a regularisation is for bradley-terry; {method} needs none")
    if margin is not None:
        check_margin(margin)
    tried = len(judgements)
    judgements = without_tutorials(judgements)
    tried -= len(judgements)
    natural = natural_unit(judgements)
    tested = natural if unit in (None, NO_RESAMPLING) else unit
    by_tests = unit is None or unit not in (*PUBLISHED, NO_RESAMPLING)
    options = {
        "method": method,
        "unit": unit or natural,
        "resamples": resamples,
        "seed": seed,
        "level": level,
        "regularisation": regularisation,
        "threads": threads,
    }
    # An output that several systems share was ranked once: it counts for each, but agreement is on what was seen.
    judgements = settled(judgements)
    single = settled(expanded(judgements))
    parts = parts_by(single, by, single.kind == ORDINARY)
    groups = [
        _group(
            single[rows] if label else single,
            label,
            tested,
            correction,
            alpha,
            options,
            margin,
            by_tests=by_tests,
        )
        for label, rows in parts.groups
    ]
    made = judgements.ranking
    once = without_copies(judgements)
    return RankedAnalysis(
        protocol=judgements.protocol,
        judgements=len(judgements),
        rankings=len(judgements) if made is None else len(np.unique(made)),
        systems=len(groups[0].ranking.systems),
        items=len(judgements.item.names),
        annotators=len(judgements.annotator.names),
        unit=tested,
        too_small=tested in PUBLISHED and too_small(groups[0].pairs) != "",
        by_tests=by_tests,
        alpha=alpha,
        correction=correction,
        groups=tuple(groups),
        agreement=ranking_agreement(once.judgements, counting=counting, resamples=resamples, seed=seed),
        annotator=diagnoses(once.judgements),
        controls=choice_quality(judgements),
        warnings=(
            *((f"{counted(tried, 'comparison')} in tutorials left out",) if tried else ()),
            *groups[0].ranking.remarks,
            *parts.warnings,
            *_warnings(groups[0], tested, judgements, alpha),
            *several_questions(judgements),
            *_copies(once, len(judgements)),
        ),
    )


def _copies(once: Single, total: int) -> list[str]:
    if not once.copies:
        return []
    return [
        f"{once.copies:,} of {counted(total, 'comparison')} count for systems' scores but not for agreement: most "
        f"rankings hold {once.shown} systems, and in larger ones some always stand together and tie, as systems "
        "with the same output do; what was said of one output is counted once"
    ]


def _warnings(group: RankedGroup, tested: str, judgements: Judgements, alpha: float) -> list[str]:
    found = []
    if len(judgements.annotator.names) == 1:
        found.append(ONE_ANNOTATOR)
    if tested in PUBLISHED and (why := too_small(group.pairs)):
        found.append(f"{why}; without --unit, items or documents are tested")
    if tested == "item" and natural_unit(judgements) == "document":
        found.append(
            "items are tested as if those of one document had nothing in common; without --unit, documents are tested"
        )
    few = min((pair.units for pair in group.pairs), default=0)
    least = 2.0 ** (1 - few)
    if tested in ("document", "annotator") and least * len(group.pairs) >= alpha:
        found.append(
            f"{counted(few, tested)} can give no p below {least:.2g}, whatever people said: nothing can be shown with "
            "so few"
        )
    return found


def _group(
    judgements: Judgements,
    by: Mapping[str, str],
    tested: str,
    correction: str,
    alpha: float,
    options: Mapping[str, Any],
    margin: float | None,
    *,
    by_tests: bool,
) -> RankedGroup:
    ranking = ranked(judgements, **options)
    order = {system.system: place for place, system in enumerate(ranking.systems)}
    pairs = [
        pair if order[pair.a] < order[pair.b] else pair.turned
        for pair in _tested(judgements, tested, correction, alpha, margin)
    ]
    ordered = tuple(sorted(pairs, key=lambda p: (order[p.a], order[p.b])))
    if by_tests:
        ranking = _placed(ranking, ordered)
    scope = "these judgements"
    if by:
        scope = "the judgements of " + ", ".join(f"{name} {value}" for name, value in by.items())
    said = ranking_claims(
        ranking,
        ordered,
        unit=tested,
        by_tests=by_tests,
        alpha=alpha,
        correction=correction,
        scope=scope,
        caveats=not by,
    )
    alike = [(pair.a, pair.b, pair.margin) for pair in ordered if pair.margin is not None]
    return RankedGroup(by, ranking, ordered, (*margin_claims((alike, "of preference", 3)), *said))


def _tested(
    judgements: Judgements, unit: str, correction: str, alpha: float, margin: float | None
) -> list[RankedPair]:
    found = preferences(judgements, unit=unit)
    adjusted = multiple.adjusted([one.p_value for one in found], correction)
    wrong = unit in PUBLISHED and any(one.judgements > one.items for one in found)

    def beside(one: Preference) -> Equivalence | None:
        if margin is None or wrong:
            return None
        tests = 1 if correction == "none" else len(found)
        return within_margin(one.mean, one.error, one.units, margin, alpha=alpha, tests=tests)

    return [
        RankedPair(
            one.system,
            one.other,
            one.wins,
            one.ties,
            one.losses,
            one.mean,
            one.p_value,
            float(p),
            bool(p < alpha) and not wrong,
            one.items,
            one.judgements,
            one.units,
            one.independent,
            beside(one),
        )
        for one, p in zip(found, adjusted, strict=True)
    ]


def _placed(ranking: Ranking, pairs: Sequence[RankedPair]) -> Ranking:
    """The same with clusters and ranks by who is shown to be preferred to whom."""
    there = [s for s in ranking.systems if s.cluster is not None]
    place = {s.system: at for at, s in enumerate(there)}
    beats = np.zeros((len(there), len(there)), dtype=bool)
    for pair in pairs:
        if pair.significant and pair.a in place and pair.b in place:
            worse = pair.b if pair.better == pair.a else pair.a
            beats[place[pair.better], place[worse]] = True
    found = placements(np.array([s.score for s in there]), beats)
    at = {s.system: one for s, one in zip(there, found, strict=True)}
    systems = tuple(
        replace(s, cluster=at[s.system].cluster, rank=at[s.system].rank) if s.system in at else s
        for s in ranking.systems
    )
    return replace(ranking, systems=systems)
