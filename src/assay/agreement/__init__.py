"""Statistics of agreement between a metric and human scores, one file each.

A statistic sees a batch of vectors: `metric` and `human` of shape (group, item), both oriented so that higher is
better, and `mask`, the cells that both sides have. The caller decides what a group is: one vector over systems (system
level), one vector over systems per segment (grouping by item), one vector over segments per system (grouping by
system), or a single vector of all cells.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from assay.errors import AlignmentError, ConfigError, InputError
from assay.lazily import numpy as np
from assay.options.option import STATISTICS, Option, split_specs
from assay.registry import Registry
from assay.results.agreement import UNDEFINED_AS_ZERO
from assay.types import FloatArray, IntArray
from assay.types.arrays import without_mask

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "CORRELATION",
    "Batch",
    "NanGroups",
    "Resampler",
    "Statistic",
    "StatisticChoice",
    "SumsOfItems",
    "SwapForm",
    "Values",
    "statistic",
    "statistics_option",
]

CORRELATION = "{} correlation with people"
"""The title of an axis of correlations, with the label."""

NanGroups: TypeAlias = Literal["skip", "zero"]
"""Groups without a value are left out of the average, or count as 0."""

SwapForm: TypeAlias = Literal["correlation", "soft accuracy", "tau-a", "tau-b", "accuracy"]
"""The forms of statistics that are quick to compute after scores were swapped between two metrics."""

Resampler: TypeAlias = "Callable[[npt.NDArray[np.uint32]], FloatArray]"
"""From how often each group was drawn (resample, group) to the value of each group (resample, group)."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Vectors to compare: (group, item). Cells outside `mask` do not count and are set to 0."""

    metric: FloatArray
    human: FloatArray
    mask: npt.NDArray[np.bool_]
    pairs: npt.NDArray[np.bool_] | None = None
    """(item, item), symmetric: the pairs that count, for statistics that compare pairs; None: all pairs."""
    self_pairs: IntArray | None = None
    """For each group of a resample, the number of pairs of an item with its own copy, which do not count; None: 0."""

    def __post_init__(self) -> None:
        arrays = (self.metric, self.human, self.mask)
        shape = np.shape(self.mask)
        if len(shape) != 2 or any(np.shape(array) != shape for array in arrays):
            raise AlignmentError(f"scores of different shapes cannot be compared: {[np.shape(a) for a in arrays]}")
        mask = np.ascontiguousarray(without_mask(self.mask, fill=0), dtype=np.bool_)
        if any(isinstance(array, np.ma.MaskedArray) for array in arrays):
            mask = mask & ~np.ma.getmaskarray(self.metric) & ~np.ma.getmaskarray(self.human)
        object.__setattr__(self, "mask", mask)
        for name, array in (("metric", self.metric), ("human", self.human)):
            scores = np.ascontiguousarray(without_mask(array), dtype=np.float64)
            if not mask.all():
                scores = np.where(mask, scores, 0.0)
            if not np.isfinite(scores).all():
                raise InputError(f"the {name} scores must be finite inside the mask")
            object.__setattr__(self, name, scores)
        self._check_pairs(shape)

    def _check_pairs(self, shape: tuple[int, ...]) -> None:
        if self.self_pairs is not None and np.shape(self.self_pairs) != shape[:1]:
            raise AlignmentError(f"self_pairs must have one count for each of {shape[0]} groups")
        if self.pairs is not None:
            pairs = np.ascontiguousarray(self.pairs, dtype=np.bool_)
            if pairs.shape != (shape[1], shape[1]) or not np.array_equal(pairs, pairs.T):
                raise AlignmentError(f"pairs must be a symmetric matrix of {shape[1]} by {shape[1]} items")
            object.__setattr__(self, "pairs", pairs)

    @property
    def sizes(self) -> IntArray:
        """The number of items in each group."""
        groups, items = self.mask.shape
        sizes: IntArray = np.full(groups, items) if self.mask.all() else self.mask.sum(axis=1)
        return sizes

    def groups(self) -> Iterator[Batch]:
        """Each group as a batch of its own."""
        for k in range(len(self.mask)):
            group = slice(k, k + 1)
            self_pairs = None if self.self_pairs is None else self.self_pairs[group]
            yield Batch(self.metric[group], self.human[group], self.mask[group], self.pairs, self_pairs)


@dataclass(frozen=True, slots=True)
class Values:
    """One value per group (NaN where undefined), its weight in a micro average, and why values may be undefined."""

    values: FloatArray
    weights: FloatArray
    reason: str
    """Why the value of a group may be undefined, e.g. "the metric or the human scores are constant"."""
    details: tuple[tuple[str, str], ...] = ()
    """Other results of the statistic, such as the threshold that a calibration chose."""
    hits: IntArray | None = None
    """For a share of pairs: the number of agreeing pairs in each group."""
    pairs: IntArray | None = None
    """For statistics of pairs: the number of pairs in each group, or in all groups if there is a single value. Language
    pairs are pooled by this number."""
    by_pair: FloatArray | None = None
    """(item, item), symmetric: if there is a single value and it is the mean over pairs of items, the value of each
    pair; NaN for pairs that do not count."""

    def undefined_as_zero(self, sizes: IntArray) -> Values:
        """The same with 0 for groups that have two items or more but no value, as some papers do; they are counted."""
        is_undefined = np.isnan(self.values) & (sizes >= 2)
        count = (UNDEFINED_AS_ZERO, str(int(is_undefined.sum())))
        return replace(self, values=np.where(is_undefined, 0.0, self.values), details=(*self.details, count))

    def mean(self, *, is_weighted: bool = False) -> float:
        """Mean over the groups that have a value, unweighted or by weight; NaN if no group has one."""
        undefined = np.isnan(self.values)
        values, weights = self.values, self.weights
        if undefined.any():
            values, weights = values[~undefined], weights[~undefined]
        total = weights.sum() if is_weighted else len(values)
        return float((values * weights if is_weighted else values).sum() / total) if total > 0 else np.nan


@dataclass(frozen=True, slots=True)
class SumsOfItems:
    """A statistic of sums: the value of a group is `value` of the sums over its items."""

    table: FloatArray
    """(group, item, column). The first column is 1, or 0 outside the mask."""
    value: Callable[[FloatArray], FloatArray]
    """From sums (…, column) to values."""


class Statistic(ABC):
    """Compares vectors. Subclass it as a frozen dataclass: its fields are its options."""

    name: ClassVar[str]
    label: ClassVar[str] = ""
    """The name as the literature writes it; empty: the name itself."""
    agreement: ClassVar[str] = "{} against people"
    """The title of an axis, with the label."""
    levels: ClassVar[frozenset[str]] = frozenset({"system", "segment"})
    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0
    excludes_self_pairs: ClassVar[bool] = False
    """Whether a bootstrap interval must leave out pairs of an item with its own copy. Such a pair is a tie on which
    metric and human scores agree, so statistics that credit common ties subtract `Batch.self_pairs`."""
    no_interval: ClassVar[str | None] = None
    """Why the statistic has no interval; None: it has one."""
    uses_pairs: ClassVar[bool] = False
    """Whether it compares pairs of items and respects `Batch.pairs`; other statistics raise for a batch with pairs."""
    is_joint: ClassVar[bool] = False
    """Whether the value of a group depends on the other groups, because something is fitted to all of them."""
    is_pooled: ClassVar[bool] = False
    """Whether there is a single value for all groups together."""
    reads_segments: ClassVar[bool] = False
    """Whether it is computed from segment scores although it is a system-level statistic: groups are segments, items
    are systems."""
    accuracy_scale: ClassVar[float | None] = None
    """For a linear function of the share of pairs that the metric orders or ties as people do: its slope; else None."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.is_joint = cls.is_joint or cls.is_pooled  # a single value depends on all groups

    @abstractmethod
    def compute(self, batch: Batch) -> Values:
        """The value of each group."""

    def compute_each(self, batch: Batch) -> Values:
        """The value of each group on its own: as `compute`, unless the statistic fits something to all groups."""
        if not self.is_joint:
            return self.compute(batch)
        groups = [self.compute(group) for group in batch.groups()]
        values, weights = (np.array([getattr(group, name)[0] for group in groups]) for name in ("values", "weights"))
        return Values(values, weights, groups[0].reason if groups else "")

    @property
    def has_threshold(self) -> bool:
        """Whether it ties scores that differ by less than a threshold, which is a number on the scale of one metric."""
        return False

    @property
    def swap_form(self) -> SwapForm | None:
        """Which form it has, for tests that swap scores between metrics; None: none of them."""
        return None

    def calibrated(self, batch: Batch) -> Statistic:
        """The same with everything fixed that it fits to a batch."""
        return self

    def resampler(self, batch: Batch, threads: int) -> Resampler | None:
        """A faster way than `compute` to the values of a joint statistic in resamples of whole groups, or None."""
        return None

    def sums_of_items(self, batch: Batch) -> SumsOfItems | None:
        """The value of each group as a function of sums over its items, for resamples of items; None: it is not one."""
        return None

    def refuse_pairs(self, batch: Batch) -> None:
        """Raise if the batch is restricted to some pairs; for statistics that do not compare pairs."""
        if batch.pairs is not None:
            raise ConfigError(f"'{self.name}' does not compare pairs, so it cannot be restricted to some pairs")


def _class_from_file(value: object, name: str) -> type[Statistic]:
    """The class of statistics that an object in a file is."""
    if not isinstance(value, type) or not issubclass(value, Statistic) or not is_dataclass(value):
        hint = "derive it from assay.agreement.Statistic and decorate it with @dataclass(frozen=True)"
        raise ConfigError("this is not a class of statistics", hint=hint)
    return value


statistic: Registry[Statistic] = Registry(
    "statistic", __name__, entry_point_group="assay.statistics", from_file=_class_from_file
)


def statistics_option(help_text: str, *flags: str, default: str = "", others: Registry[Any] | None = None) -> Option:
    """An option for statistics, with the help page listing them; `others` are of something else than scores."""

    def names() -> list[str]:
        return [*statistic.names(), *(() if others is None else others.names())]

    def check(_: str, spec: Any) -> None:
        is_other = others is not None and isinstance(spec, str) and others.has(spec)
        (others if others is not None and is_other else statistic).create(spec)

    return Option(
        help_text,
        group=STATISTICS,
        default=default,
        check=check,
        split=split_specs,
        flags=flags,
        metavar="SPEC",
        names=names,
        lists_names=True,
    )


StatisticChoice = Annotated[
    str | Statistic, statistics_option("The statistic of agreement, with its options.", "-s", "--statistic")
]
