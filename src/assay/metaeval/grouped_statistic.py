"""A statistic of groups of scores, combined into one number with an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Annotated

from assay.aggregate.resample import SEED
from assay.agreement import Batch, Statistic, Values
from assay.agreement import statistic as statistic_registry
from assay.agreement.chance import chance_level
from assay.errors import ConfigError, InputError, PluginError, option_name
from assay.lazily import numpy as np
from assay.metaeval.alignment import GROUPINGS, Aligned
from assay.metaeval.intervals import NO_INTERVALS, Interval, IntervalOptions
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.replicates import Observed
from assay.metaeval.scores_by_level import LEVELS
from assay.options.checks import check_choice
from assay.options.option import STATISTICS, Option
from assay.results import Agreement, Estimate, interval_settings
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = ["AVERAGES", "Average", "GroupedStatistic", "grouping_option"]

AVERAGES = ("macro", "micro")

Average = Annotated[
    str | None,
    Option(
        "Average over groups: macro (equal weights) or micro (the weights that the statistic gives them).",
        group=STATISTICS,
        choices=AVERAGES,
        metavar="NAME",
        default="macro; for rankings micro",
    ),
]


def grouping_option(default: str) -> Option:
    """The option `grouping`, whose default depends on what is compared."""
    return Option(
        "How to group segment scores: none (all together), item (by segment, over systems) or system (over segments).",
        group=STATISTICS,
        choices=GROUPINGS,
        metavar="NAME",
        default=default,
    )


@dataclass(frozen=True, slots=True)
class GroupedStatistic:
    """A statistic at a level, the grouping of segment scores, the average over groups, and which interval it gets."""

    statistic: Statistic
    level: str = "system"
    grouping: str = "none"
    average: str = "macro"
    intervals: IntervalOptions = NO_INTERVALS
    spec: str = field(init=False)
    """The statistic as text."""

    def __post_init__(self) -> None:
        for name, known in (("level", LEVELS), ("grouping", GROUPINGS), ("average", AVERAGES)):
            check_choice(name, getattr(self, name), known)
        if self.level not in self.statistic.levels:
            raise ConfigError(f"{self.statistic.name} is not defined at the {self.level} level")
        if self.level == "system" and self.grouping != "none":
            raise ConfigError(f"grouping by {self.grouping} needs segment scores", hint=option_name("level", "segment"))
        object.__setattr__(self, "spec", statistic_registry.spec(self.statistic))

    @property
    def settings(self) -> dict[str, str]:
        """What the value depends on besides the statistic, except for the interval."""
        return {"level": self.level, "grouping": self.grouping, "average": self.average}

    def evaluate(self, aligned: Aligned, *, runtime: Runtime | None = None) -> Agreement:
        """The agreement of one metric."""
        batch = self._batch(aligned)
        values = self.statistic.compute(batch)
        if len(values.values) != (1 if self.statistic.is_pooled else len(batch.mask)):
            raise PluginError(
                f"the statistic '{self.spec}' returned {len(values.values)} values for {len(batch.mask)} groups"
            )
        defined = ~np.isnan(values.values)
        grouping = "item" if self.statistic.reads_segments else self.grouping
        observed = Observed(self.statistic, self.level, grouping, self.average == "micro", aligned, batch, values)
        interval = self._interval(observed, runtime or Runtime())
        settings = {"statistic": self.spec, **self.settings, **interval_settings([interval.basis])}
        return Agreement(
            metric=aligned.metric,
            human=aligned.human,
            settings={**settings, "outliers": "kept"},
            estimate=self._estimate(observed, interval),
            systems=aligned.systems,
            left_out=aligned.excluded,
            segments=aligned.segments,
            groups=len(batch.mask),
            groups_undefined=int((~defined).sum()),
            weight=float(values.weights[defined].sum()),
            hits=None if values.hits is None else int(values.hits.sum()),
            pairs=None if values.pairs is None else int(values.pairs.sum()),
            source=aligned.source,
            notes=aligned.notes,
            details=dict(values.details),
            replicates=interval.replicates,
            scores=_system_scores(aligned),
        )

    def chance(self, aligned: Aligned, metrics: int, *, seed: int = SEED) -> Agreement:
        """The mean agreement of `metrics` random metrics, and their standard deviation."""
        agreement = replace(self, intervals=NO_INTERVALS).evaluate(aligned)
        if math.isnan(agreement.value):
            return agreement
        is_weighted = self.average == "micro"
        level = chance_level(
            self.statistic, self._batch(aligned), metrics, seed, is_weighted=is_weighted, outputs=aligned.outputs
        )
        estimate = Estimate(level.mean, agreement.n, standard_deviation=level.standard_deviation, reason=level.reason)
        details = {"random_metrics": str(metrics), "seed": str(seed)}
        settings = {**agreement.settings, **details}
        return replace(agreement, settings=settings, estimate=estimate, hits=None, details=details)

    def _batch(self, aligned: Aligned) -> Batch:
        """The groups to compare."""
        needed = "segment" if self.statistic.reads_segments else self.level
        if aligned.level != needed:
            message = f"{self.statistic.name} needs {needed} scores of the metric and of the human raters"
            raise InputError(message)
        if needed == "segment" and (self.grouping == "ranking") != isinstance(aligned, AlignedRankings):
            raise ConfigError("rankings must be grouped by ranking, and other scores must not")
        return aligned.batch("item" if self.statistic.reads_segments else self.grouping)

    def _interval(self, observed: Observed, runtime: Runtime) -> Interval:
        if not self.intervals.has_intervals or math.isnan(observed.value):
            return Interval()
        return self.intervals.interval(observed, runtime)

    def _estimate(self, observed: Observed, interval: Interval) -> Estimate:
        batch, values = observed.batch, observed.values
        is_defined = ~np.isnan(values.values)
        counted = batch.mask if self.statistic.is_pooled or not is_defined.any() else batch.mask[is_defined]
        n = len(observed.aligned.systems) if self.statistic.reads_segments else int(counted.sum())
        if math.isnan(observed.value):
            return Estimate(observed.value, n, reason=_undefined_reason(batch, values))
        return Estimate(
            observed.value,
            n,
            interval.low,
            interval.high,
            interval.standard_error,
            interval.reason,
            basis=interval.basis,
        )


def _system_scores(aligned: Aligned) -> FloatArray | None:
    """(system, 2): metric and human scores, if these are scores of systems; NaN: none."""
    if aligned.level != "system":
        return None
    cells = aligned.cells
    scores: FloatArray = np.where(cells.mask[:, :1], np.hstack([cells.metric[:, :1], cells.human[:, :1]]), math.nan)
    return scores


def _undefined_reason(batch: Batch, values: Values) -> str:
    if not batch.mask.any():
        return "the metric and the human scores have no cell in common"
    if (batch.sizes < 2).all():
        return "no group has two scores to compare"
    if batch.pairs is not None and not batch.pairs.any():
        return "no pair of systems counts"
    return values.reason
