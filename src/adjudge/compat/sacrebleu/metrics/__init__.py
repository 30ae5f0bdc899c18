"""sacreBLEU's metric classes, computed by adjudge's metrics."""

from typing import Any

from adjudge.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from adjudge.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from adjudge.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS: dict[str, Any] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
