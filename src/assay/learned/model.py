"""What every trained model does: turn segments into inputs of its network, and their results into scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.files.resources import Resource, check_unchanged
from assay.neural import Ids, Network, Precision, compute
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = [
    "EncodedSegments",
    "FolderNetwork",
    "Inputs",
    "LearnedModel",
    "Segment",
    "as_second",
    "deduplicate",
    "map_distinct",
    "needed_texts",
    "split_types",
]


Inputs = Literal["all", "src", "ref", "src+ref"]
"""What a model reads together with the output. `all` is everything that it was trained with."""

_T = TypeVar("_T")


def needed_texts(inputs: Inputs) -> frozenset[str]:
    """The texts that are read: "source", "reference" or both."""
    names = {"src": "source", "ref": "reference"}
    return frozenset(name for key, name in names.items() if inputs == "all" or key in inputs.split("+"))


class Segment(NamedTuple):
    """The texts that one score is computed from. None: the model does not need this one."""

    output: str
    source: str | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class EncodedSegments:
    """The distinct inputs of some segments, and which of them each segment needs."""

    inputs: Sequence[Ids]
    input_indices: npt.NDArray[np.int64]
    """(segment, role): indices of inputs."""
    is_truncated: npt.NDArray[np.bool_]
    """(segment, role): whether the texts are longer than the model allows, so that their end is not in the input."""


class LearnedModel(ABC):
    """A trained model. Its results depend on nothing but the texts, its files and its precision."""

    input_name: ClassVar[str] = "input"
    """What an input of its network is called: `text` if each text is one."""
    name: str
    """The name of its folder."""
    path: Path
    """Its folder."""
    max_tokens: int
    """The most tokens of an input, special tokens included."""
    needs: frozenset[str]
    """What it reads besides the output: "source", "reference" or both."""
    digests: Mapping[str, str]
    """The digests of its files, for the signature."""
    network: Network
    """What is computed for each distinct input."""

    @abstractmethod
    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        """The token ids of the inputs of these segments."""

    def score(self, segments: Sequence[Segment], runtime: Runtime) -> FloatArray:
        """The score of each segment."""
        return self.score_inputs(self.encode(segments), runtime) if segments else np.zeros(0)

    def score_inputs(self, encoded: EncodedSegments, runtime: Runtime) -> FloatArray:
        """The score of each segment, given as inputs. Equal inputs are computed once."""
        indices, inverse = np.unique(encoded.input_indices, axis=0, return_inverse=True)
        results = np.stack(compute(self.network, encoded.inputs, runtime))
        scores: FloatArray = self.combine(results, indices, runtime)[inverse.reshape(-1)]
        self.check_finite(scores)
        return scores

    def check_finite(self, scores: FloatArray) -> None:
        """Raise if some scores are not finite."""
        if bad := int(np.count_nonzero(~np.isfinite(scores))):
            raise InputError(
                f"the model returned NaN or infinity for {bad:,} of {len(scores):,} segments",
                path=str(self.path),
                hint="use bf16 or fp32 (fp16 overflows above 65,504); in fp32, the weights are probably damaged",
            )

    def combine(self, results: npt.NDArray[np.float32], indices: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        """The scores of segments from the results of their inputs: the mean, if a result is a score."""
        mean: FloatArray = results[indices, 0].mean(axis=1, dtype=np.float64)
        return mean


@dataclass(frozen=True)
class FolderNetwork(Network):
    """A network whose weights are in one folder."""

    model: Resource
    digest: str
    precision: Precision

    task = "scoring segments"
    kind: ClassVar[str]

    @property
    def identity(self) -> str:
        return f"{self.kind}-{self.digest}-{self.precision}"

    def check(self) -> None:
        """Raise if the files have changed."""
        check_unchanged(self.model, self.digest)


def deduplicate(inputs: Sequence[Ids], is_truncated: Sequence[bool], roles: int) -> EncodedSegments:
    """Inputs of segments, `roles` for each segment, one segment after the other; equal inputs get one index."""
    index: dict[Ids, int] = {}
    indices = np.array([index.setdefault(ids, len(index)) for ids in inputs], dtype=np.int64).reshape(-1, roles)
    return EncodedSegments(list(index), indices, np.array(is_truncated, dtype=np.bool_).reshape(-1, roles))


def map_distinct(function: Callable[[list[str]], Sequence[_T]], texts: Sequence[str]) -> list[_T]:
    """The value of each text; the function gets each distinct text once."""
    distinct = list(dict.fromkeys(texts))
    values = dict(zip(distinct, function(distinct), strict=True))
    return [values[text] for text in texts]


def as_second(ids: Ids) -> Ids:
    """The ids of the second text."""
    return tuple(~id_ for id_ in ids)


def split_types(ids: Any) -> tuple[Any, Any]:
    """A tensor of ids, and one that is 1 for tokens of the second text."""
    is_second = ids < 0
    return ids.where(~is_second, ~ids), is_second.long()
