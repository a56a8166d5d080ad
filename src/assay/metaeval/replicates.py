"""Values of a statistic over resampled systems, segments, documents or judgements, and over subsets of the systems.

Resamples are counts: how often each system, segment, document or ranking was drawn. Where the value is a function of
sums, or a mean over groups or pairs, the counts weight these; elsewhere the statistic is computed on the drawn cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from assay.aggregate.resample import MAX_SEED, Bootstrap
from assay.agreement import Batch, Statistic, SumsOfItems, Values
from assay.lazily import numpy as np
from assay.metaeval.alignment import Aligned, map_cells
from assay.types import FloatArray, IntArray, ratio_of_sums
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Observed",
    "Units",
    "over_both",
    "over_judgements",
    "over_pairs_of_rankings",
    "over_systems",
    "over_units",
    "values_of_subsets",
]

_Counts: TypeAlias = "npt.NDArray[np.uint32]"
"""(resample, unit): how often each unit was drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """The value of a statistic, and what it was computed from."""

    statistic: Statistic
    level: str
    grouping: str
    """How `batch` was grouped."""
    is_weighted: bool
    aligned: Aligned
    batch: Batch
    values: Values

    @property
    def value(self) -> float:
        """The mean over groups."""
        return self.values.mean(is_weighted=self.is_weighted)

    @property
    def draws_groups(self) -> bool:
        """Whether a segment that is drawn brings whole groups."""
        return self.grouping in ("item", "ranking")


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn as a whole: segments, documents or rankings."""

    count: int
    of_item: IntArray
    """For each of the aligned `resampled_items`: its unit."""
    of_group: IntArray
    """For each group, if groups are drawn: its unit."""


# --- systems ---


def over_systems(observed: Observed, bootstrap: Bootstrap, runtime: Runtime) -> FloatArray:
    """The value over resampled systems. A system and its copy are not a pair if the statistic excludes self-pairs."""
    aligned = observed.aligned
    blocks = bootstrap.blocks(len(aligned.systems), runtime)
    if observed.values.by_pair is not None:
        return np.concatenate([_means_over_pairs(observed.values.by_pair, block) for block in blocks])
    if aligned.level == "system":
        scores = map_cells(aligned.cells, np.transpose)
        return np.concatenate([_of_drawn_systems(observed, scores, block) for block in blocks])
    items = np.ones(len(aligned.resampled_items), dtype=np.int64)
    return np.array([_recomputed(observed, counts.astype(np.int64), items) for block in blocks for counts in block])


def _means_over_pairs(by_pair: FloatArray, counts: _Counts) -> FloatArray:
    """The mean over pairs of different systems, each as often as it was drawn."""
    counted = np.triu(~np.isnan(by_pair), 1)
    terms = np.stack([np.where(counted, by_pair, 0.0), counted])
    sums = np.einsum("ri,kij,rj->rk", counts.astype(np.float64), terms, counts.astype(np.float64))
    return ratio_of_sums(sums)


def _of_drawn_systems(observed: Observed, scores: Batch, counts: _Counts) -> FloatArray:
    """The value of each resample of systems, from scores (1 or resample, system)."""
    statistic, pairs = observed.statistic, observed.aligned.pairs
    indices = _indices(counts)
    drawn = map_cells(scores, lambda array: np.take_along_axis(np.broadcast_to(array, counts.shape), indices, axis=1))
    if pairs is None:
        if statistic.excludes_self_pairs:
            copies = np.where(np.broadcast_to(scores.mask, counts.shape), _pairs(counts.astype(np.int64)), 0)
            drawn = replace(drawn, self_pairs=copies.sum(axis=1))
        return statistic.compute_each(drawn).values
    drawn_pairs = (pairs[np.ix_(row, row)] for row in indices)  # the diagonal is False: no system pairs with itself
    row_values = [
        statistic.compute(replace(row, pairs=row_pairs))
        for row, row_pairs in zip(drawn.groups(), drawn_pairs, strict=True)
    ]
    return np.array([values.values[0] for values in row_values])


# --- segments, documents and rankings ---


def over_units(
    observed: Observed, units: Units, bootstrap: Bootstrap, runtime: Runtime, max_cells: float = math.inf
) -> FloatArray | None:
    """The value over resampled segments, documents or rankings, each with all its scores.

    None if the statistic must be computed on the drawn cells, and these are more than `max_cells` in all resamples.
    """
    if observed.level == "system":
        scores = _resampled_means(observed.aligned, units, bootstrap, runtime)
        return observed.statistic.compute_each(replace(scores, pairs=observed.aligned.pairs)).values
    if observed.draws_groups:
        if not observed.statistic.is_joint:
            return _means_of_groups(observed, units, bootstrap, runtime)
        resampler = observed.statistic.resampler(observed.batch, runtime.threads)
        if resampler is not None:
            blocks = ((block, resampler(block[:, units.of_group])) for block in bootstrap.blocks(units.count, runtime))
            return np.array([*_means_of_refitted_groups(observed, units, blocks)])
    else:
        sums = observed.statistic.sums_of_items(observed.batch)
        if sums is not None:
            return _means_from_sums(observed, sums, units, bootstrap, runtime)
    if observed.batch.mask.size * bootstrap.resamples > max_cells:
        return None
    resamples = (counts for block in bootstrap.blocks(units.count, runtime) for counts in block)
    return np.array([_of_drawn_units(observed, units, counts) for counts in resamples])


def over_both(observed: Observed, units: Units, bootstrap: Bootstrap, runtime: Runtime) -> FloatArray:
    """The value over systems and segments that are drawn independently of each other (Deutsch et al. 2021)."""
    by_system = replace(bootstrap, seed=(bootstrap.seed + 1) % MAX_SEED)
    systems = np.concatenate([*by_system.blocks(len(observed.aligned.systems), runtime)])
    if observed.level == "system":
        return _of_drawn_systems(observed, _resampled_means(observed.aligned, units, bootstrap, runtime), systems)
    segments = (counts for block in bootstrap.blocks(units.count, runtime) for counts in block)
    return np.array(
        [
            _recomputed(observed, of_systems.astype(np.int64), of_segments[units.of_item].astype(np.int64))
            for of_systems, of_segments in zip(systems, segments, strict=True)
        ]
    )


def _resampled_means(aligned: Aligned, units: Units, bootstrap: Bootstrap, runtime: Runtime) -> Batch:
    """(resample, system): the means of the segment scores in each resample."""
    scores = aligned.segment_scores or aligned.cells
    table = np.stack([scores.metric, scores.human, scores.mask], axis=-1)[:, scores.mask.any(axis=0)]
    (sums,) = bootstrap.sums([_by_unit(table, units)], runtime)
    metric, human, counts = np.moveaxis(sums, -1, 0)
    mask = np.ascontiguousarray((counts > 0).T)
    with np.errstate(invalid="ignore"):
        return Batch(np.where(mask, (metric / counts).T, 0.0), np.where(mask, (human / counts).T, 0.0), mask)


def _means_of_groups(observed: Observed, units: Units, bootstrap: Bootstrap, runtime: Runtime) -> FloatArray:
    """The mean in each resample, if the value of a group is the same in all of them."""
    values = observed.values
    defined = ~np.isnan(values.values)
    weights = np.where(defined, values.weights if observed.is_weighted else 1.0, 0.0)
    sums = (np.where(defined, values.values, 0.0) * weights, weights)
    table = np.stack([np.bincount(units.of_group, terms, minlength=units.count) for terms in sums], axis=-1)
    (resampled,) = bootstrap.sums([table[np.newaxis]], runtime)
    return ratio_of_sums(resampled[0])


def _means_of_refitted_groups(
    observed: Observed, units: Units, blocks: Iterable[tuple[_Counts, FloatArray]]
) -> Iterator[float]:
    """The mean in each resample, if the value of a group depends on which other groups were drawn."""
    weights = observed.values.weights
    for block, values_of_groups in blocks:
        for counts, values in zip(block, values_of_groups, strict=True):
            drawn = _members(units.of_group, counts)
            yield Values(values[drawn], weights[drawn], "").mean(is_weighted=observed.is_weighted)


def _means_from_sums(
    observed: Observed, sums: SumsOfItems, units: Units, bootstrap: Bootstrap, runtime: Runtime
) -> FloatArray:
    """The mean over groups in each resample, if the value of a group is a function of sums over its items.

    A single group of all cells holds one system after the other.
    """
    width = observed.aligned.cells.mask.shape[1]
    table = sums.table.reshape(-1, width, sums.table.shape[-1])[:, observed.aligned.resampled_items]
    (totals,) = bootstrap.sums([_by_unit(table, units)], runtime)
    if observed.grouping == "none":
        totals = totals.sum(axis=0, keepdims=True)
    by_group = zip(sums.value(totals).T, totals[..., 0].T, strict=True)
    return np.array([Values(values, sizes, "").mean(is_weighted=observed.is_weighted) for values, sizes in by_group])


def _of_drawn_units(observed: Observed, units: Units, counts: _Counts) -> float:
    aligned = observed.aligned
    items = aligned.resampled_items[_members(units.of_item, counts)]
    drawn = aligned.resample(items).batch(observed.grouping)
    if not observed.draws_groups:  # then a segment may be compared with its own copy
        once = np.ones(len(aligned.systems), dtype=np.int64)
        drawn = _with_self_pairs(observed, drawn, once, counts[units.of_item].astype(np.int64))
    return observed.statistic.compute(drawn).mean(is_weighted=observed.is_weighted)


def _by_unit(table: FloatArray, units: Units) -> FloatArray:
    """(system, unit, column): the sums of a table (system, item, column) over the items of each unit."""
    if np.array_equal(units.of_item, np.arange(units.count)):
        return np.ascontiguousarray(table)
    order = np.argsort(units.of_item, kind="stable")
    starts = np.searchsorted(units.of_item[order], np.arange(units.count))
    return np.add.reduceat(table[:, order], starts, axis=1)


# --- any cells ---


def _recomputed(observed: Observed, systems: IntArray, items: IntArray) -> float:
    """The value over the cells of systems and segments that were drawn so often."""
    aligned = observed.aligned
    rows, columns = _repeated(systems), aligned.resampled_items[_repeated(items)]
    drawn = replace(
        aligned,
        cells=map_cells(aligned.cells, lambda array: array[np.ix_(rows, columns)]),
        pairs=None if aligned.pairs is None else aligned.pairs[np.ix_(rows, rows)],
    )
    batch = _with_self_pairs(observed, drawn.batch(observed.grouping), systems, items)
    return observed.statistic.compute(batch).mean(is_weighted=observed.is_weighted)


def _with_self_pairs(observed: Observed, drawn: Batch, systems: IntArray, items: IntArray) -> Batch:
    """Count the pairs of a cell with its own copy in each group; `systems` and `items` were drawn so often.

    A system that was drawn m times and a segment that was drawn k times have m k copies of their cell.
    """
    if not observed.statistic.excludes_self_pairs or drawn.pairs is not None:
        return drawn
    mask = observed.aligned.cells.mask[:, observed.aligned.resampled_items]
    if observed.grouping == "none":
        return replace(drawn, self_pairs=np.array([(mask * _pairs(systems[:, np.newaxis] * items)).sum()]))
    by_item = observed.grouping == "item"  # a group holds the systems of a segment, else the segments of a system
    groups = mask.T if by_item else mask
    within, drawn_groups = (systems, items) if by_item else (items, systems)
    is_filled = groups @ (within > 0) > 0
    self_pairs = np.repeat((groups @ _pairs(within))[is_filled], drawn_groups[is_filled])
    return replace(drawn, self_pairs=self_pairs)


def _pairs(counts: IntArray) -> IntArray:
    pairs: IntArray = counts * (counts - 1) // 2
    return pairs


def _repeated(counts: IntArray) -> IntArray:
    return np.repeat(np.arange(len(counts)), counts)


def _indices(counts: _Counts) -> IntArray:
    """(resample, item): the drawn items in order, from how often each was drawn."""
    rows, items = counts.shape
    indices: IntArray = np.repeat(np.tile(np.arange(items), rows), counts.ravel()).reshape(rows, -1)
    return indices


def _members(unit_of: IntArray, counts: _Counts) -> IntArray:
    """The positions of the members of each drawn unit, one unit after the other."""
    drawn = _repeated(counts.astype(np.int64))
    if np.array_equal(unit_of, np.arange(len(counts))):
        return drawn
    order = np.argsort(unit_of, kind="stable")
    first, last = (np.searchsorted(unit_of[order], drawn, side=side) for side in ("left", "right"))
    return np.concatenate([order[begin:end] for begin, end in zip(first, last, strict=True)])


# --- judgements ---


def over_judgements(observed: Observed, human: FloatArray) -> FloatArray:
    """Human scores from resampled judgements (Macháček & Bojar 2013) against the original metric scores."""
    aligned = observed.aligned
    mask = aligned.cells.mask[:, 0] & ~np.isnan(human)
    metric = np.broadcast_to(aligned.cells.metric[:, 0], human.shape)
    return observed.statistic.compute_each(Batch(metric, np.where(mask, human, 0.0), mask, aligned.pairs)).values


def over_pairs_of_rankings(observed: Observed) -> Observed:
    """The same with each pair of outputs of a ranking as a group of its own."""
    batch = observed.batch
    first, second = np.triu_indices(batch.mask.shape[1], 1)
    in_both = (batch.mask[:, first] & batch.mask[:, second]).ravel()

    def pairs(array: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.stack([array[:, first].ravel(), array[:, second].ravel()], axis=1)[in_both]

    split = map_cells(batch, pairs)
    return replace(observed, batch=split, values=observed.statistic.compute(split))


# --- subsets ---


def values_of_subsets(statistic: Statistic, aligned: Aligned, subsets: npt.NDArray[np.bool_]) -> Values:
    """The value over each subset of the systems, given as a mask (subset, system)."""
    cells = map_cells(aligned.cells, lambda array: np.tile(array[:, 0], (len(subsets), 1)))
    return statistic.compute_each(replace(cells, mask=cells.mask & subsets))
