"""MetricX-23 and MetricX-24 (Juraska et al. 2023, 2024): a trained model predicts the MQM errors of an output."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, get_args

from assay.learned import open_metricx
from assay.learned.metricx import MetricxModel, Release
from assay.learned.model import Inputs, needed_texts
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric
from assay.options.checks import check_choice
from assay.types import Note, NoteKind, TestSet

__all__ = ["Metricx"]


@metric("metricx")
@dataclass(frozen=True)
class Metricx(LearnedMetric):
    """MetricX with one of Google's models, reported as the segment mean; 0 to 25, lower is better.

    Options: model, the folder of a model, or its name in the resource folder; release of the model (23, 24; auto: as in
    its name); inputs, what the output is read together with (23: ref, or src for a QE model; 24: src+ref, or src
    without references; all: as many as the model reads); precision of the network (fp32, bf16, fp16); references, how
    to combine several references (best or mean); window, the most tokens that are read at once: longer segments are
    scored in parts (0: they are truncated).
    """

    labels = ("MetricX",)
    model_hint: ClassVar[str] = (
        "e.g. the files of google/metricx-24-hybrid-xl-v2p6 on the Hugging Face hub, with spiece.model of google/mt5-xl"
    )
    model_to_fetch: ClassVar[str] = "metricx-24-hybrid-xl-v2p6"

    tolerances: ClassVar[Mapping[str, float]] = {**LearnedMetric.tolerances, "fp16": 0.05, "bf16": 0.5}
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
    def default_needs(self) -> frozenset[str]:  # type: ignore[override]  # it depends on an option
        return needed_texts(self.inputs)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        if not self.open_model().is_trained:
            text = "this looks like a plain mT5, not a MetricX model: its scores would be meaningless"
            yield Note(NoteKind.SUSPECT, text, where=self.name, severity="warning")
        yield from super().advice(testset)

    def open_model(self) -> MetricxModel:
        return open_metricx(self.model_source, precision=self.precision, release=self.release, inputs=self.inputs)

    def prepare(self, testset: TestSet) -> Metricx:
        """With the release and the inputs of the model."""
        prepared, model = super().prepare(testset), self.open_model()
        return dataclasses.replace(prepared, release=model.release, inputs=model.inputs)
