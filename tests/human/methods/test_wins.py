from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.human.comparisons import comparisons_of
from assay.human.methods import method
from assay.human.methods.wins import Wins
from assay.types.runtime import Runtime
from tests.human.judged import make_rankings, random_comparisons

TREATMENTS = ("ignore", "share", "count", "lose")


def score(comparisons, ties, resamples=0):
    return Wins(ties).score(comparisons, resamples=resamples, seed=1, runtime=Runtime(threads=1))


def slow_wins(comparisons, ties):
    points = [[] for _ in comparisons.systems]
    for i, j, outcome in zip(comparisons.first, comparisons.second, comparisons.outcome, strict=True):
        if outcome == 1 and ties == "ignore":
            continue
        tie = {"share": 0.5, "count": 1, "lose": 0, "ignore": None}[ties]
        for system, point in ((i, (1, tie, 0)[outcome]), (j, (0, tie, 1)[outcome])):
            points[system].append(point)
    return [sum(own) / len(own) if own else math.nan for own in points]


@pytest.mark.parametrize("ties", TREATMENTS)
def test_as_the_slow_twin(ties):
    for comparisons in random_comparisons(150):
        assert score(comparisons, ties).scores == pytest.approx(slow_wins(comparisons, ties), nan_ok=True)


def test_by_hand():
    # a: two wins, a loss and a tie against b; b and c tie; d was never compared.
    comparisons = comparisons_of(make_rankings([[1, 2, 0, 0], [1, 2, 0, 0], [2, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]]))
    nan = math.nan
    expected = {
        "ignore": [2 / 3, 1 / 3, nan, nan],
        "share": [2.5 / 4, 2 / 5, 1 / 2, nan],
        "count": [3 / 4, 3 / 5, 1, nan],
        "lose": [2 / 4, 1 / 5, 0, nan],
    }
    for ties, scores in expected.items():
        assert score(comparisons, ties).scores == pytest.approx(scores, nan_ok=True)


@pytest.mark.parametrize("ties", TREATMENTS)
def test_order_does_not_matter(ties):
    rows = [[1, 2, 3], [2, 2, 1], [3, 1, 1], [0, 1, 2]]
    found = score(comparisons_of(make_rankings(rows)), ties, resamples=10)
    turned = score(comparisons_of(make_rankings([row[::-1] for row in rows])), ties, resamples=10)
    assert turned.scores[::-1] == pytest.approx(found.scores)
    assert turned.replicates[::-1] == pytest.approx(found.replicates, nan_ok=True)


def test_half_wins_are_a_half_on_average():
    """Each comparison gives one point to two systems."""
    for comparisons in random_comparisons(60, seed=8):
        compared = np.bincount(
            np.concatenate([comparisons.first, comparisons.second]), minlength=len(comparisons.systems)
        )
        points = np.nan_to_num(score(comparisons, "share").scores) * compared
        assert points.sum() == pytest.approx(len(comparisons))


def test_by_name():
    assert method.create("wins:ties=share") == Wins("share")
    assert method.spec(Wins("lose")) == "wins:ties=lose"
    with pytest.raises(ConfigError, match="ties"):
        method.create("wins:ties=half")
