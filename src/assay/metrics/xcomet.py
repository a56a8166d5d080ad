"""xCOMET (Guerreiro et al. 2024): a trained model scores an output and marks its errors with their severities."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, get_args

from assay.learned.model import LearnedModel, needed_texts
from assay.learned.xcomet import Predicted, XcometModel, open_xcomet
from assay.metrics import metric
from assay.metrics.learned_metric import Encoded, LearnedMetric
from assay.options.checks import check_choice
from assay.types import ErrorSpan, FloatArray, Ratings, TestSet, predicted_ratings
from assay.types.runtime import Runtime

__all__ = ["Xcomet"]

Inputs = Literal["all", "src", "ref"]
_PROTOCOL = "MQM"  # whose severities the model learned


class _Marked(NamedTuple):
    """What a model said of a test set."""

    testset: TestSet
    digests: Mapping[str, str]
    predicted: Predicted


@metric("xcomet")
@dataclass(frozen=True)
class Xcomet(LearnedMetric):
    """xCOMET of a checkpoint of unbabel-comet, reported as the segment mean; 0 to 1. It marks errors, too.

    Options: model, the folder of a checkpoint, or its name in the resource folder; inputs, what the output is read
    together with (all: source and reference; src: without references; ref: without sources); precision of the encoder
    (fp32, bf16, fp16); references, how to combine several references (best or mean); window, the most tokens that are
    read at once: longer segments are scored in parts (0: they are truncated).
    """

    labels = ("xCOMET",)
    model_hint: ClassVar[str] = "the folder of a checkpoint such as Unbabel/XCOMET-XL"
    model_to_fetch: ClassVar[str] = "XCOMET-XL"

    inputs: Inputs = "all"
    _last_marked: list[_Marked] = field(default_factory=list, init=False, repr=False, compare=False)
    """At most one: scores and errors need the same."""

    def __post_init__(self) -> None:
        check_choice("inputs", self.inputs, get_args(Inputs))
        super().__post_init__()

    @property
    def default_needs(self) -> frozenset[str]:  # type: ignore[override]  # it depends on an option
        return needed_texts(self.inputs)

    def open_model(self) -> XcometModel:
        return open_xcomet(self.model_source, precision=self.precision, inputs=self.inputs)

    def _scores(self, model: LearnedModel, encoded: Encoded, runtime: Runtime) -> FloatArray:
        return self._predict(encoded, runtime).scores

    def _predict(self, encoded: Encoded, runtime: Runtime) -> Predicted:
        last = self._last_marked[0] if self._last_marked else None
        if last is None or last.testset is not encoded.testset or last.digests != encoded.digests:
            predicted = self.open_model().predict(encoded.inputs, runtime)
            last = _Marked(encoded.testset, encoded.digests, predicted)
            self._last_marked[:] = [last]
        return last.predicted

    @property
    def marks_errors(self) -> bool:
        return True

    def predicted_spans(self, testset: TestSet, runtime: Runtime) -> Ratings:
        """The errors in each output; with several references, those that the best score rests on."""
        encoded = self._encode(testset, self._open_prepared())
        found: dict[tuple[int, int], tuple[float, tuple[ErrorSpan, ...]]] = {}
        if encoded.windows.texts:
            predicted = self._predict(encoded, runtime)
            scores = encoded.windows.mean(predicted.scores).tolist()
            errors = self._errors(encoded, predicted)
            _, systems, segments = (axis.tolist() for axis in encoded.indices)
            for cell, score, marked in zip(zip(systems, segments, strict=True), scores, errors, strict=True):
                if cell not in found or score > found[cell][0]:
                    found[cell] = score, marked
        self._last_encoded.clear()
        return predicted_ratings(
            self.name, _PROTOCOL, testset.systems, {cell: marked for cell, (_, marked) in found.items()}
        )

    def _errors(self, encoded: Encoded, predicted: Predicted) -> list[tuple[ErrorSpan, ...]]:
        """The errors in each segment, at their places in the whole output."""
        windows, model = encoded.windows, self.open_model()
        errors: list[tuple[ErrorSpan, ...]] = [()] * len(windows.counts)
        for owner, text, first, spans in zip(
            windows.owners.tolist(), windows.texts, windows.starts, predicted.errors, strict=True
        ):
            errors[owner] += tuple(_moved(error, first) for error in model.locate(text.output, spans))
        return errors


def _moved(error: ErrorSpan, by: int) -> ErrorSpan:
    """The error in a text that starts so many characters later."""
    start, end = (None if place is None else place + by for place in (error.start, error.end))
    return dataclasses.replace(error, start=start, end=end)
