"""COMET (Rei et al. 2020, 2022): a trained model compares vectors of the output, the source and the reference."""

from __future__ import annotations

from collections.abc import Mapping
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
    bf16, fp16); references, how to combine several references (best or mean); window, the most tokens that are read at
    once: longer segments are scored in parts (0: they are truncated). A checkpoint for quality estimation, such as
    wmt20-comet-qe-da, needs no reference.
    """

    labels = ("COMET",)
    model_hint: ClassVar[str] = "the folder of a checkpoint such as Unbabel/wmt22-comet-da"
    model_to_fetch: ClassVar[str] = "wmt22-comet-da"

    measured_deviations: ClassVar[Mapping[str, str]] = {
        "fp16": "segment scores by up to 0.0022, system scores by up to 0.0004",
        "bf16": "segment scores by up to 0.02, system scores by up to 0.004",
    }

    def open_model(self) -> LearnedModel:
        return open_comet(self.model_source, precision=self.precision)
