"""BLEU with sacreBLEU's interface."""

from __future__ import annotations

import math
from collections.abc import KeysView, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.compat.sacrebleu.metrics.base import Metric, References, Score, Signature, Stats, sacrelogger
from adjudge.compat.sacrebleu.metrics.resampled import bleu_scores
from adjudge.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, NamedTokenizer
from adjudge.compat.sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM
from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.bleu import Bleu

MAX_NGRAM_ORDER = 4

_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


def _get_tokenizer(name: str) -> Any:
    """The class of the tokenizer of that name."""
    if name not in _TOKENIZERS:
        raise unknown_name("tokenizer", name, _TOKENIZERS)
    module, _, kind = _TOKENIZERS[name].partition(".")
    return getattr(import_module(f"adjudge.compat.sacrebleu.tokenizers.{module}"), kind)


class BLEUSignature(Signature):
    """BLEU's signature: case, effective order, tokenizer, smoothing."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}
        smooth = args["smooth_method"]
        default = BLEU.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            value = default if args["smooth_value"] is None else args["smooth_value"]
            smooth += f"[{value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smooth,
        }


class BLEUScore(Score):
    """A BLEU score with the counts it came from."""

    def __init__(
        self,
        score: float,
        counts: Stats,
        totals: Stats,
        precisions: Sequence[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        lengths = f"hyp_len = {sys_len:d} ref_len = {ref_len:d}"
        self._verbose = f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} {lengths})"


class BLEU(Metric[BLEUScore]):
    """BLEU; `references`, where given, are prepared once and used by scores that are given None."""

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar[KeysView[str]] = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: References | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.tokenizer: BaseTokenizer = self._choose_tokenizer(tokenize)
        self.tokenizer_signature = self.tokenizer.signature()
        self._metric()  # refuses wrong options now and not at the first score
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _choose_tokenizer(self, name: str | None) -> BaseTokenizer:
        best = self._TOKENIZER_MAP.get(self.trg_lang, self.TOKENIZER_DEFAULT)
        if name is None:
            name = best
        elif self.trg_lang in self._TOKENIZER_MAP and name != best:
            language = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}[self.trg_lang]
            sacrelogger.warning(f"Consider using the '{best}' or 'spm' tokenizer for {language}.")
        tokenizer: BaseTokenizer
        tokenizer = TokenizerSPM(name) if name.startswith("spm:") else _get_tokenizer(name)()
        return tokenizer

    @staticmethod
    def compute_bleu(
        correct: Stats,
        total: Stats,
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from counts of matching n-grams, of all n-grams, and lengths."""
        _check_smoothing(smooth_method)
        k = BLEU.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        if smooth_method == "add-k" and any(correct):
            correct, total = _add_k(correct, total, k)
        precisions = (
            _precisions(correct, total, smooth_method, k) if any(correct) else [0.0] * max_ngram_order
        )
        bp = 1.0
        if sys_len < ref_len:
            bp = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        score = _geometric_mean(precisions, total, bp, effective_order)
        return BLEUScore(score, correct, total, precisions, bp, sys_len, ref_len)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one sentence against its references; `effective_order` should be on."""
        if not self.effective_order:
            sacrelogger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return super().sentence_score(hypothesis, references)

    def _metric(self) -> Bleu:
        # The core does what _preprocess_segment says, unless the tokenizer is one it does not know.
        name, lowercase = "none", False
        if isinstance(self.tokenizer, NamedTokenizer):
            name, lowercase = self.tokenizer.name, self.lowercase
        return _bleu(
            name, lowercase, self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )

    def _for_core(self, segments: Sequence[str | None]) -> Sequence[str | None]:
        if isinstance(self.tokenizer, NamedTokenizer):
            return segments
        return [None if segment is None else self._preprocess_segment(segment) for segment in segments]

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _as_lists(self, rows: NDArray[np.float64]) -> list[list[Any]]:
        lists: list[list[Any]] = rows.astype(np.int64).tolist()
        return lists

    def _resampled(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        return bleu_scores(sums, self._metric() if sums.dtype == np.float32 else self._with_whole_k())

    def _nearly(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._with_whole_k().aggregate(sums)

    def _with_whole_k(self) -> Bleu:
        """The metric as randomisation has it: sacreBLEU adds k to whole numbers in place, which cuts its fraction."""
        metric = self._metric()
        if metric.smooth != "add-k" or metric.smooth_value is None:
            return metric
        return replace(metric, smooth_value=float(int(metric.smooth_value)))

    def _compute_score_from_stats(self, stats: Stats) -> BLEUScore:
        return self.compute_bleu(
            correct=stats[2 : 2 + self.max_ngram_order],
            total=stats[2 + self.max_ngram_order :],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=self.max_ngram_order,
        )


@lru_cache(64)  # scores of single sentences would spend much of their time on making it anew
def _bleu(
    tokenize: str, lowercase: bool, smooth: str, value: float | None, order: int, effective: bool
) -> Bleu:
    _check_smoothing(smooth)
    return Bleu(
        tokenize=tokenize,
        lowercase=bool(lowercase),
        max_order=order,
        smooth=smooth,  # type: ignore[arg-type]
        # sacreBLEU overlooks a value where the method takes none.
        smooth_value=None if BLEU.SMOOTH_DEFAULTS[smooth] is None else value,
        effective_order=bool(effective),
    )


def _check_smoothing(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        raise UsageError(f"smooth_method={method!r}: must be one of {', '.join(BLEU.SMOOTH_DEFAULTS)}")


def _precisions(correct: Stats, total: Stats, smooth: str, k: float | None) -> list[float]:
    """Precisions in percent as `Bleu.precisions` has them: for one row, arrays take much longer than numbers."""
    precisions = [0.0] * len(total)
    halved = 1.0
    for n, count in enumerate(total):
        if count == 0:
            break
        matches = correct[n]
        if matches == 0 and smooth == "exp":
            halved *= 2
            precisions[n] = 100.0 / (halved * count)
        elif matches == 0 and smooth == "floor":
            precisions[n] = 100.0 * (k or 0.0) / count
        else:
            precisions[n] = 100.0 * matches / count
    return precisions


def _geometric_mean(precisions: Sequence[float], totals: Stats, bp: float, effective: bool) -> float:
    orders = len(precisions)
    if effective:
        orders = next((n for n, count in enumerate(totals) if count == 0), orders) or orders
    if not all(precisions[:orders]):
        return 0.0
    # math and not numpy, whose logarithm may differ in the last bit: the score equals sacreBLEU's.
    return bp * math.exp(sum(map(math.log, precisions[:orders])) / orders)


def _add_k(correct: Stats, total: Stats, k: Any) -> tuple[list[Any], list[Any]]:
    """Counts as add-k leaves them in sacreBLEU's result: raised from bigrams up, while there are n-grams."""
    correct, total = list(correct), list(total)
    for n in range(len(total)):
        if n > 0:
            correct[n] += k
            total[n] += k
        if total[n] == 0:
            break
    return correct, total
