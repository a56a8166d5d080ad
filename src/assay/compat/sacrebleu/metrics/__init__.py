"""sacreBLEU's metrics."""

from __future__ import annotations

from assay.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from assay.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from assay.compat.sacrebleu.metrics.ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
