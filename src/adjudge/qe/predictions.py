"""What several estimators say of judged segments: models, and scores from elsewhere."""

from __future__ import annotations

from typing import Any

from adjudge.errors import UsageError
from adjudge.io.files import path_text
from adjudge.io.names import stem
from adjudge.io.sheet import numbers
from adjudge.io.table import Input
from adjudge.qe.companions import Companions
from adjudge.qe.estimator import estimate
from adjudge.qe.labelled import LabelledSegments
from adjudge.qe.model_file import read_model
from adjudge.qe.reading import check_length, read_text


class Predictions:
    """What each estimator says of the judged segments."""

    def __init__(self, segments: LabelledSegments, inputs: list[Input]) -> None:
        self._segments, self._inputs = segments, inputs
        self.predictions: dict[str, Any] = {}
        self.intervals: dict[str, Any] = {}
        self._directions: dict[str, bool] = {}

    def add_model(self, path: str, companions: Companions, threads: int) -> None:
        """A model's estimates and intervals."""
        learnt, digest = read_model(path)
        self._inputs.append(Input("model", path, digest))
        own = estimate(
            learnt,
            self._segments.sources,
            self._segments.outputs,
            self._segments.log_probabilities,
            companions=companions,
            threads=threads,
        )
        name = self._new(stem(path))
        self.predictions[name], self.intervals[name] = own.scores, own.intervals
        self._directions[name] = learnt.higher_is_better

    def add_file(self, text: str) -> None:
        """Estimates of somebody else."""
        name, equals, path = text.partition("=")
        if not equals:
            name, path = stem(text), text
        rows = read_text(path, "estimates", self._inputs)
        check_length(path, len(rows), self._segments.inputs[0].path, len(self._segments))
        self.predictions[self._new(name)] = numbers(
            rows, (), lambda row: f"{path_text(path)}, line {row + 1}"
        )

    def higher(self, lower_is_better: bool) -> bool:
        """Which way scores go; models of different kinds cannot stand beside each other."""
        if len(set(self._directions.values())) > 1:
            raise UsageError(
                "models of scores that are better high and of such that are better low cannot be held against the same "
                f"scores: {', '.join(self._directions)}"
            )
        return next(iter(self._directions.values()), not lower_is_better)

    def _new(self, name: str) -> str:
        if name in self.predictions:
            raise UsageError(f"two estimators are called {name}: rename a file, or --estimates NAME=FILE")
        return name
