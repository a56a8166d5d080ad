"""Base class of metrics that the core computes from texts to scores."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, TypeGuard

from assay.contracts import Metric
from assay.lazily import numpy as np
from assay.types import Column, FloatArray, Rows, Table, TestSet
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ComparedTexts", "CoreMetric", "Formula", "is_core", "is_ours"]


class Formula(Protocol):
    """Scores sums of statistics in the core."""

    def scores(self, totals: Rows) -> Rows:
        """(..., column) to (...): a memoryview of a memoryview, else an array."""


class ComparedTexts(NamedTuple):
    """Candidates and their pseudo-references; without these, the candidates are their own.

    Those of segment i are the texts from `starts[i]` on.
    """

    texts: Column
    starts: npt.NDArray[np.int64]
    references: Column | None
    reference_starts: npt.NDArray[np.int64] | None

    def changed(self, change: Callable[[Column], Column]) -> ComparedTexts:
        """The same with changed texts."""
        references = None if self.references is None else change(self.references)
        return self._replace(texts=change(self.texts), references=references)


class CoreMetric(Metric):
    """A metric whose table and scores the core computes, so that no numpy array is needed on the way.

    To import numpy takes longer than to score a test set.
    """

    @abstractmethod
    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        """What `statistics` returns, perhaps as a memoryview."""

    @property
    @abstractmethod
    def formula(self) -> Formula:
        """What `score` computes."""

    has_utilities: ClassVar[bool] = False
    """Whether the core compares all candidates of a segment with each other at once."""

    def core_utilities(
        self, compared: ComparedTexts, *, keeps_all: bool, threads: int
    ) -> tuple[FloatArray, FloatArray | None]:
        """The mean segment score of each candidate against each pseudo-reference, and all of them if `keeps_all`.

        The metric has been prepared, and is its own `segment_form`.
        """
        raise NotImplementedError

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        return np.asarray(self.core_statistics(testset, runtime))

    def score(self, totals: Table) -> FloatArray:
        array = np.asarray(totals)
        exact = array if array.dtype in (np.int64, np.float64) else array.astype(np.float64)
        scores: FloatArray = np.asarray(self.formula.scores(np.ascontiguousarray(exact)))
        return scores[()]  # a number, if there is one row


def is_core(metric: Metric) -> TypeGuard[CoreMetric]:
    """Whether the core computes a metric: false of classes of others, whose tables and scores are checked."""
    return isinstance(metric, CoreMetric) and is_ours(metric)


def is_ours(metric: Metric) -> bool:
    """Whether a metric comes with Assay. What the code of others returns is checked."""
    return type(metric).__module__.startswith("assay.")
