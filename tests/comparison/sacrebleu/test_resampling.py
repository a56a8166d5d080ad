"""Draws and sums, compared with NumPy's and with sums in sacreBLEU's order."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from assay.comparison.sacrebleu import resampling
from assay.comparison.sacrebleu.resampling import SummableTable, resampled_sums, swap_blocks

TABLES = {
    "whole": lambda rng: rng.integers(0, 50, (3, 61, 4)),
    "halves": lambda rng: rng.integers(0, 50, (3, 61, 2)) / 2,
    "thirds": lambda rng: rng.integers(0, 50, (3, 61, 2)) / 3,
    "large": lambda rng: rng.integers(0, 2**19, (3, 61, 4)),  # only some sums are above 2^24
    "too large for single precision": lambda rng: rng.integers(2**20, 2**22, (3, 61, 4)),
    "zero": lambda _: np.zeros((2, 61, 4), dtype=np.int64),
    "one segment": lambda rng: rng.integers(0, 50, (3, 1, 4)),
    "one system": lambda rng: rng.integers(0, 50, (1, 61, 4)),
}


@pytest.fixture(params=list(TABLES))
def table(request):
    return TABLES[request.param](np.random.default_rng(5))


@pytest.mark.parametrize("cells", [1, 1000, 1 << 18])
def test_resampled_sums_in_blocks(monkeypatch, table, cells):
    monkeypatch.setattr(resampling, "_BLOCK_CELLS", cells)
    segments = table.shape[1]
    draws = np.random.default_rng(9).choice(segments, size=(70, segments), replace=True)
    expected = [[rows[draw].sum(0) for draw in draws] for rows in table.astype("float32")]
    (found,) = resampled_sums(np.random.default_rng(9), 70, [SummableTable(table)])
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.float32


@pytest.mark.parametrize("segments", [2, 1000, 3_000_000_000])  # the last one rejects many random numbers
def test_draws_are_those_of_numpy_and_leave_the_generator_alike(segments):
    ours, numpys = np.random.default_rng(9), np.random.default_rng(9)
    np.testing.assert_array_equal(resampling._draws(ours, 777, segments), numpys.choice(segments, size=777))
    assert ours.choice(1000) == numpys.choice(1000)


@pytest.mark.parametrize("cells", [1, 5000, 1 << 18])
@pytest.mark.parametrize("segments", [1, 31, 64, 101])
def test_swaps_are_those_of_numpy_and_leave_the_generator_alike(monkeypatch, cells, segments):
    monkeypatch.setattr(resampling, "_BLOCK_CELLS", cells)
    ours, numpys = np.random.default_rng(9), np.random.default_rng(9)
    expected = numpys.integers(2, size=(150, segments), dtype=bool)
    np.testing.assert_array_equal(np.concatenate(list(swap_blocks(ours, 150, segments))), expected)
    assert ours.choice(1000) == numpys.choice(1000)


def test_swapped_sums(table):
    swaps = np.random.default_rng(9).integers(2, size=(70, table.shape[1]), dtype=bool)
    first, second = SummableTable(table).swapped(swaps)
    for k, system in enumerate(table[1:]):
        np.testing.assert_array_equal(first[k], swaps @ table[0] + ~swaps @ system)
        np.testing.assert_array_equal(second[k], ~swaps @ table[0] + swaps @ system)


@pytest.mark.parametrize("high", [50, 2**19])
def test_memory_does_not_depend_on_the_number_of_resamples(high):
    """sacreBLEU draws all resamples at once: 7 GB for 300,000 segments."""
    table = np.random.default_rng(1).integers(0, high, (1, 100_000, 10))
    peaks = []
    for resamples in (3, 12):
        tracemalloc.start()
        try:
            resampled_sums(np.random.default_rng(1), resamples, [SummableTable(table)])
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < 1.01 * peaks[0]
    assert peaks[1] < 5 * table.nbytes
