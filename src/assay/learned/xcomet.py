"""xCOMET (Guerreiro et al. 2024): UniTE that also labels the tokens of the output as errors of three severities.

The formulas and the weights are those of unbabel-comet 2.2.7, which has the latter in its code and not in checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError
from assay.learned.comet import UniteModel
from assay.learned.comet_checkpoint import SEVERITIES, Checkpoint, find_checkpoint
from assay.learned.comet_networks import InputTags
from assay.learned.comet_tokenizer import EncodedText
from assay.learned.model import EncodedSegments, Inputs, as_second
from assay.neural import PRECISIONS, Ids, Precision, Result, compute
from assay.options.checks import check_choice
from assay.types import ErrorSpan, FloatArray
from assay.types.runtime import Runtime

__all__ = ["Predicted", "TokenSpan", "XcometModel", "open_xcomet"]

_WEIGHTS = (0.12, 0.33, 0.33)
"""Of the scores with source, with reference and with both, which are at most 1; of a single input, their sum."""
_WEIGHT_OF_ERRORS = 0.22
_WEIGHTS_OF_LABELS = (np.float32(0.1667), np.float32(0.3333), np.float32(0.5))
"""Of the probabilities of labels with source, with reference and with both."""
_PENALTIES = dict(zip(SEVERITIES, (1, 5, 10), strict=True))
_WORST = 25
_NO_ERROR = 0


class TokenSpan(NamedTuple):
    """An error: the first and the last of its tokens, and the severity of the first one."""

    first: int
    last: int
    severity: str


@dataclass(frozen=True)
class Predicted:
    """What the model says of segments."""

    scores: FloatArray
    errors: Sequence[Sequence[TokenSpan]]


def open_xcomet(source: str | Path, *, precision: Precision = "fp32", inputs: Inputs = "all") -> XcometModel:
    """A model that reads the output with the source, the reference and both, or with one of them."""
    check_choice("precision", precision, PRECISIONS)
    check_choice("inputs", inputs, get_args(Inputs))
    return XcometModel(find_checkpoint(source, "xcomet"), precision, inputs)


class XcometModel(UniteModel):
    """A score and errors: the output is read with the source, with the reference, and with both."""

    def __init__(self, checkpoint: Checkpoint, precision: Precision, inputs: Inputs) -> None:
        if inputs == "src+ref":
            message = f"the model {checkpoint.model.name} cannot read inputs={inputs} alone"
            raise ConfigError(message, hint="it can read all, src, ref")
        super().__init__(checkpoint, precision, inputs)
        self.network = InputTags(checkpoint, precision)

    def _marked(self, ids: Ids, output: EncodedText, first: int) -> Ids:
        """Marks as many tokens as the output has, even if it spells out padding tokens, which are not in the input."""
        count = first if self._checkpoint.family.has_types else len(output.ids)
        return (*ids[:count], *as_second(ids[count:]))

    def score_inputs(self, encoded: EncodedSegments, runtime: Runtime) -> FloatArray:
        return self.predict(encoded, runtime).scores

    def predict(self, encoded: EncodedSegments, runtime: Runtime) -> Predicted:
        """The score and the errors of each segment, given as inputs. Equal inputs are computed once."""
        indices, inverse = np.unique(encoded.input_indices, axis=0, return_inverse=True)
        results = compute(self.network, encoded.inputs, runtime)
        errors = [list(_spans(_labels([results[i] for i in row]))) for row in indices.tolist()]
        scores = _combined(np.array([result[0, 0] for result in results])[indices], errors)
        distinct = inverse.reshape(-1)
        self.check_finite(scores[distinct])
        return Predicted(scores[distinct], [errors[i] for i in distinct.tolist()])

    def locate(self, output: str, errors: Sequence[TokenSpan]) -> tuple[ErrorSpan, ...]:
        """The characters of errors in an output.

        The first token is the special one before the text. An error of it alone has no characters: 0 to 0.
        """
        places = self._tokenizer.places(output) if errors else []
        spans = ((each.severity, places[each.first][0], places[each.last][1]) for each in errors)
        return tuple(ErrorSpan("", severity, start, end, text=output[start:end]) for severity, start, end in spans)


def _combined(scores: npt.NDArray[np.float32], errors: Sequence[Sequence[TokenSpan]]) -> FloatArray:
    """The weighted mean of scores, (segment, input), and of the score that the errors give."""
    weights = _WEIGHTS if scores.shape[1] > 1 else (sum(_WEIGHTS),)
    penalties = np.array([sum(_PENALTIES[each.severity] for each in found) for found in errors])
    by_errors = (_WORST - penalties.clip(max=_WORST)) / _WORST
    combined: FloatArray = np.minimum(scores.astype(np.float64), 1.0) @ weights + _WEIGHT_OF_ERRORS * by_errors
    return combined


def _labels(results: Sequence[Result]) -> list[int]:
    """The most probable label of each token of the output: 0 for no error, then the severities."""
    count = min(map(len, results))
    weights = _WEIGHTS_OF_LABELS if len(results) > 1 else (np.float32(1),)
    probabilities = np.zeros_like(results[0][1:count])
    for weight, each in zip(weights, results, strict=True):
        probabilities += weight * each[1:count]
    labels: list[int] = np.argmax(probabilities, axis=1).tolist()
    return labels


def _spans(labels: Sequence[int]) -> Iterator[TokenSpan]:
    """Runs of tokens with any severity. One that includes the last, special token has no end and does not count."""
    first: int | None = None
    for i, label in enumerate(labels):
        if label != _NO_ERROR and first is None:
            first = i
        elif label == _NO_ERROR and first is not None:
            yield TokenSpan(first, i - 1, SEVERITIES[labels[first] - 1])
            first = None
