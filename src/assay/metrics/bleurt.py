"""BLEURT (Sellam et al. 2020) and BLEURT-20 (Pu et al. 2021): a trained model reads reference and output together."""

from __future__ import annotations

from collections.abc import Mapping
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
    fp16); references, how to combine several references (best or mean); window, the most tokens that are read at once:
    longer segments are scored in parts (0: they are truncated).
    """

    labels = ("BLEURT",)
    default_needs: ClassVar[frozenset[str]] = frozenset({"reference"})
    model_hint: ClassVar[str] = (
        "e.g. the files of lucadiliello/BLEURT-20 on the Hugging Face hub, or those that bleurt-pytorch converts"
    )
    model_to_fetch: ClassVar[str] = "BLEURT-20"

    measured_deviations: ClassVar[Mapping[str, str]] = {
        "fp16": "segment scores by up to 0.0025",
        "bf16": "segment scores by up to 0.02",
    }

    def open_model(self) -> LearnedModel:
        return open_bleurt(self.model_source, precision=self.precision)
