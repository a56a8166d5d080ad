"""Tests of whether one metric agrees better with human scores than another, one per file.

A test compares all pairs of metrics at once, so that pairs share their draws. Every test states its null hypothesis in
words: what must be exchangeable, or how the scores are distributed, for its p-values to keep their level.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from assay.agreement import Statistic
from assay.metric_tests.cells import MetricCells
from assay.metric_tests.joining import joined
from assay.metric_tests.problem import Problem, pairs_of
from assay.registry import Registry
from assay.results import MetricDifferences
from assay.significance import ALPHA
from assay.types import FloatArray

__all__ = [
    "DEFAULT",
    "SMALLEST_P",
    "MetricCells",
    "MetricTest",
    "PRule",
    "Sides",
    "create_test",
    "default_test",
    "metric_test",
]

Sides = Literal["one", "two"]
PRule = Literal["add-one", "share"]
"""p-values from draws: (b + 1) / (m + 1), or b / m, where b of m draws are at least as high as what was observed."""

SMALLEST_P = 5e-324
"""A p-value that is computed, not counted, is never 0: this stands for all that are too small for a float."""

DEFAULT = "default"
"""Instead of a spec: the test that suits the statistic."""


class MetricTest(ABC):
    """Compares metrics. Subclass it as a frozen dataclass: its fields are its options."""

    __test__ = False  # keeps pytest from collecting it as a test case

    name: ClassVar[str]
    null: ClassVar[str]
    """The null hypothesis in words."""
    needs_segments: ClassVar[bool] = False
    """Whether it needs segment scores, also for a statistic of system scores, which must then be their means."""
    sides: Sides
    resamples: int
    """0: the test does not draw."""
    seed: int | None = None
    """None: the test does not draw."""
    p: PRule = "add-one"

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
    ) -> MetricDifferences:
        """The p-values of all pairs of metrics, each on the cells that both metrics and the human scores have.

        `level`, `grouping` and `is_weighted` say what the statistic is computed from, as in `assay.agree`. Data sets
        whose draws are pooled need different streams, so that their coins are independent. A threshold that a statistic
        calibrates is calibrated once per metric, on all its cells. The metrics stay in the order of the cells.
        """
        self.check(statistic, level, grouping)
        on_own_cells = [
            Problem.of(cells, [i], (statistic,), mask, level, grouping, is_weighted)
            for i, mask in enumerate(cells.mask)
        ]
        statistics = [statistic.calibrated(problem.batch(problem.metrics[0])) for problem in on_own_cells]
        parts = []
        for members, mask in cells.classes():
            of_members = tuple(statistics[i] for i in members)
            problem = Problem.of(cells, members, of_members, mask, level, grouping, is_weighted)
            parts.append(self.test(replace(problem, stream=stream, threads=threads)))
        values = np.array([problem.values[0] for problem in on_own_cells])
        nothing = self._result(cells.names, values, *np.full((2, len(values), len(values)), np.nan))
        return joined(nothing, parts)

    @abstractmethod
    def check(self, statistic: Statistic, level: str, grouping: str) -> None:
        """Raise a ConfigError if the test does not apply to a statistic."""

    @abstractmethod
    def test(self, problem: Problem) -> MetricDifferences:
        """Test all pairs of the metrics of a problem, which have the same cells."""

    def of_pairs(
        self,
        problem: Problem,
        first_better: FloatArray,
        second_better: FloatArray,
        reasons: Sequence[str | None],
        draws: FloatArray | None = None,
    ) -> MetricDifferences:
        """The result from p-values of pairs in the order (0, 1), (0, 2), …; NaN with a reason where undefined.

        `draws` (pair, resample): the difference of the pair under the null hypothesis; None: the test does not draw.
        """
        size = len(problem.names)
        first, second = pairs_of(size)
        p = np.full((size, size), np.nan)
        p[first, second], p[second, first] = first_better, second_better
        matrix = None
        if draws is not None:
            matrix = np.full((draws.shape[1], size, size), np.nan)
            matrix[:, first, second], matrix[:, second, first] = draws.T, -draws.T
        names = [(problem.names[i], problem.names[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
        differences = np.subtract.outer(problem.values, problem.values)
        np.fill_diagonal(differences, np.nan)
        return self._result(
            problem.names,
            problem.values,
            differences,
            p,
            n=problem.n,
            reasons=tuple((*pair, why) for pair, why in zip(names, reasons, strict=True) if why is not None),
            draws=matrix,
        )

    def _result(
        self,
        names: tuple[str, ...],
        values: FloatArray,
        differences: FloatArray,
        p: FloatArray,
        *,
        n: int = 0,
        reasons: tuple[tuple[str, str, str], ...] = (),
        draws: FloatArray | None = None,
    ) -> MetricDifferences:
        """All pairs of metrics, tested by this test."""
        return MetricDifferences(
            test=metric_test.spec(self),
            null=self.null,
            sides=self.sides,
            resamples=self.resamples,
            seed=self.seed,
            p_rule=self.p,
            alpha=ALPHA,
            metrics=names,
            values=values,
            differences=differences,
            p_values=p,
            uncorrected=p,
            n=np.where(np.eye(len(names), dtype=np.bool_), 0, n),
            reasons=reasons,
            draws=draws,
        )


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
