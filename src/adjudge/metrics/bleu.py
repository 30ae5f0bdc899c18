"""BLEU (Papineni et al. 2002) as sacreBLEU computes it, and BLEU+1 (Lin and Och 2004)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from adjudge import _native
from adjudge.data import TestSet
from adjudge.metrics.base import Rows, divide, require, shortest, yes_no
from adjudge.metrics.words import TokenizedMetric, crossed_outputs, crossed_references
from adjudge.text import tokenizers

Smoothing = Literal["none", "floor", "add-k", "exp", "mteval"]
# Chen and Cherry 2014; the defaults sacreBLEU chose. `mteval` is `exp` as mteval-v13a and v14 do it: where nothing
# matches at all as well, and with a precision of 1 for orders that a short segment does not have.
SMOOTH_VALUES: dict[str, float | None] = {
    "none": None,
    "floor": 0.1,
    "add-k": 1.0,
    "exp": None,
    "mteval": None,
}


@dataclass(frozen=True)
class Bleu(TokenizedMetric):
    """Clipped n-gram precision with a brevity penalty; rows are lengths, matches and totals."""

    name = "bleu"
    title = "BLEU"
    takes_turns = False
    summary = "n-gram precision with a brevity penalty (sacreBLEU's)"
    presets = {"bleu+1": {"smooth": "add-k"}}  # noqa: RUF012

    lowercase: bool = False
    max_order: int = 4
    smooth: Smoothing = "exp"
    smooth_value: float | None = None
    effective_order: bool = False

    def __post_init__(self) -> None:
        tokenizers.check(self.tokenize or tokenizers.USUAL)
        require(1 <= self.max_order <= 100, f"bleu(max_order={self.max_order}): must be from 1 to 100")
        known = ", ".join(SMOOTH_VALUES)
        require(self.smooth in SMOOTH_VALUES, f"bleu(smooth={self.smooth}): must be one of {known}")
        require(
            self.smooth_value is None or SMOOTH_VALUES[self.smooth] is not None,
            f"bleu(smooth_value={self.smooth_value}): only floor and add-k take a value, not {self.smooth}",
        )
        require(
            self.smooth_value is None or 0 <= self.smooth_value < float("inf"),
            f"bleu(smooth_value={self.smooth_value}): must be a number from 0 up",
        )
        require(
            not (self.effective_order and self.smooth == "mteval"),
            "bleu(effective_order=true,smooth=mteval): mteval has its own way with orders that are not there",
        )
        if self.smooth_value == SMOOTH_VALUES[self.smooth]:
            object.__setattr__(self, "smooth_value", None)  # one spelling for one thing

    def prepare(self, test_set: TestSet) -> list[_native.Texts]:
        """References in the core, tokenized where Python must do it."""
        return crossed_references(test_set, self.tokenizer, lowercase=self.lowercase)

    def stats(self, prepared: list[_native.Texts], outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """Hypothesis length, closest reference length, then matches and totals by order."""
        hypotheses = crossed_outputs(outputs, self.tokenizer, lowercase=self.lowercase)
        return _native.bleu_rows(hypotheses, prepared, self.tokenizer.core_name, self.max_order, threads)

    def all_pairs(self, texts: Sequence[str]) -> _native.BleuPairs:
        """All pairs of some texts, from the sets of texts that have an n-gram."""
        crossed = crossed_outputs(texts, self.tokenizer, lowercase=self.lowercase)
        return _native.BleuPairs(crossed, self.tokenizer.core_name, self.max_order)

    def aggregate(self, sums: Rows) -> Rows:
        """BP · exp(mean of log precisions), in percent."""
        sums = np.asarray(sums, np.float64)
        precisions = self.precisions(sums)
        matched = (sums[..., 2 : 2 + self.max_order] > 0).any(-1)
        totals = self._totals(sums)
        # Orders longer than any n-gram of the hypothesis are left out on request, else they make the score 0.
        orders = np.full(matched.shape, self.max_order, dtype=np.float64)
        if self.effective_order:
            orders = np.cumprod(totals > 0, axis=-1).sum(-1).astype(np.float64)
        used = np.arange(self.max_order) < orders[..., None]
        logs = np.where(used, np.log(np.where(used & (precisions > 0), precisions, 1.0)), 0.0).sum(-1)
        if self.smooth == "mteval":
            matched = sums[..., 0] > 0  # any words at all
        zero = ~matched | (used & (precisions == 0)).any(-1) | (orders == 0)
        means = divide(logs, orders, otherwise=0.0)
        return np.where(zero, 0.0, self.brevity_penalty(sums) * np.exp(means))

    def sentence_row(self, hypothesis: str, references: Sequence[str | None]) -> list[float]:
        """Lengths, matches and totals of one sentence, without a test set around it."""
        prepared = [self.tokenizer.cross((text,), lowercase=self.lowercase) for text in references]
        row: list[float] = self.stats(prepared, (hypothesis,), threads=1)[0].tolist()
        return row

    def score_of_row(self, row: Sequence[float]) -> float:
        """What `for_segments` gives for one row, in numbers: of so few, arrays take twenty times as long."""
        orders, k = self.max_order, self._smooth_value()
        matched = row[0] > 0 if self.smooth == "mteval" else any(row[2 : 2 + orders])
        logs, used, halved = 0.0, 0, 1.0
        for order in range(orders if matched else 0):
            added = k if self.smooth == "add-k" and order else 0.0
            matches, total = row[2 + order] + added, row[2 + orders + order] + added
            if not total:
                break
            if matches:
                precision = 100.0 * matches / total
            elif self.smooth in ("exp", "mteval"):
                halved *= 2
                precision = 100.0 / (total * halved)
            else:
                precision = 100.0 * k / total if self.smooth == "floor" else 0.0
            if not precision:
                return 0.0
            logs, used = logs + math.log(precision), used + 1
        if not used:
            return 0.0
        if self.smooth == "mteval":  # with a precision of 1 for orders that are not there
            logs, used = logs + (orders - used) * math.log(100.0), orders
        penalty = math.exp(1 - row[1] / row[0]) if row[0] < row[1] else 1.0
        return penalty * math.exp(logs / used)

    def precisions(self, sums: Rows) -> Rows:
        """Smoothed n-gram precisions in percent, one a column."""
        sums = np.asarray(sums, np.float64)
        matches, totals = sums[..., 2 : 2 + self.max_order].copy(), self._totals(sums)
        k = self._smooth_value()
        if self.smooth == "add-k":
            matches[..., 1:] += k
        # Counting stops at the first order without n-grams.
        counted = np.cumprod(totals > 0, axis=-1).astype(bool)
        result = divide(100.0 * matches, totals, otherwise=0.0)
        empty = counted & (matches == 0)
        if self.smooth == "floor":
            result = np.where(empty, divide(np.full_like(totals, 100.0 * k), totals, otherwise=0.0), result)
        elif self.smooth in ("exp", "mteval"):
            halved = totals * 2.0 ** np.cumsum(empty, axis=-1)
            result = np.where(empty, divide(np.full_like(totals, 100.0), halved, otherwise=0.0), result)
        if self.smooth == "mteval":
            return np.where(counted, result, 100.0)
        # sacreBLEU smooths nothing where nothing matches at all.
        matched = (sums[..., 2 : 2 + self.max_order] > 0).any(-1, keepdims=True)
        return np.where(counted & matched, result, 0.0)

    def brevity_penalty(self, sums: Rows) -> Rows:
        """exp(1 − r/c) where hypotheses are shorter than the closest references, else 1; 0 for no words."""
        length, closest = sums[..., 0], sums[..., 1]
        ratio = divide(closest, length, otherwise=np.inf)
        return np.where(length < closest, np.exp(np.minimum(1.0 - ratio, 0.0)), 1.0)

    def for_segments(self) -> Bleu:
        """Sentence BLEU leaves out orders a short sentence cannot have (mteval's smoothing sees to them)."""
        return self if self.smooth == "mteval" else replace(self, effective_order=True)

    def signature_fields(self) -> dict[str, str]:
        """Fields of sacreBLEU's signature, and the order where it is not 4."""
        value = self._smooth_value()
        fields = {
            "case": "lc" if self.lowercase else "mixed",
            "eff": yes_no(self.effective_order),
            "tok": self.tokenizer.signature,
            "smooth": self.smooth
            if SMOOTH_VALUES[self.smooth] is None
            else f"{self.smooth}[{shortest(value, '.2f')}]",
        }
        if self.max_order != 4:
            fields["order"] = str(self.max_order)
        return fields

    def _smooth_value(self) -> float:
        return self.smooth_value if self.smooth_value is not None else SMOOTH_VALUES[self.smooth] or 0.0

    def _totals(self, sums: Rows) -> Rows:
        totals = np.array(sums[..., 2 + self.max_order :], np.float64)
        if self.smooth == "add-k":
            totals[..., 1:] += self._smooth_value()
        return totals
