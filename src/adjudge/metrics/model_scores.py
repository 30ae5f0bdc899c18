"""What metrics share that others compute: segments as JSON, answers kept by content, models in their own process."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from adjudge import workspace
from adjudge.data import TestSet
from adjudge.errors import UsageError
from adjudge.io.content_store import key_of
from adjudge.metrics.base import Direction, MeanMetric, Rows, require
from adjudge.text import models
from adjudge.text.embeddings import PRECISIONS, Precision, need_model, note_cut
from adjudge.text.models import ModelFacts, ModelSettings

Row = dict[str, Any]
Answer = dict[str, Any]
Ask = Callable[[Sequence[Row]], Iterator[Mapping[int, Answer]]]


def kept_answers(kind: str, parts: Sequence[str], rows: Sequence[Row], ask: Ask) -> list[Answer]:
    """An answer a row: what the store knows, and what `ask` says of the others, each distinct one once.

    Parts name all that answers depend on, but for the rows.
    """
    store = workspace.current().store
    keys = [key_of(*parts, json.dumps(row, sort_keys=True, ensure_ascii=False)) for row in rows]
    distinct = dict(zip(keys, rows, strict=True))
    known = {} if store is None else store.get(kind, list(distinct))
    answers: dict[bytes, Answer] = {key: json.loads(value) for key, value in known.items()}
    missing = [key for key in distinct if key not in answers]
    for piece in ask([distinct[key] for key in missing]) if missing else ():
        fresh = {missing[place]: answer for place, answer in piece.items()}
        answers |= fresh
        if store is not None:
            store.put(kind, {key: json.dumps(answer).encode() for key, answer in fresh.items()})
    return [answers[key] for key in keys]


@dataclass(frozen=True)
class ModelMetric(MeanMetric):
    """Mean over segments of what a trained model says of source, reference and output, or of some of them."""

    keeps_rows = False
    decimals = 4
    scale = (-math.inf, math.inf)

    model: str = ""
    precision: Precision = "float32"
    python: str = ""

    def __post_init__(self) -> None:
        require(
            self.precision in PRECISIONS,
            f"{self.name}(precision={self.precision}): must be one of {', '.join(PRECISIONS)}",
        )

    @property
    @abstractmethod
    def settings(self) -> ModelSettings:
        """Which model is run and how."""

    @property
    @abstractmethod
    def sides(self) -> tuple[str, ...]:
        """What the model is shown: some of source, reference and output."""

    @cached_property
    def identity(self) -> ModelFacts:
        """Which model it is."""
        return models.facts(self.settings)

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The model's score of each segment, with the reference that gives the best one."""
        scores = np.full(len(outputs), np.nan)
        for answers in self.answers(prepared, outputs):
            own = np.array([math.nan if answer is None else answer["score"] for answer in answers])
            scores = np.fmin(scores, own) if self.direction is Direction.LOWER else np.fmax(scores, own)
        return scores

    def answers(self, test_set: TestSet, outputs: Sequence[str]) -> list[list[Answer | None]]:
        """All that the model says of each segment, once for every set of references; None where there is none."""
        self._check(test_set)
        sets: Sequence[Sequence[str | None]] = test_set.references if "reference" in self.sides else [outputs]
        rows = [
            [
                self._row(test_set, segment, reference, outputs[segment])
                for segment, reference in enumerate(column)
            ]
            for column in sets
        ]
        asked = [row for column in rows for row in column if row is not None]
        known = iter(kept_answers(self.name, self._parts, asked, self._ask))
        answers = [[None if row is None else next(known) for row in column] for column in rows]
        for column in answers:
            self._note_cut(column)
        return answers

    def signature_fields(self) -> dict[str, str]:
        """Model, precision and packages."""
        return {"precision": self.precision} | self.identity.signature_fields()

    def _row(self, test_set: TestSet, segment: int, reference: str | None, output: str) -> Row | None:
        row: Row = {"output": output}
        if "source" in self.sides and test_set.sources is not None:
            row["source"] = test_set.sources[segment]
        if "reference" in self.sides:
            if reference is None:
                return None
            row["reference"] = reference
        return row

    def _check(self, test_set: TestSet) -> None:
        for side, texts in (("source", test_set.sources), ("reference", test_set.references)):
            if side in self.sides and not texts:
                raise UsageError(f"{self.spec} needs {side}s, and the test set has none")

    def _ask(self, rows: Sequence[Row]) -> Iterator[Mapping[int, Answer]]:
        doing = f"running {self.identity.name}"
        for result, piece in models.results(self.settings, rows, doing, self.check_facts):
            yield {place: {"limit": result["limit"], **answer} for place, answer in piece.items()}

    def check_facts(self, facts: Mapping[str, Any]) -> None:
        """Refuse a model that is not what it was taken for."""

    @property
    def _parts(self) -> tuple[str, ...]:
        more = json.dumps(self.settings.more)
        return "1", self.identity.identity, self.identity.library, self.precision, more, "+".join(self.sides)

    def _note_cut(self, answers: Sequence[Answer | None]) -> None:
        lengths = {
            segment: answer["whole"]
            for segment, answer in enumerate(answers)
            if answer is not None and answer["whole"] > answer["limit"]
        }
        limit = next((answer["limit"] for answer in answers if answer is not None), 0)
        note_cut(self.name, self.identity.name, limit, "segments", lengths)


def need(metric: ModelMetric, example: str) -> None:
    """Refuse a metric that was not told which model to use."""
    need_model(metric.model, metric.name, example)
