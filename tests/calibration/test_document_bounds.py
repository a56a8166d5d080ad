from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from assay.calibration.document_bounds import highest_rate, is_at_most, lowest_bound, lowest_rate


@pytest.mark.parametrize(("errors", "documents"), [(0, 20), (3, 20), (19, 20), (1, 1), (0, 1), (40, 400)])
@pytest.mark.parametrize("tail", [0.025, 0.0125, 0.2])
def test_one_judgement_a_document_gives_the_bounds_of_clopper_and_pearson(
    errors: int, documents: int, tail: float
) -> None:
    found = (np.arange(documents) < errors).astype(float)
    ones = np.ones(documents)
    high = beta.ppf(1 - tail, errors + 1, documents - errors) if errors < documents else 1.0
    low = beta.ppf(tail, errors, documents - errors + 1) if errors else 0.0
    assert highest_rate(found, ones, tail) == pytest.approx(high, abs=1e-6)
    assert lowest_rate(found, ones, tail) == pytest.approx(low, abs=1e-6)


def test_unequal_documents_have_the_quantile_of_random_weights() -> None:
    random = np.random.default_rng(1)
    sizes = random.integers(1, 60, 30).astype(float)
    errors = random.binomial(sizes.astype(int), 0.1).astype(float)
    weights = random.exponential(size=(100_000, 31))
    unseen = (sizes**2).sum() / sizes.sum()
    rates = (weights @ np.append(errors, unseen)) / (weights @ np.append(sizes, unseen))
    assert highest_rate(errors, sizes, 0.05) == pytest.approx(np.quantile(rates, 0.95), abs=0.002)


def test_whether_a_rate_is_shown_agrees_with_the_bound() -> None:
    errors, sizes = np.array([0.0, 2, 1, 0, 0, 3]), np.array([4.0, 9, 2, 30, 5, 6])
    high = highest_rate(errors, sizes, 0.05)
    assert is_at_most(high + 1e-6, errors, sizes, 0.05)
    assert not is_at_most(high - 1e-6, errors, sizes, 0.05)


def test_no_bound_is_lower_than_that_of_documents_without_errors() -> None:
    equal = np.full(12, 7.0)
    assert lowest_bound(equal, 0.0125) == pytest.approx(1 - 0.0125 ** (1 / 12), abs=1e-6)
    assert highest_rate(np.append(1.0, np.zeros(11)), equal, 0.0125) > lowest_bound(equal, 0.0125)


def test_a_large_document_that_nobody_saw_weighs_as_much_as_one_that_was() -> None:
    """One document has half of the judgements: without any error, all of them show hardly more than 3 equal ones do."""
    sizes = np.append(100.0, np.ones(100))
    assert lowest_bound(sizes, 0.05) > 0.35  # by a document of mean size, 0.05
    assert lowest_bound(sizes, 0.05) == pytest.approx(lowest_bound(np.ones(4), 0.05), abs=0.2)
