"""What a result rests on: what was drawn, what else belongs together in the data, and what must be said of it.

A sentence about certainty takes a `Design`. The unit is chosen from labels and counts before any score is looked at;
design effects are measured afterwards, and say how much a grouping that was not drawn would change.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.display import visible
from adjudge.stats.units import BLOCK, Codes, distinct
from adjudge.wording import join_names, pluralise

Floats = NDArray[np.float64]
Rows = NDArray[np.float64]

AUTO = "auto"
"""The unit that the design asks for."""
SEGMENT, DOCUMENT, TEXT, ANNOTATOR, ITEM = "segment", "document", "text", "annotator", "item"
RUN, LANGUAGE_PAIR, UNIT = "training run", "language pair", "unit"
KNOWN_UNITS = (
    *(SEGMENT, DOCUMENT, ANNOTATOR, RUN, LANGUAGE_PAIR, UNIT),
    *("translation", "judgement", "item", "system", "pair", "ranking"),
)
"""Units whose names are nouns; other labels make groups."""
FEWEST = 3
"""With fewer annotators, or groups of two kinds, no test tells how others of their kind would differ
(docs/statistics.md has the simulations)."""
SAFE_ANNOTATORS = 6
UNANIMOUS = {3: 0.25, 4: 0.13, 5: 0.09}
"""How often equal systems seem to differ to so few annotators, each of whom always favours one of them: mostly because
all happen to favour the same one, which no test tells from a difference (docs/statistics.md has the simulations)."""
MATERIAL_EFFECT = 1.1
MATERIAL_RATE = 0.0745
"""What 5 % become with this design effect: from this rate of false alarms on, a grouping that was not drawn is
mentioned. The effect of few groups is known roughly, so that a smaller one is mentioned too."""
MOST_SHARED = 0.5
"""Two systems that share more than this part of their items were judged on the same ones, but for some.

A rank-sum test takes all scores for independent. Where a share s of segments is the same and their scores correlate by
r, its statistic varies by √(1 − s r) only, and what it is said to find with a power of 0.8 it finds with one of
Φ(0.84 / √(1 − s r)): up to s = 0.5 that stays below 0.85 as long as r is below 0.68, as nearly always."""
REPEATED_SHARE = 0.05
"""From this share of repeated segments on, each distinct text is drawn as one unit; below it 5 % stay under 6 %."""


@dataclass(frozen=True)
class Grouping:
    """Observations that belong together in another way than what was drawn."""

    name: str
    """`document`, `annotator`, `text` (repeated segments), `training run`, `language pair` or another label."""
    groups: int
    effect: float = math.nan
    """The design effect: the standard error by whole groups over the one that was used; NaN where it is unknown."""
    remedy: str = ""
    """What accounts for it, where no --unit does."""
    fixed: bool = False
    """Whether the result is about these very groups, as a mean over language pairs is, and claims nothing of others."""

    @property
    def material(self) -> bool:
        """Whether leaving the grouping out may make p-values and intervals too small."""
        groups = math.inf if self.name == RUN else self.groups  # a run's error holds that of its segments
        return math.isnan(self.effect) or false_alarms(self.effect, groups, 0.05) >= MATERIAL_RATE


@dataclass(frozen=True)
class Balance:
    """How annotators are spread over systems, and whether the design connects the systems."""

    annotators: int
    imbalance: float
    """How far apart the annotators of two systems are, for the two systems furthest apart: 0 to 1."""
    systematic: bool
    """Whether chance alone would hardly have assigned annotators like that."""
    parts: tuple[tuple[str, ...], ...] = ()
    """Systems in groups that no annotator connects, where there are several groups."""


@dataclass(frozen=True)
class Design:
    """What a comparison rests on."""

    unit: str
    """What was resampled or swapped: `segment`, `document`, …, or two kinds at once (`document,annotator`)."""
    units: int
    """How many units there are; of two kinds, how many of the rarer one."""
    reason: str = ""
    """Why this unit, in one sentence; empty where there is no other."""
    groupings: tuple[Grouping, ...] = ()
    """Every other way in which the data belong together."""
    smallest_p: float = 0.0
    """The smallest p that the units allow, however large a difference is; before any correction."""
    shared: float = 1.0
    """Of the items of two systems, the share that both have; of the two systems that share least."""
    missing: Mapping[str, int] = field(default_factory=dict)
    """How many items that other systems have each of these systems lacks."""
    common: bool = False
    """Whether every two systems were compared on the items that both have, and with the worst score on the rest."""
    balance: Balance | None = None
    """Of annotators over systems; None where annotators are unknown."""
    looks: int = 1
    """How often the question was asked of these data, this time included."""
    rarer: str = ""
    """Of two kinds of units, the one that `units` counts; empty or the unit itself where there is one kind."""
    adjusted: bool = False
    """Whether annotators are in the model, so that scores of systems are free of their severity."""
    anonymous: bool = False
    """Whether people judged and the data do not say who gave which judgement."""

    @property
    def ignored(self) -> tuple[Grouping, ...]:
        """Groupings that were not drawn and make standard errors too small, of which there are enough to tell."""
        return tuple(
            grouping
            for grouping in self.groupings
            if grouping.material and grouping.groups >= FEWEST and not grouping.fixed
        )

    @property
    def sound(self) -> bool:
        """Whether p-values and intervals promise no more than the data carry, of one or two annotators: of these."""
        return not (self.ignored or self.refusal or self.anonymous or self._few_annotators())

    @property
    def refusal(self) -> str:
        """Why nothing is claimed whatever p says, as a clause; '' where claims may be made."""
        if self.biased:
            return "annotators were not spread evenly over systems"
        if self.selective:
            return f"{self._missing_phrase()} that others have, and each system was tested on what it has"
        return ""

    @property
    def biased(self) -> bool:
        """Whether systems had other annotators: differences may be those of annotators.

        A model frees scores of it. Where no annotator connects systems there is none, and annotators must be drawn.
        """
        if self.balance is None or not self.balance.systematic:
            return False
        return ANNOTATOR not in self._drawn if self.balance.parts else not self.adjusted

    @property
    def selective(self) -> bool:
        """Whether systems were judged on the same items but for some, and not compared on those that both have."""
        return bool(self.missing) and self.shared > MOST_SHARED and not self.common

    @property
    def opinion(self) -> str:
        """Whose opinion a claim is, where so few people judged that it says nothing of others; '' otherwise."""
        if self.balance is None or self.balance.annotators >= FEWEST:
            return ""
        return (
            "in this annotator’s opinion"
            if self.balance.annotators == 1
            else "in these two annotators’ opinion"
        )

    @property
    def _drawn(self) -> list[str]:
        """The kinds of units."""
        return self.unit.split(",")

    def error_rate(self, level: float) -> float:
        """How often equal systems are told apart, at most or about, where independent units would make it the level.

        NaN where nothing may be claimed, or where nobody knows what other people would say.
        """
        if self.refusal or self.opinion or self.anonymous:
            return math.nan
        effect, groups = self.widened(1.0, math.inf)
        effects = [effect, *(grouping.effect for grouping in self.ignored if grouping.name == RUN)]
        if any(map(math.isnan, effects)):
            return math.nan
        rates = [UNANIMOUS[number] for number in self._few_annotators()]
        rates += [false_alarms(max(effects), groups, level)] if self.ignored else []
        return max([level, *rates])

    def widened(self, error: float, units: float) -> tuple[float, float]:
        """A standard error and its units, had every grouping been drawn that was ignored; NaN where that is unknown.

        Training runs are left to the caller, whose error may hold them already.
        """
        ignored = [grouping for grouping in self.ignored if grouping.name != RUN]
        if not ignored:
            return error, units
        # What each kind has in common adds to it; an effect below 1 is chance.
        if any(math.isnan(grouping.effect) for grouping in ignored):
            wider = math.nan
        else:
            effects = [max(grouping.effect, 1.0) for grouping in ignored]
            wider = math.hypot(1.0, *(math.sqrt(effect - 1) * math.sqrt(effect + 1) for effect in effects))
        return error * wider, min(units, *(grouping.groups for grouping in ignored))

    def reservations(self) -> tuple[str, ...]:
        """What must be said beside any claim, the most serious first."""
        sentences = self.unevenness() if self.balance is not None else []
        if self.groupings:
            sentences += [*self._dependence(), *self._training()]
        if self.anonymous or self.balance is not None:
            sentences += self._annotators()
        if self.missing:
            sentences += self._missing()
        return (*sentences, *(self.scope() if self.groupings else ()))

    def unevenness(self) -> list[str]:
        """What to say where annotators were not spread evenly over systems: a warning as well."""
        if self.balance is None or not self.balance.systematic:
            return []
        if self.balance.parts:
            apart = len(self.balance.parts) == sum(map(len, self.balance.parts))
            groups = join_names([f"({join_names(part, 3)})" for part in self.balance.parts], 3)
            whom = "any two systems" if apart else f"systems of two of the groups {groups}"
            return [
                f"No annotator judged {whom}: differences hold only if annotators were assigned at random."
            ]
        sentence = (
            "Annotators were not spread evenly over systems, so z-scores and raw means are no evidence here"
        )
        if self.biased:
            return [f"{sentence}. The default unit of adjudge human analyse takes annotators into the model."]
        return [f"{sentence}: systems are compared with annotators in the model."]

    def _dependence(self) -> list[str]:
        ignored = [grouping for grouping in self.ignored if grouping.name != RUN]
        if not ignored:
            return []
        names, noun = [grouping.name for grouping in ignored], units_of(self.unit)
        kinds = f"{noun[0].upper()}{noun[1:]} of one {join_names(names, last='or')}"
        remedy = next((grouping.remedy for grouping in ignored if grouping.remedy), self._remedy(names))
        grown = [grouping for grouping in ignored if grouping.effect >= MATERIAL_EFFECT]
        if not grown and not any(math.isnan(grouping.effect) for grouping in ignored):
            few = join_names([pluralise(grouping.groups, grouping.name) for grouping in ignored])
            return [
                f"{few} were not drawn, and are too few to rule out that p-values are too small. {remedy} accounts for "
                "it."
            ]
        larger = [f"{own.effect:.1f} times as large by {pluralise(own.groups, own.name)}" for own in grown]
        errors = f" Standard errors are {join_names(larger)}." if larger else ""
        return [
            f"{kinds} are alike but were drawn one by one: p-values are too small and intervals too narrow.{errors} "
            f"{remedy} accounts for it."
        ]

    def _remedy(self, names: Sequence[str]) -> str:
        """The unit that draws these groupings with what was drawn, of which two kinds are possible; people last."""
        drawn = [ITEM if name in ("translation", "judgement") else name for name in self._drawn]
        kinds = dict.fromkeys([*names, *(name for name in drawn if name not in (SEGMENT, TEXT))])
        if DOCUMENT in kinds:  # whole documents are whole items
            kinds.pop(ITEM, None)
        return f"--unit {','.join(sorted([*kinds][:2], key=lambda name: name == ANNOTATOR))}"

    def _training(self) -> list[str]:
        """What to say where systems were trained several times: no test draws runs."""
        return [
            f"The test does not draw training runs: over other runs standard errors are {grouping.effect:.1f} times as "
            f"large ({pluralise(grouping.groups, 'run')} in all). P-values are too small and intervals too narrow."
            for grouping in self.ignored
            if grouping.name == RUN
        ]

    def scope(self) -> list[str]:
        """What to say of groups that the result is about, and of which others may differ."""
        sentences = []
        for grouping in self.groupings:
            if grouping.fixed:
                these = pluralise(grouping.groups, grouping.name)
                others = f"The result is about these {these}, not about others"
                grown = (
                    f": standard errors by whole {grouping.name}s are {grouping.effect:.1f} times as large"
                )
                known = grouping.groups >= FEWEST and grouping.effect >= MATERIAL_EFFECT
                sentences.append(f"{others}{grown if known else ''}.")
        return sentences

    def _annotators(self) -> list[str]:
        if self.anonymous:
            return [
                "Annotators are not named, so it cannot be seen whether judgements of one person are alike. If they "
                "are, p-values are too small and intervals too narrow."
            ]
        if self.balance is not None and self.opinion:
            number = self.balance.annotators
            who = "One annotator" if number == 1 else f"Only {pluralise(number, 'annotator')}"
            return [
                f"{who} judged everything: the result is theirs, and does not show how others would judge."
            ]
        return [
            f"Only {number} annotators judged: if each of them nearly always favours one system, up to "
            f"{100 * UNANIMOUS[number]:.0f} of 100 pairs of equal systems seem to differ. With {SAFE_ANNOTATORS} "
            "annotators or more it is about 5."
            for number in self._few_annotators()
        ]

    def _few_annotators(self) -> list[int]:
        """The number of annotators where these were drawn, and are so few that unanimity by chance looks like more.

        A test that knows of it, as swaps of whole annotators do, has a smallest p.
        """
        if self.balance is None or ANNOTATOR not in self._drawn:
            return []
        own = self.balance.annotators
        return [own] if own in UNANIMOUS and self.smallest_p < 2.0**-own else []

    def _missing(self) -> list[str]:
        lacks = f"{self._missing_phrase()} that others have"
        if self.common:
            return [
                f"{lacks}: every two systems are compared on the items that both have, while scores are over all items "
                "judged. One that lacks more is called better only if it stays so with the worst score on what it "
                "lacks."
            ]
        if self.selective:
            return [
                f"{lacks}, and each system was tested on what it has: what is missing may be the worst. The default "
                "test of adjudge human analyse compares systems on the items that both have."
            ]
        only = "only " if self.shared <= MOST_SHARED else ""
        return [
            f"{lacks}, and some two systems share {only}{100 * self.shared:.0f} % of their items: the result holds "
            "only if what is missing has nothing to do with quality."
        ]

    def _missing_phrase(self) -> str:
        """Which systems lack how many items."""
        return join_names(
            [f"{name} lacks {pluralise(number, 'item')}" for name, number in self.missing.items()], 4
        )


def join_designs(designs: Sequence[Design], further: Sequence[Grouping] = ()) -> Design:
    """The design of a mean over samples that are drawn apart, such as test sets, each counting alike."""
    units, rarer = ({getattr(design, name) for design in designs} for name in ("unit", "rarer"))
    number = sum(design.units for design in designs)
    unit = units.pop() if len(units) == 1 else UNIT
    noun = units_of(unit)
    least = 2 * math.prod(design.smallest_p / 2 for design in designs)
    balances = [design.balance for design in designs if design.balance is not None]
    if len(designs) == 1:
        return replace(designs[0], groupings=(*designs[0].groupings, *further))
    return Design(
        unit,
        number,
        f"{noun[0].upper()}{noun[1:]} are drawn within each of {len(designs):,} test sets.",
        (*_joined_groupings(designs), *further),
        least,
        min(design.shared for design in designs),
        _add_counts([design.missing for design in designs]),
        all(design.common for design in designs),
        min(balances, key=lambda own: (not own.systematic, own.annotators), default=None),
        max(design.looks for design in designs),
        rarer.pop() if len(rarer) == 1 else "",
        all(design.adjusted for design in designs),
        any(design.anonymous for design in designs),
    )


def _joined_groupings(designs: Sequence[Design]) -> list[Grouping]:
    """Groupings by name; variances of samples that are drawn apart add up, and are taken to be alike."""
    by_name: dict[str, list[Grouping]] = {}
    for design in designs:
        for grouping in design.groupings:
            by_name.setdefault(grouping.name, []).append(grouping)
    groupings = []
    for several in by_name.values():
        squares = sum(entry.effect**2 for entry in several) + len(designs) - len(several)
        effect = math.sqrt(squares / len(designs))
        groupings.append(replace(several[0], groups=sum(entry.groups for entry in several), effect=effect))
    return groupings


def _add_counts(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    names = dict.fromkeys(name for count in counts for name in count)
    return {name: sum(count.get(name, 0) for count in counts) for name in names}


UNIT_NOUNS = {TEXT: "distinct segment"}


def unit_noun(unit: str) -> str:
    """What one unit is called."""
    return UNIT_NOUNS.get(unit, unit if unit in KNOWN_UNITS else f"group of {unit}")


def units_of(unit: str) -> str:
    """What several units are called; of two kinds at once: `documents and annotators`."""
    names = [unit_noun(name) for name in unit.split(",")]
    return join_names(
        [name.replace("group", "groups", 1) if name.startswith("group") else f"{name}s" for name in names]
    )


def choose_unit(
    labels: Mapping[str, Sequence[str]], segments: int, strata: Sequence[str] | None = None
) -> tuple[str, str]:
    """The unit that a test set asks for, and why, from its labels alone: the coarsest that they name.

    Within strata, documents are drawn only where each lies in one stratum.
    """
    documents = len(distinct(labels[DOCUMENT])) if DOCUMENT in labels else segments
    if strata and documents < segments and len(set(zip(labels[DOCUMENT], strata, strict=True))) > documents:
        documents = segments
    if 1 < documents < segments:
        why = "segments of one document are alike (--unit segment ignores that)"
        return DOCUMENT, f"Whole documents are drawn, {documents:,} of them: {why}."
    if TEXT in labels and strata is None:
        texts = len(distinct(labels[TEXT]))
        repeated = f"{segments - texts:,} of {segments:,} segments repeat another"
        return TEXT, f"{repeated}: each of the {texts:,} distinct ones is drawn as one."
    return SEGMENT, ""


def false_alarms(effect: float, groups: float, level: float) -> float:
    """How often equal systems are told apart at a level, where a standard error is too small by a design effect.

    The effect itself is an estimate: a difference over its standard error by so few groups has Student's t.
    """
    from adjudge.stats.distributions import t_cdf  # late: it loads the compiled core

    if effect <= 0:  # groups do not differ at all
        return 0.0
    from statistics import NormalDist  # late: it loads fractions and decimals

    limit = NormalDist().inv_cdf(1 - level / 2) / effect
    if math.isinf(groups):
        return math.erfc(limit / math.sqrt(2))
    return 2 * float(t_cdf(groups - 1, -limit))


def design_effect(differences: Sequence[Floats], used: Codes | None, groups: Codes) -> float:
    """The median over pairs of the standard error by groups over the one by what was drawn (None: each by itself).

    Differences are what every observation adds to the difference of two systems, less its mean.
    """
    errors = [
        (grouped_error(difference, groups), grouped_error(difference, used)) for difference in differences
    ]
    ratios = [by_groups / drawn for by_groups, drawn in errors if drawn > 0]
    return float(np.median(ratios)) if ratios else 1.0  # where nothing differs, nothing is alike


def grouped_error(contributions: Floats, groups: Codes | None) -> float:
    """The standard error of a sum of contributions, less their mean, of which whole groups are independent."""
    sums = contributions if groups is None else np.bincount(groups, contributions)
    count = len(sums)
    return math.sqrt(float((sums**2).sum()) * count / max(count - 1, 1))


def influences(rows: Rows, aggregate: Callable[[Rows], Rows]) -> Floats:
    """What every row adds to a score: the score less the one without that row."""
    total = np.asarray(rows).sum(0)
    score = aggregate(total)
    parts = [
        np.asarray(score - aggregate(total - rows[start : start + BLOCK]), dtype=np.float64)
        for start in range(0, len(rows), BLOCK)
    ]
    return np.concatenate(parts)


MOST_SETS = 3
"""Test sets whose reservations are spelled out; JSON has all."""


def drawn_words(designs: Mapping[str, Design]) -> str:
    """What was drawn on the test sets: `documents`, or which unit on how many of them."""
    from adjudge.stats.design import units_of  # late: scores draw nothing

    sets = Counter(design.unit for design in designs.values())
    if len(sets) == 1:
        return visible(units_of(next(iter(sets))))
    return join_names(
        [f"{visible(units_of(unit))} of {pluralise(number, 'set')}" for unit, number in sets.items()]
    )


def reservation_sentences(designs: Mapping[str, Design]) -> list[str]:
    """What must be said of single test sets beside every claim, the first few of them by name."""
    by_set = {name: design.reservations() for name, design in designs.items()}
    known = [(name, entry) for name, entry in by_set.items() if entry]
    sentences = [f"{visible(name)}: {sentence}" for name, entry in known[:MOST_SETS] for sentence in entry]
    if left := len(known) - MOST_SETS if len(known) > MOST_SETS else 0:
        sentences.append(f"The like holds for {pluralise(left, 'further test set')}; -f json has each.")
    return sentences
