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
        return metric.signature_text(metric.headline, sacrebleu=self.sacrebleu)

    def signatures(self, metric: MetricScores) -> list[str]:
        """That signature, and for every aggregation that uses another form of the metric the options that differ."""
        usual = metric.signature.parameters
        forms = {name: scores.signature.parameters for name, scores in metric.aggregations.items()}
        differing = {name: [f"{k}:{v}" for k, v in form if (k, v) not in usual] for name, form in forms.items()}
        return [self.signature(metric), *(f"{name}: {'|'.join(items)}" for name, items in differing.items() if items)]


renderer: Registry[Renderer] = Registry("format", __name__)
