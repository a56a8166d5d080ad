"""How well a metric agrees with human scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.columns import ResultColumn, estimate_columns, look_up, text_columns
from assay.results.estimate import Estimate
from assay.results.result import Result
from assay.types import FloatArray
from assay.types.record import OMITTED, in_tree

__all__ = [
    "CELLS",
    "EPSILON",
    "MONTE_CARLO_ERROR",
    "NOT_ON_COMMON_CELLS",
    "PRECISION",
    "RECALL",
    "UNDEFINED_AS_ZERO",
    "Agreement",
    "agreement_columns",
]

# Names of what an agreement may have besides its value, under `details`

CELLS = "cells"
"""Number of outputs (a system and a segment) behind the value; of the side that scored fewer."""
EPSILON = "epsilon"
"""The difference of metric scores up to which a pair is tied."""
MONTE_CARLO_ERROR = "monte_carlo_error"
"""Standard error of the value over random draws that are part of the statistic."""
PRECISION, RECALL = "precision", "recall"
"""The two that an F is the mean of."""
UNDEFINED_AS_ZERO = "undefined_as_zero"
"""Number of groups without a value that count as 0."""
NOT_ON_COMMON_CELLS = "not_on_common_cells"
"""`yes`: common cells were requested, but stored system scores are compared, because one side has no segment scores."""


def agreement_columns(path: str = "") -> tuple[ResultColumn, ...]:
    """How much the agreement at a path of a record is computed from."""
    return (
        ResultColumn("systems", int, lambda record: _count(look_up(record, f"{path}systems"))),
        ResultColumn("segments", int, f"{path}segments"),
        ResultColumn("groups", int, f"{path}groups", help="Groups with a cell that has both scores."),
        ResultColumn("groups_undefined", int, f"{path}groups_undefined", help="Groups without a value."),
        ResultColumn("hits", int, f"{path}hits", help="Concordant pairs, if the statistic is a share of pairs."),
        ResultColumn("pairs", int, f"{path}pairs", help="Pairs, if the statistic compares pairs."),
    )


def _count(names: tuple[str, ...] | None) -> int | None:
    return None if names is None else len(names)


_SETTINGS = ("statistic", "level", "grouping", "average", "outliers")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Agreement(Result):
    """The value of one statistic for one metric and one kind of human scores, with everything it depends on."""

    metric: str
    human: str
    settings: Mapping[str, str]
    """Statistic, level, grouping, average, outliers, and how the interval was resampled."""
    estimate: Estimate = field(metadata=in_tree(inline=True))
    """Value and interval. `n` counts the cells in the averaged groups: systems, or segment scores."""
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    """Systems that were left out, with the reason."""
    segments: int
    """Number of segments behind the values; 0 if the scores were given by system."""
    groups: int
    """Number of groups with a cell that has both scores."""
    groups_undefined: int
    """Number of those groups that have no value and were not averaged."""
    weight: float
    """Weight when several agreements are pooled: the sum of the weights of the groups."""
    hits: int | None
    """Number of concordant pairs, for statistics that are a share of pairs."""
    pairs: int | None
    """Number of pairs, for statistics that compare pairs."""
    source: str
    """Where the values came from."""
    details: Mapping[str, str] = field(default_factory=dict)
    """Further output of the statistic, such as the threshold it chose."""
    without_outliers: Agreement | None = None
    """The same without the outlier systems, if both were requested."""
    replicates: FloatArray | None = field(default=None, metadata=OMITTED)
    """The value in each resample, if the interval comes from resamples; NaN where undefined."""
    scores: FloatArray | None = field(default=None, metadata=OMITTED)
    """(system, 2), for charts: the metric score and the human score of each system; None at the segment level."""

    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("metric", "human")),
        *(ResultColumn(name, read=f"settings.{name}") for name in _SETTINGS),
        *estimate_columns("estimate"),
        ResultColumn("ci", read="estimate.basis.method", help="The method of the interval."),
        *agreement_columns(),
    )

    @property
    def value(self) -> float:
        """NaN if undefined; `reason` then says why."""
        return self.estimate.value

    @property
    def n(self) -> int:
        """Number of cells used."""
        return self.estimate.n

    @property
    def defined_share(self) -> float:
        """The share of groups behind the value: those on which the metric or people tie everything have no value."""
        return 1 - self.groups_undefined / self.groups if self.groups else math.nan

    @property
    def reason(self) -> str | None:
        """Why the value is undefined, or a remark about it."""
        return self.estimate.reason

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds; NaN if there is no interval."""
        return self.estimate.low, self.estimate.high

    def __repr__(self) -> str:
        value = f"undefined, {self.reason}" if math.isnan(self.value) else f"{self.value:.4f}"
        return f"Agreement({self.metric} with {self.human}, {self.settings['statistic']}: {value}; n={self.n})"

    def records(self) -> Iterator[Agreement]:
        """The agreement itself; then that without the outliers, if both were requested."""
        yield self
        if self.without_outliers is not None:
            yield from self.without_outliers.records()
