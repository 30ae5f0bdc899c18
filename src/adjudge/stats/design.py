"""What a result rests on: what was drawn, what else belongs together in the data, and what must be said of it.

A sentence about certainty takes a `Design`. The unit is chosen from labels and counts before any score is looked at;
design effects are measured afterwards, and say how much a grouping that was not drawn would change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.coded import Codes, distinct
from adjudge.stats.sums import BLOCK
from adjudge.wording import counted, listed

Floats = NDArray[np.float64]
Rows = NDArray[np.float64]

AUTO = "auto"
"""The unit that the design asks for."""
SEGMENT, DOCUMENT, TEXT, ANNOTATOR = "segment", "document", "text", "annotator"
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
"""With fewer annotators who nearly always favour one system, unanimity by chance looks like a difference
(docs/statistics.md and docs/rankings.md have the simulations)."""
MATERIAL_EFFECT = 1.1
"""From this design effect on, a grouping that was not drawn is mentioned: 5 % become about 7.5 %."""
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
        """Whether leaving the grouping out makes p-values and intervals too small."""
        return self.effect >= MATERIAL_EFFECT or math.isnan(self.effect)


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
    """Whether every two systems were compared on the items that both have."""
    balance: Balance | None = None
    """Of annotators over systems; None where annotators are unknown."""
    looks: int = 1
    """How often the question was asked of these data, this time included."""
    rarer: str = ""
    """Of two kinds of units, the one that `units` counts; empty or the unit itself where there is one kind."""

    @property
    def ignored(self) -> tuple[Grouping, ...]:
        """Groupings that were not drawn and make standard errors too small, of which there are enough to tell."""
        return tuple(own for own in self.groupings if own.material and own.groups >= FEWEST and not own.fixed)

    @property
    def sound(self) -> bool:
        """Whether p-values and intervals promise no more than the data carry."""
        return not self.ignored and not self.biased

    @property
    def biased(self) -> bool:
        """Whether systems had other annotators, who are not in the model: differences may be those of annotators."""
        balance = self.balance
        uneven = balance is not None and balance.systematic and not balance.parts
        return uneven and ANNOTATOR not in self.unit.split(",")

    def widened(self, error: float, units: float) -> tuple[float, float]:
        """A standard error and its units, had every grouping been drawn that was ignored; NaN where that is unknown.

        Training runs are left to the caller, whose error may hold them already.
        """
        ignored = [own for own in self.ignored if own.name != RUN]
        if not ignored:
            return error, units
        variance = 1 + sum(own.effect**2 - 1 for own in ignored)  # what each kind has in common adds to it
        return error * math.sqrt(variance), min(units, *(own.groups for own in ignored))

    def reservations(self) -> tuple[str, ...]:
        """What must be said beside any claim, the most serious first."""
        return (
            *self.unevenness(),
            *self._dependence(),
            *self._training(),
            *self._annotators(),
            *self._missing(),
            *self.scope(),
        )

    def unevenness(self) -> list[str]:
        """What to say where annotators were not spread evenly over systems: a warning as well."""
        if self.balance is None or not self.balance.systematic:
            return []
        if self.balance.parts:
            apart = len(self.balance.parts) == sum(map(len, self.balance.parts))
            groups = listed([f"({listed(part, 3)})" for part in self.balance.parts], 3)
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
        alike = f"{noun[0].upper()}{noun[1:]} of one {listed(names, last='or')} are alike but were drawn one by one"
        known = [grouping for grouping in ignored if not math.isnan(grouping.effect)]
        grown = [f"{g.effect:.1f} times as large by {counted(g.groups, g.name)}" for g in known]
        errors = f" Standard errors are {listed(grown)}." if grown else ""
        remedy = f"--unit {','.join(names)}" if len(names) < 3 else f"--unit {names[0]}"
        remedy = next((grouping.remedy for grouping in ignored if grouping.remedy), remedy)
        return [
            f"{alike}: p-values are too small and intervals too narrow.{errors} {remedy} accounts for it."
        ]

    def _training(self) -> list[str]:
        """What to say where systems were trained several times: no test draws runs."""
        return [
            f"The test does not draw training runs: over other runs standard errors are {grouping.effect:.1f} times as "
            f"large ({counted(grouping.groups, 'run')} in all). P-values are too small and intervals too narrow."
            for grouping in self.ignored
            if grouping.name == RUN
        ]

    def scope(self) -> list[str]:
        """What to say of groups that the result is about, and of which others may differ."""
        sentences = []
        for grouping in self.groupings:
            if grouping.fixed:
                these = counted(grouping.groups, grouping.name)
                others = f"The result is about these {these}, not about others"
                grown = (
                    f": standard errors by whole {grouping.name}s are {grouping.effect:.1f} times as large"
                )
                known = grouping.groups >= FEWEST and grouping.effect >= MATERIAL_EFFECT
                sentences.append(f"{others}{grown if known else ''}.")
        return sentences

    def _annotators(self) -> list[str]:
        if self.balance is None:
            return []
        number, drawn = self.balance.annotators, self.unit.split(",")
        if ANNOTATOR in drawn:
            return self._few_annotators(number) if len(drawn) > 1 else []
        if number >= FEWEST:
            return []
        who = "One annotator" if number == 1 else f"Only {counted(number, 'annotator')}"
        return [f"{who} judged everything: the result is theirs, and does not show how others would judge."]

    def _few_annotators(self, number: int) -> list[str]:
        """What few annotators cannot rule out, however the test allows for them."""
        if not FEWEST <= number < SAFE_ANNOTATORS:
            return []
        return [
            f"Only {number} annotators judged: if each of them nearly always favours one system, up to 15 of 100 pairs "
            f"of equal systems seem to differ. With {SAFE_ANNOTATORS} annotators or more it is about 5 to 7."
        ]

    def _missing(self) -> list[str]:
        if not self.missing:
            return []
        lacks = listed(
            [f"{name} lacks {counted(number, 'item')}" for name, number in self.missing.items()], 4
        )
        if self.common:
            return [
                f"{lacks} that others have: every two systems are compared on the items that both have, while scores "
                "are over all items judged. One that lacks more is called better only if it stays so with the worst "
                "score on what it lacks."
            ]
        return [
            f"{lacks} that others have, and some two systems share only {100 * self.shared:.0f} % of their items: the "
            "result holds only if what is missing has nothing to do with quality."
        ]


def join_designs(designs: Sequence[Design], further: Sequence[Grouping] = ()) -> Design:
    """The design of a mean over samples that are drawn apart, such as test sets, each counting alike."""
    units, rarer = ({getattr(own, name) for own in designs} for name in ("unit", "rarer"))
    number = sum(own.units for own in designs)
    unit = units.pop() if len(units) == 1 else UNIT
    noun = units_of(unit)
    least = 2 * math.prod(own.smallest_p / 2 for own in designs)
    balances = [own.balance for own in designs if own.balance is not None]
    if len(designs) == 1:
        return replace(designs[0], groupings=(*designs[0].groupings, *further))
    return Design(
        unit,
        number,
        f"{noun[0].upper()}{noun[1:]} are drawn within each of {len(designs):,} test sets.",
        (*_joined_groupings(designs), *further),
        least,
        min(own.shared for own in designs),
        _added([own.missing for own in designs]),
        all(own.common for own in designs),
        min(balances, key=lambda own: (not own.systematic, own.annotators), default=None),
        max(own.looks for own in designs),
        rarer.pop() if len(rarer) == 1 else "",
    )


def _joined_groupings(designs: Sequence[Design]) -> list[Grouping]:
    """Groupings by name; variances of samples that are drawn apart add up, and are taken to be alike."""
    by_name: dict[str, list[Grouping]] = {}
    for own in designs:
        for grouping in own.groupings:
            by_name.setdefault(grouping.name, []).append(grouping)
    groupings = []
    for several in by_name.values():
        squares = sum(own.effect**2 for own in several) + len(designs) - len(several)
        effect = math.sqrt(squares / len(designs))
        groupings.append(replace(several[0], groups=sum(own.groups for own in several), effect=effect))
    return groupings


def _added(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    names = dict.fromkeys(name for own in counts for name in own)
    return {name: sum(own.get(name, 0) for own in counts) for name in names}


UNIT_NOUNS = {TEXT: "distinct segment"}


def unit_noun(unit: str) -> str:
    """What one unit is called."""
    return UNIT_NOUNS.get(unit, unit if unit in KNOWN_UNITS else f"group of {unit}")


def units_of(unit: str) -> str:
    """What several units are called; of two kinds at once: `documents and annotators`."""
    names = [unit_noun(name) for name in unit.split(",")]
    return listed(
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


def design_effect(differences: Sequence[Floats], used: Codes | None, groups: Codes) -> float:
    """The median over pairs of the standard error by groups over the one by what was drawn (None: each by itself).

    Differences are what every observation adds to the difference of two systems, less its mean.
    """
    errors = [(grouped_error(own, groups), grouped_error(own, used)) for own in differences]
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
