"""The comparison of systems: differences with intervals, p-values and outcomes, and clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from assay.errors import UnknownNameError, nearest
from assay.results.comparison import Comparison
from assay.results.contrasts import Contrast, Examples, PairContrast
from assay.results.estimate import Estimate, none_if_nan
from assay.results.explanation import Explanation
from assay.results.outcome import Outcome
from assay.results.p_values import are_bounds
from assay.results.result import Result, settings_line, texts_of
from assay.types import FloatArray, FrozenDict, TestSet, TestSetRecord

__all__ = ["ComparedMetric", "ComparedPair", "MetGate", "Power", "SystemComparison"]

_C = TypeVar("_C", bound=PairContrast)


@dataclass(frozen=True, slots=True)
class Power:
    """What a test set like this one can show of two systems like these, whatever their difference was found to be.

    A test set shows a difference if its test rejects at the level alpha. Undefined values are NaN or None, and `reason`
    says why.
    """

    detectable: float
    """The smallest true difference that it shows with a probability of 80 %."""
    at_delta: float = math.nan
    """The probability that it shows the difference that the user named."""
    needed: int | None = None
    """How many segments or documents show the difference that the user named with a probability of 80 %."""
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        return {
            "detectable": none_if_nan(self.detectable),
            "power_at_delta": none_if_nan(self.at_delta),
            "needed": self.needed,
            "power_reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class ComparedPair(Comparison):
    """Two systems under one metric and aggregation."""

    p_corrected: float
    """The p-value, corrected for the number of pairs of this metric and aggregation."""
    wins: int
    """Segments on which the first system scores better."""
    ties: int
    losses: int
    power: Power
    outcome: Outcome
    """What the corrected p-value says at the level alpha."""
    explanation: Explanation | None = None
    """What a calibration says of such a difference; None: not asked."""
    resamples: int | None = None
    """How many resamples the p-value comes from; None if the test draws none."""

    @property
    def is_bound(self) -> bool:
        """Whether no resample was as extreme as the difference: p is as low as it can be, and the true one is lower."""
        if self.resamples is None or self.difference.value == 0:  # sacreBLEU's p of a copy is its smallest
            return False
        return bool(are_bounds(self.p, 1 / (1 + self.resamples)))

    @property
    def shows_difference(self) -> bool:
        """Whether one system is shown to be better."""
        return self.outcome.shows_difference

    @property
    def noticed(self) -> Estimate | None:
        """The probability that people significantly prefer the better-scored system; None: no calibration was asked."""
        return None if self.explanation is None else self.explanation.probability

    def reversed(self) -> ComparedPair:
        """The same with the second system first. Tests of systems are two-sided: p stays."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=self.difference.negated(),
            wins=self.losses,
            losses=self.wins,
            outcome=self.outcome.reversed(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            **Comparison.to_dict(self),  # a slotted dataclass has no `super()` without arguments
            "p_corrected": none_if_nan(self.p_corrected),
            "resamples": self.resamples,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "outcome": str(self.outcome),
            **self.power.to_dict(),
            **({} if self.explanation is None else _noticed(self.explanation)),
        }


def _noticed(explanation: Explanation) -> dict[str, Any]:
    """Plain values, ready for JSON."""
    noticed, opposite = explanation.probability, explanation.opposite
    return {
        "noticed": none_if_nan(noticed.value),
        "noticed_low": none_if_nan(noticed.low),
        "noticed_high": none_if_nan(noticed.high),
        "noticed_reason": noticed.reason,
        "noticed_opposite": none_if_nan(opposite.value),
        "noticed_opposite_low": none_if_nan(opposite.low),
        "noticed_opposite_high": none_if_nan(opposite.high),
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
    rank_ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The best and the worst rank of each system, without the tails of the bootstrap resamples."""
    _by_systems: Mapping[tuple[str, str], ComparedPair] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("scores", "clusters", "rank_ranges"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))
        object.__setattr__(self, "_by_systems", {(pair.first, pair.second): pair for pair in self.pairs})

    @property
    def name(self) -> str:
        """The metric and, unless it is corpus, the aggregation."""
        return self.metric if self.aggregation == "corpus" else f"{self.metric} {self.aggregation} mean"

    def pair(self, first: str, second: str) -> ComparedPair:
        """The comparison of two systems, in this order, whichever of them was compared with the other."""
        if (first, second) in self._by_systems:
            return self._by_systems[first, second]
        if (second, first) in self._by_systems:
            return self._by_systems[second, first].reversed()
        known = [f"{pair.first} with {pair.second}" for pair in self.pairs]
        raise UnknownNameError(f"{first} was not compared with {second}", hint=nearest(f"{first} with {second}", known))

    def in_favour(self, pair: ComparedPair) -> Estimate:
        """How much better the first system of a pair is, also where lower scores are better."""
        return pair.difference if self.higher_is_better else pair.difference.negated()

    def p_best(self, system: str) -> float:
        """The share of resamples in which a system ranks first; NaN if ranks were not resampled."""
        return math.nan if self.rank_shares is None else float(self.rank_shares[list(self.scores).index(system), 0])

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
            "rank_ranges": {name: list(ranks) for name, ranks in self.rank_ranges.items()},
        }


@dataclass(frozen=True, slots=True)
class MetGate:
    """A condition (`fail_if`) that is true, or undefined, for one system."""

    condition: str
    system: str | None
    """None where the condition itself names the systems."""
    values: Mapping[str, float]
    """The values in the condition by the name written there."""
    bounds: tuple[str, ...] = ()
    """The names of p-values that are only upper bounds."""

    @property
    def undefined(self) -> tuple[str, ...]:
        """The names whose value is undefined. An undefined value fails the gate."""
        return tuple(name for name, value in self.values.items() if math.isnan(value))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: None for NaN."""
        return {
            "condition": self.condition,
            "system": self.system,
            "values": {name: none_if_nan(value) for name, value in self.values.items()},
            "bounds": list(self.bounds),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SystemComparison(Result):
    """Systems compared under every requested metric and aggregation."""

    settings: Mapping[str, str]
    baseline: str | None
    """The system that the others were compared with; None: all pairs."""
    metrics: tuple[ComparedMetric, ...]
    inputs: TestSetRecord | TestSet
    segments: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)
    """Segment scores by metric and system."""
    contrasts: tuple[Contrast, ...] = ()
    """Where the systems of a pair differ, as far as it was asked for."""
    failures: tuple[MetGate, ...] = ()
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
        "resamples": int,
        "test": str,
        "n": int,
        "wins": int,
        "ties": int,
        "losses": int,
        "outcome": str,
        "detectable": float,
        "power_at_delta": float,
        "needed": int,
        "power_reason": str,
        "noticed": float,
        "noticed_low": float,
        "noticed_high": float,
        "noticed_reason": str,
        "noticed_opposite": float,
        "noticed_opposite_low": float,
        "noticed_opposite_high": float,
        "reason": str,
        "signature": str,
    }
    optional_columns: ClassVar[frozenset[str]] = frozenset(name for name in columns if name.startswith("noticed"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenDict(self.settings))

    def __repr__(self) -> str:
        scores = ", ".join(metric.name for metric in self.metrics)
        return f"SystemComparison({len(self.metrics[0].pairs)} pairs of {len(self.inputs.systems)} systems by {scores})"

    @property
    def signature(self) -> str:
        """The settings, ready to be printed."""
        return settings_line(self.settings)

    @property
    def testset(self) -> TestSet:
        """The texts. A comparison saved without them has none."""
        return texts_of(self.inputs)

    @property
    def correction(self) -> str:
        """How p-values were corrected for the number of pairs; none if no metric has more than one p-value."""
        corrects = any(sum(not math.isnan(pair.p) for pair in metric.pairs) > 1 for metric in self.metrics)
        return self.settings.get("correction", "none") if corrects else "none"

    @property
    def pairs(self) -> tuple[ComparedPair, ...]:
        """All pairs of all metrics and aggregations."""
        return tuple(pair for metric in self.metrics for pair in metric.pairs)

    def metric(self, spec: str, aggregation: str | None = None) -> ComparedMetric:
        """The pairs under a metric; the aggregation may be left out if there is only one, or is its first."""
        for compared in self.metrics:
            if compared.metric == spec and aggregation in (None, compared.aggregation):
                return compared
        if aggregation is None:
            known, wanted = [compared.metric for compared in self.metrics], spec
        else:
            known = [f"{compared.metric} {compared.aggregation}" for compared in self.metrics]
            wanted = f"{spec} {aggregation}"
        raise UnknownNameError(f"'{wanted}' was not compared", hint=nearest(wanted, known))

    @property
    def examples(self) -> tuple[Examples, ...]:
        """The segments in which the systems of a pair differ most, by pair and metric."""
        return tuple(each for each in self.contrasts if isinstance(each, Examples))

    def contrasts_of(self, kind: type[_C], first: str, second: str) -> tuple[_C, ...]:
        """The contrasts of a kind between two systems, in this order, whichever was compared with the other."""
        found = (each for each in self.contrasts if isinstance(each, kind))
        both = (each for each in found if {each.first, each.second} == {first, second})
        return tuple(each if each.first == first else each.reversed() for each in both)

    def tree(self) -> dict[str, Any]:
        """Settings, metrics, and where the systems differ."""
        return {
            "settings": dict(self.settings),
            "systems": list(self.inputs.systems),
            "baseline": self.baseline,
            "correction": self.correction,
            "metrics": [metric.to_dict() for metric in self.metrics],
            "failures": [each.to_dict() for each in self.failures],
            "contrasts": [{"kind": type(each).__name__, **each.to_dict()} for each in self.contrasts],
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
                        "first_score": none_if_nan(metric.scores[pair.first].value),
                        "second_score": none_if_nan(metric.scores[pair.second].value),
                        "signature": metric.signature,
                    }
                )
