"""What every network does: token ids to one array for each input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from assay.neural.libraries import find_device
from assay.types.runtime import Runtime

__all__ = ["HALF_TOLERANCES", "PRECISIONS", "Ids", "Network", "Precision", "Result"]

Precision = Literal["fp32", "bf16", "fp16"]
PRECISIONS: tuple[str, ...] = get_args(Precision)
"""The numbers that a network computes with. Its results are always float32."""
HALF_TOLERANCES: Mapping[str, float] = MappingProxyType({"bf16": 0.05, "fp16": 0.01})
"""Tolerances of scores in half precision. Each metric has its own for fp32."""

Ids: TypeAlias = tuple[int, ...]
"""The token ids of one input."""
Result: TypeAlias = npt.NDArray[np.float32]
"""What a network computes for one input: a vector, one vector for each token, or a score."""


class Network(ABC):
    """A network with all options set. Subclass it as a frozen dataclass.

    Its fields are small values such as paths: a network is sent to other processes, which open its weights themselves.
    A result depends only on the ids of its input, and not on other inputs of the batch, except for rounding.
    """

    task: ClassVar[str] = "encoding texts"
    """What it does, for progress."""
    version: ClassVar[int] = 1
    """Raise it when a change of the code changes the results: results of other versions in the cache are ignored."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """Everything that the results depend on, besides the ids: the digest of the weights, the layer, the precision.

        Results are cached under this name, which is part of a file name.
        """

    @property
    def weights_key(self) -> object:
        """Networks with equal keys have the same weights: one of them is opened for all."""
        return self

    def open(self, device: str) -> Any:
        """Load the weights, and return what `compute` needs: called once, before the first batch.

        Raise if the files are no longer those in `identity`.
        """
        return None

    @abstractmethod
    def compute(self, weights: Any, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        """The result of each input, computed together on `runtime.device`; `weights` is what `open` returned."""

    def device(self, name: str) -> str:
        """The device that a name such as `auto` stands for; a `ConfigError` if there is none."""
        return find_device(name)
