"""Statistics of agreement between marked errors, one file each: what a metric marked in an output, and what people did.

A statistic gives four numbers for an output (`Credits`). Those of many outputs are added up, and precision, recall and
F follow from the sums.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from assay.agreement import statistic
from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.options.option import STATISTICS, Option, split_specs
from assay.registry import Registry
from assay.types import ErrorSpan, FloatArray
from assay.types.severity import Severity

__all__ = [
    "DEFAULT",
    "Credits",
    "SpanStatistic",
    "check_penalty",
    "f_score",
    "precision_recall_f",
    "severity_class",
    "span_statistic",
    "span_statistics_option",
]

DEFAULT = "mpp"
_CLASSES: Mapping[str, str] = {
    Severity.MINOR: Severity.MINOR,
    Severity.MAJOR: Severity.MAJOR,
    Severity.CRITICAL: Severity.MAJOR,
}


class Credits(NamedTuple):
    """What an output adds to the sums: precision is `correct / predicted`, and recall is `found / marked`."""

    correct: float
    """The part of what the metric marked that people marked, too."""
    predicted: float
    """What the metric marked."""
    found: float
    """The part of what people marked that the metric found."""
    marked: float
    """What people marked."""


class SpanStatistic(ABC):
    """Compares the errors of two annotators of an output. Subclass it as a frozen dataclass: its fields are options."""

    name: ClassVar[str]
    label: ClassVar[str] = ""
    """The name as the literature writes it; empty: the name itself."""
    agreement: ClassVar[str] = "{} against people"
    """The title of an axis, with the label."""

    @abstractmethod
    def credits(self, marked: Sequence[ErrorSpan], predicted: Sequence[ErrorSpan]) -> Credits:
        """The credits of one output. All errors have a position; one may have no characters (`start` is `end`)."""


def f_score(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """The harmonic mean; 0 if both are 0."""
    total = precision + recall
    return np.where(
        total > 0, 2 * precision * recall / np.where(total > 0, total, 1.0), np.where(total == 0, 0.0, np.nan)
    )


def precision_recall_f(sums: FloatArray) -> FloatArray:
    """Precision, recall and F (…, 3) from sums of credits (…, 4).

    As in the scripts of WMT25, precision is 1 if nothing was predicted, and recall if nothing was marked.
    """
    correct, predicted, found, marked = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    precision, recall = (
        np.where(total > 0, part / np.where(total > 0, total, 1.0), 1.0)
        for part, total in ((correct, predicted), (found, marked))
    )
    return np.stack([precision, recall, f_score(precision, recall)], axis=-1)


def severity_class(error: ErrorSpan) -> str:
    """`minor` or `major`, to which critical errors count; empty for what WMT's scripts leave out, such as undecided."""
    return _CLASSES.get(error.severity, "")


def check_penalty(penalty: float) -> None:
    """Raise unless this is a share."""
    if not 0 <= penalty <= 1:
        raise ValueError("the penalty must be from 0 to 1")


span_statistic: Registry[SpanStatistic] = Registry(
    "statistic of marked errors", __name__, entry_point_group="assay.span_statistics"
)


def _check(_: str, spec: str | SpanStatistic) -> None:
    if isinstance(spec, str) and not span_statistic.has(spec) and statistic.has(spec):
        raise ConfigError(f"{spec} compares scores, not errors marked in the text: {option_name('level', 'segment')}")
    span_statistic.create(spec)


def span_statistics_option() -> Option:
    """The option for statistics of marked errors, with the help page listing them."""
    return Option(
        "Statistics of agreement; the first one ranks the metrics.",
        group=STATISTICS,
        flags=("-s", "--statistics"),
        default=DEFAULT,
        check=_check,
        split=split_specs,
        metavar="SPEC",
        names=span_statistic.names,
        lists_names=True,
    )
