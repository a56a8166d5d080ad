"""Tests between metrics in the components of a task, and pooled over them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from assay.metaeval.evaluation import Plan
from assay.metaeval.metric_comparison import MetricComparison
from assay.metaeval.pair_scores import PairScores
from assay.metric_tests import MetricTest, Tested, create_test, metric_test
from assay.metric_tests.pooling import pool
from assay.metric_tests.ranks import metric_differences
from assay.registry import option_text
from assay.resample import SEED
from assay.results import MetricDifferences, TaskComponent
from assay.significance import ALPHA

__all__ = ["TaskTests", "TestedPair"]

_DEFAULT_TEST = "perm-segments"
"""It applies to all statistics of the shipped tasks, so that its draws can be pooled over them."""

TestedPair: TypeAlias = Mapping[tuple[str, str | None], Tested]
"""The tests on a language pair by statistic and domain."""


@dataclass(frozen=True, slots=True)
class TaskTests:
    """Tests all pairs of metrics in every component, and in the weighted mean of the components.

    The components of a language pair share their draws, which swap the same scores in all of them.
    """

    test: MetricTest
    alpha: float = ALPHA

    @classmethod
    def from_spec(cls, spec: str, alpha: float, seed: int = SEED) -> TaskTests:
        """By the spec of a test, or the default. A test that draws uses `seed` unless its spec has one."""
        return cls(create_test(spec, _DEFAULT_TEST, seed), alpha)

    def on_pair(self, plan: Plan, scores: PairScores) -> TestedPair:
        """The tests of every statistic, on all segments and, if planned, on each domain."""
        tested: dict[tuple[str, str | None], Tested] = {}
        for part in (scores, *(scores.by_domain(plan.runtime) if plan.by_domain else ())):
            for statistic in plan.statistics:
                self.test.check(statistic.statistic, statistic.level, statistic.grouping)
                comparison = MetricComparison(self.test, self.alpha, "none")
                comparison.add(replace(plan, statistics=(statistic,)), part)
                ((found,),) = (by_pair.values() for by_pair in comparison.tested.values())
                tested[statistic.spec, part.domain] = found
        return tested

    def over_pairs(self, parts: Sequence[Tested], weights: Sequence[float]) -> Tested | None:
        """The tests of an average over language pairs; None: the test does not draw."""
        if len(parts) == 1:
            return parts[0]
        total = math.fsum(weights)
        return pool(parts, [weight / total for weight in weights]) if self.test.resamples else None

    def clusters(self, tested: Tested) -> dict[str, int]:
        """The ranks of the metrics of a component: those that do not differ significantly share one."""
        found = metric_differences(tested, alpha=self.alpha)
        return dict(zip(found.metrics, found.ranks.tolist(), strict=True))

    def of_score(
        self, components: Sequence[TaskComponent], tested: Sequence[Tested | None], *, rescales: bool
    ) -> MetricDifferences | None:
        """The tests of the weighted mean of components: the draws of the components, weighted and added up."""
        if not self.test.resamples:
            return None
        counted = [(c, t) for c, t in zip(components, tested, strict=True) if c.weight > 0 and t is not None]
        weights = [c.weight / (c.high - c.low if rescales else 1.0) for c, _ in counted]
        return metric_differences(pool([t for _, t in counted], weights), statistic="score", alpha=self.alpha)

    @property
    def settings(self) -> dict[str, str]:
        """What ranks and clusters depend on."""
        return {"sig": metric_test.spec(self.test), "alpha": option_text(self.alpha)}
