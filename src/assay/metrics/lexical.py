"""A combination of lexical metrics, learnt from judgements of WMT19 to WMT22."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources

from assay.metrics import metric
from assay.metrics.trained_metric import TrainedMetric
from assay.trained.files import TrainedFile

__all__ = ["Lexical"]

_NAME = "lexical.json"


@metric("lexical")
@dataclass(frozen=True)
class Lexical(TrainedMetric):
    """BLEU, chrF, chrF++, TER, CDER, PER, CER and length, weighted by judgements; no better than chrF++ alone."""

    labels = ("Lexical",)

    @classmethod
    def trained(cls) -> TrainedFile:
        return _bundled()


@functools.cache
def _bundled() -> TrainedFile:
    text = (resources.files("assay.trained") / "bundled" / _NAME).read_text(encoding="utf-8")
    return TrainedFile.of(json.loads(text), _NAME)
