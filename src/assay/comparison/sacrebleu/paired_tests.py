"""The p-values of sacreBLEU's paired tests, which all systems and metrics share the draws of.

They are offered because published results use them. The paired bootstrap rejects true null hypotheses about twice as
often as it should, and both tests call a system different from its own copy; `assay compare` has better tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.comparison.sacrebleu.arithmetic import Floats, scores_of_totals, with_integer_arrays
from assay.comparison.sacrebleu.resampling import SummableTable, resampled_sums, swap_blocks
from assay.contracts import Metric
from assay.lazily import numpy as np
from assay.types import Table

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ComparedSystems", "p_values", "randomisation_p_values", "resampled_scores"]

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
        if test == "bootstrap":
            (scores,) = resampled_scores(generator, resamples, [compared])
            of_others = compared.bootstrap_p_values(scores)
        else:
            (of_others,) = randomisation_p_values(generator, resamples, [compared])
        found |= zip(((other, baseline) for other in others), of_others, strict=True)
    return [found[pair] for pair in pairs]


class ComparedSystems:
    """The statistics and scores of all systems under a metric; the first system is the baseline."""

    def __init__(self, metric: Metric, table: Table) -> None:
        self.metric = metric
        self.table = SummableTable(table)
        self.values: list[float] = scores_of_totals(metric, self.table.totals.astype(np.float64)).tolist()

    def bootstrap_p_values(self, resampled: Sequence[Floats]) -> list[float]:
        """Of every system but the baseline (`--paired-bs`), from the resampled scores of all systems.

        Moses' rule takes absolute values before it centres: |d_b| - mean |d_b| > |d|.
        """
        baseline, *others = resampled
        found = []
        for value, scores in zip(self.values[1:], others, strict=True):
            differences = np.abs(scores - baseline)
            larger = differences - differences.mean() > abs(self.values[0] - value)
            found.append((int(larger.sum()) + 1) / (len(scores) + 1))
        return found

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


def resampled_scores(
    generator: np.random.Generator, resamples: int, compared: Sequence[ComparedSystems]
) -> list[list[Floats]]:
    """The bootstrapped scores of each system under each metric."""
    sums = resampled_sums(generator, resamples, [systems.table for systems in compared])
    return [
        [scores_of_totals(systems.metric, totals) for totals in of_metric]
        for systems, of_metric in zip(compared, sums, strict=True)
    ]


def randomisation_p_values(
    generator: np.random.Generator, trials: int, compared: Sequence[ComparedSystems]
) -> list[list[float]]:
    """Of every system but the baseline (`--paired-ar`), under each metric."""
    _, segments, _ = compared[0].table.table.shape
    counts = [np.zeros(len(systems.values) - 1, dtype=np.int64) for systems in compared]
    in_parts = all(systems.table.is_whole for systems in compared)
    for swaps in swap_blocks(generator, trials, segments, in_parts=in_parts):
        for systems, count in zip(compared, counts, strict=True):
            count += systems.larger_differences(swaps)
    return [((count + 1) / (trials + 1)).tolist() for count in counts]
