"""What an analysis of ratings found: systems, groups of judgements, and all that was looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.results import Comparison, Pair
from adjudge.data.judgements import Judgements
from adjudge.human import assessment
from adjudge.human.agreement import ChoiceAgreement, RatingAgreement
from adjudge.human.assessment import RAW_PROTOCOLS as RAW_PROTOCOLS
from adjudge.human.assessment import Floats, Scales
from adjudge.human.diagnostics import Diagnosis
from adjudge.human.mqm import ErrorType
from adjudge.human.quality import Quality

SCORES = ("z", "raw")
DECIMALS = {"mqm": 2, "hter": 3, "post-edit": 3, "yes-no": 3, "comprehension": 3}
SMALL = 5.0
"""Means below this are of z-scores or shares, and would all look alike with one digit."""
ONE_ANNOTATOR = (
    "there is one annotator only: nothing shows whether others would agree, and the result is that person's"
)


@dataclass(frozen=True)
class RatedSystem:
    """One system: what people said of it, how sure that is, and where it stands."""

    system: str
    mean: float
    """Of raw scores, over translations."""
    z: float | None
    """Of standardised scores; None where annotators are not known."""
    n_translations: int | None
    """n: distinct translations; None where only a score of the whole system is known, and not what it rests on."""
    n_judgements: int | None
    """N."""
    low: float
    high: float
    """Interval of the score that was tested."""
    cluster: int | None
    rank: tuple[int, int] | None
    rank_interval: tuple[int, int] | None
    score: float
    """What was tested: the mean of z or of raw scores."""


@dataclass(frozen=True)
class RatedTranslation:
    """One translation: the mean of what was said of it."""

    system: str
    item: str
    mean: float
    z: float | None
    """None where no annotator's scale is known."""
    n_judgements: int


@dataclass(frozen=True)
class RatingGroup:
    """The systems by all judgements, or by those of one label."""

    by: Mapping[str, str]
    systems: tuple[RatedSystem, ...]
    """The best first."""
    comparison: Comparison | None
    """Pairs, the test, and what may be claimed; None where nothing could be tested."""
    untested: str = ""
    """Why nothing was tested, as a sentence."""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every pair of systems."""
        return self.comparison.pairs if self.comparison else ()

    def saying(self, sentences: Sequence[str]) -> RatingGroup:
        """The group with further claims, put before the last one, which limits them all."""
        if self.comparison is None or not sentences:
            return self
        *claims, last = self.comparison.claims
        return replace(self, comparison=replace(self.comparison, claims=(*claims, *sentences, last)))

    @property
    def claims(self) -> tuple[str, ...]:
        """What may be said, or why nothing may."""
        if self.comparison is not None:
            return self.comparison.claims
        return (self.untested,) if self.untested else ()


@dataclass(frozen=True)
class RatingFacts:
    """What was judged."""

    protocol: str
    judgements: int
    kinds: Mapping[str, int]
    """Ordinary items, repeats, bad references, references."""
    systems: int
    items: int
    annotators: int
    score: str
    """What was tested: z or raw."""
    higher_is_better: bool
    repeats: bool
    """Whether repeats count for a system's score."""
    unit: str
    dropped: tuple[str, ...] = ()
    """Annotators whose judgements were left out."""
    whole_systems: bool = False
    """Whether files have scores of whole systems only, not what these were made from."""
    weights: str = ""
    """What errors weigh, where they were marked by MQM: in words."""
    design: str = ""
    """Which test goes with the items that were judged for each system, and why: a sentence."""
    pooled: str = ""
    """The label over whose values scores are means, each counting alike: languages, where asked for."""
    own_z: bool = False
    """Whether z-scores are those of the files, which do not name the annotators."""


@dataclass(frozen=True)
class RatingAnalysis:
    """All that ratings say."""

    facts: RatingFacts
    groups: tuple[RatingGroup, ...]
    """Everything first (`by` is empty)."""
    controls: tuple[Quality, ...]
    """What the control items say of every annotator."""
    scales: Scales
    errors: tuple[ErrorType, ...]
    """Kinds of errors of every system, where they were marked."""
    agreement: RatingAgreement | ChoiceAgreement
    """Of ratings, or of answers yes and no."""
    annotators: tuple[Diagnosis, ...]
    warnings: tuple[str, ...]
    judgements: Judgements = field(repr=False, compare=False)
    """What was analysed: errors weighed, without annotators who were left out and without tutorials."""
    z: Floats | None = field(repr=False, compare=False)
    """Of every judgement; None where there are none."""
    which: NDArray[np.bool_] = field(repr=False, compare=False)
    """The judgements that count for a system's score."""

    @property
    def tested(self) -> Judgements:
        """The judgements with the scores that were tested: z-scores, for those who have them, or raw ones."""
        if self.facts.score != "z" or self.z is None:
            return self.judgements
        known = ~np.isnan(self.z)
        return replace(self.judgements[known], score=self.z[known])

    def segments(self) -> list[RatedTranslation]:
        """Every translation that was judged, in the order of systems (the best first) and items."""
        raw = assessment.translations(self.judgements, self.judgements.score, which=self.which)
        standard = raw
        if self.z is not None:
            standard = assessment.translations(self.judgements, self.z, which=self.which)
        columns = sorted(range(len(raw.items)), key=lambda i: _by_number(raw.items[i]))
        rated = []
        for system in self.groups[0].systems:
            s = raw.matrix.systems.index(system.system)
            rated += [
                RatedTranslation(
                    system.system,
                    raw.items[i],
                    float(raw.matrix.scores[s, i]),
                    _known(standard.matrix.scores[s, i]) if self.z is not None else None,
                    int(raw.judgements[s, i]),
                )
                for i in columns
                if raw.judgements[s, i]
            ]
        return rated


def decimals_of(protocol: str, means: Sequence[float]) -> int:
    """As many as the protocol is shown with; more where scores stand close to 0, as z-scores and shares do."""
    return DECIMALS.get(protocol, 3 if all(abs(mean) < SMALL for mean in means) else 1)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _by_number(item: str) -> tuple[bool, int, str]:
    """Lines by their number, other names behind them."""
    whole = item.isascii() and item.isdigit()
    return not whole, int(item) if whole else 0, item
