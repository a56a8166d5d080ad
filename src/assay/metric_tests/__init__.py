"""Tests of whether one metric agrees better with human scores than another, one per file.

A test compares all pairs of metrics at once, so that pairs share their draws. Every test states its null hypothesis in
words: what must be exchangeable, or how the scores are distributed, for its p-values to keep their level.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from assay.agreement import Statistic
from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.metric_tests.cells import MetricCells
from assay.metric_tests.joining import joined
from assay.metric_tests.pairs import MetricPairs
from assay.metric_tests.problem import Problem
from assay.registry import Registry, split_spec
from assay.types import FloatArray, IntArray

__all__ = [
    "DEFAULT",
    "SMALLEST_P",
    "MetricCells",
    "MetricPairs",
    "MetricTest",
    "Sides",
    "create_test",
    "default_test",
    "metric_test",
]

Sides = Literal["one", "two"]

SMALLEST_P = 5e-324
"""A p-value that is computed, not counted, is never 0: this stands for all that are too small for a float."""

DEFAULT = "default"
"""Instead of the name of a test: the one that suits the statistic."""


class MetricTest(ABC):
    """Compares metrics. Subclass it as a frozen dataclass: its fields are its options."""

    __test__ = False  # keeps pytest from collecting it as a test case

    name: ClassVar[str]
    label: ClassVar[str] = ""
    """The name as the literature writes it; empty: the name itself."""
    levels: ClassVar[tuple[str, ...]] = ("system", "segment")
    """The levels at which it compares metrics."""
    needs_segments: ClassVar[bool] = False
    """Whether it needs segment scores, also for a statistic of system scores, which must then be their means."""
    sides: Sides
    resamples: int
    """0: the test does not draw."""
    seed: int | None = None
    """None: the test does not draw."""
    p_rule: str | None = None
    """How p-values follow from draws; None: the test does not draw."""

    @property
    @abstractmethod
    def null(self) -> str:
        """The null hypothesis in words."""

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
    ) -> MetricPairs:
        """The p-values of all pairs of metrics, each on the cells that both metrics and the human scores have.

        `level`, `grouping` and `is_weighted` say what the statistic is computed from, as in `assay.agree`. Data sets
        whose draws are pooled need different streams, so that their coins are independent. A threshold that a statistic
        calibrates is calibrated once per metric, on all its cells. The metrics stay in the order of the cells.
        """
        self.check(statistic, level, grouping)
        same = (statistic,) * len(cells.names)
        on_own_cells = [
            Problem.of(cells, cells.alone(i), same, level, grouping, is_weighted) for i in range(len(cells.names))
        ]
        statistics = tuple(statistic.calibrated(problem.batch(problem.metrics[0])) for problem in on_own_cells)
        parts = []
        for group in cells.comparable():
            problem = Problem.of(cells, group, statistics, level, grouping, is_weighted)
            parts.append((group, self.test(replace(problem, stream=stream, threads=threads))))
        values = np.array([problem.values[0] for problem in on_own_cells])
        counts = np.array([(problem.systems, problem.n) for problem in on_own_cells], dtype=np.int64).reshape(-1, 2)
        return joined(self._without_pairs(cells.names, values, *counts.T), parts)

    def check(self, statistic: Statistic, level: str, grouping: str) -> None:
        """Raise a ConfigError if the test does not apply to a level or a statistic."""
        if level not in self.levels:
            raise self.not_at(level)
        self.check_statistic(statistic, level, grouping)

    def not_at(self, level: str) -> ConfigError:
        """The error for a level at which the test does not compare metrics."""
        hint = f"use it with {' or '.join(option_name('level', each) for each in self.levels)}"
        return ConfigError(f"{self.name} does not test metrics at the level {level}", hint=hint)

    def check_statistic(self, statistic: Statistic, level: str, grouping: str) -> None:  # noqa: B027  # most apply
        """Raise a ConfigError if the test does not apply to a statistic at one of its levels."""

    def test(self, problem: Problem) -> MetricPairs:
        """Test the pairs of a problem, whose metrics have the same cells: every test of scores defines it."""
        raise NotImplementedError

    def of_pairs(
        self,
        problem: Problem,
        first_better: FloatArray,
        second_better: FloatArray,
        reasons: Sequence[str | None],
        draws: FloatArray | None = None,
        *,
        smallest_p: float = 0.0,
        is_exact: bool = True,
    ) -> MetricPairs:
        """The result from p-values of the pairs of a problem; NaN with a reason where undefined.

        `draws` (pair, resample): the difference of the pair under the null hypothesis; None: the test does not draw.
        """
        first, second, size = problem.first, problem.second, len(problem.names)
        p, differences, smallest = (np.full((size, size), np.nan) for _ in range(3))
        p[first, second], p[second, first] = first_better, second_better
        observed = problem.values[first] - problem.values[second]
        differences[first, second], differences[second, first] = observed, -observed
        smallest[first, second] = smallest[second, first] = smallest_p
        matrix = None
        if draws is not None:
            matrix = np.full((draws.shape[1], *p.shape), np.nan)
            matrix[:, first, second], matrix[:, second, first] = draws.T, -draws.T
        names = [(problem.names[i], problem.names[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
        counts = (np.full(size, count) for count in (problem.systems, problem.n))
        return replace(
            self._without_pairs(problem.names, problem.values, *counts),
            differences=differences,
            p_values=p,
            smallest_p=smallest,
            is_exact=np.full(p.shape, is_exact),
            n=np.full(p.shape, problem.n),
            reasons=tuple((*pair, why) for pair, why in zip(names, reasons, strict=True) if why is not None),
            draws=matrix,
        )

    def _without_pairs(self, names: tuple[str, ...], values: FloatArray, systems: IntArray, n: IntArray) -> MetricPairs:
        """Metrics with their values and counts, before any pair is tested."""
        undefined = np.full((len(names), len(names)), np.nan)
        return MetricPairs(
            test=metric_test.spec(self),
            null=self.null,
            sides=self.sides,
            resamples=self.resamples,
            seed=self.seed,
            p_rule=self.p_rule,
            metrics=names,
            values=values,
            systems=systems,
            differences=undefined,
            p_values=undefined,
            smallest_p=undefined,
            is_exact=np.zeros(undefined.shape, dtype=np.bool_),
            n=np.diag(n),
        )


def default_test(statistic: Statistic, level: str) -> str:
    """Williams for Pearson's r of systems, a coin per system for their other statistics, else a coin per segment."""
    if level == "system":
        return "williams" if statistic.name == "pearson" else "perm-systems"
    return "perm-segments"


metric_test: Registry[MetricTest] = Registry("test between metrics", __name__, entry_point_group="assay.metric_tests")


def create_test(sig: str, default: str, seed: int) -> MetricTest:
    """The test of a spec, in which the name `default` stands for this one: `default:resamples=99`.

    The default may have options, too; those of the spec go before them. A test that draws uses `seed` unless the spec
    has one.
    """
    name, options = split_spec(sig)
    spec = _with_options(default, options) if name == DEFAULT else sig
    test: Any = metric_test.create(spec)  # those that draw have a seed
    if test.resamples and "seed" not in metric_test.explicit_options(spec):
        test = replace(test, seed=seed)
    created: MetricTest = test
    return created


def _with_options(default: str, options: str) -> str:
    """The spec of a test with more options, which replace its own."""
    if not options:
        return default
    name, own = split_spec(default)
    given = metric_test.explicit_options(f"{name}:{options}")
    kept = [item for item in own.split(",") if item and item.partition("=")[0] not in given]
    return f"{name}:{','.join([options, *kept])}"
