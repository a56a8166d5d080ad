"""What every trained model does: turn segments into inputs of its network, and their results into scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.neural import Ids, Network, compute
from assay.resources import Resource, find_resource
from assay.runtime import Runtime
from assay.types import FloatArray

__all__ = ["EncodedSegments", "LearnedModel", "Segment", "find_model", "number_distinct"]


class Segment(NamedTuple):
    """The texts that one score is computed from. None: the model does not need this one."""

    output: str
    source: str | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class EncodedSegments:
    """The distinct inputs of some segments, and which of them each segment needs."""

    inputs: Sequence[Ids]
    rows: npt.NDArray[np.int64]
    """(segment, role): numbers of inputs."""
    is_cut: npt.NDArray[np.bool_]
    """(segment, role): whether the texts are longer than the model allows, so that their end is not in the input."""


class LearnedModel(ABC):
    """A trained model. Its results depend on nothing but the texts, its files and its precision."""

    input_name: ClassVar[str] = "input"
    """What an input of its network is called: `text` if each text is one."""
    name: str
    """The name of its folder."""
    max_tokens: int
    """The most tokens of a text, or of several texts in one input, with the marks that the model adds."""
    needs: frozenset[str]
    """What it reads besides the output: "source", "reference" or both."""
    digests: Mapping[str, str]
    """The digests of its files, for the signature."""

    @property
    @abstractmethod
    def network(self) -> Network:
        """What is computed for each distinct input."""

    @abstractmethod
    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        """The token ids of the inputs of these segments."""

    def score(self, segments: Sequence[Segment], runtime: Runtime) -> FloatArray:
        """The score of each segment."""
        return self.score_inputs(self.encode(segments), runtime) if segments else np.zeros(0)

    def score_inputs(self, encoded: EncodedSegments, runtime: Runtime) -> FloatArray:
        """The score of each segment, given as inputs. Equal inputs are computed once."""
        rows, inverse = np.unique(encoded.rows, axis=0, return_inverse=True)
        results = np.stack(compute(self.network, encoded.inputs, runtime))
        scores: FloatArray = self.combine(results, rows, runtime)[inverse.reshape(-1)]
        if bad := int(np.count_nonzero(~np.isfinite(scores))):
            raise InputError(
                f"the model {self.name} gives no number for {bad:,} of {len(scores):,} segments",
                hint="is the precision too low? fp16 has a small range, use bf16 or fp32; else its weights are damaged",
            )
        return scores

    def combine(self, results: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        """The scores of segments from the results of their inputs: the mean, if a result is a score."""
        mean: FloatArray = results[rows, 0].mean(axis=1, dtype=np.float64)
        return mean


def find_model(source: str | Path, kind: str) -> Resource:
    """The folder of a model, without opening it. `kind` is what it is called in an error."""
    resource = find_resource(source, kind)
    if not resource.path.is_dir():
        folder = resource.path.parent.parent if resource.path.parent.name == "checkpoints" else resource.path.parent
        raise InputError("is not a folder", path=str(resource.path), hint=f"give the folder of the {kind}: {folder}")
    return resource


def number_distinct(inputs: Sequence[Ids], is_cut: Sequence[bool], roles: int) -> EncodedSegments:
    """Inputs of segments, `roles` for each segment, one segment after the other; equal inputs get one number."""
    numbers: dict[Ids, int] = {}
    rows = np.array([numbers.setdefault(ids, len(numbers)) for ids in inputs], dtype=np.int64).reshape(-1, roles)
    return EncodedSegments(list(numbers), rows, np.array(is_cut, dtype=np.bool_).reshape(-1, roles))
