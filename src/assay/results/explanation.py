"""What a difference of metric scores means: the probability that people would find it significant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.results.calibration import Population
from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import Result, settings_line
from assay.types import FrozenDict

__all__ = ["Equivalent", "Explanation"]


@dataclass(frozen=True, slots=True)
class Equivalent:
    """The differences of another metric that mean the same, in the same calibration.

    Probabilities are known at observed differences only, and rise in steps: two differences mean the same if their
    steps overlap.
    """

    metric: str
    aggregation: str
    difference: float
    """The smallest of them."""
    up_to: float
    """Where the next step begins; the largest observed difference if there is none, NaN for cut-offs of a paper."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metric": self.metric,
            "aggregation": self.aggregation,
            "difference": none_if_nan(self.difference),
            "up_to": none_if_nan(self.up_to),
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
    statement: str
    """The answer in words."""
    basis: str
    """What it rests on, in words; empty without a calibration."""
    cautions: tuple[str, ...] = ()
    """Why the answer may not be trusted, one sentence each."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The question, and the settings of the calibration."""

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __repr__(self) -> str:
        return f"Explanation({' '.join(self.sentences)})"

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer, what it rests on, and why it may not be trusted."""
        return (self.statement, *([self.basis] if self.basis else []), *self.cautions)

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

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
            "settings": dict(self.settings),
            "sentences": list(self.sentences),
            "cautions": list(self.cautions),
            "equivalents": [each.to_dict() for each in self.equivalents],
        }
