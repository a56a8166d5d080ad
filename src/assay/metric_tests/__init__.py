"""Tests of whether one metric agrees better with human scores than another, one per file.

A test compares all pairs of metrics at once, so that pairs share their draws. Every test states its null hypothesis in
words: what must be exchangeable, or how the scores are distributed, for its p-values to keep their level.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from assay.agreement import Statistic
from assay.errors import AlignmentError, InputError
from assay.metric_tests.problem import Problem, fitted
from assay.registry import Registry
from assay.types import FloatArray, IntArray

__all__ = ["MetricCells", "MetricTest", "PairTests", "Sides", "Tested", "create_test", "default_test", "metric_test"]

Sides = Literal["one", "two"]

DEFAULT = "default"
"""Instead of a spec: the test that suits the statistic."""

_ROUNDED = 1e-4  # the share of their range by which human scores may differ beside two metrics


@dataclass(frozen=True, slots=True, eq=False)
class MetricCells:
    """The scores of several metrics beside the human scores of the same cells, all oriented so that higher is better.

    System scores have a single column. For rankings, a column is a ranking and a row is a position in it.
    """

    names: tuple[str, ...]
    metrics: FloatArray
    """(metric, system, segment)."""
    human: FloatArray
    """(system, segment), or (metric, system, segment) if a metric has its own, such as means over its segments."""
    mask: npt.NDArray[np.bool_]
    """(metric, system, segment): the cells that the metric and the human scores have."""
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system): the pairs of systems that count; None: all."""
    segment: IntArray | None = None
    """The segment of each column; None: every column is a segment of its own."""

    def __post_init__(self) -> None:
        mask = np.ascontiguousarray(self.mask, dtype=np.bool_)
        metrics, human = (np.asarray(scores, dtype=np.float64) for scores in (self.metrics, self.human))
        if metrics.ndim != 3 or mask.shape != metrics.shape or len(self.names) != len(metrics):
            raise AlignmentError("metrics and mask must have shape (metric, system, segment), one name per metric")
        if human.shape not in (metrics.shape, metrics.shape[1:]):
            raise AlignmentError(f"human scores of shape {human.shape} do not fit metrics of shape {metrics.shape}")
        human = np.broadcast_to(human, metrics.shape)
        for kind, scores in (("metric", metrics), ("human", human)):
            if not np.isfinite(scores[mask]).all():
                raise InputError(f"the {kind} scores must be finite inside the mask")
        object.__setattr__(self, "mask", mask)
        object.__setattr__(self, "metrics", np.where(mask, metrics, 0.0))
        object.__setattr__(self, "human", np.where(mask, human, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class PairTests:
    """The p-values of pairs of metrics, in the order (0, 1), (0, 2), …; NaN with a reason where undefined."""

    first_better: FloatArray
    second_better: FloatArray
    reasons: tuple[str | None, ...]
    draws: FloatArray | None = None
    """(pair, resample): the difference of the pair under the null hypothesis; None: the test does not draw."""


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """All metrics compared with each other."""

    names: tuple[str, ...]
    test: MetricTest
    values: FloatArray
    """The agreement of each metric on its own cells."""
    differences: FloatArray
    """(metric, metric): the row's value minus the column's, on the cells that both have."""
    p: FloatArray
    """(metric, metric): of "the row agrees better than the column" or, if two-sided, of "they differ".

    NaN on the diagonal and where undefined."""
    n: IntArray
    """(metric, metric): the cells that both have: systems, or segment scores."""
    untested: Mapping[str, int]
    """The number of pairs without a p-value, by reason."""
    draws: FloatArray | None = None
    """(resample, metric, metric): differences under the null hypothesis, antisymmetric; None: no draws."""


class MetricTest(ABC):
    """Compares metrics. Subclass it as a frozen dataclass: its fields are its options."""

    __test__ = False  # keeps pytest from collecting it as a test case

    name: ClassVar[str]
    null: ClassVar[str]
    """The null hypothesis in words."""
    needs_segments: ClassVar[bool] = False
    """Whether it needs segment scores, also for a statistic of system scores, which are then their means."""
    sides: Sides
    resamples: int
    """0: the test does not draw."""

    def compare(
        self,
        statistic: Statistic,
        cells: MetricCells,
        *,
        level: str = "segment",
        grouping: str = "none",
        is_weighted: bool = False,
        stream: str = "",
        threads: int = 1,
    ) -> Tested:
        """The p-values of all pairs of metrics, each on the cells that both metrics and the human scores have.

        `level`, `grouping` and `is_weighted` say what the statistic is computed from, as in `assay.agree`. Data sets
        whose draws are pooled need different streams, so that their coins are independent. A threshold that a statistic
        calibrates is calibrated once per metric, on all its cells.
        """
        self.check(statistic, level, grouping)
        whole = [
            Problem.of(cells, [i], (statistic,), cells.mask[i], level, grouping, is_weighted)
            for i in range(len(cells.names))
        ]
        statistics = tuple(fitted(problem) for problem in whole)
        size = len(cells.names)
        table = _Table(size, self.resamples)
        for members, mask in _classes(cells):
            problem = Problem.of(
                cells,
                members,
                tuple(statistics[i] for i in members),
                mask,
                level,
                grouping,
                is_weighted,
                stream=stream,
                threads=threads,
            )
            wanted = [(i, j) for i, j in combinations(range(len(members)), 2) if not table.has(members[i], members[j])]
            if wanted:
                table.add(problem, self.test(problem), members, wanted)
        table.note_different_human(size)
        values = np.array([problem.values[0] for problem in whole])
        return Tested(cells.names, self, values, table.differences, table.p, table.n, table.untested, table.draws)

    @abstractmethod
    def check(self, statistic: Statistic, level: str, grouping: str) -> None:
        """Raise a ConfigError if the test does not apply to a statistic."""

    @abstractmethod
    def test(self, problem: Problem) -> PairTests:
        """Test all pairs of the metrics of a problem, which have the same cells."""


class _Table:
    """Collects the tests of pairs that have the same cells."""

    def __init__(self, metrics: int, resamples: int) -> None:
        self.p, self.differences = (np.full((metrics, metrics), np.nan) for _ in range(2))
        self.n = np.zeros((metrics, metrics), dtype=np.int64)
        self.draws = np.full((resamples, metrics, metrics), np.nan) if resamples else None
        self.untested: Counter[str] = Counter()
        self._seen = np.eye(metrics, dtype=np.bool_)

    def has(self, i: int, j: int) -> bool:
        return bool(self._seen[i, j])

    def add(self, problem: Problem, tests: PairTests, members: list[int], wanted: list[tuple[int, int]]) -> None:
        number = {pair: k for k, pair in enumerate(combinations(range(len(members)), 2))}
        for first, second in wanted:
            i, j, k = members[first], members[second], number[first, second]
            self._seen[i, j] = self._seen[j, i] = True
            self.n[i, j] = self.n[j, i] = problem.n
            self.differences[i, j] = problem.values[first] - problem.values[second]
            self.differences[j, i] = -self.differences[i, j]
            self.p[i, j], self.p[j, i] = tests.first_better[k], tests.second_better[k]
            if (reason := tests.reasons[k]) is not None:
                self.untested[reason] += 1
            if self.draws is not None and tests.draws is not None:
                self.draws[:, i, j], self.draws[:, j, i] = tests.draws[k], -tests.draws[k]

    def note_different_human(self, metrics: int) -> None:
        missing = int((~self._seen).sum()) // 2
        if missing:
            self.untested["the human scores beside the two metrics differ, as means over different segments do"] = (
                missing
            )


def _classes(cells: MetricCells) -> list[tuple[list[int], npt.NDArray[np.bool_]]]:
    """Metrics that can be tested together, and the cells they have in common.

    First all that have the same cells, then two such classes at a time, with the human scores of the first. Two metrics
    whose human scores differ are in no class.
    """
    keys = [cells.mask[i].tobytes() + cells.human[i].tobytes() for i in range(len(cells.names))]
    same = [[i for i, key in enumerate(keys) if key == wanted] for wanted in dict.fromkeys(keys)]
    classes = [(members, cells.mask[members[0]]) for members in same if len(members) > 1]
    for first, second in combinations(same, 2):
        mask = cells.mask[first[0]] & cells.mask[second[0]]
        if _is_same(cells.human[first[0]][mask], cells.human[second[0]][mask]):
            classes.append(([*first, *second], mask))
    return classes


def _is_same(one: FloatArray, other: FloatArray) -> bool:
    """Whether human scores differ by no more than stored ones are rounded."""
    return np.allclose(one, other, rtol=0, atol=_ROUNDED * float(np.ptp(one)) if len(one) else 0.0)


def default_test(statistic: Statistic, level: str) -> str:
    """Williams for Pearson's r of systems, a coin per system for their other statistics, else a coin per segment."""
    if level == "system":
        return "williams" if statistic.name == "pearson" else "perm-systems"
    return "perm-segments"


metric_test: Registry[MetricTest] = Registry("test between metrics", __name__, entry_point_group="assay.metric_tests")


def create_test(sig: str, default: str, seed: int) -> MetricTest:
    """The test of a spec; `default` stands for this one. A test that draws uses `seed` unless the spec has one."""
    spec = default if sig == DEFAULT else sig
    test: Any = metric_test.create(spec)  # those that draw have a seed
    if test.resamples and "seed" not in metric_test.explicit_options(spec):
        test = replace(test, seed=seed)
    created: MetricTest = test
    return created
