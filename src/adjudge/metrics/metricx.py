"""MetricX (Juraska et al. 2023, 2024): an mT5 that was trained to say how many error points an output deserves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from adjudge.metrics.base import Direction, require, yes_no
from adjudge.metrics.model_scores import ModelMetric, need
from adjudge.text.models import ModelSettings


@dataclass(frozen=True)
class MetricX(ModelMetric):
    """Mean over segments of the error points, 0 to 25, that a MetricX model gives."""

    name = "metricx"
    title = "MetricX"
    summary = "a trained model's error points, with or without references"
    direction = Direction.LOWER
    scale = (0.0, 25.0)
    needs = frozenset({"sources", "references"})

    tokenizer: str = ""
    edition: Literal["24", "23"] = "24"
    qe: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.edition in ("23", "24"), f"metricx(edition={self.edition}): must be one of 24, 23")
        object.__setattr__(self, "needs", frozenset(f"{side}s" for side in self.sides if side != "output"))

    @property
    def sides(self) -> tuple[str, ...]:
        """What the edition was trained on."""
        if self.qe:
            return ("output", "source")
        return ("output", "reference") if self.edition == "23" else ("output", "reference", "source")

    @cached_property
    def settings(self) -> ModelSettings:
        """The model and the tokenizer that belongs to it."""
        need(self, "google/metricx-24-hybrid-large-v2p6,tokenizer=google/mt5-xl")
        more = (("tokenizer", self.tokenizer), ("edition", self.edition), ("qe", self.qe))
        return ModelSettings("metricx_model", self.model, self.python, self.precision, more)

    def signature_fields(self) -> dict[str, str]:
        """Edition and whether references are left out, then the model."""
        fields = {"edition": self.edition, "qe": yes_no(self.qe)}
        return fields | super().signature_fields()
