"""What an analysis of rankings found: pairs of systems, groups of comparisons, and all that was looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adjudge.human.agreement import ChoiceAgreement
from adjudge.human.diagnostics import Diagnosis
from adjudge.human.quality import ChoiceQuality
from adjudge.human.ranking import RankedSystem, Ranking
from adjudge.stats.design import Design
from adjudge.stats.equivalence import Equivalence


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
    """Two-sided test of delta: of signs, and where annotators are drawn as well, of t clustered both ways."""
    p_adjusted: float
    significant: bool
    """Never where p is known to be too small."""
    n_translations: int
    """n: distinct items on which the two were compared."""
    n_judgements: int
    """N: how often they were."""
    units: int
    """What was tested: items, documents, annotators or comparisons; of two kinds, how many of the rarer one."""
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
    def swapped(self) -> RankedPair:
        """The pair with its two systems swapped."""
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
class RankingGroup:
    """The systems by all judgements, or by those of one label."""

    by: Mapping[str, str]
    ranking: Ranking
    pairs: tuple[RankedPair, ...]
    design: Design
    """What the tests of pairs rest on."""
    claims: tuple[str, ...] = ()
    """What may be said of it, and what not."""

    @property
    def systems(self) -> tuple[RankedSystem, ...]:
        """The best first."""
        return self.ranking.systems


@dataclass(frozen=True)
class RankingFacts:
    """What was compared, and how it was tested."""

    protocol: str
    judgements: int
    """Pairs of systems that were compared."""
    rankings: int
    """Answers they come from: one may rank several systems."""
    systems: int
    items: int
    annotators: int
    unit: str
    """What was tested: items or documents, annotators with them; as published, every pair or ranking."""
    too_small: bool
    """Whether p takes judgements of the same for judgements of different items, so that nothing follows from it."""
    alpha: float
    correction: str
    by_tests: bool
    """Whether clusters and ranks come from the tests of pairs, or from ranges of ranks over resamples."""
    kinds: Mapping[str, int]
    """Comparisons of ordinary items, repeats, bad references, references, tutorials."""
    design: str = ""
    """What was drawn, and why: a sentence."""
    higher_is_better: bool = True
    """A system that is preferred more often is better, whatever was asked."""


@dataclass(frozen=True)
class RankingAnalysis:
    """All that rankings say: the shape of a `RatingAnalysis`, but for what only ratings have."""

    facts: RankingFacts
    groups: tuple[RankingGroup, ...]
    """Everything first (`by` is empty)."""
    controls: tuple[ChoiceQuality, ...]
    """Where one of two outputs had been damaged: who noticed."""
    agreement: ChoiceAgreement
    annotators: tuple[Diagnosis, ...]
    warnings: tuple[str, ...]
