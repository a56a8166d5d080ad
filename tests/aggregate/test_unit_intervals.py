from __future__ import annotations

import math

import numpy as np
import pytest

from assay.aggregate.unit_intervals import (
    UnitResamples,
    effective_number,
    expanded_confidence,
    few_units,
    unit_sizes,
)
from assay.types import FloatArray
from assay.types.runtime import Runtime


def resampled(sizes: FloatArray, values: FloatArray, confidence: float = 0.95) -> tuple[float, float, str | None]:
    """The interval of the mean of values weighted by sizes."""

    def mean(weights: FloatArray) -> tuple[FloatArray]:
        return ((weights @ (sizes * values)) / (weights @ sizes),)

    ones = np.ones((1, len(sizes)))
    value = float(mean(ones)[0][0])
    (found,) = UnitResamples(1000, 7, confidence, Runtime()).estimates([value], len(sizes), sizes, "document", mean)
    return found.estimate.low, found.estimate.high, found.estimate.reason


def test_sizes_and_effective_number() -> None:
    assert unit_sizes(np.array([0, 0, 3, 3, 3])).tolist() == [2, 3]
    assert effective_number(np.full(20, 7.0)) == pytest.approx(20)
    assert effective_number(np.array([9.0, 1.0])) == pytest.approx(100 / 82)
    assert math.isnan(effective_number(np.zeros(0)))


@pytest.mark.parametrize(
    ("units", "confidence"),
    [(12, 0.9785), (53, 0.9572), (10_000, 0.9500)],  # 2 Phi(sqrt(n / (n - 1)) t) - 1, from tables of t and Phi
)
def test_the_level_of_few_units_is_higher(units: int, confidence: float) -> None:
    assert expanded_confidence(0.95, units) == pytest.approx(confidence, abs=2e-4)


def test_the_level_stays_below_one() -> None:
    assert expanded_confidence(0.95, 1.0) < 1
    assert expanded_confidence(0.999, 2.0) < 1


def test_intervals_of_few_documents_cover() -> None:
    """Of twelve documents from a normal population, nearly as many intervals cover its mean as they say."""
    random = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        low, high, _ = resampled(np.ones(12), random.normal(size=12))
        covered += low <= 0 <= high
    assert covered >= 180


def test_too_few_documents_have_no_interval() -> None:
    assert resampled(np.ones(4), np.arange(4.0))[2] == "no interval: 4 documents, fewer than 5"
    uneven = resampled(np.array([50.0, 1, 1, 1, 1, 1]), np.arange(6.0))
    assert math.isnan(uneven[0])
    assert uneven[2] == "no interval: 6 documents count as 1.2 of equal size, fewer than 5"


def test_notes_on_few_or_unequal_documents() -> None:
    assert not [*few_units(np.ones(30), "document", 0.95)]
    assert not [*few_units(np.zeros(0), "document", 0.95)]
    (few,) = few_units(np.ones(8), "document", 0.9)
    assert few.text == "intervals from 8 documents are rough: they cover less often than 90 %"
    (uneven,) = few_units(np.array([40.0, *[1.0] * 60]), "document", 0.95)
    assert uneven.text == (
        "intervals from 61 documents of very different sizes (they count as 6.0 of equal size; the largest has 40 %) "
        "are rough: they cover less often than 95 %"
    )


@pytest.mark.parametrize(
    ("resamples", "units", "texts"),
    [
        (300, 3, ["no interval: 3 segments, fewer than 5"]),
        (300, 6, ["intervals from 6 segments are rough: they cover less often than 95 %"]),
        (300, 30, []),
        (300, 0, []),
        (0, 3, []),
        (0, 6, []),
    ],
)
def test_notes_say_why_there_is_no_interval_or_how_rough_it_is(resamples: int, units: int, texts: list[str]) -> None:
    notes = UnitResamples(resamples, 7, 0.95, Runtime()).notes(np.ones(units), "segment")
    assert [note.text for note in notes] == texts
