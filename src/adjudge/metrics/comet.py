"""COMET, COMET-Kiwi and XCOMET (Rei et al. 2020 to 2023; Guerreiro et al. 2024) through `unbabel-comet`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from adjudge.data import TestSet
from adjudge.data.judgements import Span
from adjudge.errors import UsageError
from adjudge.metrics.base import yes_no
from adjudge.metrics.model_scores import ModelMetric, need
from adjudge.text.models import ModelSettings


@dataclass(frozen=True)
class Comet(ModelMetric):
    """Mean over segments of what a COMET model says of source, output and, unless `qe`, reference."""

    name = "comet"
    title = "COMET"
    summary = "a trained model's judgement of source, output and reference (COMET, COMET-Kiwi, XCOMET)"
    needs = frozenset({"sources", "references"})

    qe: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "needs", frozenset(f"{side}s" for side in self.sides if side != "output"))

    @property
    def sides(self) -> tuple[str, ...]:
        """Source and output, and the reference unless it is left out."""
        return ("output", "source") if self.qe else ("output", "reference", "source")

    @cached_property
    def settings(self) -> ModelSettings:
        """The model in the package's hands."""
        need(self, "Unbabel/wmt22-comet-da")
        install = (
            "pip install unbabel-comet==2.2.7 setuptools==81.0.0 (which wants numpy 1 and transformers 4)"
        )
        more = (("qe", self.qe),)
        return ModelSettings("comet_model", self.model, self.python, self.precision, more, install)

    def check_facts(self, facts: Mapping[str, Any]) -> None:
        """A model that reads references must have them, and one that does not must not be said to."""
        if self.qe and facts["references"] == "must":
            raise UsageError(f"{self.spec}: this model cannot do without references; leave qe out")
        if not self.qe and facts["references"] == "never":
            raise UsageError(
                f"{self.spec}: this model reads no references; say so with comet(qe=true,model=…)"
            )

    def spans(self, prepared: TestSet, outputs: Sequence[str]) -> list[tuple[Span, ...] | None]:
        """The errors that an XCOMET model marks in each output, by the first set of references."""
        columns = self.answers(prepared, outputs)
        return [
            None if answer is None else tuple(self._span(span) for span in self._marked_spans(answer))
            for answer in columns[0]
        ]

    def signature_fields(self) -> dict[str, str]:
        """Whether references are left out, then the model."""
        return {"qe": yes_no(self.qe)} | super().signature_fields()

    def _marked_spans(self, answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        if "spans" not in answer:
            raise UsageError(f"{self.identity.name} marks no errors; XCOMET's models do")
        marked: Sequence[Mapping[str, Any]] = answer["spans"]
        # It may mark the token that begins a text, which has no characters.
        return [span for span in marked if span["end"] > span["start"]]

    @staticmethod
    def _span(span: Mapping[str, Any]) -> Span:
        comment = f"confidence {span['confidence']:.3f}"
        return Span(span["start"], span["end"], span["severity"], comment=comment)
