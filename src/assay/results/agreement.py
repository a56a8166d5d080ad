"""How well a metric agrees with human scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.results.estimate import Estimate
from assay.results.result import ESTIMATE_COLUMNS, Result, settings_line
from assay.types import FloatArray, FrozenDict

__all__ = ["Agreement"]

_SETTINGS = ("statistic", "level", "grouping", "average", "outliers")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Agreement(Result):
    """The value of one statistic for one metric and one kind of human scores, with everything it depends on."""

    metric: str
    human: str
    settings: Mapping[str, str]
    """Statistic, level, grouping, average, outliers, and how the interval was resampled."""
    estimate: Estimate
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
    replicates: FloatArray | None = None
    """The value in each resample, if the interval comes from resamples; NaN where undefined."""
    scores: FloatArray | None = None
    """(system, 2), for charts: the metric score and the human score of each system; None at the segment level."""

    columns: ClassVar[Mapping[str, type]] = {
        "metric": str,
        "human": str,
        **dict.fromkeys(_SETTINGS, str),
        **ESTIMATE_COLUMNS,
        "ci": str,
        **dict.fromkeys(("systems", "segments", "groups", "groups_undefined", "hits", "pairs"), int),
    }

    def __post_init__(self) -> None:
        for name in ("settings", "left_out", "details"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

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

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

    def __repr__(self) -> str:
        value = f"undefined, {self.reason}" if math.isnan(self.value) else f"{self.value:.4f}"
        return f"Agreement({self.metric} with {self.human}, {self.settings['statistic']}: {value}; n={self.n})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row; a second one without the outliers, if both were requested."""
        yield self._row(
            {
                "metric": self.metric,
                "human": self.human,
                **self.settings,
                **self.estimate.to_dict(),
                **self.counts,
                "systems": len(self.systems),
            }
        )
        if self.without_outliers is not None:
            yield from self.without_outliers.rows()

    @property
    def counts(self) -> dict[str, int | None]:
        """How much the value is computed from: segments, groups and pairs."""
        return {
            "segments": self.segments,
            "groups": self.groups,
            "groups_undefined": self.groups_undefined,
            "hits": self.hits,
            "pairs": self.pairs,
        }

    def tree(self) -> dict[str, Any]:
        """The first row, the settings, the systems and where the values came from."""
        return {
            **next(self.rows()),
            "weight": self.weight,
            "settings": dict(self.settings),
            "systems": list(self.systems),
            "left_out": dict(self.left_out),
            "ci": None if self.estimate.basis is None else self.estimate.basis.to_dict(),
            "source": self.source,
            "details": dict(self.details),
            "without_outliers": None if self.without_outliers is None else self.without_outliers.to_dict(),
        }
