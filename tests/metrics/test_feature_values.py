from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, UnknownNameError
from assay.metrics.feature_values import FeatureSet
from assay.types.runtime import Runtime

TEXTS = assay.load(
    references=["the cat sat", "a dog", None],
    outputs={"x": ["the cat", "a dog", "one"], "y": ["", None, "two"]},
    lp="fr-en",
)


def values(*features):
    return FeatureSet.of(features).prepare(TEXTS).values(TEXTS, Runtime())


def test_features_are_segment_scores_turned_so_that_higher_is_better():
    found = values("chrf", "ter")
    run = assay.score(TEXTS, ["chrf", "ter"], resamples=0)
    for system, name in enumerate(("x", "y")):
        assert np.array_equal(found[system, :, 0], run["chrf"].segments[name], equal_nan=True)
        assert np.array_equal(found[system, :, 1], -np.array(run["ter"].segments[name]), equal_nan=True)
    assert np.isnan(found[:, 2]).all()
    assert np.isnan(found[1, 1]).all()


def test_columns_and_ratios():
    found = values("hjerson#output_length", "hjerson#output_length/reference_length", "hjerson#missing/output_length")
    assert found[0, 0].tolist() == [2, 2 / 3, 0.5]
    assert found[1, 0, :2].tolist() == [0, 0]
    assert np.isnan(found[1, 0, 2])  # of an empty output


def test_directions_and_needs():
    features = FeatureSet.of(["chrf", "ter", "ter#edits"])
    assert features.directions == (1, -1, 0)
    assert features.needs == {"reference"}
    assert features.names == ("chrf", "ter", "ter#edits")


def test_signatures_have_all_options_that_the_language_decides():
    signature = FeatureSet.of(["bleu", "bleu#output_length"]).prepare(TEXTS).signature
    score, column = signature.split("+")
    assert "tok=13a" in score
    assert "effective_order=yes" in score  # of segments
    assert "effective_order=no" in column
    assert column.endswith("#output_length")


@pytest.mark.parametrize(
    ("features", "error", "message"),
    [
        (("chrf", "chrf:word_order=0"), ConfigError, "the feature 'chrf' is given twice"),
        (("ter#length",), UnknownNameError, "the statistics of ter have no column 'length'"),
        (("ter#edits/length",), UnknownNameError, "no column 'length'"),
        (("blue",), ConfigError, "unknown metric 'blue'"),
    ],
)
def test_refusals(features, error, message):
    with pytest.raises(error, match=message):
        FeatureSet.of(features)
