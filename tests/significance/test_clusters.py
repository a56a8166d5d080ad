from __future__ import annotations

import numpy as np
import pytest

from assay.significance.clusters import (
    clusters_by_range,
    clusters_by_test,
    fuzzy_ranks,
    ranges_by_neighbours,
    ranges_by_wins,
)


def random_matrices(count):
    """Which system is better than which: mostly those further down, now and then wildly."""
    random = np.random.Generator(np.random.PCG64(8))
    for _ in range(count):
        size = int(random.integers(0, 9))
        gap = np.subtract.outer(np.arange(size), np.arange(size))
        better = random.random((size, size)) < random.choice([0.2, 0.9, 1.0]) * (gap < 0)
        if random.random() < 0.2:
            better |= (random.random((size, size)) < 0.1) & (gap != 0)
        yield better


def slow_clusters_by_test(better):
    clusters = []
    for place in range(len(better)):
        begins = all(better[above][below] for above in range(place) for below in range(place, len(better)))
        clusters.append(1 if place == 0 else clusters[-1] + begins)
    return clusters


def slow_fuzzy_ranks(better):
    found = []
    for i in range(len(better)):
        alike = [j + 1 for j in range(len(better)) if not better[i][j] and not better[j][i]]
        found.append(sum(alike) / len(alike))
    return found


def slow_ranges_by_neighbours(better):
    ranges = []
    for place in range(len(better)):
        low = high = place + 1
        while low > 1 and not better[low - 2][place]:
            low -= 1
        while high < len(better) and not better[place][high]:
            high += 1
        ranges.append((low, high))
    return ranges


def test_rank_ranges_from_tests():
    for better in random_matrices(300):
        low, high = ranges_by_neighbours(better)
        assert list(zip(low.tolist(), high.tolist(), strict=True)) == slow_ranges_by_neighbours(better)
        low, high = ranges_by_wins(better)
        size = range(len(better))
        assert low.tolist() == [1 + sum(bool(better[j][i]) for j in size) for i in size]
        assert high.tolist() == [len(better) - sum(map(bool, better[i])) for i in size]


def test_as_the_slow_twins():
    seen = set()
    for better in random_matrices(1000):
        clusters = clusters_by_test(better).tolist()
        assert clusters == slow_clusters_by_test(better.tolist())
        assert fuzzy_ranks(better).tolist() == pytest.approx(slow_fuzzy_ranks(better.tolist()))
        seen.add(clusters[-1] if clusters else 0)
    assert seen >= {0, 1, 2, 3}


def test_ranges_as_the_slow_twin():
    random = np.random.Generator(np.random.PCG64(9))
    seen = set()
    for _ in range(1000):
        size = int(random.integers(1, 9))
        places = np.arange(1, size + 1)
        low = places - random.integers(0, 2, size) * random.integers(0, 2, size)
        high = places + random.integers(0, 2, size) * random.integers(0, 2, size)
        clusters = [1]
        for k in range(1, size):
            apart = all(high[above] < low[below] for above in range(k) for below in range(k, size))
            clusters.append(clusters[-1] + apart)
        assert clusters_by_range(low, high).tolist() == clusters
        seen.add(clusters[-1])
    assert len(seen) > 4
    assert clusters_by_range(np.array([], int), np.array([], int)).tolist() == []


def test_by_hand():
    # a beats c and d, b beats c and d, c and d do not differ; a does not beat b.
    better = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]], bool)
    assert clusters_by_test(better).tolist() == [1, 1, 2, 2]
    assert fuzzy_ranks(better).tolist() == [1.5, 1.5, 3.5, 3.5]
    # Without b better than c, the chain a - b - c - d holds together.
    better[1, 2] = False
    assert clusters_by_test(better).tolist() == [1, 1, 1, 1]
    assert fuzzy_ranks(better) == pytest.approx([1.5, 2.0, 3.0, 3.5])
    assert clusters_by_range(np.array([1, 1, 3]), np.array([2, 2, 3])).tolist() == [1, 1, 2]
    assert clusters_by_range(np.array([1, 2, 2]), np.array([2, 2, 3])).tolist() == [1, 1, 1]


def test_one_and_none():
    assert clusters_by_test(np.zeros((1, 1), bool)).tolist() == [1]
    assert fuzzy_ranks(np.zeros((1, 1), bool)).tolist() == [1.0]
    assert clusters_by_test(np.zeros((0, 0), bool)).tolist() == []
    assert clusters_by_test(np.triu(np.ones((3, 3), bool), 1)).tolist() == [1, 2, 3]
