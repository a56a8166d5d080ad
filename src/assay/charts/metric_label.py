"""Metrics as the literature writes them, and aggregations in words."""

from __future__ import annotations

__all__ = ["AGGREGATIONS", "difference_label", "metric_label", "score_label"]

AGGREGATIONS = {"corpus": "corpus", "segment": "segment mean", "bootstrap": "bootstrap mean"}
"""What the aggregations are called in charts."""

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
    """A metric as the literature writes it, with its options: `bleu:tok=intl` is BLEU:tok=intl."""
    name, colon, options = spec.partition(":")
    return f"{_LABELS.get(name, name)}{colon}{options}"


def score_label(metric: str, aggregation: str) -> str:
    """BLEU corpus; BLEU segment mean."""
    return f"{metric_label(metric)} {AGGREGATIONS.get(aggregation, aggregation)}"


def difference_label(metric: str, aggregation: str) -> str:
    """The title of an axis."""
    return f"difference in {metric_label(metric)}, {AGGREGATIONS.get(aggregation, aggregation)}"
