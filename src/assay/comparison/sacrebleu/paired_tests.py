"""The p-values of sacreBLEU's paired tests.

They are offered because published results use them. The paired bootstrap rejects true null hypotheses about twice as
often as it should, and both tests call a system different from its own copy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.comparison.sacrebleu.arithmetic import Floats, scores_of_totals, with_integer_arrays
from assay.comparison.sacrebleu.resampling import SummableTable, resampled_sums, swap_blocks
from assay.contracts import Metric
from assay.types import Table

__all__ = ["ComparedSystems", "bootstrap_p", "p_values"]

_CLOSE = 1e-9  # far above the rounding errors of scores


def p_values(
    metric: Metric, table: Table, pairs: Sequence[tuple[int, int]], test: str, resamples: int, seed: int
) -> list[float]:
    """The p-value of each pair of systems by their place in the table; `test` is bootstrap or randomisation.

    As in sacreBLEU, the second system of a pair is the baseline, and all systems compared with it share the draws.
    """
    found: dict[tuple[int, int], float] = {}
    for baseline in dict.fromkeys(second for _, second in pairs):
        others = [first for first, second in pairs if second == baseline]
        compared = ComparedSystems(metric, table[[baseline, *others]])
        generator = np.random.default_rng(seed)
        of_test = compared.bootstrap_p_values if test == "bootstrap" else compared.randomisation_p_values
        found |= zip(((other, baseline) for other in others), of_test(generator, resamples), strict=True)
    return [found[pair] for pair in pairs]


class ComparedSystems:
    """The statistics and scores of all systems under a metric; the first system is the baseline."""

    def __init__(self, metric: Metric, table: Table) -> None:
        self.metric = metric
        self.table = SummableTable(table)
        self.values: list[float] = scores_of_totals(metric, self.table.totals.astype(np.float64)).tolist()

    def bootstrap_p_values(self, generator: np.random.Generator, resamples: int) -> list[float]:
        """Of every system but the baseline (`--paired-bs`)."""
        (sums,) = resampled_sums(generator, resamples, [self.table])
        baseline, *others = (scores_of_totals(self.metric, totals) for totals in sums)
        return [
            bootstrap_p(scores, baseline, abs(self.values[0] - value))
            for value, scores in zip(self.values[1:], others, strict=True)
        ]

    def randomisation_p_values(self, generator: np.random.Generator, resamples: int) -> list[float]:
        """Of every system but the baseline (`--paired-ar`)."""
        segments = self.table.table.shape[1]
        blocks = swap_blocks(generator, resamples, segments, in_parts=self.table.is_whole)
        counts = sum((self.larger_differences(swaps) for swaps in blocks), np.zeros(len(self.values) - 1))
        return [(count + 1) / (resamples + 1) for count in counts.tolist()]

    def larger_differences(self, swaps: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """For each system, in how many trials the shuffled systems differ by more than the real ones.

        Where the last digits decide, scores are computed with sacreBLEU's arithmetic, which takes longer.
        """
        metric = with_integer_arrays(self.metric)
        first, second = self.table.swapped(swaps)
        differences = np.abs(self.values[0] - np.array(self.values[1:]))[:, np.newaxis]
        excess = np.abs(metric.score(first) - metric.score(second)) - differences
        larger = excess > 0
        close = ~(np.abs(excess) > _CLOSE)
        if close.any():
            exact = np.abs(scores_of_totals(metric, first[close]) - scores_of_totals(metric, second[close]))
            larger[close] = exact > np.broadcast_to(differences, close.shape)[close]
        count: npt.NDArray[np.int64] = larger.sum(axis=1)
        return count


def bootstrap_p(scores: Floats, baseline: Floats, difference: float) -> float:
    """Moses' rule, which takes absolute values before it centres: |d_b| - mean |d_b| > |d|."""
    differences = np.abs(scores - baseline)
    return (int(np.sum(differences - differences.mean() > difference)) + 1) / (len(scores) + 1)
