"""A metric that loads something, and writes down where it does."""

import os
import signal
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


@dataclass(frozen=True)
class Deadly(MeanMetric):
    """The characters; the first process that counts those of so many outputs is killed while it does."""

    title = "deadly"

    log: str = ""
    after: int = 1

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        calls = Path(f"{self.log}.{os.getpid()}")
        with calls.open("a") as file:
            file.write(".")
        if calls.stat().st_size == self.after:
            try:
                with Path(self.log).open("x") as file:
                    file.write(str(os.getpid()))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return np.array([float(len(text)) for text in outputs])
