"""COMET (Rei et al. 2020, 2022): a trained model compares vectors of the output, the source and the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.learned import LearnedModel, open_comet
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric

__all__ = ["Comet"]


@metric("comet")
@dataclass(frozen=True)
class Comet(LearnedMetric):
    """COMET of a checkpoint of unbabel-comet, reported as the segment mean; often between 0 and 1.

    Options: model, the folder of a checkpoint, or its name in the resource folder; precision of the encoder (fp32,
    bf16, fp16); references, which of several counts (best, or the mean of their scores). A checkpoint for quality
    estimation, such as wmt20-comet-qe-da, needs no reference.
    """

    advice_on_models: ClassVar[str] = (
        "the folder of a checkpoint such as Unbabel/wmt22-comet-da, which you download from the Hugging Face hub"
    )

    def opened(self) -> LearnedModel:
        return open_comet(self.model, precision=self.precision)
