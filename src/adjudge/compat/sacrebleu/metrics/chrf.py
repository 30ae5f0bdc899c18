"""CHRF with sacreBLEU's interface: chrF, and chrF++ where the word order is 2."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.compat.sacrebleu.metrics.base import Metric, References, Score, Signature, Stats
from adjudge.compat.sacrebleu.metrics.resampled import chrf_scores
from adjudge.metrics.chrf import Chrf


class CHRFSignature(Signature):
    """Signature of chrF: case, effective order, orders, whitespace."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """A chrF score; its name has one + for each word order."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order


class CHRF(Metric[CHRFScore]):
    """CHRF; `references`, where given, are prepared once and used by scores that are given None."""

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: References | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._metric()  # refuses wrong options now and not at the first score
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _metric(self) -> Chrf:
        return _chrf(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=float(self.beta),
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps_smoothing=bool(self.eps_smoothing),
        )

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _compute_f_score(self, statistics: Stats) -> float:
        """The F-score of one row, in percent."""
        return self._metric().score_of_row(list(statistics))

    def _as_lists(self, rows: NDArray[np.float64]) -> list[list[Any]]:
        lists: list[list[Any]] = rows.astype(np.int64).tolist()
        return lists

    def _resampled(self, sums: NDArray[Any]) -> NDArray[Any]:
        return chrf_scores(sums, self._metric())

    def _scores(self, rows: NDArray[np.float64]) -> list[CHRFScore]:
        scores = self._metric().aggregate(rows).tolist()
        return [CHRFScore(score, self.char_order, self.word_order, self.beta) for score in scores]

    def _compute_score_from_stats(self, stats: Stats) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)


_chrf = lru_cache(64)(Chrf)  # scores of single sentences would spend much of their time on making it anew
