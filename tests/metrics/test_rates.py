"""Which of several references counts, and what a ratio of nothing is."""

from __future__ import annotations

import numpy as np
import pytest

from assay.metrics.rates import check_choice, fewest_edits, moses_choice, ratio

TABLES = np.array(
    [[[[4, 2], [1, 2], [0, 0]]], [[[3, 4], [0, 3], [0, 0]]]]
)  # two references, one system, three segments
REFERENCES = (("a", "b", None), ("c", "d", None))


def test_fewest_edits_over_the_mean_length():
    assert fewest_edits(TABLES, REFERENCES)[0].tolist() == [[3, 3], [0, 2.5], [0, 0]]


def test_moses_compares_whole_numbers():
    """1 - 4/2 is -1 and 1 - 3/4 is 0.25, cut to 0; then 0.5, cut to 0, and 1."""
    assert moses_choice(TABLES, REFERENCES)[0].tolist() == [[3, 4], [0, 3], [0, 0]]


def test_ratio():
    assert ratio(np.array([1, 0]), np.array([2, 0])).tolist() == pytest.approx([0.5, np.nan], nan_ok=True)


def test_choices():
    with pytest.raises(ValueError, match="flavour must be plain or moses, not 'x'"):
        check_choice("flavour", "x", ("plain", "moses"))
