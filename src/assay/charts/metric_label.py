"""Metrics as the literature writes them, and aggregations in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

__all__ = ["AGGREGATIONS", "difference_label", "distinct_labels", "metric_label", "score_label"]

AGGREGATIONS = {"corpus": "corpus", "segment": "segment mean", "bootstrap": "bootstrap mean"}
"""What the aggregations are called in charts."""

_AGGREGATED = ("m-", "x-")
"""Prefixes of means of segment scores and of bootstrap replicates (Cavalin et al. 2024)."""
_LABELS = {
    "act": "ACT",
    "bertscore": "BERTScore",
    "bleu": "BLEU",
    "cder": "CDER",
    "cer": "CER",
    "chrf": "chrF",
    "chrf++": "chrF++",
    "depref": "DEPREF",
    "ebleu": "eBLEU",
    "hjerson": "Hjerson",
    "hlepor": "hLEPOR",
    "hwcm": "HWCM",
    "lepor": "LEPOR",
    "nist": "NIST",
    "nlepor": "nLEPOR",
    "per": "PER",
    "sempos": "SEMPOS",
    "sentbleu": "sentBLEU",
    "simpbleu": "SIMPBLEU",
    "spbleu": "spBLEU",
    "ter": "TER",
    "wer": "WER",
    "yisi": "YiSi",
}


def metric_label(spec: str) -> str:
    """A metric as the literature writes it: bleu:tok=intl is BLEU:tok=intl, bleu-refA BLEU-refA, m-bleu m-BLEU."""
    prefix = spec[:2] if spec[:2] in _AGGREGATED else ""
    name = re.split("[:-]", spec.removeprefix(prefix), maxsplit=1)[0]
    return f"{prefix}{_LABELS.get(name, name)}{spec.removeprefix(prefix + name)}"


def distinct_labels(specs: Iterable[str]) -> dict[str, str]:
    """The labels of several metrics; those of metrics that would have the same one stay as they are."""
    labels = {spec: metric_label(spec) for spec in specs}
    shared = {label for label, count in Counter(labels.values()).items() if count > 1}
    return {spec: spec if label in shared else label for spec, label in labels.items()}


def score_label(metric: str, aggregation: str) -> str:
    """BLEU, which is the corpus score; BLEU segment mean."""
    label = metric_label(metric)
    return label if aggregation == "corpus" else f"{label} {AGGREGATIONS.get(aggregation, aggregation)}"


def difference_label(metric: str, aggregation: str) -> str:
    """The title of an axis."""
    return f"difference in {metric_label(metric)}, {AGGREGATIONS.get(aggregation, aggregation)}"
