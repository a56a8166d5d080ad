"""How far a metric agrees with people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.results.scores import SCHEMA_VERSION, Estimate, html_table
from assay.types import FrozenDict

__all__ = ["Agreement"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Agreement:
    """The value of one statistic for one metric and one kind of human scores, and all that it depends on."""

    metric: str
    human: str
    settings: Mapping[str, str]
    """statistic, level, grouping, average, outliers and how the interval was drawn."""
    estimate: Estimate
    """Value and interval; `n` counts the cells of the groups that were averaged: systems, or scores of segments."""
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    """Systems that took no part, each with the reason."""
    segments: int
    """How many segments the values are from; 0 where they were given by system."""
    groups: int
    """How many groups have a cell that both scored."""
    groups_undefined: int
    """How many of these have no value and were not averaged."""
    weight: float
    """How much it weighs where several are pooled: the sum of the weights of its groups."""
    hits: int | None
    """Where it is a share of pairs: how many agree."""
    pairs: int | None
    """Where pairs are compared: how many count."""
    source: str
    """Where the values came from."""
    notes: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    """What else the statistic has to say, like the threshold it found."""
    without_outliers: Agreement | None = None
    """The same without the outlier systems, where both were asked for."""

    def __post_init__(self) -> None:
        for name in ("settings", "left_out", "details"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

    @property
    def value(self) -> float:
        """NaN where undefined, and then `reason` says why."""
        return self.estimate.value

    @property
    def n(self) -> int:
        """How many cells were used."""
        return self.estimate.n

    @property
    def reason(self) -> str | None:
        """Why there is no value, or what else is to be known of it."""
        return self.estimate.reason

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds, NaN where no interval was asked for or possible."""
        return self.estimate.low, self.estimate.high

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return "|".join(f"{key}:{value}" for key, value in self.settings.items())

    def __repr__(self) -> str:
        value = f"undefined, {self.reason}" if math.isnan(self.value) else f"{self.value:.4f}"
        return f"Agreement({self.metric} with {self.human}, {self.settings['statistic']}: {value}; n={self.n})"

    def row(self) -> dict[str, Any]:
        """Flat; NaN is None."""
        return {
            "metric": self.metric,
            "human": self.human,
            **{name: self.settings[name] for name in ("statistic", "level", "grouping", "average", "outliers")},
            **self.estimate.to_dict(),
            "systems": len(self.systems),
            "segments": self.segments,
            "groups": self.groups,
            "groups_undefined": self.groups_undefined,
            "hits": self.hits,
            "pairs": self.pairs,
        }

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, without NaN."""
        return {
            "version": SCHEMA_VERSION,
            **self.row(),
            "weight": self.weight,
            "settings": dict(self.settings),
            "systems": list(self.systems),
            "left_out": dict(self.left_out),
            "source": self.source,
            "details": dict(self.details),
            "notes": list(self.notes),
            "without_outliers": None if self.without_outliers is None else self.without_outliers.to_dict(),
        }

    def _repr_html_(self) -> str:
        shown = [found for found in (self, self.without_outliers) if found is not None]
        header = ("metric", "human", "statistic", "outliers", "value", "low", "high", "n")
        rows = [["–" if (cell := found.row()[name]) is None else cell for name in header] for found in shown]
        return html_table(header, rows)
