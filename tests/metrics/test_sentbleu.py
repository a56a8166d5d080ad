"""SENTBLEU by hand; tests/oracle compares it with Moses."""

from __future__ import annotations

import math

import pytest

from assay import load, score
from assay.metrics import metric
from assay.metrics.bleu import Bleu


def sentbleu(output, *references, spec="sentbleu"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


def test_by_hand():
    """Three of three unigrams, one of two bigrams, none of one trigram, no 4-gram; one more above and below each."""
    found = sentbleu("a b d", "a b c d")
    assert found.statistics.table[0, 0].tolist() == [3, 4, 3, 1, 0, 0, 3, 2, 1, 0]
    expected = math.exp(1 - 4 / 3) * (4 / 4 * 2 / 3 * 1 / 2 * 1 / 1) ** 0.25
    assert found.segments["x"][0] == pytest.approx(expected, abs=1e-12)
    assert found.segment_mean["x"] == found.segments["x"][0]


@pytest.mark.parametrize(("output", "reference", "value"), [("", "a", 0), ("", "", 1), ("a b", "a b", 1)])
def test_short_sides(output, reference, value):
    """An empty output scores 0, unless the reference is empty too: 1 as in Moses."""
    assert sentbleu(output, reference).segments["x"][0] == value


def test_it_is_the_segment_form_of_moses():
    form = Bleu(flavour="moses").prepare(load(outputs={"x": ["a"]}, references=["a"])).segment_form
    assert (form.smooth, form.smooth_value) == ("add-all", 1.0)
    assert form.segment_form == form


def test_it_is_a_metric_of_segments():
    assert metric.create("sentbleu").default_aggregation == "segment"


def test_smooth_value():
    assert sentbleu("a", "b", spec="sentbleu:smooth_value=0.5").segments["x"][0] == pytest.approx((1 / 3) ** 0.25)
