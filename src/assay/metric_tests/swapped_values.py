"""The difference between two metrics after scores were swapped between them, for all pairs of metrics.

Most statistics need no new computation for each pair: sums over swapped cells are linear in the coins, so they are
computed once per metric, and pairs only add them. Sums are exact, so that no order of summation changes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from assay import _core
from assay.agreement import Batch, SwapForm, Values
from assay.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy
from assay.lazily import numpy as np
from assay.metric_tests.problem import Problem, means
from assay.types import FloatArray, IntArray, Mask

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["swapped_differences", "swaps_whole_groups"]

_MAX_CELLS = 1 << 22  # held at a time as floating-point numbers
_MAX_ITEMS = 64  # of a group, in the kernel for pairs of items
_CONSTANT = 1e-12  # a variance below this share of that of all cells is 0

_DECIMALS = 12  # of the mean of standardised scores: systems that tie still do after rounding errors

"""(resample, system, column)."""


def swapped_differences(problem: Problem, swaps: Mask, unit: str) -> FloatArray:
    """(pair, resample): the first metric's value minus the second's after the swaps; NaN where undefined."""
    statistic = problem.statistics[0]
    if problem.compares_means:
        return _of_system_means(problem, swaps)
    if swaps_whole_groups(unit, problem.grouping) and not statistic.is_joint:
        return _of_whole_groups(problem, swaps)
    match statistic.swap_form:
        case "soft accuracy":
            return _of_soft_accuracies(problem, swaps)
        case "correlation":
            return _of_correlations(problem, swaps)
        case "tau-a" | "tau-b" | "accuracy" as form if _fits_pair_kernel(problem):
            return _of_pair_statistics(problem, swaps, form)
    return _of_any_statistic(problem, swaps)


def swaps_whole_groups(unit: str, grouping: str) -> bool:
    """Whether a coin of the unit swaps the scores of whole groups, so that their values are swapped."""
    return grouping in {"segment": ("item", "ranking"), "system": ("system",)}.get(unit, ())


def _of_whole_groups(problem: Problem, swaps: Mask) -> FloatArray:
    """Groups keep their values, so the mean of a metric is a sum over its own and the other's groups."""
    coins = swaps[:, 0, :] if problem.grouping in ("item", "ranking") else swaps[:, :, 0]
    weighted, weights = [], []
    for statistic, scores in zip(problem.statistics, problem.metrics, strict=True):
        computed = statistic.compute(problem.batch(scores))
        defined = ~np.isnan(computed.values)
        weight = np.where(defined, computed.weights if problem.is_weighted else 1.0, 0.0)
        weighted.append(np.where(defined, computed.values, 0.0) * weight)
        weights.append(weight)
    sums = [_SwappedSums(coins, np.stack(side, axis=1)) for side in (weighted, weights)]
    first, second = problem.first, problem.second
    values = [
        _ratio(sums[0].exchanged(own, other), sums[1].exchanged(own, other))
        for own, other in ((first, second), (second, first))
    ]
    return values[0] - values[1]


def _of_system_means(problem: Problem, swaps: Mask) -> FloatArray:
    """System scores, or means of segment scores: those of a resample are sums of the two metrics' swapped cells."""
    scores, counts = problem.swappable, np.maximum(problem.mask.sum(axis=1), 1)
    by_system = [_SwappedSums(swaps[:, i, :], scores[:, i, :].T) for i in range(len(problem.mask))]
    whole, swapped = (np.stack([getattr(sums, part) for sums in by_system], axis=-1) for part in ("all", "swapped"))
    human, has_score = means(problem.human, problem.mask), np.asarray(problem.mask.any(axis=1))
    differences = np.empty((len(problem.first), len(swaps)))
    for k, (i, j) in enumerate(zip(problem.first.tolist(), problem.second.tolist(), strict=True)):
        values = []
        for own, other in ((i, j), (j, i)):
            rows = (whole[own] - swapped[own] + swapped[other]) / counts
            batch = Batch(
                np.round(rows, _DECIMALS),
                np.broadcast_to(human, rows.shape),
                np.broadcast_to(has_score, rows.shape),
                problem.pairs,
            )
            values.append(problem.statistics[0].compute_each(batch).values)
        differences[k] = values[0] - values[1]
    return differences


def _of_soft_accuracies(problem: Problem, swaps: Mask) -> FloatArray:
    """All pairs of metrics share the sign flips, and the p-values of the human scores."""
    statistic = cast("SoftPairwiseAccuracy", problem.statistics[0])
    coins = statistic.coins(problem.mask)
    human = statistic.p_better(np.ascontiguousarray(problem.human), np.ascontiguousarray(problem.mask), coins)
    counted = ~np.isnan(human) if problem.pairs is None else ~np.isnan(human) & problem.pairs
    if not np.triu(counted, 1).any():
        return np.full((len(problem.first), len(swaps)), np.nan)
    differences = _core.swapped_spa(
        problem.swappable,
        np.ascontiguousarray(problem.mask),
        np.ascontiguousarray(counted),
        np.rint(np.nan_to_num(human) * 2 * statistic.resamples).astype(np.int64),
        coins,
        np.ascontiguousarray(swaps),
        statistic.ties == "at-least",
        problem.threads,
    )
    return differences[_pair_numbers(problem)]


def _fits_pair_kernel(problem: Problem) -> bool:
    return problem.grouping == "item" and 2 <= len(problem.mask) <= _MAX_ITEMS


def _of_pair_statistics(problem: Problem, swaps: Mask, form: SwapForm) -> FloatArray:
    scale = problem.statistics[0].accuracy_scale or 1.0
    mask = np.ascontiguousarray(problem.mask.T)
    weights = mask.sum(axis=1).astype(np.float64) if problem.is_weighted else np.ones(len(mask))
    differences = _core.swapped_pairs(
        np.ascontiguousarray(problem.swappable.transpose(0, 2, 1)),
        np.ascontiguousarray(problem.human.T),
        mask,
        problem.pairs,
        weights,
        np.ascontiguousarray(swaps.transpose(0, 2, 1)),
        form,
        problem.threads,
    )
    return scale * differences[_pair_numbers(problem)]


def _pair_numbers(problem: Problem) -> IntArray:
    """The places of the problem's pairs among all pairs of its metrics, (0, 1), (0, 2), …, which kernels compare."""
    size = len(problem.metrics)
    numbers = np.zeros((size, size), dtype=np.int64)
    every = np.triu_indices(size, 1)
    numbers[every] = np.arange(len(every[0]))
    chosen: IntArray = numbers[problem.first, problem.second]
    return chosen


def _of_correlations(problem: Problem, swaps: Mask) -> FloatArray:
    """Sums of scores, of their squares and of their products with the human scores are linear in the coins."""
    metrics, first, second = len(problem.metrics), problem.first, problem.second
    totals = [[np.zeros((len(first), len(swaps))) for _ in range(2)] for _ in range(2)]  # values and weights
    for cells in _cells_of_groups(problem):
        x, human = problem.swappable[:, cells].T, problem.human[cells]
        if len(human) < 2:
            continue
        human = human - human.mean()
        spread = np.sqrt((human**2).sum())
        if spread == 0:
            continue
        table = np.concatenate([x, x**2, x * (human / spread)[:, np.newaxis]], axis=1)
        sums = _SwappedSums(swaps.reshape(len(swaps), -1)[:, _positions(cells)], table)
        weight = float(len(human)) if problem.is_weighted else 1.0
        for (values, weights), (own, other) in zip(totals, ((first, second), (second, first)), strict=True):
            linear, squares, products = (sums.exchanged(own + k * metrics, other + k * metrics) for k in range(3))
            squares -= linear**2 / len(human)
            varies = squares > _CONSTANT * len(human)
            correlations = np.clip(products / np.sqrt(squares, out=np.ones_like(squares), where=varies), -1.0, 1.0)
            values += np.where(varies, weight * correlations, 0.0)
            weights += np.where(varies, weight, 0.0)
    return _ratio(*totals[0]) - _ratio(*totals[1])


def _cells_of_groups(problem: Problem) -> Iterator[npt.NDArray[np.bool_]]:
    """(system, segment): the cells of each group."""
    if problem.grouping == "none":
        yield problem.mask
        return
    axis = 0 if problem.grouping == "system" else 1
    for k in range(problem.mask.shape[axis]):
        cells = np.zeros_like(problem.mask)
        group = (k, slice(None)) if axis == 0 else (slice(None), k)
        cells[group] = problem.mask[group]
        yield cells


def _positions(cells: npt.NDArray[np.bool_]) -> slice | npt.NDArray[np.intp]:
    """The cells as positions in a flat array; a slice of all of them needs no copy."""
    return slice(None) if cells.all() else np.flatnonzero(cells)


def _of_any_statistic(problem: Problem, swaps: Mask) -> FloatArray:
    """Computes the statistic of every pair and resample. Slow, but it needs to know nothing about the statistic."""
    scores = problem.swappable
    step = 1 if problem.statistics[0].is_joint else max(1, _MAX_CELLS // max(problem.mask.size, 1))
    differences = np.empty((len(problem.first), len(swaps)))
    for k, (i, j) in enumerate(zip(problem.first.tolist(), problem.second.tolist(), strict=True)):
        for begin in range(0, len(swaps), step):
            block = swaps[begin : begin + step]
            values = [_values(problem, np.where(block, scores[b], scores[a])) for a, b in ((i, j), (j, i))]
            differences[k, begin : begin + step] = values[0] - values[1]
    return differences


def _values(problem: Problem, swapped: FloatArray) -> FloatArray:
    """The value of each resample, whose scores are (resample, system, segment), in one call."""
    batches = [problem.batch(scores) for scores in swapped]
    metric, human, mask = (
        np.concatenate([getattr(batch, side) for batch in batches]) for side in ("metric", "human", "mask")
    )
    stacked = Batch(metric, human, mask, batches[0].pairs)
    computed = problem.statistics[0].compute(stacked)
    parts = zip(np.split(computed.values, len(batches)), np.split(computed.weights, len(batches)), strict=True)
    return np.array([Values(*part, computed.reason).mean(is_weighted=problem.is_weighted) for part in parts])


class _SwappedSums:
    """Sums of the columns of a table over all rows and, for each resample, over the rows that it swaps.

    Numbers are rounded to integers whose sums stay below 2^53, with a unit for each column. So sums are exact, whatever
    the order in which a matrix product adds.
    """

    def __init__(self, swaps: npt.NDArray[np.bool_], table: FloatArray) -> None:
        """`swaps` is (resample, row), `table` is (row, column)."""
        rows = max(len(table), 1)
        largest = np.abs(table).max(axis=0, initial=0.0)
        exponent = 52 - np.frexp(np.where(largest > 0, largest, 1.0) * rows)[1]
        whole = np.rint(np.ldexp(table, exponent))
        step = max(1, _MAX_CELLS // rows)
        blocks = [swaps[k : k + step].astype(np.float64) @ whole for k in range(0, len(swaps), step)]
        self.swapped = np.ldexp(np.concatenate(blocks), -exponent).T  # (column, resample)
        self.all = np.ldexp(whole.sum(axis=0), -exponent)

    def exchanged(self, own: IntArray, other: IntArray) -> FloatArray:
        """(pair, resample): the sum of a column whose swapped rows are those of the other column."""
        sums: FloatArray = self.all[own, np.newaxis] - self.swapped[own] + self.swapped[other]
        return sums


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    quotients = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=quotients, where=denominator > 0)
    return quotients
