from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta

from assay.calibration.triage import Judgements, Promise, bounded_rate, chosen_threshold

PROMISE = Promise(0.2, 0.95, 1)


def judgements(documents: int, per_document: int, seed: int = 1) -> Judgements:
    """Scores from 0 to 1; a judgement of the score s finds an error with the probability 1 - s."""
    random = np.random.default_rng(seed)
    score = random.random(documents * per_document)
    return Judgements(score, random.random(len(score)) > score, np.repeat(np.arange(documents), per_document))


def test_bounds_of_independent_judgements_are_exact() -> None:
    judged = Judgements(np.zeros(40), np.arange(40) < 8, np.arange(40))
    rate = bounded_rate(judged, 0.95)
    assert (rate.value, rate.n) == (0.2, 40)
    # a document for each judgement: nearly 40 effective judgements (Clopper-Pearson of 8 in 40: 0.333)
    assert rate.high == pytest.approx(beta.ppf(0.95, 9, 32), abs=0.01)


def test_judgements_that_hang_together_count_less() -> None:
    errors = np.repeat([True, False, False, False, False] * 2, 10)
    apart = Judgements(np.zeros(100), errors, np.arange(100))
    together = Judgements(np.zeros(100), errors, np.repeat(np.arange(10), 10))
    assert bounded_rate(together, 0.95).high > bounded_rate(apart, 0.95).high + 0.1


def test_without_errors_every_document_counts_once() -> None:
    judged = Judgements(np.zeros(100), np.zeros(100, dtype=bool), np.repeat(np.arange(10), 10))
    rate = bounded_rate(judged, 0.95)
    assert (rate.value, rate.low) == (0, 0)
    assert rate.high == pytest.approx(1 - 0.05 ** (1 / 10))
    assert bounded_rate(judged.above(1.0), 0.95).reason == "no judged segment has such a score"


def test_a_threshold_keeps_the_promise_on_what_was_held_out() -> None:
    found = chosen_threshold(judgements(200, 20), PROMISE)
    assert 0.6 < found.threshold < 0.8  # from 0.6 on, a fifth has errors
    assert found.error_rate.high <= PROMISE.rate
    assert found.released_share == pytest.approx(1 - found.threshold, abs=0.05)


@pytest.mark.parametrize(
    ("judged", "rate", "reason"),
    [
        (judgements(9, 20), 0.2, "9 judged documents, fewer than 10"),
        (judgements(40, 20), 0.01, "people find errors more often even in the best-scored segments"),
    ],
)
def test_no_threshold_has_a_reason(judged: Judgements, rate: float, reason: str) -> None:
    found = chosen_threshold(judged, Promise(rate, 0.95, 1))
    assert math.isnan(found.threshold)
    assert found.reason == reason


def test_promises_are_rarely_broken() -> None:
    """In how many of 25 made-up campaigns more than promised have errors above the threshold, by the true rate."""
    thresholds = [chosen_threshold(judgements(150, 8, seed), PROMISE).threshold for seed in range(25)]
    given = [each for each in thresholds if not math.isnan(each)]
    assert len(given) > 10
    assert sum((1 - each) / 2 > PROMISE.rate for each in given) <= 2
