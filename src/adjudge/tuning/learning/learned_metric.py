"""A learned metric: whether it does better than the best single one on what it has not seen, and what it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from adjudge.display import Cell, Column, Data, Records, Row, Table
from adjudge.metrics.learned_model import LearnedModel
from adjudge.stats.significance import significant
from adjudge.tuning.fit import FitResult
from adjudge.tuning.learning.agreement import MEASURES
from adjudge.tuning.learning.fitting import OBJECTIVES
from adjudge.wording import digits, join_names, number, p_number, p_text, pluralise, with_sign

if TYPE_CHECKING:
    from adjudge.io import Input

DECIMALS = 3
ALPHA = 0.05
SHOWN = 10
"""Features with the largest weights that are shown."""


@dataclass(frozen=True)
class UnseenResult:
    """The learned metric beside the best single one, both chosen without the translations they are held against."""

    unit: str
    """What was held out: whole documents, segments, systems, language pairs or test sets."""
    folds: int
    measure: str
    learned: float
    single: float
    delta: float
    p: float
    singles: tuple[str, ...]
    """The metrics that were best on what was not held out, most often first."""
    number: int
    """Of pairs, or of translations."""


@dataclass(frozen=True)
class LearnedMetric(FitResult):
    """A model, and what is to be thought of it."""

    model: LearnedModel
    learner: str
    objective: str
    penalty: float
    unseen: tuple[UnseenResult, ...]
    """By the measure of the objective first."""
    fitted: float
    """Agreement with the very judgements it was trained on, by the first measure."""
    sets: tuple[dict[str, Any], ...]
    translations: int
    pairs: int
    folds: int
    seed: int
    draws: int
    notes: tuple[str, ...] = ()

    def with_recipe(self, version: str, inputs: Sequence[Input]) -> LearnedModel:
        """The model with all that tells how it came to be, as its file has it."""
        recipe = {
            "adjudge": version,
            "learner": self.learner,
            "objective": self.objective,
            "penalty": self.penalty,
            "folds": self.folds,
            "seed": self.seed,
            "translations": self.translations,
            "pairs": self.pairs,
            "sets": list(self.sets),
            "inputs": [asdict(item) for item in inputs],
        }
        return replace(self.model, recipe=recipe)

    def _tables(self) -> tuple[Table, Table]:
        """The features that count most, and agreement on what was held out."""
        return self._feature_table(), self._unseen_table()

    def data(self) -> Data:
        """One row for each way of holding out and measure."""
        columns = (
            *(Column.of(name) for name in ("unit", "measure", "learned", "single", "p")),
            Column.of("metric", value=lambda unseen: unseen.singles[0]),
        )
        return Records(columns, self.unseen).data()

    def document(self) -> dict[str, Any]:
        """All fields; of the model, its features and weights."""
        return {
            **{name: value for name, value in asdict(self).items() if name != "model"},
            "features": [asdict(feature) for feature in self.model.features],
            "weights": list(self.model.weights),
        }

    def _unseen_table(self) -> Table:
        """A row for each way of holding out and measure."""
        rows = []
        for unseen in self.unseen:
            places = digits([unseen.delta], DECIMALS)
            numbers = [
                number(unseen.single, places),
                number(unseen.learned, places),
                with_sign(unseen.delta, places),
                p_number(unseen.p, ALPHA),
            ]
            held = f"{unseen.unit}, {pluralise(unseen.folds, 'fold')}"
            rows.append(Row((Cell(held), Cell(MEASURES[unseen.measure]), *map(Cell, numbers))))
        labels = ("Best single", "Learned", "Change", "p")
        return Table(
            (Column("Held out"), Column("Measure"), *(Column(label, True) for label in labels)), tuple(rows)
        )

    def _feature_table(self) -> Table:
        """The features that count most: by weight, or by how often trees ask for them."""
        model = self.model
        used = list(model.weights)
        if model.trees:
            asked = [place for tree in model.trees for place in tree.feature]
            used = [asked.count(place) / max(1, len(asked)) for place in range(len(model.features))]
        order = sorted(range(len(used)), key=lambda place: -abs(used[place]))[:SHOWN]
        rows = tuple(
            Row((Cell(model.features[place].spec), Cell(number(used[place], DECIMALS))))
            for place in order
            if used[place]
        )
        return Table((Column("Feature"), Column("Share of splits" if model.trees else "Weight", True)), rows)

    def verdict(self) -> str:
        """Whether the metric is worth having, in a sentence or two."""
        if not self.unseen:
            return "Nothing could be held out: whether the learned metric is worth anything cannot be told."
        first = [unseen for unseen in self.unseen if unseen.measure == self.unseen[0].measure]
        parts = []
        for sentence, chosen in (
            (
                "agrees significantly better with people than the best single metric",
                [u for u in first if _wins(u)],
            ),
            ("agrees significantly WORSE", [u for u in first if significant(u.p, ALPHA) and u.delta < 0]),
            ("does no better that could not be chance", [u for u in first if not significant(u.p, ALPHA)]),
        ):
            if chosen:
                parts.append(f"{sentence} on unseen {join_names([_words(u) for u in chosen])}")
        return f"The learned metric {'; it '.join(parts)}."

    def _remarks(self) -> tuple[str, ...]:
        """What stands below the verdict."""
        used = sum(1 for weight in self.model.weights if weight)
        count = pluralise(len(self.model.features), "feature")
        features = f"{count}, {used} with a weight" if self.learner == "linear" else count
        singles = list(dict.fromkeys(name for unseen in self.unseen for name in unseen.singles))
        best = (
            f"The best single metric, chosen without what was held out, was {join_names(singles[:4])}."
            if singles
            else ""
        )
        measure = MEASURES[self.unseen[0].measure] if self.unseen else "agreement"
        fitted = number(self.fitted, DECIMALS)
        seen = f"{measure} with the judgements it was trained on: {fitted}; that is not the result."
        how = (
            f"{self.learner} model of {OBJECTIVES[self.objective]}, {features}; "
            f"{pluralise(self.translations, 'translation')} and {pluralise(self.pairs, 'ordered pair')} of "
            f"{pluralise(len(self.sets), 'test set')}; p two-sided by swapping the two metrics' scores of whole "
            f"segments, {pluralise(self.draws, 'draw')}; seed {self.seed}"
        )
        return tuple(filter(None, (best, seen, how)))


def _wins(unseen: UnseenResult) -> bool:
    return significant(unseen.p, ALPHA) and unseen.delta > 0


def _words(unseen: UnseenResult) -> str:
    places = digits([unseen.delta], DECIMALS)
    p = "" if math.isnan(unseen.p) else f", {p_text(unseen.p, ALPHA)}"
    return f"{unseen.unit}s ({with_sign(unseen.delta, places)}{p})"
