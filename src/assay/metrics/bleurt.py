"""BLEURT (Sellam et al. 2020) and BLEURT-20 (Pu et al. 2021): a trained model reads reference and output together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.learned import LearnedModel, open_bleurt
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric

__all__ = ["Bleurt"]


@metric("bleurt")
@dataclass(frozen=True)
class Bleurt(LearnedMetric):
    """BLEURT of a model in the format of bleurt-pytorch, reported as the segment mean; often between 0 and 1.

    Options: model, the folder of a model, or its name in the resource folder; precision of the network (fp32, bf16,
    fp16); references, which of several counts (best, or the mean of their scores).
    """

    texts: ClassVar[frozenset[str]] = frozenset({"reference"})
    advice_on_models: ClassVar[str] = (
        "e.g. the files of lucadiliello/BLEURT-20 on the Hugging Face hub, or those that bleurt-pytorch converts"
    )

    def opened(self) -> LearnedModel:
        return open_bleurt(self.model, precision=self.precision)
