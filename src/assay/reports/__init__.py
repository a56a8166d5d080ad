"""Results to documents, one file a form. A renderer knows results, not metrics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from assay.registry import Registry
from assay.results import MetricScores, Run

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

    def signature(self, metric: MetricScores) -> str:
        """The signature of a metric's headline score, in the form that was asked for."""
        if self.sacrebleu and metric.sacrebleu_signature is not None:
            return metric.sacrebleu_signature
        return str(metric.signature)


renderer: Registry[Renderer] = Registry("format", __name__)
