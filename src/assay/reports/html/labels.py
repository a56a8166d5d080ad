"""Names in sentences: metrics as the literature writes them, and lists."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["joined", "metric_label"]

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


def joined(names: Sequence[str]) -> str:
    """A; A and B; A, B and C."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
