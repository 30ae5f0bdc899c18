"""Any metric as one of `torchmetrics`: its state is the sum of its rows, so that what several processes saw adds up."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudge import metrics
from adjudge.comparison.scoring import check, rows_by
from adjudge.compat.segments import batch_set
from adjudge.data import Outputs
from adjudge.errors import MissingExtraError, UsageError
from adjudge.metrics.base import MeanMetric, Metric, Rows

try:
    import torch
    import torchmetrics
except ImportError:
    raise MissingExtraError("a metric of torchmetrics", "torchmetrics") from None

MOST_REFERENCES = 2**31
"""More than any segment has: what the fewest references are before any segment was seen."""


class Adjudge(torchmetrics.Metric):  # type: ignore[misc]
    """A metric by its spec string, with `update`, `compute`, `forward` and `reset` as all of `torchmetrics` have them.

    Sums are kept in 64 bits. Rows of whole numbers (BLEU, chrF, WER, …) add up to the same score, to the last bit,
    however segments are spread over batches and processes; others to the same but for rounding.
    """

    is_differentiable = False
    full_state_update = False
    seen: torch.Tensor
    fewest: torch.Tensor
    """References of a segment, at least and at most."""
    most: torch.Tensor

    def __init__(
        self, metric: str | Metric = "bleu", *, language: str = "", threads: int = 1, **options: Any
    ) -> None:
        super().__init__(**options)
        asked = metrics.metric(metric) if isinstance(metric, str) else metric
        if asked.undivided:
            raise UsageError(
                f"{asked.spec} cannot be summed over batches: {asked.undivided}; score all texts at once, with "
                "adjudge.score"
            )
        self.language, self.threads = language, threads
        # All texts are not known here, so what follows from the language is settled now and not guessed from a batch.
        self.metric = asked.for_test_set(batch_set([""], [""], language))
        self._sums = _state_name(self.metric)
        self.add_state(self._sums, torch.zeros(self._width(), dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("seen", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("fewest", torch.tensor(MOST_REFERENCES), dist_reduce_fx="min")
        self.add_state("most", torch.tensor(0), dist_reduce_fx="max")

    @property
    def higher_is_better(self) -> bool | None:
        """As adjudge says it; None where neither is."""
        return self.metric.direction.higher_is_better

    def update(
        self,
        preds: Sequence[str],
        target: Sequence[str | Sequence[str]] = (),
        sources: Sequence[str] | None = None,
    ) -> None:
        """Add segments; `target` has a reference for each, or several."""
        rows, numbers = self._rows(preds, target, sources)
        if not len(rows):
            return
        sums = getattr(self, self._sums)
        setattr(self, self._sums, sums + torch.from_numpy(rows.sum(0)).to(sums))
        self.seen += len(rows)
        self.fewest = torch.clamp(self.fewest, max=min(numbers, default=0))
        self.most = torch.clamp(self.most, min=max(numbers, default=0))

    def compute(self) -> torch.Tensor:
        """The score of all segments so far; NaN where there was none."""
        sums = getattr(self, self._sums)
        score = float(self.metric.aggregate(sums.cpu().numpy())) if self.seen else float("nan")
        return torch.tensor(score, dtype=torch.float64, device=sums.device)

    def segments(
        self,
        preds: Sequence[str],
        target: Sequence[str | Sequence[str]] = (),
        sources: Sequence[str] | None = None,
    ) -> torch.Tensor:
        """The score of every segment by itself, which changes nothing here."""
        rows, _ = self._rows(preds, target, sources)
        scores = self.metric.for_segments().aggregate(rows) if len(rows) else np.zeros(0)
        return torch.from_numpy(np.asarray(scores, np.float64)).to(getattr(self, self._sums).device)

    @property
    def signature(self) -> str:
        """All that changes the score, for the segments that this process has seen, or all after a sync."""
        fewest, most = int(self.fewest), int(self.most)
        seen = [[""] * most, [""] * min(fewest, most)]
        return self.metric.signature(batch_set(seen, language=self.language))

    def _rows(
        self,
        preds: Sequence[str],
        target: Sequence[str | Sequence[str]],
        sources: Sequence[str] | None,
    ) -> tuple[Rows, list[int]]:
        """The rows of some segments, and how many references each has."""
        if isinstance(preds, str) or isinstance(target, str):
            raise UsageError("one text where a list of texts was expected: write [text] for a single segment")
        if not len(preds) and not len(target):  # the end of what one of several processes had to do
            return np.zeros((0, 0)), []
        test_set = batch_set(target, sources, self.language)
        outputs = Outputs("preds", tuple(preds))
        check(test_set, [outputs], [self.metric])
        rows = rows_by(self.metric, test_set, self.threads)(outputs)
        references = zip(*test_set.references, strict=True)
        return rows, [sum(text is not None for text in segment) for segment in references]

    def _width(self) -> int:
        """How many numbers a row has."""
        if isinstance(self.metric, MeanMetric):
            return 2  # and what may be a large model is not asked
        example = batch_set(["a"], ["a"], self.language)
        return int(self.metric.stats(self.metric.prepare(example), ["a"], threads=1).shape[1])


def _state_name(metric: Metric) -> str:
    """A name of its own for every recipe: collections let metrics share states that have the same name and value."""
    word = re.sub(r"\W", "_", metric.spec)
    return f"sums_{word}_{hashlib.sha256(metric.spec.encode()).hexdigest()[:8]}"
