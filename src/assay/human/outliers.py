"""Outlier systems: those with human scores far above or below the others (Mathur et al. 2020, section 4.1).

Of the two rules, the z-score is there to be compared with: an outlier inflates the standard deviation by which it is
measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.options.checks import check_choice
from assay.options.option import HUMAN, Option
from assay.registry import option_text
from assay.results import Outliers
from assay.types import FloatArray

__all__ = ["CUTOFF", "RULE", "Cutoff", "OutlierRule", "Rule", "find_outliers", "no_outliers"]

CUTOFF = 2.5
Cutoff = Annotated[
    float,
    Option(
        "Distance of outliers from the median human score, in scaled median absolute deviations, or for z-scores "
        "from the mean, in standard deviations.",
        group=HUMAN,
    ),
]
RULE = "mad"
_Rules = Literal["mad", "z"]
Rule: TypeAlias = Annotated[
    str, Option("How outliers are found: by median and MAD, or by z-score.", group=HUMAN, choices=get_args(_Rules))
]
_CONSISTENCY = 1.4826  # makes the MAD of a normal distribution its standard deviation


@dataclass(frozen=True, slots=True)
class OutlierRule:
    """How outliers are found."""

    name: str = RULE
    cutoff: float = CUTOFF

    def __post_init__(self) -> None:
        check_choice("outlier_rule", self.name, get_args(_Rules))
        if not self.cutoff > 0 or math.isinf(self.cutoff):
            raise ConfigError(f"{option_name('cutoff')} must be positive and finite, not {self.cutoff:g}")

    @property
    def settings(self) -> dict[str, str]:
        """What a signature says about it: the rule, unless it is the usual one, and the cutoff."""
        named = {} if self.name == RULE else {"outlier_rule": self.name}
        return {**named, "cutoff": option_text(self.cutoff)}


def no_outliers(reason: str, systems: Iterable[str] = (), rule: OutlierRule = OutlierRule()) -> Outliers:
    """The result where nothing can be an outlier, or was looked for."""
    return Outliers((), dict.fromkeys(systems, math.nan), rule.name, math.nan, math.nan, rule.cutoff, reason)


def find_outliers(scores: Mapping[str, float], rule: OutlierRule = OutlierRule()) -> Outliers:
    """Systems whose distance from the center is beyond the cutoff, in either direction. Scores may be NaN.

    `mad`: |score - median| / (1.4826 MAD). If more than half of the systems have the same score, the MAD is 0 and
    distances are undefined: the result has no outliers, and a reason. `z`: |score - mean| / standard deviation.
    """
    values = np.array(list(scores.values()), dtype=np.float64)
    judged = values[~np.isnan(values)]
    if not len(judged):
        return no_outliers("no system has a human score", scores, rule)
    center, scale = _by_mad(judged) if rule.name == "mad" else _by_z(judged)
    if not scale > 0:
        same = "more than half of the systems have the same human score, so distances are undefined (MAD 0)"
        reason = same if rule.name == "mad" else "the human scores do not vary, so distances are undefined"
        return Outliers((), dict.fromkeys(scores, math.nan), rule.name, center, scale, rule.cutoff, reason)
    distances = dict(zip(scores, (np.abs(values - center) / scale).tolist(), strict=True))
    beyond = tuple(name for name, distance in distances.items() if distance > rule.cutoff)
    return Outliers(beyond, distances, rule.name, center, scale, rule.cutoff)


def _by_mad(judged: FloatArray) -> tuple[float, float]:
    """The median and the scaled median absolute deviation."""
    median = float(np.median(judged))
    return median, _CONSISTENCY * float(np.median(np.abs(judged - median)))


def _by_z(judged: FloatArray) -> tuple[float, float]:
    """The mean and the standard deviation of a sample."""
    return float(judged.mean()), float(judged.std(ddof=1)) if len(judged) > 1 else 0.0
