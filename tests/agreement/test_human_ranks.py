"""Correlation with clusters and fuzzy ranks."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement.human_ranks import correlation_with_clusters, correlation_with_fuzzy_ranks
from assay.agreement.spearman import Spearman
from assay.errors import AlignmentError


def test_low_ranks_are_good():
    assert correlation_with_clusters([3, 2, 2, 1], [1, 2, 2, 3]).values.tolist() == pytest.approx([1.0])
    assert correlation_with_fuzzy_ranks([1, 2, 3], [1.5, 1.5, 3]).values == pytest.approx([-np.sqrt(3) / 2])


def test_any_statistic():
    assert correlation_with_clusters([9, 2, 1], [1, 2, 3], Spearman()).values == pytest.approx([1.0])


def test_systems_without_a_score_or_a_rank():
    found = correlation_with_fuzzy_ranks([3, np.nan, 2, 1], [1, 2, 3, np.nan])
    assert found.weights.tolist() == [2]
    with pytest.raises(AlignmentError):
        correlation_with_clusters([1, 2], [1, 2, 3])


def test_one_cluster_says_nothing():
    assert np.isnan(correlation_with_clusters([1, 2, 3], [1, 1, 1]).values[0])
