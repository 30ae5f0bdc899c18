"""Weights of features beside those of the start, and what both score, also on lists not fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.display import Cell, Column, Data, Row, Section, Signature, Table
from adjudge.stats.significance import significant
from adjudge.tuning.fit import FitResult
from adjudge.wording import digits, number, p_text, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.io import Input

ALPHA = 0.05
DECIMALS = 2
WEIGHT_DECIMALS = 4


@dataclass(frozen=True)
class WeightOptions:
    """How weights are searched for."""

    search: str = "steepest"
    """`steepest`: every time the best of all directions; `powell`: one direction after the other."""
    restarts: int = 20
    """Starts that are drawn, beside the given one."""
    lowest: float = -1.0
    highest: float = 1.0
    """Between which their weights are drawn."""
    random_directions: int = 0
    """Directions that are drawn for every step, beside those of single features."""
    seed: int = 12345
    resamples: int = 1000


@dataclass(frozen=True)
class HeldOutWeights:
    """The new weights beside those of the start, on lists that they were not fitted to."""

    segments: int
    start: float
    tuned: float
    delta: float
    low: float
    high: float
    """95 % interval of the difference, paired bootstrap over segments."""
    p: float


@dataclass(frozen=True)
class WeightFit(FitResult):
    """Weights, what they score on the lists that they were fitted to, and on others."""

    metric: str
    label: str
    signature: str
    higher_is_better: bool
    weights: Mapping[str, float]
    """Their sizes add up to 1; 0 for a feature that is the same for all hypotheses of each list."""
    start_weights: Mapping[str, float]
    start: float
    score: float
    segments: int
    hypotheses: int
    reached: int
    """Starts, the given one included, that led to the best score."""
    options: WeightOptions
    held_out: HeldOutWeights | None = None
    warnings: tuple[str, ...] = ()

    def _tables(self) -> tuple[Table, Table]:
        """The weights, and what they score."""
        return self._weight_table(), self._score_table()

    def _remarks(self) -> tuple[str | Signature, ...]:
        """What was done, and how the metric was computed."""
        return self._how(), Signature(self.label, self.signature)

    def printed(self) -> list[Section]:
        """The verdict, then the weights and what they score."""
        return [self._answer(), Section(tables=self._tables(), notes=self._remarks())]

    def paper(self) -> list[Section]:
        """As in other print."""
        return self.printed()

    def data(self) -> Data:
        """One row per feature."""
        rows = [(name, value, self.start_weights[name]) for name, value in self.weights.items()]
        return Data(("feature", "weight", "start"), rows)

    def document(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    def _weight_table(self) -> Table:
        """A row a feature; the start in the same scale, in which sizes add up to 1."""
        size = sum(abs(value) for value in self.start_weights.values()) or 1.0
        rows = tuple(
            Row(
                (
                    Cell(name),
                    Cell(number(self.start_weights[name] / size, WEIGHT_DECIMALS)),
                    Cell(number(value, WEIGHT_DECIMALS)),
                )
            )
            for name, value in self.weights.items()
        )
        return Table((Column("Feature"), Column("Start", True), Column("Tuned", True)), rows)

    def _score_table(self) -> Table:
        """What both weights score where they were fitted, and elsewhere."""
        change = self.score - self.start
        places = digits([change], DECIMALS)
        cells = [number(self.start, places), number(self.score, places), with_sign(change, places), "–", "–"]
        rows = [Row((Cell(f"fitted to, {pluralise(self.segments, 'segment')}"), *map(Cell, cells)))]
        if (other := self.held_out) is not None:
            places = digits([other.delta], DECIMALS)
            cells = [number(other.start, places), number(other.tuned, places), with_sign(other.delta, places)]
            cells += [with_sign(other.low, places), with_sign(other.high, places)]
            rows.append(Row((Cell(f"held out, {pluralise(other.segments, 'segment')}"), *map(Cell, cells))))
        labels = ("Start", "Tuned", "Change", "Low", "High")
        return Table((Column(self.label), *(Column(label, True) for label in labels)), tuple(rows))

    def verdict(self) -> str:
        """Whether the weights are worth having, in one sentence."""
        other = self.held_out
        if other is None:
            return "Measured on the lists that they were fitted to only: what the new weights are worth is not known."
        change = f"{with_sign(other.delta, digits([other.delta], DECIMALS))} {self.label}, {p_text(other.p, ALPHA)}"
        better = "not significantly better"
        if significant(other.p, ALPHA):
            better = f"significantly {'better' if (other.delta > 0) == self.higher_is_better else 'WORSE'}"
        return f"On lists they were not fitted to, the new weights are {better} than the start ({change})."

    def _how(self) -> str:
        """What was done, in one line."""
        options = self.options
        drawn = (
            f", {pluralise(options.random_directions, 'drawn direction')} a step"
            if options.random_directions
            else ""
        )
        ways = {"steepest": "the best of all directions every time", "powell": "Powell's directions"}[
            options.search
        ]
        resampled = f"; paired bootstrap, {pluralise(options.resamples, 'resample')}" if self.held_out else ""
        return (
            f"Exact line search for {self.label} on {pluralise(self.hypotheses, 'hypothesis')}, {ways}{drawn}; "
            f"{pluralise(options.restarts, 'drawn start')} beside the given one, {self.reached} of "
            f"{options.restarts + 1} reached the best score{resampled}; seed {options.seed}"
        )

    def file_remarks(self, *, version: str, inputs: Sequence[Input] = ()) -> list[str]:
        """How the weights came to be, for the top of their file."""
        return [
            f"weights of features, fitted to {self.label} by adjudge {version} (adjudge tune weights)",
            *(f"{item.role}: {item.path} (sha256 {item.sha256[:16]})" for item in inputs),
            self.verdict(),
            self._how(),
        ]
