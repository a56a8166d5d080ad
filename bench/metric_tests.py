"""Tests of all 435 pairs of 30 metrics on 15 systems and 2,000 segments, with 1,000 resamples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.agreement import statistic
from assay.metric_tests import MetricCells, metric_test
from bench.harness import Limited

METRICS, SYSTEMS, SEGMENTS = 30, 15, 2000


CASES = (
    ("Pearson of systems", "perm-systems", "pearson", "system", "none", 2, 0.5),
    ("Pearson of all scores", "perm-cells", "pearson", "segment", "none", 2, 0.5),
    ("acc-star by item, exact", "pair-outcomes", "acc-star", "segment", "item", 3, 1),
    ("acc-star by item", "perm-segments", "acc-star", "segment", "item", 3, 1),
    ("Kendall's tau-b by item", "perm-cells", "kendall", "segment", "item", 120, 20),
    ("soft pairwise accuracy", "perm-cells", "spa", "system", "none", 120, 60),
)


def cells() -> MetricCells:
    """Human scores with many ties, like MQM, and metrics that follow them."""
    random = np.random.default_rng(2023)
    human = -np.round(random.gamma(0.5, 4.0, (SYSTEMS, SEGMENTS)))
    metrics = 0.2 * human + random.normal(size=(METRICS, SYSTEMS, SEGMENTS))
    names = tuple(f"metric {k}" for k in range(METRICS))
    return MetricCells(names, metrics, human, np.ones(metrics.shape, dtype=np.bool_))


def of_systems(scores: MetricCells) -> MetricCells:
    """The mean of each system."""
    metrics = scores.metrics.mean(axis=2, keepdims=True)
    human = scores.human[0].mean(axis=1, keepdims=True)
    return MetricCells(scores.names, metrics, human, np.ones(metrics.shape, dtype=np.bool_))


def tasks() -> Iterator[Limited]:
    """From arrays to p-values, on one thread."""
    by_segment = cells()
    for name, test, spec, level, grouping, limit, target in CASES:
        scores = of_systems(by_segment) if test == "perm-systems" else by_segment
        compare = f'compare(statistic.create("{spec}"), cells, level="{level}", grouping="{grouping}")'
        names = {"metric_test": metric_test, "statistic": statistic, "cells": scores}
        yield Limited(f"{name}, {test}", f'metric_test.create("{test}").{compare}', names, limit, target)
