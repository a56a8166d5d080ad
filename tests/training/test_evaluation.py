from __future__ import annotations

import math

import numpy as np
import pytest

from assay.aggregate.unit_intervals import UnitResamples
from assay.results import HeldOutPair
from assay.training.evaluation import evaluations
from assay.types.runtime import Runtime

DRAWN = UnitResamples(300, 1, 0.95, Runtime())


def pair(accuracy, single=0.5, *, by="campaign", part="a", lp="en-de"):
    return HeldOutPair(by, part, part, lp, 10, 0, "logistic l2=1", "chrf", accuracy, single, 0.5, accuracy, 0.5, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "least"), [(5, 0.87), (8, 0.905)])
def test_intervals_are_wider_with_few_language_pairs(count, least):
    """The percentile interval covers 84 % with five language pairs and 88 % with eight; this one 91 % and 93 %."""
    random = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        values = random.normal(size=count)
        found = next(evaluations([pair(value, 0.0, lp=f"en-{k}") for k, value in enumerate(values)], DRAWN))
        covered += found.beyond_single.low <= 0 <= found.beyond_single.high
    assert least <= covered / 400 <= 0.97


def test_few_language_pairs_have_no_interval():
    found = next(evaluations([pair(0.6, lp=f"en-{k}") for k in range(4)], DRAWN))
    assert found.metric.value == pytest.approx(0.6)
    assert math.isnan(found.metric.low)
    assert found.metric.reason == "no interval: 4 language pairs, fewer than 5"


@pytest.mark.parametrize(
    ("parts", "by", "reason"),
    [
        (("a",), "campaign", "there is only one test set"),
        (("de",), "language", "there is only one target language"),
        (("de", "cs"), "language", "all other judgements are of the same texts"),
    ],
)
def test_why_there_is_no_result(parts, by, reason):
    (found, _) = evaluations([pair(math.nan, math.nan, by=by, part=part) for part in parts], DRAWN)
    assert found.metric.reason == found.beyond_single.reason == reason
