"""A metric that loads something, and writes down where it does."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from adjudge.data import TestSet
from adjudge.metrics.base import MeanMetric, Rows


@dataclass(frozen=True)
class Counting(MeanMetric):
    """A third of the characters, by a model that takes a line of a log to load."""

    title = "counting"

    log: str = ""

    @cached_property
    def model(self) -> float:
        with Path(self.log).open("a") as file:
            file.write(f"{os.getpid()}\n")
        return 3.0

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        return np.array([len(text) / self.model for text in outputs])
