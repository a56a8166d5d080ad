"""UniTE (Wan et al. 2022) and CometKiwi (Rei et al. 2022): a trained model reads an output joined with other texts."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, Self, get_args

from assay.errors import ConfigError
from assay.learned import open_unite
from assay.learned.comet import UniteModel
from assay.learned.model import Inputs, needed_texts
from assay.metrics import metric
from assay.metrics.learned_metric import LearnedMetric
from assay.options.checks import check_choice
from assay.types import TestSet

__all__ = ["Cometkiwi", "Unite"]


@metric("unite")
@dataclass(frozen=True)
class Unite(LearnedMetric):
    """UniTE or CometKiwi of a checkpoint of unbabel-comet, reported as the segment mean; often between 0 and 1.

    Options: model, the folder of a checkpoint, or its name in the resource folder; inputs, what the output is read
    together with (src, ref, src+ref; all: the mean over all that the model was trained for); precision of the encoder
    (fp32, bf16, fp16); references, how to combine several references (best or mean); window, the most tokens that are
    read at once: longer segments are scored in parts (0: they are truncated).
    """

    labels = ("UniTE",)
    model_hint: ClassVar[str] = "the folder of a checkpoint such as Unbabel/wmt22-cometkiwi-da"
    model_to_fetch: ClassVar[str] = "wmt22-cometkiwi-da"

    inputs: Inputs = "all"

    def __post_init__(self) -> None:
        check_choice("inputs", self.inputs, get_args(Inputs))
        super().__post_init__()

    @property
    def default_needs(self) -> frozenset[str]:  # type: ignore[override]  # it depends on an option
        return needed_texts(self.inputs)

    def prepare(self, testset: TestSet) -> Self:
        """With the inputs that the model was trained for."""
        return dataclasses.replace(super().prepare(testset), inputs=self.open_model().inputs)

    def open_model(self) -> UniteModel:
        return open_unite(self.model_source, precision=self.precision, inputs=self.inputs)


@metric("cometkiwi")
@dataclass(frozen=True)
class Cometkiwi(Unite):
    """CometKiwi of a checkpoint of unbabel-comet, without references, reported as the segment mean.

    Options: model, the folder of a checkpoint, or its name in the resource folder; inputs, which are always src;
    precision of the encoder (fp32, bf16, fp16); references, which has no effect; window, the most tokens that are read
    at once: longer segments are scored in parts (0: they are truncated).
    """

    labels = ("CometKiwi",)
    inputs: Inputs = "src"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.inputs != "src":
            hint = "leave out inputs; models that read references belong to unite"
            raise ConfigError(f"cometkiwi reads no references: inputs={self.inputs}", hint=hint)

    def prepare(self, testset: TestSet) -> Self:
        """A model that reads references belongs to unite, which can do without them, too."""
        model = self.open_model()
        if model.reads_references:
            hint = f"use unite:model={self.model},inputs=src"
            message = f"the model {model.name} is not a CometKiwi model: it was trained with references"
            raise ConfigError(message, hint=hint)
        return super().prepare(testset)
