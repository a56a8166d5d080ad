"""Tests between metrics in the components of a task, and of the score that combines them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from assay.aggregate.resample import SEED
from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.lazily import numpy as np
from assay.metaeval.evaluation import Plan
from assay.metaeval.metric_comparison import compare_on_pair
from assay.metaeval.pair_scores import PairScores
from assay.metaeval.parity import mtme_test
from assay.metaeval.settings import test_settings
from assay.metric_tests import MetricPairs, MetricTest, create_test, default_test, metric_test
from assay.metric_tests.pooling import pool
from assay.metric_tests.ranks import ranked
from assay.options.checks import check_choice, check_share
from assay.results import MetricDifferences, TaskComponent
from assay.significance import ALPHA
from assay.significance.corrections import CORRECTIONS
from assay.types import Note

__all__ = ["TaskTests", "TestedPair"]

TestedPair: TypeAlias = Mapping[tuple[str, str | None], MetricPairs]
"""The tests on a language pair by statistic and domain."""


@dataclass(frozen=True, slots=True)
class TaskTests:
    """Tests all pairs of metrics in every component, and in the weighted mean of the components.

    Components of a language pair that have the same test share its draws, which swap the same scores in all of them.
    """

    sig: str
    """The spec of a test, or `default`: a coin per system at the system level, else a coin per segment."""
    alpha: float = ALPHA
    correction: str = "none"
    seed: int = SEED
    """Of a test that draws, unless its spec has one."""
    follows_mtme: bool = False
    """As mt-metrics-eval: its tests, with draws of its own for every component, which are added as they are drawn."""

    def __post_init__(self) -> None:
        check_share("alpha", self.alpha)
        check_choice("correction", self.correction, CORRECTIONS)
        self._test(statistic_registry.create("pearson"), "system")  # an unknown test is an error at once

    def on_pair(self, plan: Plan, scores: PairScores) -> tuple[TestedPair, list[Note]]:
        """The tests of every statistic, on all segments and, if planned, on each domain; notes on what is untested."""
        tested: dict[tuple[str, str | None], MetricPairs] = {}
        notes: dict[Note, None] = {}
        for part in (scores, *(scores.by_domain(plan.runtime) if plan.by_domain else ())):
            for statistic in plan.statistics:
                test = self._test(statistic.statistic, statistic.level)
                test.check(statistic.statistic, statistic.level, statistic.grouping)
                own_stream = " ".join((part.pair.lp, statistic.spec, *statistic.settings.values(), part.domain or ""))
                stream = f"{own_stream} {len(part.pair.systems)}" if self.follows_mtme else None
                found, found_notes = compare_on_pair(
                    test, statistic, part, plan.outliers[0], stream=stream, threads=plan.runtime.threads
                )
                tested[statistic.spec, part.domain] = found
                notes |= dict.fromkeys(replace(note, where=part.domain or "") for note in found_notes)
        return tested, list(notes)

    def over_pairs(self, parts: Sequence[MetricPairs], weights: Sequence[float]) -> MetricPairs | None:
        """The tests of an average over language pairs; None: the test does not draw."""
        if len(parts) == 1:
            return parts[0]
        total = math.fsum(weights)
        return pool(parts, [weight / total for weight in weights]) if parts[0].resamples else None

    def ranks(self, tested: MetricPairs) -> dict[str, int]:
        """The ranks of the metrics of a component: those that do not differ significantly share one.

        A metric that was tested against no other has no rank.
        """
        return ranked(tested, alpha=self.alpha, correction=self.correction).ranks

    def of_score(
        self, components: Sequence[TaskComponent], tested: Sequence[MetricPairs | None], *, rescales: bool
    ) -> MetricDifferences | None:
        """The tests of the weighted mean of components; None: a component that counts has no draws."""
        by_test: dict[str, list[tuple[MetricPairs, float]]] = {}
        offset = 0.0
        for component, found in zip(components, tested, strict=True):
            if component.weight > 0:
                if found is None or found.draws is None:
                    return None
                weight = component.weight / (component.high - component.low if rescales else 1.0)
                offset += weight * component.low if rescales else 0.0
                by_test.setdefault("" if self.follows_mtme else found.test, []).append((found, weight))
        total = _added([pool([part for part, _ in parts], [w for _, w in parts]) for parts in by_test.values()])
        return ranked(
            replace(total, values=total.values - offset),
            statistic="score" if rescales else "average",
            alpha=self.alpha,
            correction=self.correction,
        )

    def described(self, component: TaskComponent) -> TaskComponent:
        """The component with the name of its test and what that assumes."""
        test = self._test(statistic_registry.create(component.statistic), component.level)
        return replace(component, test=metric_test.spec(test), null=test.null)

    def settings(self, components: Iterable[TaskComponent]) -> dict[str, str]:
        """What ranks and clusters depend on."""
        tests = (self._test(statistic_registry.create(each.statistic), each.level) for each in components)
        return test_settings(tests, alpha=self.alpha, correction=self.correction)

    def _test(self, statistic: Statistic, level: str) -> MetricTest:
        """The test of a statistic. The default is that of `assay.meta` if it draws, so that the score can be tested."""
        default = mtme_test(statistic, level) if self.follows_mtme else default_test(statistic, level)
        if not metric_test.create(default).resamples:
            default = "perm-systems"
        return create_test(self.sig, default, self.seed)


def _added(parts: Sequence[MetricPairs]) -> MetricPairs:
    """The sum of values that different tests compared.

    Coins for systems and coins for segments are tossed independently, but swap the same scores. Sums of such draws vary
    too little: two exchangeable metrics would differ at p <= .05 in 6 to 9 % of the cases. So the draws are added in
    order of their size, as if the parts always agreed; the sum then varies at least as much as it should.
    """
    if len(parts) == 1:
        return parts[0]
    ordered = [replace(part, draws=np.sort(np.asarray(part.draws), axis=0)) for part in parts]
    return pool(ordered, [1.0] * len(parts))
