"""Post-edits, of several systems compared: time, typing, HTER, and what they cost."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.comparing import compare_measured, measured_scores
from adjudge.comparison.plan import Plan, PlanOptions, plan_of
from adjudge.comparison.results import Comparison, Measured
from adjudge.comparison.scoring import TestSetFacts
from adjudge.data import ScoreMatrix
from adjudge.data.judgements import NONE, ORDINARY, Judgements
from adjudge.errors import UsageError
from adjudge.human.grouping import in_canonical_order
from adjudge.human.postediting import WORDS, Bill, Effort, PostEditingRates, bill, efforts, rows_by_item
from adjudge.human.units import rating_design
from adjudge.stats.design import AUTO, FEWEST, Design
from adjudge.stats.resampling import quotient
from adjudge.stats.tests.systems import TWO_KINDS
from adjudge.stats.two_way import adjusted_scores
from adjudge.wording import join_names, pluralise

Floats = NDArray[np.float64]

SECONDS = "seconds a word"
HTER = "HTER"
PERSONAL = (SECONDS, "keystrokes a word")
"""Efforts in which translators differ so much that nothing is claimed of anonymous ones."""
UNKNOWN = "who edited what is not known"
MOST_APART = 0.3
"""Two translators may be spread over systems so unevenly: then a fit of both has errors 5 % larger than it shows."""


@dataclass(frozen=True)
class PostEdits:
    """How much work each system leaves."""

    comparison: Comparison
    bills: tuple[Bill, ...]
    """In the order of the systems; empty without rates."""
    warnings: tuple[str, ...] = ()
    currency: str = ""
    """Of the bills, where it is known."""
    inseparable: str = ""
    """Why time and costs may differ because translators do; empty where that was allowed for."""


def post_edits(
    judgements: Judgements, *, rates: PostEditingRates | None = None, **options: Unpack[PlanOptions]
) -> PostEdits:
    """Every kind of effort that was recorded, tested as metrics are; `options` as in `compare`.

    Translators differ more than engines do, so efforts are those of a model of system plus translator. Where there are
    enough translators, they are drawn with items. Where translators cannot be told from systems, or nobody knows who
    edited what, no system is said to take less time.
    """
    judgements = in_canonical_order(judgements[judgements.kind == ORDINARY])
    kinds = efforts(judgements)
    panel = _Translators.of(judgements)
    measured = [panel.measured(effort) for effort in kinds]
    plan = plan_of(Plan(test=TWO_KINDS, unit=panel.design.unit) if panel.drawn else None, options)
    comparison = panel.compared(measured, plan)
    rest = [metric_rows for metric_rows in measured if metric_rows.metric not in panel.unclaimed]
    if panel.inseparable and len(rest) < len(measured):
        claims = panel.compared(rest, plan).claims if rest else ()
        comparison = _without_claims(comparison, panel, claims)
    empty = int((judgements.measures[WORDS] == 0).sum())
    left_out = (f"{pluralise(empty, 'post-edit')} of texts without a word left out",) if empty else ()
    bills = _bills(comparison, rates)
    return PostEdits(
        comparison,
        bills,
        (*left_out, *panel.warnings()),
        rates.currency if rates else "",
        panel.inseparable,
    )


def _bills(comparison: Comparison, rates: PostEditingRates | None) -> tuple[Bill, ...]:
    if rates is None:
        return ()
    timed = [s for s in comparison.results if s.metric == SECONDS]
    if not timed:
        raise UsageError("what post-editing costs follows from seconds, which these post-edits do not have")
    return tuple(bill(s.system, (s.score, s.low, s.high), rates) for s in timed)


@dataclass(frozen=True, eq=False)
class _Translators:
    """The assignment of translators to systems, and what it means for tests."""

    judgements: Judgements
    design: Design

    @classmethod
    def of(cls, judgements: Judgements) -> _Translators:
        known = (judgements.system.codes != NONE) & (judgements.item.codes != NONE)
        return cls(judgements, rating_design(judgements, known, AUTO, None))

    @property
    def inseparable(self) -> str:
        """Why what translators add cannot be told from what systems add; empty where it can."""
        balance = self.design.balance
        if balance is None:
            return UNKNOWN
        if balance.parts:
            return f"no translator edited both {balance.parts[0][0]} and {balance.parts[1][0]}"
        if 1 < balance.annotators < FEWEST and (balance.systematic or balance.imbalance > MOST_APART):
            return f"{pluralise(balance.annotators, 'translator')} did not edit equal shares of every system"
        return ""

    @property
    def unclaimed(self) -> Collection[str]:
        """The efforts of which nothing is claimed where translators cannot be told from systems."""
        return (*PERSONAL, HTER) if self.inseparable else PERSONAL

    @property
    def several(self) -> bool:
        """Whether there are several translators, all of them known, and several systems."""
        balance = self.design.balance
        return balance is not None and balance.annotators > 1 and len(self.judgements.system.names) > 1

    @property
    def drawn(self) -> bool:
        """Whether there are enough translators to be drawn with items."""
        balance = self.design.balance
        return self.several and balance is not None and balance.annotators >= FEWEST and not self.inseparable

    @property
    def labels(self) -> dict[str, list[str]] | None:
        """Of every post-edit, its item or document and its translator."""
        if not self.drawn:
            return None
        judgements = self.judgements
        columns = {"item": judgements.item, "annotator": judgements.annotator, **judgements.labels}
        return {name: columns[name].values() for name in self.design.unit.split(",")}

    def compared(self, measured: Sequence[Measured], plan: Plan) -> Comparison:
        """Efforts tested as metrics are."""
        return compare_measured(
            measured,
            TestSetFacts("", len(self.judgements.item.names), 0, ""),
            self.labels,
            plan,
            scope="these post-edits",
            by_people=True,
            alone=True,
            design=self.design if self.drawn else None,
        )

    def measured(self, effort: Effort) -> Measured:
        """An effort as rows of single post-edits where translators are drawn too, else of items."""
        if self.several and not self.inseparable:
            return self._fit(effort)
        apart = (
            np.eye(len(effort.rows), dtype=bool)
            if self.inseparable and effort.name in self.unclaimed
            else None
        )
        return _effort_rows(effort, effort.rows, apart)

    def _fit(self, effort: Effort) -> Measured:
        """An effort as if every translator had edited every system: by a model of system plus translator."""
        judgements = self.judgements
        known = np.flatnonzero(~np.isnan(effort.amounts))
        words = judgements.measures[WORDS][known]
        each = effort.amounts[known] / words
        timed, system = np.unique(judgements.system.codes[known], return_inverse=True)
        _, translator = np.unique(judgements.annotator.codes[known], return_inverse=True)
        fit = adjusted_scores(each, system.astype(np.int64), translator.astype(np.int64), words)
        shape = len(judgements.system.names), len(judgements)
        comparable = np.zeros((shape[0], shape[0]), dtype=bool)
        comparable[np.ix_(timed, timed)] = fit.comparable
        if not self.drawn:
            rest = each - fit.scores[system]
            pace = np.bincount(translator, words * rest) / np.bincount(translator, words)
            amounts = np.full(len(judgements), math.nan)
            amounts[known] = (each - pace[translator]) * words
            return _effort_rows(effort, rows_by_item(judgements, amounts), comparable)
        scores, weights = np.full(shape, math.nan), np.zeros(shape)
        scores[np.ix_(timed, known)], weights[np.ix_(timed, known)] = fit.pseudo_values, fit.weights
        matrix = ScoreMatrix(judgements.system.names, scores)
        drawn = measured_scores(
            matrix, effort.name, higher_is_better=False, decimals=effort.decimals, weights=weights
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            by_item = {system: quotient(rows) for system, rows in effort.rows.items()}
        return replace(drawn, label=effort.label, comparable=comparable, item_scores=by_item)

    def warnings(self) -> list[str]:
        """What translators have to do with it."""
        if len(self.judgements.system.names) < 2:
            return []
        if self.inseparable:
            return [f"{self.inseparable}: {_one_of_translators(self.unclaimed)}"]
        balance = self.design.balance
        if balance is None or not self.several or self.drawn:
            return []
        return [
            f"{balance.annotators} translators are few: what post-edits show holds for these translators, "
            "and others may differ"
        ]


def _effort_rows(
    effort: Effort, rows: Mapping[str, Floats], comparable: NDArray[np.bool_] | None
) -> Measured:
    return Measured(
        metric=effort.name,
        label=effort.label,
        signature=effort.name,
        higher_is_better=False,
        decimals=effort.decimals,
        aggregate=quotient,
        segment_scores=quotient,
        rows={system: (row,) for system, row in rows.items()},
        comparable=comparable,
    )


def _without_claims(comparison: Comparison, panel: _Translators, claims: Sequence[str]) -> Comparison:
    """The comparison without a word on how sure some efforts are, and with what is claimed by the rest."""
    nan, unclaimed = math.nan, panel.unclaimed
    pairs = tuple(
        replace(pair, low=nan, high=nan, detectable=nan) if pair.metric in unclaimed else pair
        for pair in comparison.pairs
    )
    results = tuple(replace(s, low=nan, high=nan) if s.metric in unclaimed else s for s in comparison.results)
    if len({result.system for result in results}) > 1:
        personal = join_names(list(dict.fromkeys(s.label for s in results if s.metric in unclaimed)))
        reason = f"{panel.inseparable}, and {_one_of_translators(unclaimed)}"
        claims = (f"By {personal} nothing is claimed: {reason}.", *claims)
    return replace(comparison, pairs=pairs, results=results, claims=tuple(claims))


def _one_of_translators(efforts: Collection[str]) -> str:
    return f"a difference in {'effort' if HTER in efforts else 'time'} may be one of translators"
