from __future__ import annotations

import numpy as np

from assay.significance.rank_distribution import rank_ranges, rank_shares


def test_ranks_by_hand():
    replicates = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [2.0, 2.0, 1.0]]).T
    shares = rank_shares(replicates)
    np.testing.assert_allclose(shares, [[2.5 / 4, 1.5 / 4, 0], [1.5 / 4, 2.5 / 4, 0], [0, 0, 1]])
    low, high = rank_ranges(replicates, 0.5)
    assert (low[2], high[2]) == (3, 3)


def test_without_resamples_ranks_are_the_order():
    low, high = rank_ranges(np.empty((3, 0)), 0.95)
    assert low.tolist() == high.tolist() == [1, 2, 3]
    assert np.isnan(rank_shares(np.empty((3, 0)))).all()
