"""Values of a statistic over resampled systems, segments or judgements, and over subsets of the systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.aggregate import resampled_scores
from assay.agreement import Batch, Resampler, Statistic, Values
from assay.metaeval.alignment import Aligned, map_cells
from assay.resample import Bootstrap
from assay.runtime import Runtime
from assay.types import FloatArray, IntArray, Scorable, ratio_of_sums

__all__ = ["replicates", "values_of_subsets"]

_Draws: TypeAlias = npt.NDArray[np.uint32]
"""(resample, item): how often each item was drawn."""


def replicates(
    statistic: Statistic,
    grouping: str,
    bootstrap: Bootstrap,
    aligned: Aligned,
    values: Values,
    runtime: Runtime,
    *,
    is_weighted: bool,
) -> FloatArray:
    """The value in each resample; NaN where it is undefined.

    The system level resamples systems, or uses human scores from resampled judgements if there are any. The segment
    level resamples segments, each with all its scores or rankings. `values` are those without resampling.
    """
    if aligned.human_replicates is not None:
        return _over_judgements(statistic, aligned, aligned.human_replicates)
    if aligned.level == "system":
        blocks = bootstrap.blocks(len(aligned.systems), runtime)
        return np.concatenate([_over_systems(statistic, aligned, _indices(block)) for block in blocks])
    items = aligned.resampled_items
    blocks = bootstrap.blocks(len(items), runtime)
    if grouping in ("item", "ranking"):  # whole groups are drawn
        if not statistic.is_joint:
            return _means_of_groups(aligned, values, bootstrap, runtime, is_weighted)
        resampler = statistic.resampler(aligned.batch(grouping), runtime.threads)
        if resampler is not None:
            return np.array([*_means_of_refitted_groups(aligned, resampler, values.weights, blocks, is_weighted)])
    resamples = (items[indices] for block in blocks for indices in _indices(block))
    return np.array([_over_segments(statistic, grouping, aligned, drawn, is_weighted) for drawn in resamples])


def values_of_subsets(statistic: Statistic, aligned: Aligned, subsets: npt.NDArray[np.bool_]) -> Values:
    """The value over each subset of the systems, given as a mask (subset, system)."""
    cells = map_cells(aligned.cells, lambda array: np.tile(array[:, 0], (len(subsets), 1)))
    return _row_values(statistic, replace(cells, mask=cells.mask & subsets))


def _row_values(statistic: Statistic, batch: Batch) -> Values:
    """The value of each row on its own: in one call unless the statistic fits something to all rows."""
    if not statistic.is_joint:
        return statistic.compute(batch)
    row_values = [statistic.compute(row) for row in _rows(batch)]
    values, weights = (np.array([getattr(row, name)[0] for row in row_values]) for name in ("values", "weights"))
    return Values(values, weights, row_values[0].reason if row_values else "")


def _rows(batch: Batch) -> Iterator[Batch]:
    """Each row as a batch of its own."""
    for k in range(len(batch.mask)):
        row = slice(k, k + 1)
        self_pairs = None if batch.self_pairs is None else batch.self_pairs[row]
        yield Batch(batch.metric[row], batch.human[row], batch.mask[row], batch.pairs, self_pairs)


def _indices(weights: _Draws) -> IntArray:
    """(resample, item): the drawn items in order, from how often each was drawn."""
    rows, items = weights.shape
    indices: IntArray = np.repeat(np.tile(np.arange(items), rows), weights.ravel()).reshape(rows, -1)
    return indices


def _over_judgements(statistic: Statistic, aligned: Aligned, human: FloatArray) -> FloatArray:
    """Human scores from resampled judgements (Macháček & Bojar 2013) against the original metric scores."""
    mask = aligned.cells.mask[:, 0] & ~np.isnan(human)
    metric = np.broadcast_to(aligned.cells.metric[:, 0], human.shape)
    return _row_values(statistic, Batch(metric, np.where(mask, human, 0.0), mask, aligned.pairs)).values


def _over_systems(statistic: Statistic, aligned: Aligned, indices: IntArray) -> FloatArray:
    """Resampled systems. A system and its copy are not a pair if the statistic excludes self-pairs."""
    drawn = map_cells(aligned.cells, lambda array: array[:, 0][indices])
    if aligned.pairs is None:
        return _row_values(statistic, _count_self_pairs(statistic, drawn, indices)).values
    pairs = (aligned.pairs[np.ix_(row, row)] for row in indices)  # the diagonal is False: no system pairs with itself
    row_values = [
        statistic.compute(replace(row, pairs=row_pairs)) for row, row_pairs in zip(_rows(drawn), pairs, strict=True)
    ]
    return np.array([values.values[0] for values in row_values])


def _means_of_groups(
    aligned: Aligned, values: Values, bootstrap: Bootstrap, runtime: Runtime, is_weighted: bool
) -> FloatArray:
    """The mean in each resample, if the value of a group is the same in all of them."""
    items = len(aligned.resampled_items)
    defined = ~np.isnan(values.values)
    weights = np.where(defined, values.weights if is_weighted else 1.0, 0.0)
    sums = (np.where(defined, values.values, 0.0) * weights, weights)
    table = np.stack([np.bincount(aligned.item_of_group, terms, minlength=items) for terms in sums], axis=-1)
    mask = np.ones((1, items), dtype=np.bool_)
    means = Scorable(table[np.newaxis], ratio_of_sums, mask, (aligned.metric,))
    (scores,) = resampled_scores([means], bootstrap, runtime)
    return np.asarray(scores[0])


def _means_of_refitted_groups(
    aligned: Aligned, resampler: Resampler, weights: FloatArray, blocks: Iterable[_Draws], is_weighted: bool
) -> Iterator[float]:
    """The mean in each resample, if the value of a group depends on which other groups were drawn."""
    item_of_group = aligned.item_of_group
    for block in blocks:
        for items, values in zip(_indices(block), resampler(block[:, item_of_group]), strict=True):
            drawn = aligned.groups_of(items)
            yield Values(values[drawn], weights[drawn], "").mean(is_weighted=is_weighted)


def _over_segments(
    statistic: Statistic, grouping: str, aligned: Aligned, segments: IntArray, is_weighted: bool
) -> float:
    drawn = aligned.resample(segments).batch(grouping)
    if grouping in ("none", "system"):  # then a segment may be compared with its own copy
        drawn = _count_self_pairs(statistic, drawn, segments[np.newaxis])
    return statistic.compute(drawn).mean(is_weighted=is_weighted)


def _count_self_pairs(statistic: Statistic, drawn: Batch, indices: IntArray) -> Batch:
    """Add to a batch its number of self-pairs: the sum over drawn items of how often the item was drawn before.

    `indices` (group or 1, item) are sorted. A vector of all cells holds one system after the other.
    """
    if not statistic.excludes_self_pairs:
        return drawn
    order = np.broadcast_to(np.arange(indices.shape[1]), indices.shape)
    is_new = np.ones(indices.shape, dtype=np.bool_)
    is_new[:, 1:] = indices[:, 1:] != indices[:, :-1]
    drawn_before = order - np.maximum.accumulate(np.where(is_new, order, 0), axis=1)
    mask = drawn.mask.reshape(len(drawn.mask), -1, indices.shape[1])
    return replace(drawn, self_pairs=(mask * drawn_before[:, np.newaxis]).sum(axis=(1, 2)))
