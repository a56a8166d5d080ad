from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import ConfigError
from assay.types import ScoreTable
from tests.calibration.made_up import SEGMENTS, campaign

VALUES = np.arange(4.0)[:, np.newaxis] + np.random.Generator(np.random.PCG64(1)).normal(size=(4, SEGMENTS)) / 10


def table(name="mine [1]", **changes):
    return ScoreTable(name, "segment", ("s0", "s1", "s2", "s3"), VALUES, **changes)


def test_scores_from_elsewhere_are_calibrated_and_decided():
    """With lower-is-better scores, the system that the metric prefers is the first one."""
    result = assay.calibrate(campaign(), metrics=(), external={"de-en": [table()]}, min_segments=20)
    curve = result.curve("mine [1]", agg="stored-segment", protocol="DA/SQM")
    assert curve.population.pairs == 6
    assert curve.x[-1] == pytest.approx(3.0, abs=0.1)
    external = {"de-en": [table(higher_is_better=False)]}
    (decided,) = assay.decisions(campaign(), external=external, min_segments=20)
    assert decided.pairs == 6
    assert decided.rules[0].accepted_worse > 0
    assert decided.bins[0].label == "not significant"  # by a test of the segment scores


def test_scores_belong_to_one_campaign():
    two = [campaign(), campaign(name="wmt97")]
    with pytest.raises(ConfigError, match="the scores are of de-en, which several campaigns have"):
        assay.calibrate(two, metrics=(), external={"de-en": [table()]}, min_segments=20)


def test_names_are_unique():
    with pytest.raises(ConfigError, match="two metrics are called 'Stored'"):
        assay.decisions(campaign(), external={"de-en": [table("Stored")]})
