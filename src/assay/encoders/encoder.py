"""What every encoder does: split texts into tokens, and compute the states of a layer for a batch of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.neural import Ids, Result
from assay.types.runtime import Runtime

__all__ = ["Encoder", "Tokens"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text, with the special tokens of its start and end that the encoder adds."""

    ids: Ids
    forms: tuple[str, ...]
    words: tuple[int | None, ...]
    """For each token, the index of its word in the text; None for special tokens."""
    is_truncated: bool = False
    """Whether the text is longer than the encoder allows, so that its end is missing."""


class Encoder(ABC):
    """A model that gives each token of a text a vector."""

    @property
    @abstractmethod
    def layers(self) -> int:
        """The number of layers. Layer 0 is the input of the first one."""

    @property
    @abstractmethod
    def max_tokens(self) -> int | None:
        """The most tokens of a text, special ones included; None: any number."""

    @property
    @abstractmethod
    def special_tokens(self) -> frozenset[str]:
        """The tokens that the encoder adds at start and end."""

    @property
    @abstractmethod
    def unknown_token(self) -> str | None:
        """What stands for characters that the encoder does not know."""

    @abstractmethod
    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts."""

    def open(self, device: str) -> Any:
        """Load the weights to a device, and return what `states` needs; nothing, if the encoder has them already."""
        return None

    @abstractmethod
    def states(self, model: Any, batch: Sequence[Ids], layer: int, runtime: Runtime) -> list[Result]:
        """For each text of a batch, given as ids, the states of a layer (token, dimension)."""

    def device(self, name: str) -> str:
        """The device to run on for a name such as `auto`; by default the CPU, whatever the name is."""
        return "cpu"
