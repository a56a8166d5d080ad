"""Results to documents, one file a form. A renderer knows results, not metrics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from assay.registry import Registry
from assay.results import Run

__all__ = ["Renderer", "renderer"]


@dataclass(frozen=True)
class Renderer(ABC):
    """Writes a run as text."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()

    segments: bool = False
    sacrebleu: bool = False

    @abstractmethod
    def render(self, run: Run) -> str:
        """The whole document, ending in a line feed."""


renderer: Registry[Renderer] = Registry("format", __name__)
