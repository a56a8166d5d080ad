"""MetricX-23 and MetricX-24 (Juraska et al. 2023, 2024): a trained model predicts the MQM errors of an output."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, get_args

from assay.checks import check_choice
from assay.learned import open_metricx
from assay.learned.comet import Inputs
from assay.learned.metricx import MetricxModel, Release
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric
from assay.types import TestSet

__all__ = ["Metricx"]


@metric("metricx")
@dataclass(frozen=True)
class Metricx(LearnedMetric):
    """MetricX of a model of Google's, reported as the segment mean; 0 to 25, lower is better.

    Options: model, the folder of a model, or its name in the resource folder; release of the model (23, 24; auto: as
    its name says); inputs, what the output is read together with (23: ref, or src for a QE model; 24: src+ref, or src
    without references; all: as many as the model reads); precision of the network (fp32, bf16, fp16); references, which
    of several counts (best, or the mean of their scores).
    """

    advice_on_models: ClassVar[str] = (
        "e.g. the files of google/metricx-24-hybrid-xl-v2p6 on the Hugging Face hub, with spiece.model of google/mt5-xl"
    )

    release: Release = "auto"
    inputs: Inputs = "all"

    def __post_init__(self) -> None:
        check_choice("release", self.release, get_args(Release))
        check_choice("inputs", self.inputs, get_args(Inputs))
        super().__post_init__()

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def texts(self) -> frozenset[str]:  # type: ignore[override]  # it depends on an option
        names = {"src": "source", "ref": "reference"}
        return frozenset(name for key, name in names.items() if self.inputs == "all" or key in self.inputs)

    def opened(self) -> MetricxModel:
        return open_metricx(self.model, precision=self.precision, release=self.release, inputs=self.inputs)

    def prepare(self, testset: TestSet) -> Metricx:
        """With the release and the inputs that the model's name stands for."""
        prepared, model = super().prepare(testset), self.opened()
        return dataclasses.replace(prepared, release=model.release, inputs=model.inputs)
