"""The states of one layer of an encoder, as a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.encoders.formats import find_encoder, open_encoder
from assay.neural import Ids, Network, Precision, Result
from assay.runtime import Runtime

__all__ = ["LayerStates"]


@dataclass(frozen=True)
class LayerStates(Network):
    """For each text, given as ids, the states (token, dimension) of a layer. The digest is that of the encoder."""

    source: str
    digest: str
    layer: int
    precision: Precision = "fp32"

    @classmethod
    def of(cls, source: str, *, layer: int, precision: Precision = "fp32") -> LayerStates:
        """The states of an encoder by its name in the resource folder, or by the path of its folder."""
        return cls(source, find_encoder(source).digest, layer, precision)

    @property
    def identity(self) -> str:
        return f"{self.digest}-layer{self.layer}-{self.precision}"

    def open(self, device: str) -> None:
        open_encoder(self.source, precision=self.precision)

    def compute(self, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        return open_encoder(self.source, precision=self.precision).states(batch, self.layer, runtime)

    def device(self, name: str) -> str:
        return open_encoder(self.source, precision=self.precision).device(name)
