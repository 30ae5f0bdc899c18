"""BERTScore (Zhang et al. 2020): words matched by the cosine of their vectors in context."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.errors import DataError
from adjudge.io import files
from adjudge.metrics.base import OVER_REFERENCES, MeanMetric, Rows, require, yes_no
from adjudge.metrics.words import MEASURES, Measure
from adjudge.text.embeddings import PRECISIONS, Encoder, Precision, TokenVectors, need_model, note_cut

LAYERS = {
    "bert-base-uncased": 9,
    "google-bert/bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "google-bert/bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "google-bert/bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "google-bert/bert-base-chinese": 8,
    "roberta-base": 10,
    "FacebookAI/roberta-base": 10,
    "roberta-large": 17,
    "FacebookAI/roberta-large": 17,
    "distilbert-base-uncased": 5,
    "distilbert/distilbert-base-uncased": 5,
    "xlm-roberta-base": 9,
    "FacebookAI/xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "FacebookAI/xlm-roberta-large": 17,
    "microsoft/deberta-xlarge-mnli": 40,
}
"""The layers that bert_score takes of models it knows, by their ids on the hub."""


@dataclass(frozen=True, eq=False)
class BertScoreReferences:
    """References as the model sees them, and how much tokens weigh."""

    references: list[tuple[str, ...]]
    """Of each segment, those there are."""
    tokens: dict[str, TokenVectors]
    idf: Mapping[int, float] | None
    unseen: float
    """The weight of tokens that are in no reference."""


@dataclass(frozen=True)
class BertScore(MeanMetric):
    """Mean over segments of the F-score (or precision, or recall) of greedily matched tokens, in percent."""

    name = "bertscore"
    title = "BERTScore"
    summary = "words matched by the cosine of their vectors in context, by any encoder (bert_score's)"
    scale = (-math.inf, 100.0)
    decimals = 2
    keeps_rows = False

    model: str = ""
    layer: int | None = None
    measure: Measure = "f"
    idf: bool = False
    baseline: str = ""
    precision: Precision = "float32"
    python: str = ""

    def __post_init__(self) -> None:
        require(self.layer is None or self.layer > 0, f"bertscore(layer={self.layer}): layers count from 1")
        require(
            self.measure in MEASURES,
            f"bertscore(measure={self.measure}): must be one of {', '.join(MEASURES)}",
        )
        require(
            self.precision in PRECISIONS,
            f"bertscore(precision={self.precision}): must be one of {', '.join(PRECISIONS)}",
        )

    @cached_property
    def encoder(self) -> Encoder:
        """The model that gives the vectors."""
        need_model(self.model, self.name, "roberta-large")
        layer = LAYERS.get(self.model) if self.layer is None else self.layer
        return Encoder(self.model, layer, self.precision, self.python)

    @property
    def undivided(self) -> str:
        """With `idf`, tokens weigh what all references tell."""
        return f"how rare tokens are (idf) is {OVER_REFERENCES}" if self.idf else ""

    def prepare(self, test_set: TestSet) -> BertScoreReferences:
        """References encoded once for all systems, and what their tokens weigh."""
        columns = zip(*test_set.references, strict=True)
        references = [tuple(text.strip() for text in texts if text is not None) for texts in columns]
        tokens = self.encoder.encode(chain.from_iterable(references), "encoding references")
        for number in range(max(map(len, references), default=0)):
            reference_tokens = {
                s: tokens[texts[number]] for s, texts in enumerate(references) if number < len(texts)
            }
            self._note_cut("references", reference_tokens)
        if not self.idf:
            return BertScoreReferences(references, tokens, None, 1.0)
        documents = [set(tokens[text].ids.tolist()) for texts in references for text in texts]
        counts = Counter(chain.from_iterable(documents))
        number = len(documents) + 1
        idf = {token: math.log(number / (count + 1)) for token, count in counts.items()}
        return BertScoreReferences(references, tokens, idf, math.log(number))

    def segments(self, prepared: BertScoreReferences, outputs: Sequence[str], *, threads: int = 0) -> Rows:
        """The best score of each output with any of its references; 0 (before rescaling) where one is empty."""
        tokens = self.encoder.encode(outputs, "encoding outputs")
        stripped = [text.strip() for text in outputs]
        self._note_cut("outputs", {s: tokens[text] for s, text in enumerate(stripped)})
        column = MEASURES.index(self.measure)
        scores = np.full(len(stripped), np.nan)
        for segment, (text, references) in enumerate(zip(stripped, prepared.references, strict=True)):
            of_each = [
                self._scores(tokens[text], prepared.tokens[reference], prepared)[column]
                for reference in references
            ]
            scores[segment] = max(of_each, default=np.nan)
        base = self._baseline[column] if self.baseline else 0.0
        return 100.0 * (scores - base) / (1.0 - base)

    def signature_fields(self) -> dict[str, str]:
        """Measure, weights, layer, model, precision and packages."""
        layer = self.encoder.layer
        fields = {
            "measure": self.measure,
            "idf": yes_no(self.idf),
            "layer": "last" if layer is None else str(layer),
            "baseline": files.read_bytes(self.baseline)[1][:12] if self.baseline else "no",
            "precision": self.precision,
        }
        return fields | self.encoder.identity.signature_fields()

    def _scores(
        self, output: TokenVectors, reference: TokenVectors, prepared: BertScoreReferences
    ) -> tuple[float, float, float]:
        """F, precision and recall of an output with one reference."""
        weights = [self._weights(side, prepared) for side in (output, reference)]
        if not all(side.sum() for side in weights):
            return 0.0, 0.0, 0.0
        # A token that is like none counts as 0: in bert_score the padding of its batches does that.
        similarity = np.maximum(output.units @ reference.units.T, 0.0)
        precision = float(similarity.max(1) @ weights[0] / weights[0].sum())
        recall = float(similarity.max(0) @ weights[1] / weights[1].sum())
        both = precision + recall
        return (2 * precision * recall / both if both else 0.0), precision, recall

    def _weights(self, text: TokenVectors, prepared: BertScoreReferences) -> NDArray[np.float64]:
        ids = text.ids.tolist()
        if prepared.idf is not None:
            return np.array([prepared.idf.get(token, prepared.unseen) for token in ids])
        ends = self.encoder.facts.unweighted
        return np.array([token not in ends for token in ids], np.float64)

    def _note_cut(self, what: str, tokens: Mapping[int, TokenVectors]) -> None:
        lengths = {segment: text.whole for segment, text in tokens.items() if text.cut}
        note_cut(self.name, self.encoder.identity.name, self.encoder.facts.limit, what, lengths)

    @cached_property
    def _baseline(self) -> tuple[float, float, float]:
        """What texts that have nothing to do with each other score by F, precision and recall at this layer."""
        layer = self.encoder.facts.layer
        for number, line in enumerate(files.lines(self.baseline, files.read_bytes(self.baseline)[0]), 1):
            cells = line.replace("\t", ",").split(",")
            if number == 1 or cells[0].strip() != str(layer):
                continue
            try:
                precision, recall, f_score = (float(cell) for cell in cells[1:4])
            except ValueError:
                raise DataError(
                    f"{self.baseline}, line {number}: expected LAYER,P,R,F, got {line!r}"
                ) from None
            return f_score, precision, recall
        raise DataError(
            f"{self.baseline} has no line for layer {layer}; a baseline file has the header LAYER,P,R,F and a line a "
            "layer, as those of bert_score have"
        )
