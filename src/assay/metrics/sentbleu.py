"""SENTBLEU: sentence-level BLEU as Moses' sentence-bleu computes it (Lin & Och 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.metrics import metric
from assay.metrics.bleu import Bleu

__all__ = ["SentBleu"]


@metric("sentbleu", aliases={"sentbleu-moses": {}})
@dataclass(frozen=True)
class SentBleu(Bleu):
    """Moses' BLEU with 1 added to the matches and n-grams of every order, reported as the segment mean, 0 to 1.

    score = min(1, exp(1 - r/c)) * exp(1/4 * sum over n <= 4 of log((matches_n + 1) / (ngrams_n + 1)))

    Options: those of bleu with flavour=moses. smooth is always add-all; smooth_value is the number added.
    """

    labels = ("sentBLEU",)
    default_aggregation: ClassVar[str] = "segment"

    flavour: str = "moses"
    smooth: str = "add-all"

    def __post_init__(self) -> None:
        if (self.flavour, self.smooth) != ("moses", "add-all"):
            raise ValueError("sentbleu requires flavour=moses and smooth=add-all; use bleu for other settings")
        super().__post_init__()
