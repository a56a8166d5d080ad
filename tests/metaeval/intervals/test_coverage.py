"""Intervals cover as often as they claim: the short form of `make honesty`, with fixed seeds and fewer trials."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scripts import coverage_of_intervals as script
from tests import archives

TRIALS = range(300)
FEW = range(100)
COVERED = (0.915, 0.985)  # more than 2.7 standard errors around .95


@pytest.fixture(scope="module")
def pool():
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return script.load_pool()


def by_method(coverages):
    return {(each.method, each.statistic): each for each in coverages}


def check_claims(coverages):
    claimed = [each for each in coverages if each.is_claimed]
    assert [each for each in claimed if not COVERED[0] <= each.rate <= COVERED[1]] == []
    return len(claimed)


@pytest.mark.slow
def test_fisher_covers_where_the_bootstrap_over_systems_does_not():
    for n, rho in ((8, 0.95), (16, 0.8)):
        found = by_method(script.over_systems(n, rho, TRIALS))
        assert check_claims(found.values()) == (1 if n < 12 else 2)
        assert found["systems", "pearson"].rate < 0.93
        assert found["fisher", "pearson"].without == 0
    assert check_claims(script.over_averages(12, 0.8, TRIALS)) == 1


@pytest.mark.slow
def test_segments_and_documents_cover(pool):
    one = replace(pool, metrics={"COMET-22": pool.metrics["COMET-22"]})
    assert check_claims(script.over_segments(one, 200, TRIALS)) == 3
    found = by_method(script.over_documents(pool, 200, TRIALS))
    assert check_claims(found.values()) == 1
    assert found["segments", "kendall"].rate < 0.9


@pytest.mark.slow
def test_where_nothing_is_claimed_the_documentation_says_so():
    """Noise of judges lowers a correlation, and resampling adds the same noise again."""
    found = by_method(script.over_judgements(500, FEW))
    assert check_claims(found.values()) == 0
    assert found["judgements", "pearson"].rate < 0.95


def test_the_claims_are_judged():
    case = script.Case("pearson", "fisher", is_claimed=True)
    estimates = [
        case.evaluate(*script.bivariate(random, 0.8, (9, 1)), "system", seed).estimate
        for seed, random in script.generators(range(40), 9)
    ]
    found = script.tally(case, "ρ = 0.8", 9, estimates, 0.8)
    assert found.trials == 40
    assert found.rate == np.mean([each.low <= 0.8 <= each.high for each in estimates])
    assert not script.tally(case, "", 9, estimates, 2.0).holds
    few = [case.evaluate(np.arange(3.0)[:, None], np.arange(3.0)[:, None], "system", 1).estimate]
    assert script.tally(case, "", 3, few, 0.0).without == 1
