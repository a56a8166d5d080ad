from __future__ import annotations

import numpy as np
import pytest

from assay.calibration.metric_scores import OwnTest
from assay.calibration.outcomes import observe, tie_notes
from assay.calibration.system_pairs import SystemPairs
from assay.results.calibration import AGREES, SIGNIFICANT

KEY = ("m", "corpus")
# The metric prefers: the first, the second, the first, neither, no score. People: first, first, second, second, first.
PAIRS = SystemPairs(
    "wmt98",
    "de-en",
    "wmt-z",
    "DA/SQM",
    None,
    tuple(("a", name) for name in "bcdef"),
    np.full(5, 300),
    dict.fromkeys("abcdef", 400),
    np.array([2.0, 1.0, -3.0, -4.0, 5.0]),
    np.array([[0.01, 0.99], [0.04, 0.96], [0.98, 0.02], [0.99, 0.01], [0.01, 0.99]]),
    {KEY: np.array([1.5, -2.5, 3.5, 0.0, np.nan])},
    {KEY: OwnTest("randomisation", False, np.array([0.2, 0.001, 0.03, 1.0, np.nan]))},
)


@pytest.mark.parametrize(
    ("outcome", "orientation", "x", "y"),
    [
        (SIGNIFICANT, "by-metric", [1.5, 2.5, 3.5], [1, 0, 0]),
        (SIGNIFICANT, "absolute", [1.5, 2.5, 3.5], [1, 1, 1]),
        (SIGNIFICANT, "by-human", [1.5, -2.5, -3.5], [1, 1, 1]),
        (AGREES, "by-metric", [1.5, 2.5, 3.5], [1, 0, 0]),
        ("metric p<0.05", "by-metric", [1.5, 2.5, 3.5], [0, 1, 1]),
        ("metric p<0.01", "by-metric", [1.5, 2.5, 3.5], [0, 1, 0]),
    ],
)
def test_outcomes(outcome, orientation, x, y):
    observed = observe([PAIRS], KEY, outcome, orientation, 0.05)
    assert observed.x.tolist() == x
    assert observed.y.tolist() == y
    assert observed.opposite.tolist() == [0, 1, 1]
    assert observed.systems.tolist() == [[0, 1], [0, 2], [0, 3]]
    assert observed.lps == {"wmt98": ("de-en",)}
    assert observed.judged.tolist() == [400] * 4  # a, b, c and d: the other pairs do not count


def test_ties_are_counted():
    (note,) = tie_notes([PAIRS])
    assert (str(note), note.count) == ("m corpus: left out: 1 pair of systems with the same score", 1)


def test_nothing_observed():
    assert len(observe([PAIRS], ("other", "corpus"), SIGNIFICANT, "by-metric", 0.05)) == 0
