"""What every network does: token ids to one array for each input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from assay.neural.libraries import find_device
from assay.runtime import Runtime

__all__ = ["PRECISIONS", "Ids", "Network", "Precision", "Result"]

Precision = Literal["fp32", "bf16", "fp16"]
PRECISIONS: tuple[str, ...] = get_args(Precision)
"""The numbers that a network computes with. Its results are always given as float32."""

Ids: TypeAlias = tuple[int, ...]
"""The token ids of one input."""
Result: TypeAlias = npt.NDArray[np.float32]
"""What a network computes for one input: a vector, one vector for each token, or a score."""


class Network(ABC):
    """A network with all choices made. Subclass it as a frozen dataclass.

    Its fields are small values such as paths: a network is sent to other processes and opens its weights there, when it
    first computes. A result depends on the ids of its input alone, not on other inputs of the batch, up to rounding.
    """

    task: ClassVar[str] = "Encoding texts"
    """What it does, for progress."""
    version: ClassVar[int] = 1
    """To be raised when a change of the code changes the results: those that were kept are then not used."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """Everything that the results depend on, besides the ids: the digest of the weights, the layer, the precision.

        Results are kept under this name, which is part of a file name.
        """

    def open(self, device: str) -> None:  # noqa: B027  # a network may have nothing to open
        """Load the weights, which `compute` would do otherwise, so that an error is not one of a batch."""

    @abstractmethod
    def compute(self, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        """The result of each input, computed together on `runtime.device`, which `device` returned."""

    def device(self, name: str) -> str:
        """The device that a name such as `auto` stands for; a `ConfigError` if there is none."""
        return find_device(name)
