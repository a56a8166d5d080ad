"""How well metrics tell segments without errors from others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn, Shown, Unit
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result
from assay.types.note import plural
from assay.types.record import Record

__all__ = ["ErrorFreeBin", "ErrorFreeEvaluation", "ErrorFreeMetric"]

_SHOWN = Shown.FILE | Shown.TABLE | Shown.PAPER


@dataclass(frozen=True, slots=True)
class ErrorFreeBin(Record):
    """Ratings with similar predicted probabilities, their mean, and the share that found no error."""

    predicted: float
    observed: float
    n: int


@dataclass(frozen=True, slots=True)
class ErrorFreeMetric(Record):
    """A metric on one language pair; what must be fitted was fitted on the other pairs."""

    metric: str
    lp: str
    """Empty: the mean over the language pairs with ratings of both kinds."""
    n: int
    """Ratings of outputs that the metric scored."""
    free: int
    """Those that found no error."""
    units: int
    """Documents of these ratings, which are resampled; segments where documents are not known."""
    base_rate: float
    """The share of ratings that found no error."""
    roc_area: Estimate
    pr_area: Estimate
    f: Estimate
    """At the threshold."""
    threshold: float = math.nan
    precision: float = math.nan
    recall: float = math.nan
    brier: float = math.nan
    """The mean squared error of the calibrated probability that there is no error."""
    brier_base_rate: float = math.nan
    """The same of the share of error-free ratings in the other pairs, which needs no metric."""
    bins: tuple[ErrorFreeBin, ...] = ()
    is_baseline: bool = False
    pairs: int | None = None
    """Of a mean: over how many language pairs."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ErrorFreeEvaluation(Listed[ErrorFreeMetric], Result):
    """Metrics as detectors of segments without errors, on each language pair, best first."""

    holds = "metrics"

    settings: Mapping[str, str]
    human: str
    metrics: tuple[ErrorFreeMetric, ...]
    """First the means over language pairs, if there are several; baselines last."""

    made_by: ClassVar[str] = "meta"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("metric", shown=_SHOWN),
        ResultColumn("lp", label="language pair", shown=_SHOWN, help="None: the mean over language pairs."),
        ResultColumn("pairs", int, shown=_SHOWN, optional=True, help="Of a mean: over how many language pairs."),
        ResultColumn("units", int, label="documents", shown=_SHOWN, help="Segments where documents are not known."),
        ResultColumn("n", int, label="ratings", shown=_SHOWN),
        ResultColumn("free", int, label="error-free", shown=_SHOWN),
        ResultColumn("base_rate", float, label="error-free, %", unit=Unit.SHARE, shown=_SHOWN),
        ResultColumn("roc_area", float, label="ROC area", unit=Unit.RATE, direction="higher", shown=_SHOWN),
        ResultColumn("roc_area_low", float, "roc_area.low", unit=Unit.RATE),
        ResultColumn("roc_area_high", float, "roc_area.high", unit=Unit.RATE),
        ResultColumn("pr_area", float, label="PR area", unit=Unit.RATE, direction="higher", shown=_SHOWN),
        ResultColumn("pr_area_low", float, "pr_area.low", unit=Unit.RATE),
        ResultColumn("pr_area_high", float, "pr_area.high", unit=Unit.RATE),
        ResultColumn(
            "threshold",
            float,
            unit=Unit.NUMBER,
            shown=_SHOWN,
            optional=True,
            help="With the highest F on the other pairs.",
        ),
        ResultColumn("precision", float, unit=Unit.RATE, direction="higher", shown=_SHOWN, optional=True),
        ResultColumn("recall", float, unit=Unit.RATE, direction="higher", shown=_SHOWN, optional=True),
        ResultColumn("f", float, label="F", unit=Unit.RATE, direction="higher", shown=_SHOWN, optional=True),
        ResultColumn("f_low", float, "f.low", unit=Unit.RATE),
        ResultColumn("f_high", float, "f.high", unit=Unit.RATE),
        ResultColumn("brier", float, label="Brier", unit=Unit.RATE, direction="lower", shown=_SHOWN, optional=True),
        ResultColumn(
            "brier_base_rate",
            float,
            label="Brier of the base rate",
            unit=Unit.RATE,
            direction="lower",
            shown=_SHOWN,
            optional=True,
        ),
        ResultColumn(
            "reason", read=lambda record: record.f.reason or record.roc_area.reason, help="Of missing values."
        ),
    )

    def __repr__(self) -> str:
        names = dict.fromkeys(each.metric for each in self.metrics if not each.is_baseline)
        pairs = {each.lp for each in self.metrics if each.lp}
        return f"ErrorFreeEvaluation({plural(len(names), 'metric')} on {plural(len(pairs), 'language pair')})"

    def of(self, metric: str, lp: str = "") -> ErrorFreeMetric:
        """A metric on a language pair, or its mean over all."""
        found = {(each.metric, each.lp): each for each in self.metrics}
        if (metric, lp) not in found:
            raise UnknownNameError(f"'{metric}' has no values here", hint=nearest(metric, (name for name, _ in found)))
        return found[metric, lp]

    def records(self) -> Iterator[ErrorFreeMetric]:
        """One for each metric on each language pair, and its mean."""
        yield from self.metrics
