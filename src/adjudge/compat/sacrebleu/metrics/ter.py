"""TER with sacreBLEU's interface."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.compat.sacrebleu.metrics.base import Metric, References, Score, Signature, Stats
from adjudge.compat.sacrebleu.metrics.resampled import ter_scores
from adjudge.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from adjudge.metrics.ter import Ter


class TERSignature(Signature):
    """TER's signature: case, tokenizer, and the three options of that."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """A TER score with the edits and the mean reference length it came from."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """TER; `references`, where given, are prepared once and used by scores that are given None."""

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: References | None = None,
    ) -> None:
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _metric(self) -> Ter:
        return _ter(
            normalized=bool(self.normalized),
            no_punct=bool(self.no_punct),
            asian_support=bool(self.asian_support),
            case_sensitive=bool(self.case_sensitive),
        )

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _as_lists(self, rows: NDArray[np.float64]) -> list[list[Any]]:
        return [[int(edits), float(length)] for edits, length in rows]

    def _resampled(self, sums: NDArray[Any]) -> NDArray[Any]:
        return ter_scores(sums)

    def _scores(self, rows: NDArray[np.float64]) -> list[TERScore]:
        scores = self._metric().aggregate(rows).tolist()
        return [TERScore(score, *stats) for score, stats in zip(scores, self._as_lists(rows), strict=True)]

    def _compute_score_from_stats(self, stats: Stats) -> TERScore:
        score = float(self._metric().aggregate(np.asarray(stats, np.float64)))
        return TERScore(score, stats[0], stats[1])


_ter = lru_cache(16)(Ter)  # scores of single sentences would spend much of their time on making it anew
