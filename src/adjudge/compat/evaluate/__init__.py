"""Any metric as a module of Hugging Face's `evaluate`: a class to make, so that nothing is loaded from a hub."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
import evaluate

from adjudge import metrics
from adjudge.comparison import score
from adjudge.compat.segments import batch_set
from adjudge.data import Outputs
from adjudge.metrics.base import Metric

TEXT = datasets.Value("string")


class Adjudge(evaluate.Metric):  # type: ignore[misc]
    """A metric by its spec string, with `compute`, `add` and `add_batch` as all modules of `evaluate` have them.

    Predictions are texts; references a text each, or a list of texts, of which there may be more for one segment than
    for another. Metrics that read sources are given `sources` too.
    """

    def __init__(self, metric: str | Metric = "bleu", *, language: str = "", **options: Any) -> None:
        self.metric = metrics.metric(metric) if isinstance(metric, str) else metric
        self.language = language
        super().__init__(**options)

    def _info(self) -> Any:
        texts = {"predictions": TEXT, **({"sources": TEXT} if "sources" in self.metric.needs else {})}
        forms = [{"references": datasets.Sequence(TEXT)}, {"references": TEXT}]
        features = [{**texts, **form} for form in (forms if "references" in self.metric.needs else [{}])]
        return evaluate.MetricInfo(
            description=self.metric.summary,
            citation="",
            inputs_description=", ".join(features[0]),
            features=[datasets.Features(feature) for feature in features],
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]] = (),
        sources: Sequence[str] | None = None,
        segments: bool = False,
    ) -> dict[str, Any]:
        """The score with its signature, and with `segments=True` that of every segment."""
        test_set = batch_set(references, sources, self.language)
        outputs = [Outputs("predictions", tuple(map(str, predictions)))]
        [result] = score(test_set, outputs, [self.metric], segments=segments).results
        answer: dict[str, Any] = {"score": float(result.score), "signature": result.signature}
        if segments and result.segments is not None:
            answer["segments"] = [float(value) for value in result.segments]
        return answer
