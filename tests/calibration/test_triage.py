from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from assay.calibration.triage import (
    Judgements,
    Promise,
    bounded_rate,
    chosen_threshold,
    rates_by_system,
    scale_notes,
    unequal_documents,
)
from assay.types import ScoreTable

PROMISE = Promise(0.2, 0.95)


def judgements(documents: int, per_document: int, seed: int = 1) -> Judgements:
    """Scores from 0 to 1; a judgement of the score s finds an error with the probability 1 - s."""
    random = np.random.default_rng(seed)
    score = random.random(documents * per_document)
    return made(score, random.random(len(score)) > score, np.repeat(np.arange(documents), per_document))


def made(score: np.ndarray, has_error: np.ndarray, document: np.ndarray) -> Judgements:
    return Judgements(score, has_error, document, np.where(np.arange(len(score)) % 2, "odd", "even"))


def test_bounds_of_independent_judgements_are_exact() -> None:
    judged = made(np.zeros(40), np.arange(40) < 8, np.arange(40))
    rate = bounded_rate(judged, 0.05)
    assert (rate.value, rate.n) == (0.2, 40)
    # a document for each judgement: Clopper and Pearson's bounds of 8 in 40
    assert rate.high == pytest.approx(beta.ppf(0.95, 9, 32), abs=1e-6)
    assert rate.low == pytest.approx(beta.ppf(0.05, 8, 33), abs=1e-6)


def test_judgements_that_hang_together_count_less() -> None:
    errors = np.repeat([True, False, False, False, False] * 2, 10)
    apart = made(np.zeros(100), errors, np.arange(100))
    together = made(np.zeros(100), errors, np.repeat(np.arange(10), 10))
    assert bounded_rate(together, 0.05).high > bounded_rate(apart, 0.05).high + 0.1


def test_without_errors_every_document_counts_once() -> None:
    judged = made(np.zeros(100), np.zeros(100, dtype=bool), np.repeat(np.arange(10), 10))
    rate = bounded_rate(judged, 0.05)
    assert (rate.value, rate.low) == (0, 0)
    assert rate.high == pytest.approx(1 - 0.05 ** (1 / 10))
    assert bounded_rate(judged.above(1.0), 0.05).reason == "no judged segment has such a score"


def test_a_threshold_keeps_the_promise() -> None:
    found = chosen_threshold(judgements(200, 20), PROMISE)
    assert 0.6 < found.threshold < 0.7  # from 0.6 on, a fifth has errors
    assert found.error_rate.high <= PROMISE.rate
    assert math.isnan(found.error_rate.low)  # the bound is one-sided
    assert found.released_share == pytest.approx(1 - found.threshold, abs=0.05)


def test_a_sequence_of_tests_stops_at_the_first_that_fails() -> None:
    """Errors in the middle: everything together keeps the promise by its own test; a stricter one, the best only."""
    score = np.linspace(0, 1, 2000)
    has_error = (score > 0.6) & (score < 0.9) & (np.arange(2000) % 2 == 0)
    found = chosen_threshold(made(score, has_error, np.arange(2000)), PROMISE)
    assert found.threshold == 0.0  # .15 of all, .3 of the better half
    high = chosen_threshold(made(score, has_error, np.arange(2000)), Promise(0.1, 0.95))
    assert 0.85 < high.threshold < 0.9


@pytest.mark.parametrize(
    ("judged", "rate", "reason", "is_best_above"),
    [
        (judgements(9, 20), 0.2, "there are 9 judged documents, fewer than 10", None),
        (judgements(40, 20), 0.01, "people found more errors than promised even in the best-scored segments", True),
        (judgements(12, 20), 0.05, "12 judged documents can at best show that no more than 30.6 % have errors", False),
        (judgements(40, 5), 0.12, "the best-scored segments are of too few documents to show it", False),
        (replace(judgements(9, 20), unit="segment"), 0.2, "there are 9 judged segments, fewer than 10", None),
    ],
)
def test_no_threshold_has_a_reason(judged: Judgements, rate: float, reason: str, is_best_above: bool | None) -> None:
    found = chosen_threshold(judged, Promise(rate, 0.95))
    assert math.isnan(found.threshold)
    assert found.reason == reason
    assert (found.best.value > rate if found.best.n else None) is is_best_above


def test_systems_have_their_own_rates() -> None:
    has_error = np.where(np.arange(100) % 2, np.arange(100) < 40, False)
    worst, best = rates_by_system(made(np.ones(100), has_error, np.arange(100)), 0.95)
    assert (worst.system, worst.error_rate.value, worst.error_rate.n) == ("odd", 0.4, 50)
    assert worst.error_rate.high == pytest.approx(beta.ppf(0.975, 21, 30), abs=1e-6)  # two-sided
    assert best.error_rate.value == 0


def test_promises_are_rarely_broken() -> None:
    """In how many of 25 made-up campaigns more than promised have errors above the threshold, by the true rate."""
    thresholds = [chosen_threshold(judgements(150, 8, seed), PROMISE).threshold for seed in range(25)]
    given = [each for each in thresholds if not math.isnan(each)]
    assert len(given) > 10
    assert sum((1 - each) / 2 > PROMISE.rate for each in given) <= 2


def unequal(documents: int, bad: float, random: np.random.Generator) -> Judgements:
    """One document in ten is long; a share of the long ones has 90 % errors, all else 3 %."""
    is_long = random.random(documents) < 0.1
    sizes = np.where(is_long, random.integers(60, 120, documents), random.integers(2, 10, documents))
    share = np.repeat(np.where(is_long & (random.random(documents) < bad), 0.9, 0.03), sizes)
    return made(random.random(len(share)), random.random(len(share)) < share, np.repeat(np.arange(documents), sizes))


def test_long_documents_that_nobody_saw_may_be_bad() -> None:
    """In all, 21 % have errors: who saw no bad long document must not promise 15 %, as in a sixth of campaigns."""
    random = np.random.default_rng(3)
    assert unequal(5000, 1 / 3, random).has_error.mean() > 0.18
    found = [chosen_threshold(unequal(50, 1 / 3, random), Promise(0.15, 0.95)).threshold for _ in range(60)]
    assert sum(not math.isnan(each) for each in found) <= 3


def test_what_unequal_documents_can_show_is_said() -> None:
    few = unequal(40, 0.0, np.random.default_rng(4))
    reason = chosen_threshold(few, Promise(0.1, 0.95)).reason
    assert re.search(r"40 judged documents, of which the largest has \d+ % of the judgements, can at best show", reason)
    (note,) = unequal_documents(few)
    assert re.search(r"40 documents of very different sizes, which count as \d+\.\d of equal size", note.text)
    assert not list(unequal_documents(judgements(60, 5)))


def test_the_longest_document_and_the_outputs_with_any_error_are_counted() -> None:
    judged = Judgements(
        np.zeros(6),
        np.array([True, False, False, False, True, True]),
        np.array([0, 0, 0, 0, 1, 2]),
        np.full(6, "A"),
        output=np.array([0, 0, 1, 1, 2, 3]),
        segment=np.array([0, 0, 1, 1, 2, 3]),
    )
    assert judged.longest == 2
    assert (judged.found_by_any.value, judged.found_by_any.n) == (0.5, 2)
    assert judged.take(judged.output > 1).found_by_any.n == 0


def test_documents_that_nobody_saw_may_be_bad() -> None:
    """One document in ten has 60 % errors, the others 2 %: 7.8 % in all. Who saw none of these must not promise 5 %."""
    random = np.random.default_rng(5)
    given = 0
    for _ in range(40):
        share = np.repeat(np.where(random.random(20) < 0.1, 0.6, 0.02), 40)
        data = made(random.random(800), random.random(800) < share, np.repeat(np.arange(20), 40))
        given += not math.isnan(chosen_threshold(data, Promise(0.05, 0.95)).threshold)
    assert given <= 2


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ([0.95, 0.82, 0.5], "all new scores are between 0.5 and 0.95, where only 0 % of the judged ones are"),
        ([50.0, 82.0, 95.0], None),
        ([0.95, 0.82], None),
        ([0.95, math.nan, 0.82], None),
        ([0.5, 0.9, 12.0], None),
    ],
)
def test_new_scores_on_another_scale_are_noted(new: list[float], text: str | None) -> None:
    known = judgements(100, 4)
    known = replace(known, score=100 * known.score)
    for sign in (1, -1):  # penalties are negated before they are compared, and shown as they are
        table = ScoreTable("m", "segment", ("new",), sign * np.array([new]), higher_is_better=sign > 0)
        notes = scale_notes(table, known)
        assert len(notes) == (text is not None)
        assert all(note.severity == "warning" for note in notes)
        if text is not None and sign > 0:
            assert notes[0].text.startswith(text)
