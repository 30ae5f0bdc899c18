"""BLEURT (Sellam et al. 2020): a BERT that was trained to say how near an output is to its reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from adjudge.metrics.model_scores import ModelMetric, need
from adjudge.text.models import ModelSettings


@dataclass(frozen=True)
class Bleurt(ModelMetric):
    """Mean over segments of what a BLEURT model says of output and reference."""

    name = "bleurt"
    title = "BLEURT"
    summary = "a trained model's judgement of output and reference, through bleurt-pytorch"
    sides = ("output", "reference")

    @cached_property
    def settings(self) -> ModelSettings:
        """The model in the package's hands."""
        need(self, "lucadiliello/BLEURT-20")
        install = "pip install bleurt-pytorch"
        return ModelSettings("bleurt_model", self.model, self.python, self.precision, (), install)
