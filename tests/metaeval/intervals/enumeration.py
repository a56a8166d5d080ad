"""Small scores and rankings, and all their resamples."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay.types import Rankings, ScoreTable

SYSTEMS = tuple("abcd")


def tables(systems=4, segments=3, seed=1, documents=()):
    values = np.random.default_rng(seed).normal(size=(2, systems, segments))
    names = tuple("abcdefghijklmnop"[:systems])
    human = ScoreTable("h", "segment", names, values[1], protocol="DA-z", documents=documents)
    return ScoreTable("m", "segment", names, values[0] + values[1], documents=documents), human


def rankings(count=40, seed=3):
    random = np.random.default_rng(seed)
    ranks = np.argsort(random.random((count, 4)), axis=1) + 1
    return Rankings("rr", SYSTEMS, ("j",), np.zeros(count), random.integers(0, 12, count), ranks)


def all_resamples(n):
    """Every multiset of n draws from n units, with its probability."""
    counts = [np.bincount(drawn, minlength=n) for drawn in itertools.product(range(n), repeat=n)]
    found, times = np.unique(np.array(counts), axis=0, return_counts=True)
    return found, times / times.sum()


def check_enumerated(found, values, probabilities):
    """The replicates are the values of all resamples, with their mean and their spread."""
    values = np.array(values)
    mean = np.average(values, weights=probabilities)
    spread = np.sqrt(np.average((values - mean) ** 2, weights=probabilities))
    assert np.mean(found.replicates) == pytest.approx(mean, abs=4 * spread / np.sqrt(len(found.replicates)))
    assert found.estimate.standard_error == pytest.approx(spread, rel=0.03)
    assert set(found.replicates.round(9)) == set(values.round(9))
    order = np.argsort(values)
    cumulative = np.cumsum(probabilities[order])
    for bound, share in zip(found.interval, (0.025, 0.975), strict=True):
        k = np.searchsorted(cumulative, share)
        near = values[order][max(k - 1, 0) : k + 2]
        assert near.min() - 1e-9 <= bound <= near.max() + 1e-9
