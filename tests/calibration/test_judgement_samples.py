from __future__ import annotations

import numpy as np
import pytest

from assay.calibration.files import bundled
from assay.calibration.judgement_samples import (
    SIZES,
    largest_sample,
    outside_samples,
    preferred_in_samples,
    sampled_shares,
)
from assay.results.judged_pairs import SAMPLES
from assay.significance import test as significance

PAIRED = significance.create("paired-t")


def scores(shift, n=400):
    """Human scores of two systems, the first better by `shift` standard deviations."""
    random = np.random.default_rng(7)
    return np.stack([random.normal(shift, 1, n), random.normal(0, 1, n)])


def test_more_judgements_show_more():
    found = preferred_in_samples(("a", "b"), scores(0.2), PAIRED, 0.05, (20, 100, 400, 500), (1, 2))
    first = [found[size][0] for size in (20, 100, 400)]
    assert first == sorted(first)
    assert 0 < first[0] < first[1]
    assert first[2] == SAMPLES  # each is all of them
    assert np.isnan(found[500]).all()


def test_samples_are_seeded():
    one, again, other = (
        preferred_in_samples(("a", "b"), scores(0.2), PAIRED, 0.05, (50,), seed) for seed in ((1, 2), (1, 2), (1, 3))
    )
    assert one == again
    assert one != other


def test_the_share_of_significant_samples_is_the_level_without_a_difference():
    """Over many pairs of equal systems, 5 % of the samples prefer each side."""
    random = np.random.default_rng(3)
    found = [
        preferred_in_samples(("a", "b"), random.normal(size=(2, 300)), PAIRED, 0.05, (60,), (k,))[60] for k in range(60)
    ]
    assert 0.02 < np.mean(found) / SAMPLES < 0.09


def test_shares_between_two_sizes():
    sampled = {100: np.array([[4.0, 2.0]]), 200: np.array([[10.0, 0.0]])}
    below, between, above = (sampled_shares(sampled, size) for size in (100, 150, 200))
    assert below.tolist() == [[0.2, 0.1]]
    assert below[0, 0] < between[0, 0] < above[0, 0]
    assert between[0, 0] == pytest.approx(0.2 + 0.3 * (150**0.5 - 10) / (200**0.5 - 10))
    assert sampled_shares(sampled, 99) is None
    assert sampled_shares(sampled, 201) is None


def test_outside_of_the_samples():
    pairs = bundled(["bleu"], pairs_of=["bleu"]).pairs
    assert sorted({size for each in pairs for size in each.sampled}) == list(SIZES)
    assert not outside_samples(pairs, 180, "wmt")
    assert outside_samples(pairs, 20, "wmt") == "'wmt' has samples of 50 to 1,000 judged segments, not of 20"
    assert outside_samples((), 20, "mine").startswith("'mine' has no samples of judged segments; assay calibrate ")


def test_the_largest_sample_that_two_language_pairs_have():
    pairs = bundled(["bleu"], pairs_of=["bleu"]).pairs
    assert largest_sample(pairs, "bleu", "corpus", "ESA") == 500
    assert largest_sample(pairs, "bleu", "no-such", "ESA") == 0
    assert largest_sample((), "bleu", "corpus", "ESA") == 0
