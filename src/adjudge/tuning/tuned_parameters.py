"""A fit of METEOR's parameters: what they are, and whether they do better on judgements they have not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from shlex import quote
from typing import TYPE_CHECKING, Any

from adjudge.display import Cell, Column, Data, Row, Table
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.significance import significant
from adjudge.tuning.fit import FitResult
from adjudge.tuning.held_out import HeldOut
from adjudge.wording import digits, join_names, number, p_number, p_text, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.io import Input

NAMES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "tau": "WMT's tau",
}
PROTOCOLS = {"da": "scores", "rank": "ranks", "hter": "HTER"}
DECIMALS = 3
ALPHA = 0.05


@dataclass(frozen=True)
class Tuning(FitResult):
    """Fitted parameters, and what is to be thought of them."""

    parameters: Parameters
    default: Parameters
    free: tuple[str, ...]
    """Parameters that were fitted; the others had nothing to be fitted to."""
    measure: str
    level: str
    unit: str
    protocol: str
    fitted: float
    """Correlation with the judgements they were fitted to, all of them."""
    fitted_default: float
    held_out: tuple[HeldOut, ...]
    """By the measure that was fitted, first, and by the others for comparison."""
    fold_parameters: tuple[Parameters, ...]
    """What was fitted without each fold."""
    fold_items: tuple[int, ...]
    judgements: int
    items: int
    pairs: int
    units: int
    systems: int
    segments: int
    left_out: int
    grid: int
    """Points of the coarse grid."""
    folds: int
    seed: int
    resamples: int
    warnings: tuple[str, ...] = ()

    def _tables(self) -> tuple[Table, Table]:
        """The parameters, and their correlations on held-out judgements."""
        return self._parameter_table(), self._correlation_table()

    def _remarks(self) -> tuple[str, ...]:
        """A caution where one is due, the correlation that is not the result, and what was done."""
        return tuple(filter(None, (self._caution(), self._training_note(), self._how())))

    def data(self) -> Data:
        """One row per number: parameters and held-out correlations, tuned beside default."""
        default = asdict(self.default)
        rows: list[list[Any]] = [
            [name, float(value), float(default[name]), None]
            for name, value in asdict(self.parameters).items()
        ]
        rows += [[f"held-out {own.measure}", own.tuned, own.default, own.p] for own in self.held_out]
        return Data(("name", "tuned", "default", "p"), rows)

    def document(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    def _parameter_table(self) -> Table:
        """A row a parameter that was fitted: its default, what it is now, and how much that varied over the folds."""
        rows = []
        for name in ("alpha", "beta", "gamma", "delta", "stem", "synonym", "paraphrase"):
            if name in self.free:
                of_folds = [getattr(parameters, name) for parameters in self.fold_parameters]
                values = [getattr(self.default, name), getattr(self.parameters, name)]
                cells = [number(value, DECIMALS) for value in values]
                cells.append(" to ".join(number(value, DECIMALS) for value in (min(of_folds), max(of_folds))))
                rows.append(Row((Cell(name), *map(Cell, cells))))
        labels = ("Default", "Tuned", f"In {self.folds} folds")
        return Table((Column("Parameter"), *(Column(label, True) for label in labels)), tuple(rows))

    def _correlation_table(self) -> Table:
        """A row a correlation on held-out judgements; interval and p of the one that was fitted, and of tau."""
        rows = []
        for held_out in self.held_out:
            places = digits([held_out.delta], DECIMALS)
            numbers = [
                number(held_out.default, places),
                number(held_out.tuned, places),
                with_sign(held_out.delta, places),
            ]
            numbers += [
                with_sign(held_out.low, places),
                with_sign(held_out.high, places),
                p_number(held_out.p, ALPHA),
            ]
            pairs = f", {pluralise(held_out.pairs, 'pair')}" if held_out.pairs else ""
            rows.append(Row((Cell(NAMES[held_out.measure] + pairs), *map(Cell, numbers))))
        labels = ("Default", "Tuned", "Change", "Low", "High", "p")
        return Table((Column("Held out"), *(Column(label, True) for label in labels)), tuple(rows))

    def verdict(self) -> str:
        """Whether the fit is worth having, in one sentence."""
        first = self.held_out[0]
        if math.isnan(first.delta):
            return "Held-out scores have no correlation: too little to tell."
        p = p_text(first.p, ALPHA)
        places = digits([first.delta], DECIMALS)
        if significant(first.p, ALPHA):
            better = "better" if first.delta > 0 else "WORSE"
            return (
                f"On judgements they were not fitted to, the new parameters correlate significantly {better} than the "
                f"defaults ({with_sign(first.delta, places)}, {p})."
            )
        return (
            "On judgements they were not fitted to, the new parameters do not correlate significantly better than the "
            f"defaults ({with_sign(first.delta, places)}, {p}): there is no reason to leave the defaults."
        )

    def _caution(self) -> str:
        """What a better correlation over all translations may hide: a worse order within segments."""
        first, *others = self.held_out
        within = [
            held_out
            for held_out in others
            if held_out.measure == "tau" and held_out.delta < 0 and significant(held_out.p, ALPHA)
        ]
        if not within or not first.delta > 0:
            return ""
        places = digits([within[0].delta], DECIMALS)
        return (
            f"Yet within segments they order translations worse (WMT's tau {with_sign(within[0].delta, places)}, "
            f"{p_text(within[0].p, ALPHA)}): what was won lies between segments, and may have to do with their "
            "length rather than with quality; fit to the order within them: --correlation tau."
        )

    def _training_note(self) -> str:
        """The correlation on the very judgements that were fitted, lest anyone takes it for the result."""
        return (
            f"Fitted to all judgements and measured on the same: {number(self.fitted, DECIMALS)} "
            f"(default {number(self.fitted_default, DECIMALS)}); that is not the result."
        )

    def _how(self) -> str:
        """What was done, in one line."""
        first = self.held_out[0]
        of = pluralise(self.items, self._item())
        items = f"{pluralise(self.pairs, 'ordered pair')} of {of}" if self.pairs else of
        fixed = [n for n in ("delta", "stem", "synonym", "paraphrase") if n not in self.free]
        kept = f"; {join_names(fixed)} kept, for there was nothing to fit" if fixed else ""
        williams = (
            "" if math.isnan(first.p_williams) else f", Williams' test {p_text(first.p_williams, ALPHA)}"
        )
        whose = f" of {pluralise(self.systems, 'system')}" if self.level == "segment" else ""
        return (
            f"{NAMES[self.measure]} with {PROTOCOLS.get(self.protocol, self.protocol)} of {items} "
            f"({pluralise(self.judgements, 'judgement')}{whose}); "
            f"grid of {pluralise(self.grid, 'point')}, then refined{kept}; {self.folds} folds by {self.unit}; "
            f"paired bootstrap over {pluralise(self.units, self.unit)}, "
            f"{pluralise(self.resamples, 'resample')}{williams}; seed {self.seed}"
        )

    def file_remarks(self, *, version: str, metric: str, use: str, inputs: Sequence[Input]) -> list[str]:
        """How the parameters came to be, for the top of their file; `use` is the metric that takes it."""
        files = [
            f"{item.role}: {item.path} (sha256 {item.sha256[:16]})"
            for item in inputs
            if item.role != "source"
        ]
        return [
            f"METEOR's parameters, fitted by adjudge {version} (adjudge tune)",
            f"use: adjudge score -m {quote(use)}",
            f"fitted: {metric}",
            *files,
            self.verdict(),
            *self._remarks(),
        ]

    def _item(self) -> str:
        return "system" if self.level == "system" else "translation"
