"""Permutation tests by brute force: every set of coins, every statistic computed anew."""

from __future__ import annotations

from itertools import product

import numpy as np

from assay.agreement import Batch, statistic
from assay.metric_tests import MetricCells

__all__ = ["all_coins", "cells_of", "exact_p", "made_up", "twin_value"]

SCHEMES = {
    "cell": lambda systems, segments: systems * segments,
    "segment": lambda systems, segments: segments,
    "system": lambda systems, segments: systems,
    "both": lambda systems, segments: systems + segments,
}


def made_up(seed, metrics=2, systems=3, segments=3, *, ties=False, missing=()):
    """Scores of metrics that follow human scores, as cells; `missing` are cells that no metric has."""
    random = np.random.default_rng(seed)
    human = random.normal(size=(systems, segments))
    scores = human + random.normal(size=(metrics, systems, segments))
    if ties:
        human, scores = np.round(human), np.round(scores)
    mask = np.ones(scores.shape, dtype=bool)
    for cell in missing:
        mask[(slice(None), *cell)] = False
    return MetricCells(tuple("abcdefgh"[:metrics]), scores, human, mask)


def cells_of(scores, human):
    """Cells of complete scores."""
    scores, human = np.asarray(scores, dtype=float), np.asarray(human, dtype=float)
    names = tuple(f"metric {k}" for k in range(len(scores)))
    return MetricCells(names, scores, human, np.ones(scores.shape, dtype=bool))


def all_coins(unit, systems, segments):
    """(system, segment) swaps of every set of coins."""
    for coins in product([False, True], repeat=SCHEMES[unit](systems, segments)):
        swaps = np.zeros((systems, segments), dtype=bool)
        for i in range(systems):
            for s in range(segments):
                swaps[i, s] = {
                    "cell": lambda i, s, c=coins: c[i * segments + s],
                    "segment": lambda i, s, c=coins: c[s],
                    "system": lambda i, s, c=coins: c[i],
                    "both": lambda i, s, c=coins: c[i] != c[systems + s],
                }[unit](i, s)
        yield swaps


def twin_value(spec, scores, human, mask, level, grouping, *, is_weighted=False):
    """The value of one metric: groups as the documentation says."""
    created = statistic.create(spec)
    if level == "system" and not created.reads_segments:
        rows = [
            [row[cells].mean() if cells.any() else 0.0 for row, cells in zip(side, mask, strict=True)]
            for side in (scores, human)
        ]
        batch = Batch(np.round(rows[:1], 12), np.array(rows[1:]), mask.any(axis=1)[np.newaxis])
    elif created.reads_segments or grouping == "item":
        batch = Batch(scores.T, human.T, mask.T)
    elif grouping == "system":
        batch = Batch(scores, human, mask)
    else:
        batch = Batch(*(side.reshape(1, -1) for side in (scores, human, mask)))
    return created.compute(batch).mean(is_weighted=is_weighted)


def exact_p(spec, cells, unit, level="segment", grouping="none", **options):
    """The shares of all sets of coins with a difference at least as high, and as low, as the observed one."""
    mask, human = cells.mask[0], cells.human[0]
    a, b = cells.metrics
    observed = twin_value(spec, a, human, mask, level, grouping, **options)
    observed -= twin_value(spec, b, human, mask, level, grouping, **options)
    if np.isnan(observed):
        return np.nan, np.nan
    a, b = ((x - x[mask].mean()) / x[mask].std() for x in (a, b))
    differences = []
    for swaps in all_coins(unit, *mask.shape):
        values = [
            twin_value(spec, np.where(swaps, y, x), human, mask, level, grouping, **options)
            for x, y in ((a, b), (b, a))
        ]
        differences.append(values[0] - values[1])
    differences = np.array(differences)
    undefined = np.isnan(differences)
    return (
        (undefined | (differences >= observed - 1e-9)).mean(),
        (undefined | (differences <= observed + 1e-9)).mean(),
    )
