"""The states of one layer of an encoder, as a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.encoders.encoder import Encoder
from assay.encoders.formats import find_encoder, open_encoder
from assay.files.resources import check_unchanged
from assay.neural import Ids, Network, Precision, Result
from assay.types.runtime import Runtime

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

    @property
    def weights_key(self) -> LayerStates:
        return replace(self, layer=0)

    def open(self, device: str) -> tuple[Encoder, Any]:
        check_unchanged(find_encoder(self.source), self.digest)
        encoder = open_encoder(self.source, precision=self.precision)
        return encoder, encoder.open(device)

    def compute(self, weights: tuple[Encoder, Any], batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        encoder, model = weights
        return encoder.states(model, batch, self.layer, runtime)

    def device(self, name: str) -> str:
        return open_encoder(self.source, precision=self.precision).device(name)
