"""Confidence intervals of an agreement, one method per file.

A method says over what the interval is: other systems, other segments or documents, or other judgements of the same
outputs. Each answers a different question, so the method is part of every result and its signature.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import CONFIDENCE, RESAMPLES, SEED, Bootstrap, Confidence, Seed, resamples_option
from assay.aggregate.unit_intervals import UnitResamples
from assay.errors import ConfigError, option_name
from assay.human.comparisons import DrawnUnit
from assay.lazily import numpy as np
from assay.metaeval.replicates import Observed, Units, over_units
from assay.metaeval.scores_by_level import LEVELS
from assay.options.checks import no_effect
from assay.options.option import RESAMPLING, Option
from assay.options.parameters import check_fields
from assay.registry import Registry
from assay.results import IntervalBasis
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = [
    "EQUAL",
    "JUDGEMENTS",
    "NO_INTERVALS",
    "Drawn",
    "Interval",
    "IntervalChoice",
    "IntervalMethod",
    "IntervalOptions",
    "IntervalResamples",
    "Resampling",
    "default_method",
    "interval_method",
    "no_interval",
    "over_drawn_units",
    "segment_units",
]

JUDGEMENTS = "judgements"
EQUAL = 1e-12
"""Replicates that differ by less are equal but for rounding."""
_MAX_CELLS_UNASKED = 1 << 22
"""The most cells on which a statistic is computed anew for intervals that nobody asked for: less than a second."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Bounds, NaN without an interval; the reason; what they rest on; the value in each resample, if any."""

    low: float = math.nan
    high: float = math.nan
    standard_error: float = math.nan
    reason: str | None = None
    basis: IntervalBasis | None = None
    replicates: FloatArray | None = None


IntervalChoice = Annotated[
    str | None,
    Option(
        "Confidence intervals: fisher, systems, segments, documents, both (systems and segments), judgements (of "
        "rankings; judgements:unit=segment, ranking or pair) or none.",
        group=RESAMPLING,
        metavar="SPEC",
        check=lambda _, spec: interval_method.check(spec, ("none",)),
        default="fisher for pearson and spearman over systems, judgements for rankings of systems, systems for other "
        "statistics of systems; for segments documents where they are known, else segments",
    ),
]
IntervalResamples = Annotated[
    int | None,
    resamples_option("Number of resamples for the intervals; 0 for no intervals.", default="300; for judgements 1000"),
]


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """Which intervals to compute."""

    ci: IntervalMethod | None = None
    """None: the default for what is compared."""
    resamples: IntervalResamples = None
    """None: the default of the method; 0: no intervals."""
    seed: Seed = SEED
    confidence: Confidence = CONFIDENCE

    def __post_init__(self) -> None:
        check_fields(self)
        if self.ci is not None and not self.ci.default_resamples and self.resamples:
            raise ConfigError(
                f"{option_name('resamples')} has no effect: the method '{self.ci.name}' does not resample"
            )

    @classmethod
    def from_spec(cls, ci: str | None, resamples: int | None, seed: int, confidence: float) -> IntervalOptions:
        """The options with a method by name; `none`: no intervals. Raise for a confidence that nothing has."""
        if ci == "none":
            if resamples:
                raise ConfigError(f"{option_name('resamples')} has no effect: {option_name('ci')} is none")
            ci, resamples = None, 0
        if not resamples and resamples is not None and confidence != CONFIDENCE:
            raise no_effect("confidence", "there are no intervals")
        return cls(None if ci is None else interval_method.create(ci), resamples, seed, confidence)

    def check(self, level: str, *, is_ranked: bool) -> None:
        """Raise if the method never has an interval at a level, or of human scores that are, or are not, rankings."""
        if self.ci is not None and level not in self.ci.levels:
            raise no_effect("ci", f"the method '{self.ci.name}' does not apply to {level} scores")
        if self.ci is not None and self.ci.needs_rankings and not is_ranked:
            raise no_effect("ci", f"the method '{self.ci.name}' draws rankings, and the human scores are not rankings")

    @property
    def has_intervals(self) -> bool:
        """Whether there are any."""
        return self.resamples != 0

    @property
    def judgement_resamples(self) -> int:
        """How often to resample rankings for scores of systems."""
        if self.ci is not None and self.ci.name != JUDGEMENTS:
            return 0
        return RESAMPLES if self.resamples is None else self.resamples

    @property
    def drawn_unit(self) -> DrawnUnit:
        """What resamples of rankings draw."""
        unit: DrawnUnit = getattr(self.ci, "unit", "segment") if self.has_intervals else "segment"
        return unit

    def of_units(self, runtime: Runtime) -> UnitResamples:
        """The same for values whose intervals are always over whole documents, or segments."""
        resamples = IntervalMethod.default_resamples if self.resamples is None else self.resamples
        return UnitResamples(resamples, self.seed, self.confidence, runtime)

    def interval(self, observed: Observed, runtime: Runtime) -> Interval:
        """The interval of a value by the method, or why there is none."""
        method = self.ci or default_method(observed)
        resamples = method.default_resamples if self.resamples is None else self.resamples
        return method.interval(observed, self, resamples if method.default_resamples else 0, runtime)


class IntervalMethod(ABC):
    """A way to an interval. Subclass it as a frozen dataclass: its fields are its options."""

    name: ClassVar[str]
    default_resamples: ClassVar[int] = 300
    """0: nothing is drawn."""
    levels: ClassVar[tuple[str, ...]] = LEVELS
    needs_rankings: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """The method in results and signatures."""
        return interval_method.spec(self)

    @abstractmethod
    def interval(self, observed: Observed, options: IntervalOptions, resamples: int, runtime: Runtime) -> Interval:
        """The interval, or the reason why there is none."""

    def basis(self, n: int, options: IntervalOptions, resamples: int = 0, undefined: int = 0) -> IntervalBasis:
        """What the interval rests on; `n` counts what varies."""
        seed = options.seed if resamples else None
        return IntervalBasis(self.label, options.confidence, n, resamples, undefined, seed)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What is drawn: the number of units, and the function that gives the value in each resample.

    The function takes a limit on the cells of all resamples together, and returns None if it is not enough.
    """

    n: int
    values: Callable[[Bootstrap, Runtime, float], FloatArray | None]


class Resampling(IntervalMethod):
    """The percentile interval of values over resamples."""

    @abstractmethod
    def drawn(self, observed: Observed) -> Drawn | str:
        """What is drawn, or why it cannot be drawn."""

    def interval(self, observed: Observed, options: IntervalOptions, resamples: int, runtime: Runtime) -> Interval:
        """The interval, or the reason why there is none."""
        drawn = self.drawn(observed)
        if isinstance(drawn, str):
            return no_interval(drawn)
        max_cells = math.inf if options.resamples or options.ci is not None else _MAX_CELLS_UNASKED
        replicates = drawn.values(Bootstrap(resamples, None, options.seed), runtime, max_cells)
        if replicates is None:
            return no_interval("every resample would be computed anew, which takes long; set resamples to compute it")
        defined = replicates[~np.isnan(replicates)]
        basis = self.basis(drawn.n, options, len(replicates), len(replicates) - len(defined))
        if not len(defined) or np.ptp(defined) <= EQUAL:
            reason = "every resample has the same value" if len(defined) else "no resample has a value"
            return replace(no_interval(reason, basis), replicates=replicates)
        found = estimate_from_replicates(observed.value, replicates, drawn.n, options.confidence)
        return Interval(found.low, found.high, found.standard_error, found.reason, basis, replicates)


def no_interval(reason: str, basis: IntervalBasis | None = None) -> Interval:
    """No interval, with the reason."""
    return Interval(reason=f"no interval: {reason}", basis=basis)


def default_method(observed: Observed) -> IntervalMethod:
    """The method for what is compared.

    Rankings by system: resampled judgements, as in WMT13. System scores: Fisher's z where it covers well, else
    resampled systems. Segment scores: resampled documents where there are any, because the segments of a document
    depend on each other; else resampled segments.
    """
    if observed.aligned.human_replicates is not None:
        return interval_method.create(JUDGEMENTS)
    if observed.level == "segment":
        return interval_method.create("documents" if observed.aligned.has_documents else "segments")
    return interval_method.create("fisher" if observed.statistic.name in ("pearson", "spearman") else "systems")


def over_drawn_units(observed: Observed, units: Units | str) -> Drawn | str:
    """Resamples of these units, or why they cannot be drawn."""
    if isinstance(units, str):
        return units
    return Drawn(units.count, partial(over_units, observed, units))


def segment_units(observed: Observed) -> Units | str:
    """The segments, or why they cannot be drawn."""
    aligned = observed.aligned
    if observed.statistic.no_interval is not None:
        return observed.statistic.no_interval
    if observed.level == "segment":
        count = len(aligned.resampled_items)
        of_group = aligned.item_of_group if observed.draws_groups else np.arange(0)
        return Units(count, np.arange(count), of_group)
    if aligned.segment_scores is None:
        return "the system scores are not means of segment scores of both sides"
    count = int(aligned.segment_scores.mask.any(axis=0).sum())
    return Units(count, np.arange(count), np.arange(0))


interval_method: Registry[IntervalMethod] = Registry("interval method", __name__)
NO_INTERVALS = IntervalOptions(resamples=0)
