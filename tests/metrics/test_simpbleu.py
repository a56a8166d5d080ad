"""SIMPBLEU by hand; tests/oracle compares all 24 configurations with the formulas."""

from __future__ import annotations

import math

import pytest

from assay import load, score
from assay.metrics import metric


def simpbleu(output, *references, spec="simpbleu"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


def test_precision_by_hand():
    found = simpbleu("a b d", "a b c d")
    assert found.statistics.table[0, 0].tolist() == [3, 4, 3, 1, 0, 0, 3, 2, 1, 0, 4, 3, 2, 1]
    assert found.segments["x"][0] == pytest.approx(math.exp(1 - 4 / 3) * (1 + 1 / 2) / 4)


def test_recall_by_hand():
    assert simpbleu("a b d", "a b c d", spec="simpbleu-recall").segments["x"][0] == pytest.approx((3 / 4 + 1 / 3) / 4)


@pytest.mark.parametrize("spec", ["simpbleu", "simpbleu-recall", "simpbleu:smooth=1,brevity=no"])
def test_an_empty_output_is_worth_nothing(spec):
    assert simpbleu("", "a b", spec=spec).segments["x"][0] == 0


@pytest.mark.warns("nothing was scored")
@pytest.mark.parametrize("spec", ["simpbleu", "simpbleu-recall"])
def test_nothing_on_either_side_is_undefined(spec):
    found = simpbleu("", "", spec=spec).corpus.estimate("x")
    assert math.isnan(found.value)
    assert found.reason == "output and reference have no words"
    assert simpbleu("a", "", spec=spec).segments["x"][0] == 0


def test_the_best_reference_counts():
    found = simpbleu("a b", "x y z", "a b", "a")
    assert found.statistics.table[0, 0].tolist() == [2, 2, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0]


def test_it_is_a_metric_of_segments():
    assert metric.create("simpbleu-recall").default_aggregation == "segment"
