"""What a difference of metric scores means: the probability that people would find it significant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.results.calibration import Population
from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import Result

__all__ = ["Equivalent", "Explanation"]


@dataclass(frozen=True, slots=True)
class Equivalent:
    """The difference of another metric with the same probability, in the same calibration; NaN: none has it."""

    metric: str
    aggregation: str
    difference: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metric": self.metric,
            "aggregation": self.aggregation,
            "difference": none_if_nan(self.difference),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Explanation(Result):
    """The answer of one calibration for one difference."""

    metric: str
    aggregation: str
    difference: float
    probability: Estimate
    """NaN, with the reason, if there is no calibration. Published cut-offs give bounds and no value."""
    agrees: Estimate
    """The probability that people prefer the same system, by however little."""
    population: Population | None
    source: str
    """Where the calibration comes from."""
    orientation: str
    equivalents: tuple[Equivalent, ...]
    sentences: tuple[str, ...]
    """The answer in words."""
    settings: str = ""
    """The signature of the calibration."""

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "aggregation": str,
        "difference": float,
        "probability": float,
        "low": float,
        "high": float,
        "agrees": float,
        "protocol": str,
        "group": str,
        "domain": str,
        "pairs": int,
        "source": str,
        "orientation": str,
        "reason": str,
    }

    def __repr__(self) -> str:
        return f"Explanation({' '.join(self.sentences)})"

    @property
    def signature(self) -> str:
        """The signature of the calibration."""
        return self.settings

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row."""
        population = {} if self.population is None else self.population.to_dict()
        yield self._row(
            {
                "metric": self.metric,
                "aggregation": self.aggregation,
                "difference": none_if_nan(self.difference),
                "probability": none_if_nan(self.probability.value),
                "low": none_if_nan(self.probability.low),
                "high": none_if_nan(self.probability.high),
                "agrees": none_if_nan(self.agrees.value),
                **population,
                "source": self.source,
                "orientation": self.orientation,
                "reason": self.probability.reason,
            }
        )

    def tree(self) -> dict[str, Any]:
        """The row, the population, the answer in words, and the same probability in other metrics."""
        return {
            **next(self.rows()),
            "population": None if self.population is None else self.population.to_dict(),
            "sentences": list(self.sentences),
            "equivalents": [each.to_dict() for each in self.equivalents],
        }
