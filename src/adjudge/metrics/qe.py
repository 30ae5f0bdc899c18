"""An estimator that `adjudge qe train` made, as a metric that needs no reference."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from adjudge.data import TestSet
from adjudge.errors import MissingResourceError, UsageError
from adjudge.metrics.base import Direction, MeanMetric, Rows

if TYPE_CHECKING:
    from adjudge.qe.estimator import Estimator


@dataclass(frozen=True)
class Qe(MeanMetric):
    """Mean over segments of what an estimator says of source and output."""

    name = "qe"
    title = "QE"
    summary = "a trained estimator's guess at what people would say, without references (adjudge qe train)"
    scale = (-math.inf, math.inf)
    decimals = 4
    needs = frozenset({"sources"})

    model: str = ""
    source_lm: str = ""
    target_lm: str = ""
    encoder: str = ""

    def __post_init__(self) -> None:
        # A missing file is reported when a score is asked for.
        if os.path.isfile(self.model) and not self._learnt[0].higher_is_better:
            object.__setattr__(self, "direction", Direction.LOWER)

    @property
    def _learnt(self) -> tuple[Estimator, str]:
        if not self.model:
            raise MissingResourceError(
                "qe needs a model, and none comes with adjudge: qe(model=FILE), which adjudge qe train --save FILE "
                "makes from what people said"
            )
        try:
            facts = os.stat(self.model)
        except (OSError, ValueError):  # what is wrong with it, reading says
            return _read(self.model, 0, 0)
        return _read(self.model, facts.st_mtime_ns, facts.st_size)

    def segments(self, prepared: TestSet, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """One estimate a segment."""
        from adjudge.qe.companions import Companions
        from adjudge.qe.estimator import estimate

        if prepared.sources is None:
            raise UsageError(f"{self.spec} needs sources, and the test set has none: -s FILE")
        companions = Companions(self.source_lm, self.target_lm, self.encoder)
        learnt, _ = self._learnt
        return estimate(learnt, prepared.sources, outputs, companions=companions, threads=threads).scores

    def signature_fields(self) -> dict[str, str]:
        """What was learnt, and from which file."""
        learnt, digest = self._learnt
        pair = "-".join(filter(None, learnt.resources.languages))
        fields = {"kind": learnt.kind, "hash": digest[:12]}
        return fields | ({"lang": pair} if pair else {}) | {k: v[:12] for k, v in learnt.companions.items()}


@lru_cache(maxsize=4)
def _read(path: str, modified: int, size: int) -> tuple[Estimator, str]:
    """A model is read once, and again where its file has changed."""
    from adjudge.qe.model_file import read_model

    return read_model(path)
