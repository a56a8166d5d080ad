from __future__ import annotations

import numpy as np
import pytest

from assay.calibration.validation import (
    Drawing,
    clustered_mean,
    folds_of,
    left_out_errors,
    left_out_in_turn,
    log_loss,
    reliability_bins,
    squared_error,
)


def test_campaigns_are_left_out_and_language_pairs_of_a_single_one():
    clusters = np.array([0, 0, 1])
    assert folds_of(np.array(["a", "a", "b"]), clusters)[0] == "campaign"
    unit, folds = folds_of(np.array(["a", "a", "a"]), clusters)
    assert unit == "language pair"
    assert [(training.tolist(), left_out.tolist()) for training, left_out in left_out_in_turn(folds)] == [
        ([2], [0, 1]),
        ([0, 1], [2]),
    ]
    assert not list(left_out_in_turn(np.array(["a", "a"])))


def test_the_error_of_a_share_is_the_mean_over_its_trials():
    trials = np.array([1.0, 0.0, 0.0, 1.0, 1.0])
    of_each = squared_error(np.full(5, 0.3), trials).mean()
    assert squared_error(np.array([0.3]), np.array([0.6]))[0] == pytest.approx(of_each)
    assert log_loss(np.array([0.5]), np.array([1.0])) == pytest.approx(np.log(2))


def test_the_errors_of_fits_on_what_was_left_out():
    folds = np.array([0, 1, 2])

    def training_mean(training, left_out):
        return np.full(len(left_out), float(np.mean(training)))

    found = left_out_errors({"mean": training_mean, "none": lambda _, left_out: np.zeros(len(left_out))}, folds)
    assert found["none"] == 0.0 < found["mean"]
    assert left_out_errors({"only": training_mean}, np.zeros(3)) == {"only": 0.0}


def test_intervals_need_five_clusters():
    values = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    found = clustered_mean(values, np.arange(5), Drawing(500, 1, 0.95))
    assert (found.value, found.n) == (2.0, 5)
    assert 0 <= found.low < 2 < found.high <= 4
    few = clustered_mean(values, np.array([0, 0, 1, 1, 1]), Drawing(500, 1, 0.95))
    assert np.isnan(few.low)
    assert few.reason == "no interval: 2 language pairs, fewer than 5"


def test_reliability_bins():
    first, last = reliability_bins(np.array([0.11, 0.19, 1.0]), np.array([0.0, 1.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    assert (first.predicted, first.observed, first.opposite, first.pairs) == (pytest.approx(0.15), 0.5, 0.5, 2)
    assert (last.predicted, last.pairs) == (1.0, 1)
