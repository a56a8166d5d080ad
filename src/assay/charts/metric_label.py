"""Metrics as the literature writes them, and aggregations in words."""

from __future__ import annotations

import re

__all__ = ["AGGREGATIONS", "difference_label", "metric_label", "score_label"]

AGGREGATIONS = {"corpus": "corpus", "segment": "segment mean", "bootstrap": "bootstrap mean"}
"""What the aggregations are called in charts."""

_AGGREGATED = ("m-", "x-")
"""Prefixes of means of segment scores and of bootstrap replicates (Cavalin et al. 2024)."""
_LABELS = {
    "bleu": "BLEU",
    "cder": "CDER",
    "cer": "CER",
    "chrf": "chrF",
    "chrf++": "chrF++",
    "nist": "NIST",
    "per": "PER",
    "sentbleu": "sentBLEU",
    "simpbleu": "SIMPBLEU",
    "spbleu": "spBLEU",
    "ter": "TER",
    "wer": "WER",
}


def metric_label(spec: str) -> str:
    """A metric as the literature writes it: bleu:tok=intl is BLEU:tok=intl, bleu-refA BLEU-refA, m-bleu m-BLEU."""
    prefix = spec[:2] if spec[:2] in _AGGREGATED else ""
    name = re.split("[:-]", spec.removeprefix(prefix), maxsplit=1)[0]
    return f"{prefix}{_LABELS.get(name, name)}{spec.removeprefix(prefix + name)}"


def score_label(metric: str, aggregation: str) -> str:
    """BLEU corpus; BLEU segment mean."""
    return f"{metric_label(metric)} {AGGREGATIONS.get(aggregation, aggregation)}"


def difference_label(metric: str, aggregation: str) -> str:
    """The title of an axis."""
    return f"difference in {metric_label(metric)}, {AGGREGATIONS.get(aggregation, aggregation)}"
