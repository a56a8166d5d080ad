"""Calibration: from a difference of metric scores to the probability that people see it, too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from assay.errors import UnknownNameError
from assay.lazily import numpy as np
from assay.results.columns import ResultColumn, Unit, estimate_columns
from assay.results.estimate import Estimate
from assay.results.judged_pairs import JudgedPairs
from assay.results.result import Listed, Result, data_and_pairs
from assay.types import FloatArray, IntArray
from assay.types.language_codes import languages_of
from assay.types.record import OMITTED, Record, entries, in_tree

__all__ = [
    "AGREES",
    "ALL",
    "ENOUGH_PAIRS",
    "FEW_PAIRS",
    "KIND_WORDS",
    "LEVELS",
    "SIGNIFICANT",
    "Calibration",
    "CalibrationCurve",
    "FittedPopulation",
    "LeftOutFold",
    "Population",
    "ReliabilityBin",
    "Step",
    "Validation",
    "bin_number",
    "reached",
]

ALL = "all"
KIND_WORDS = {
    "MT": "two MT systems",
    "LLM": "two LLMs",
    "mixed": "an MT system and an LLM",
    "MT-over-LLM": "an MT system that scores better than an LLM",
    "LLM-over-MT": "an LLM that scores better than an MT system",
}
"""Kinds of pairs of systems."""
SIGNIFICANT = "significant"
"""An outcome: people significantly prefer the system (by-metric: that the metric prefers; else: either system)."""
AGREES = "agrees"
"""An outcome: people prefer the system that the metric prefers, by however little."""

ENOUGH_PAIRS = 10
"""Of fewer pairs of systems of some kinds, nothing is said."""
FEW_PAIRS = 20
"""A probability or cut-off that rests on fewer pairs of systems is marked."""
LEVELS = (0.5, 0.8, 0.95)
"""The probabilities at which cut-offs are given, as in Lo et al. 2023."""
_ROUNDING = 1e-9  # of probabilities: 4 of 5 pairs reach .8
_FITS = ("isotonic", "logistic", "constant", "pooled")
_BINS = 10  # of predictions, from 0 to 1


@dataclass(frozen=True, slots=True)
class Population(Record):
    """Which pairs of systems a probability is of: a calibration says nothing about others."""

    protocol: str
    """How people judged: DA/SQM, MQM, …"""
    group: str = ALL
    """The group of target languages."""
    domain: str = ALL
    campaigns: tuple[str, ...] = ()
    kinds: str = ALL
    """The kinds of the two systems: language models (LLM), or systems that only translate (MT)."""

    @property
    def label(self) -> str:
        """What distinguishes it from other populations of the same calibration."""
        parts = [self.protocol]
        if self.group != ALL:
            parts.append(f"into {self.group}" if self.group not in ("I", "II") else f"target languages {self.group}")
        if self.domain != ALL:
            parts.append(self.domain)
        if self.kinds != ALL:
            parts.append(KIND_WORDS.get(self.kinds, self.kinds))
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPopulation(Population):
    """The pairs of systems that a curve was fitted on."""

    derived: ClassVar[tuple[str, ...]] = ("language_pairs",)

    lps: Mapping[str, tuple[str, ...]]
    """The language pairs of each campaign."""
    pairs: int
    """Pairs of systems."""
    segments: float
    """The median number of judged segments that the two systems of a pair have in common."""
    judgements: float
    """The median number of judged segments of a system."""

    @property
    def language_pairs(self) -> int:
        """The number of language pairs; one of two campaigns counts once, also as `en-is` and `en-is_IS`."""
        return len({languages_of(lp) for lps in self.lps.values() for lp in lps})


@dataclass(frozen=True, slots=True)
class ReliabilityBin(Record):
    """Held-out pairs with similar predictions: their mean prediction and the share in which the outcome occurred."""

    predicted: float
    observed: float
    opposite: float
    """The share in which people significantly prefer the worse-scored system."""
    pairs: int


@dataclass(frozen=True, slots=True)
class LeftOutFold(Record):
    """A campaign or language pair that was predicted from the others: the mean prediction, and what was observed."""

    name: str
    predicted: float
    observed: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Validation(Record):
    """Predictions for campaigns (or language pairs) that the curve was not fitted on, and those of simpler rivals."""

    derived: ClassVar[tuple[str, ...]] = ("best",)

    held_out: str
    """What is left out at a time, campaign or language pair; or the campaign that the whole curve was checked on."""
    brier: Mapping[str, float]
    """The mean squared error of the predictions: of the isotonic fit, a logistic fit and the constant base rate; for a
    group of target languages or a kind of systems also of the isotonic fit to pairs of all languages and kinds
    (`pooled`)."""
    log_loss: Mapping[str, float]
    bins: tuple[ReliabilityBin, ...]
    pairs: int
    folds: tuple[LeftOutFold, ...] = field(default=(), metadata=OMITTED)
    """What was left out in turn, if this is known: files do not have it."""

    @property
    def best(self) -> str:
        """The fit with the lowest Brier score."""
        return min(self.brier, key=lambda name: self.brier[name])

    def bin_of(self, probability: float) -> ReliabilityBin | None:
        """The pairs whose predictions are most like a probability: those in the same bin, if there are any."""
        return next((each for each in self.bins if bin_number(each.predicted) == bin_number(probability)), None)


@dataclass(frozen=True, slots=True)
class Step(Record):
    """A step of a curve: differences with the same probability, which is the share of successes among their pairs."""

    probability: float = field(metadata=OMITTED)
    start: float
    end: float
    """Where the next step begins; the largest observed difference for the last one."""
    pairs: int
    """Pairs of systems on this step."""
    opposite: float
    """Those of them in which people significantly prefer the worse-scored system."""
    independent: int
    """The most of these pairs without a system in common."""

    @property
    def supported(self) -> float:
        """The highest probability that these pairs support, by Laplace's rule of succession."""
        return (self.independent + 1) / (self.independent + 2)


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationCurve(Record):
    """A non-decreasing curve of one metric, aggregation, population and outcome, with its bounds.

    All three are step functions: they have the values of a point, which is an observed difference, up to the next one,
    and no value outside of the observed differences. Probabilities and cut-offs are read from them: the curve gives the
    value, the bounds its interval.
    """

    metric: str
    aggregation: str
    outcome: str
    """What the probability is of, e.g. `significant`: people significantly prefer the system."""
    population: FittedPopulation
    x: FloatArray
    """Differences, ascending."""
    y: FloatArray
    """Probabilities, non-decreasing."""
    low: FloatArray
    """The bounds of `y`, non-decreasing."""
    high: FloatArray
    support: IntArray
    """The number of pairs that differ at least as much as each point."""
    opposite: IntArray | FloatArray
    """The number of those in which people significantly prefer the worse-scored system."""
    independent: IntArray
    """The most pairs without a system in common on the step that each point is on: five of the 45 pairs of ten
    systems, and one of the nine pairs of one system with each other."""
    base_rate: float
    """The share of pairs with the outcome."""
    validation: Validation | None
    reversed: Estimate
    """The median difference of pairs that people order significantly, but the other way."""
    check: Validation | None = None
    """What the curve predicted of a later campaign, and what people said there."""
    at: Mapping[float, Estimate] = field(default_factory=dict, metadata=in_tree(entries="difference"))
    """The probability at the differences that were asked for."""
    common: FloatArray | None = field(default=None, metadata=OMITTED)
    """At each point, the value of a fit to other outcomes of the same pairs, whose steps are the same for all of them.
    """

    @property
    def supported(self) -> FloatArray:
        """`y`, but no higher than its pairs support: n independent pairs support (n + 1) / (n + 2) if all agree.

        This is Laplace's rule of succession. It never falls, because the curve does not.
        """
        most = (self.independent + 1) / (self.independent + 2)
        supported: FloatArray = np.maximum.accumulate(np.minimum(self.y, most))
        return supported

    def beyond(self, difference: float) -> str:
        """From where to where the curve goes, in words: why it has no answer for a difference elsewhere."""
        observed = f"the observed differences of {self.metric} ({self.aggregation})"
        return f"{difference:.4g} is outside {observed}, {self.x[0]:.4g} to {self.x[-1]:.4g}"

    def probability(self, difference: float) -> Estimate:
        """The supported probability at a difference, with its interval; NaN outside of the observed differences.

        `n` is the number of pairs that differ at least as much as the next point of the curve.
        """
        if not self.x[0] <= difference <= self.x[-1]:
            return Estimate(math.nan, 0, reason=f"no calibration: {self.beyond(difference)}")
        n = int(self.support[np.searchsorted(self.x, difference)])
        place = int(np.searchsorted(self.x, difference, side="right")) - 1
        value, low, high = (float(line[place]) for line in (self.supported, self.low, self.high))
        return Estimate(value, n, low, high)

    @property
    def cutoffs(self) -> dict[float, Estimate]:
        """The cut-off at each level."""
        return {level: self.cutoff(level) for level in LEVELS}

    def tree(self) -> dict[str, Any]:
        """The fields and the cut-offs, by their probabilities: calibrations are read from such trees."""
        return {**Record.tree(self), "cutoffs": entries(self.cutoffs, "probability")}

    def cutoff(self, probability: float, *, supported: bool = True) -> Estimate:
        """The smallest observed difference that reaches a probability; `n`: the pairs that differ at least so much.

        Its interval is from where the upper bound reaches the probability to where the lower one does. Without
        `supported`, it is that of the fit itself, as in Lo et al. 2023, on however few pairs it rests.
        """
        fit = self.supported if supported else self.y
        places = [reached(line, probability) for line in (fit, self.high, self.low)]
        value, low, high = (float(self.x[place]) if place < len(self.x) else math.nan for place in places)
        if math.isnan(value):
            return Estimate(math.nan, 0, reason=f"no calibration: the highest probability is {fit[-1]:.2f}")
        n = int(self.support[places[0]])
        if math.isnan(high):
            return Estimate(value, n, reason="no interval: its upper end lies beyond the observed differences")
        return Estimate(value, n, low, high)

    def step(self, difference: float) -> Step:
        """The step that an observed difference is on."""
        return self._step(difference, self.y)

    def common_step(self, difference: float) -> Step:
        """The step that it is on for all outcomes that have common steps; that of the curve if it has none."""
        return self._step(difference, self.y if self.common is None else self.common)

    def _step(self, difference: float, line: FloatArray) -> Step:
        place = int(np.searchsorted(self.x, difference, side="right")) - 1
        value = float(line[place])
        first, after = (int(np.searchsorted(line, value + shift)) for shift in (-_ROUNDING, _ROUNDING))
        end = min(after, len(self.x) - 1)
        pairs, opposite = (
            (counts[first] - (counts[after] if after < len(counts) else 0)).item()
            for counts in (self.support, self.opposite)
        )
        return Step(value, float(self.x[first]), float(self.x[end]), pairs, opposite, int(self.independent[place]))

    def between(self, low: float, high: float) -> tuple[float, float]:
        """The differences with a probability from low to high: from the first one to where the next step begins.

        After the last step, the end is NaN: it is not known where another one would begin. Both are NaN if the curve
        has no such step: it jumps from a lower probability to a higher one.
        """
        supported = self.supported
        first, after = reached(supported, low), int(np.searchsorted(supported, high + _ROUNDING))
        if first == after:
            return math.nan, math.nan
        return float(self.x[first]), float(self.x[after]) if after < len(self.x) else math.nan


def bin_number(probability: float) -> int:
    """Which of the bins of equal width a prediction is in."""
    return min(int(probability * _BINS + _ROUNDING), _BINS - 1)


def reached(line: FloatArray, probability: float) -> int:
    """The place of the first value of a non-decreasing line that reaches a probability; its length if none does."""
    return int(np.searchsorted(line, probability - _ROUNDING))


def _is_curve(curve: CalibrationCurve, wanted: Mapping[str, str | None]) -> bool:
    population = curve.population
    has = {"metric": curve.metric, "agg": curve.aggregation, "outcome": curve.outcome}
    has |= {name: getattr(population, name) for name in ("protocol", "group", "domain", "kinds")}
    return all(value is None or has[name] == value for name, value in wanted.items())


class CurveRecord(NamedTuple):
    """A point of a curve that was asked for: a cut-off, or the probability at a difference."""

    curve: CalibrationCurve
    given: str
    difference: float
    probability: float
    estimate: Estimate


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Calibration(Listed[CalibrationCurve], Result):
    """Curves of all metrics, aggregations and populations."""

    holds = "curves"

    settings: Mapping[str, str]
    curves: tuple[CalibrationCurve, ...]
    pairs: tuple[JudgedPairs, ...] = ()
    """The pairs of systems that the curves are fitted to, for answers that need other fits: of several scores together,
    and for a number of judged segments."""

    made_by: ClassVar[str] = "calibrate"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *(ResultColumn(name, read=f"curve.{name}") for name in ("metric", "aggregation", "outcome")),
        *(ResultColumn(name, read=f"curve.population.{name}") for name in ("protocol", "group", "domain", "kinds")),
        ResultColumn("given", help="What was given: a probability, whose cut-off this is, or a difference."),
        ResultColumn("difference", float, unit=Unit.SCORE),
        ResultColumn("probability", float),
        *estimate_columns("estimate", names=("low", "high")),
        *estimate_columns("estimate", names=("n",)),
        *estimate_columns("estimate", names=("reason",)),
        ResultColumn("pairs", int, "curve.population.pairs", help="Pairs of systems that the curve was fitted on."),
        ResultColumn("language_pairs", int, "curve.population.language_pairs"),
        ResultColumn("judgements", float, "curve.population.judgements"),
        ResultColumn("base_rate", float, "curve.base_rate", help="The share of pairs with the outcome."),
        *(ResultColumn(f"brier_{fit}", float, f"curve.validation.brier.{fit}") for fit in _FITS),
    )

    def __repr__(self) -> str:
        return f"Calibration({len(self.curves)} curves; {self.signature})"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pairs."""
        return data_and_pairs(self.settings)

    @property
    def orientation(self) -> str:
        """Which system the difference favours, and which preference counts."""
        return self.settings.get("orientation", "")

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that have curves."""
        return tuple(dict.fromkeys(curve.metric for curve in self.curves))

    def curve(
        self,
        metric: str,
        *,
        agg: str | None = None,
        outcome: str = SIGNIFICANT,
        protocol: str | None = None,
        group: str = ALL,
        domain: str = ALL,
        kinds: str = ALL,
    ) -> CalibrationCurve:
        """The curve of a metric for a population. `agg` and `protocol` can be left out while there is only one."""
        wanted = {"metric": metric, "agg": agg, "outcome": outcome, "protocol": protocol, "group": group}
        wanted |= {"domain": domain, "kinds": kinds}
        found = [curve for curve in self.curves if _is_curve(curve, wanted)]
        if len(found) == 1:
            return found[0]
        given = ", ".join(f"{name} {value}" for name, value in wanted.items() if value not in (None, SIGNIFICANT, ALL))
        if found:
            names = "; ".join(f"agg {curve.aggregation}, protocol {curve.population.protocol}" for curve in found)
            raise UnknownNameError(f"there are {len(found)} curves for {given}", hint=f"choose one: {names}")
        raise UnknownNameError(f"there is no curve for {given}", hint=f"metrics: {', '.join(self.metrics)}")

    def records(self) -> Iterator[CurveRecord]:
        """One for each cut-off (`given` probability) and each probability (`given` difference) of each curve."""
        for curve in self.curves:
            for level, cutoff in curve.cutoffs.items():
                yield CurveRecord(curve, "probability", cutoff.value, level, cutoff)
            for difference, estimate in curve.at.items():
                yield CurveRecord(curve, "difference", difference, estimate.value, estimate)
