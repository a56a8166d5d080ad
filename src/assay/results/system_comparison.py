"""The comparison of systems: differences with intervals and p-values, clusters, and a verdict in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.comparison import Comparison
from assay.results.contrasts import Examples, GroupDifferences, NgramDifferences, WordGroups
from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import Result, settings_line
from assay.types import FloatArray, FrozenDict, TestSet, TestSetRecord

__all__ = ["ComparedMetric", "ComparedPair", "SystemComparison"]


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two systems under one metric and aggregation."""

    comparison: Comparison
    p_corrected: float
    """The p-value, corrected for the number of pairs of this metric and aggregation."""
    wins: int
    """Segments on which the first system scores better."""
    ties: int
    losses: int
    detectable: float
    """The smallest difference that a test set like this one shows with 80 % power at the level alpha."""
    needed: int | None = None
    """Units needed to show the difference that the user named, with 80 % power."""

    @property
    def first(self) -> str:
        """The system that is compared."""
        return self.comparison.first

    @property
    def second(self) -> str:
        """The system that it is compared with."""
        return self.comparison.second

    @property
    def difference(self) -> Estimate:
        """The score of the first minus that of the second."""
        return self.comparison.difference

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            **self.comparison.to_dict(),
            "p_corrected": none_if_nan(self.p_corrected),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "detectable": none_if_nan(self.detectable),
            "needed": self.needed,
        }


@dataclass(frozen=True, slots=True, eq=False)
class ComparedMetric:
    """All pairs of systems under one metric and aggregation."""

    metric: str
    aggregation: str
    higher_is_better: bool
    signature: str
    scores: Mapping[str, Estimate]
    """The score of each system with its interval."""
    pairs: tuple[ComparedPair, ...]
    clusters: Mapping[str, int] = field(default_factory=dict)
    """Clusters of systems not shown to differ, best first; empty unless all pairs were compared."""
    rank_shares: FloatArray | None = None
    """(system in the order of `scores`, rank): the share of bootstrap resamples with the rank."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", FrozenDict(self.scores))
        object.__setattr__(self, "clusters", FrozenDict(self.clusters))

    def pair(self, first: str, second: str) -> ComparedPair:
        """The comparison of two systems, in this order."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
        known = [f"{pair.first} with {pair.second}" for pair in self.pairs]
        raise UnknownNameError(f"{first} was not compared with {second}", hint=nearest(f"{first} with {second}", known))

    def is_better(self, pair: ComparedPair) -> bool:
        """Whether the first system of the pair scores better, by however little."""
        return pair.difference.value > 0 if self.higher_is_better else pair.difference.value < 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "metric": self.metric,
            "aggregation": self.aggregation,
            "higher_is_better": self.higher_is_better,
            "signature": self.signature,
            "scores": {name: score.to_dict() for name, score in self.scores.items()},
            "pairs": [pair.to_dict() for pair in self.pairs],
            "clusters": dict(self.clusters),
            "rank_shares": None if self.rank_shares is None else self.rank_shares.tolist(),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SystemComparison(Result):
    """Systems compared under every requested metric and aggregation."""

    settings: Mapping[str, str]
    baseline: str | None
    """The system that the others were compared with; None: all pairs."""
    metrics: tuple[ComparedMetric, ...]
    verdict: tuple[str, ...]
    """What the numbers say, one sentence a line."""
    inputs: TestSetRecord | TestSet
    segments: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)
    """Segment scores by metric and system."""
    contrasts: tuple[Examples | GroupDifferences | NgramDifferences | WordGroups, ...] = ()
    """Where the systems of a pair differ, as far as it was asked for."""
    failures: tuple[str, ...] = ()
    """For which systems the condition `fail_if` holds, with the values."""

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "aggregation": str,
        "first": str,
        "second": str,
        "first_score": float,
        "second_score": float,
        "difference": float,
        "low": float,
        "high": float,
        "standard_error": float,
        "p": float,
        "p_corrected": float,
        "test": str,
        "n": int,
        "wins": int,
        "ties": int,
        "losses": int,
        "detectable": float,
        "needed": int,
        "reason": str,
        "signature": str,
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __repr__(self) -> str:
        return f"SystemComparison({'; '.join(self.verdict)})"

    @property
    def signature(self) -> str:
        """The settings, ready to be printed."""
        return settings_line(self.settings)

    @property
    def pairs(self) -> tuple[ComparedPair, ...]:
        """All pairs of all metrics and aggregations."""
        return tuple(pair for metric in self.metrics for pair in metric.pairs)

    def metric(self, spec: str, aggregation: str | None = None) -> ComparedMetric:
        """The pairs under a metric; the aggregation may be left out if there is only one, or is its first."""
        for compared in self.metrics:
            if compared.metric == spec and aggregation in (None, compared.aggregation):
                return compared
        known = [compared.metric for compared in self.metrics]
        raise UnknownNameError(f"'{spec}' was not compared", hint=nearest(spec, known))

    @property
    def examples(self) -> tuple[Examples, ...]:
        """The segments in which the systems of a pair differ most, by pair and metric."""
        return tuple(each for each in self.contrasts if isinstance(each, Examples))

    def tree(self) -> dict[str, Any]:
        """Settings, verdict, metrics, and where the systems differ."""
        return {
            "settings": dict(self.settings),
            "systems": list(self.inputs.systems),
            "baseline": self.baseline,
            "verdict": list(self.verdict),
            "metrics": [metric.to_dict() for metric in self.metrics],
            "failures": list(self.failures),
            "contrasts": [{"kind": type(each).__name__, **each.tree()} for each in self.contrasts],
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per metric, aggregation and pair."""
        for metric in self.metrics:
            for pair in metric.pairs:
                difference = pair.difference.to_dict()
                yield self._row(
                    {
                        **{key: difference[key] for key in ("low", "high", "standard_error", "n", "reason")},
                        **pair.to_dict(),
                        "metric": metric.metric,
                        "aggregation": metric.aggregation,
                        "difference": difference["value"],
                        "first_score": _score(metric, pair.first),
                        "second_score": _score(metric, pair.second),
                        "signature": metric.signature,
                    }
                )


def _score(metric: ComparedMetric, system: str) -> float | None:
    value = metric.scores[system].value
    return None if math.isnan(value) else value
