"""A network without a library, which keeps a record of its batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.neural import Ids, Network, Result
from assay.types.runtime import Runtime


@dataclass(frozen=True)
class MadeUpNetwork(Network):
    """The result is (id, length, position of the input in its batch) for each token, so that it shows its batch."""

    name: str = "made-up"
    memory: int = 10**6
    """Tokens of the largest batch that fits."""
    batches: list[list[int]] = field(default_factory=list, compare=False)
    devices: list[str] = field(default_factory=list, compare=False)

    @property
    def identity(self) -> str:
        return self.name

    def device(self, name: str) -> str:
        return "cpu" if name == "auto" else name

    def compute(self, weights: None, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        if len(batch) * len(batch[0]) > self.memory:
            raise MemoryError
        self.batches.append([len(ids) for ids in batch])
        self.devices.append(runtime.device)
        return [np.array([(token, len(ids), row) for token in ids], dtype=np.float32) for row, ids in enumerate(batch)]
