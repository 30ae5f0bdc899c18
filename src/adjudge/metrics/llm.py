"""A language model as judge, over any OpenAI-compatible endpoint (docs/llm.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from adjudge import workspace
from adjudge.data import TestSet
from adjudge.data.error_weights import ErrorWeights
from adjudge.data.judgements import Span
from adjudge.errors import MissingResourceError, UsageError
from adjudge.metrics.base import MeanMetric, Metric, Rows, require, shortest, yes_no
from adjudge.metrics.judges.asking import Body, ModelAnswer, answers
from adjudge.metrics.judges.endpoint import check_url, place
from adjudge.metrics.judges.prompts import Prompt, language_names, prompt
from adjudge.metrics.judges.reading import Marks, read_choice, read_marks, read_score
from adjudge.metrics.judges.verdicts import verdicts
from adjudge.wording import pluralise

PAIRWISE = "pairwise"


@dataclass(frozen=True)
class Llm(MeanMetric):
    """Mean over segments of what a model says: a score, or minus the weight of the errors that it marks."""

    name = "llm"
    title = "LLM"
    summary = "judgements of a language model behind an OpenAI-compatible endpoint"
    scale = (-math.inf, 100.0)
    needs = frozenset({"sources"})
    keeps_rows = False

    model: str = ""
    url: str = ""
    protocol: Literal["score", "esa", "mqm", "pairwise"] = "score"
    prompt: str = ""
    reference: bool = False
    language: str = ""
    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int | None = 1024

    def __post_init__(self) -> None:
        require(
            self.temperature is None or 0 <= self.temperature <= 2,
            "temperature: must lie between 0 and 2, or be none",
        )
        require(self.seed is None or self.seed >= 0, "seed: must be a whole number from 0 up, or none")
        require(
            self.max_tokens is None or self.max_tokens > 0,
            "max_tokens: must be a whole number from 1 up, or none",
        )
        if self.url:
            check_url(self.url)

    @property
    def uses(self) -> frozenset[str]:
        """The source, and the reference where the prompt shows it."""
        return self.needs | {"references"} if self.reference else self.needs

    def for_test_set(self, test_set: TestSet) -> Metric:
        """The metric with the language pair of the test set, which the prompt names."""
        return self if self.language else replace(self, language=test_set.language)

    @property
    def undivided(self) -> str:
        """Questions are counted and paid for in one place, and keys stay there."""
        return "questions to a language model are counted, and its key is kept, in one place"

    def prepare(self, test_set: TestSet) -> TestSet:
        """The test set, once it is sure that all that the prompt shows is there."""
        self._check()
        if test_set.sources is None:
            raise UsageError("LLM needs the source (-s)")
        if self.reference and not test_set.references:
            raise UsageError("llm(reference=true) needs a reference (-r)")
        return test_set

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """One score per segment, NaN where the answer could not be read."""
        if self.protocol == PAIRWISE:
            raise UsageError(
                "llm(protocol=pairwise) sets two systems side by side, so there is no score of one: adjudge judge asks "
                "it and writes its judgements"
            )
        if self.protocol == "score":
            replies = self._ask(prepared, outputs)
            scores = verdicts(self.label, replies, lambda reply, _: read_score(reply), self.model)
            return np.array([math.nan if score is None else score for score in scores])
        marks = self.marks(prepared, outputs)
        return np.array([math.nan if mark is None else self._score(mark) for mark in marks])

    def marks(self, prepared: TestSet, outputs: Sequence[str]) -> list[Marks | None]:
        """The errors that the model marks in each output, with its score; None where its answer could not be read."""
        if self.protocol not in ("esa", "mqm"):
            raise UsageError(
                f"llm(protocol={self.protocol}) marks no errors: protocol=esa and protocol=mqm do"
            )
        scored = self.protocol == "esa"
        replies = self._ask(prepared, outputs)
        marks = verdicts(
            self.label, replies, lambda reply, i: read_marks(reply, outputs[i], scored=scored), self.model
        )
        unplaced = sum(mark.unplaced for mark in marks if mark is not None)
        if unplaced:
            workspace.current().note(
                f"{self.label}: {pluralise(unplaced, 'error')} quote{'s' if unplaced == 1 else ''} words that do not "
                "stand in the output: they weigh what they weigh, and have no place"
            )
        return marks

    def spans(self, prepared: Any, outputs: Sequence[str]) -> list[tuple[Span, ...] | None]:
        """The errors of each output, None where the model's answer could not be read."""
        return [None if mark is None else mark.spans for mark in self.marks(prepared, outputs)]

    def choices(self, prepared: TestSet, first: Sequence[str], second: Sequence[str]) -> list[int | None]:
        """Which of two outputs is better: 1 for the first, −1 for the second, 0 for neither; None for no answer."""
        replies = self._ask(prepared, first, second)
        return verdicts(self.label, replies, lambda reply, _: read_choice(reply), self.model)

    def signature_fields(self) -> dict[str, str]:
        """Whom, how and by which prompt; never the key."""
        self._check()
        return {
            "model": self.model,
            "at": place(self.url),
            "protocol": self.protocol,
            "prompt": self._prompt.name,
            "ref": yes_no(self.reference),
            "lang": self.language or "none",
            "temp": "none" if self.temperature is None else shortest(self.temperature, ".2f"),
            "seed": "none" if self.seed is None else str(self.seed),
            "max": "none" if self.max_tokens is None else str(self.max_tokens),
        }

    @property
    def _prompt(self) -> Prompt:
        return prompt(self.protocol, self.prompt)

    def _check(self) -> None:
        if not self.model or not self.url:
            raise MissingResourceError(
                "llm needs a model and where it is asked: llm(model=NAME,url=http://127.0.0.1:8000/v1)"
            )
        if self.reference and not self._prompt.shows_reference:
            raise UsageError(f"{self.prompt}: reference=true, but the prompt has no field {{reference}}")

    def _score(self, marks: Marks) -> float:
        if self.protocol == "esa":
            return marks.score
        return -math.fsum(map(ErrorWeights().of, marks.spans)) + 0.0  # not −0.0

    def _ask(self, prepared: TestSet, *outputs: Sequence[str]) -> list[ModelAnswer]:
        names = ("a", "b") if len(outputs) == 2 else ("output",)
        source_language, target_language = language_names(self.language)
        bodies = []
        for i, texts in enumerate(zip(*outputs, strict=True)):
            shown = {
                "source": prepared.sources[i] if prepared.sources is not None else None,
                "reference": _reference(prepared, i) if self.reference else None,
                "source_language": source_language,
                "target_language": target_language,
                **dict(zip(names, texts, strict=True)),
            }
            bodies.append(self._body(self._prompt.filled(shown)))
        return answers(self.url, bodies)

    def _body(self, question: str) -> Body:
        options = {"temperature": self.temperature, "seed": self.seed, "max_tokens": self.max_tokens}
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": question}],
            **{name: value for name, value in options.items() if value is not None},
        }


def _reference(test_set: TestSet, segment: int) -> str:
    return next(column[segment] for column in test_set.references if column[segment] is not None) or ""
