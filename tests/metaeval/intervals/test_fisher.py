"""Fisher's z: values of nlpstats' own regression test (danieldeutsch/nlpstats, tests/correlations/fisher_test.py)."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError
from assay.metaeval.intervals.fisher import fisher_interval
from assay.study.agree import agree
from assay.types import ScoreTable

BY_SYSTEM = {
    "pearson": (-0.6445648014599665, 0.9644395142168088),
    "spearman": (-0.6708734441360908, 0.9756771001362685),
    "kendall": (-0.7023910748254728, 0.9377789575997956),
}
OF_ALL_CELLS = {
    "pearson": (-0.02763744135012373, 0.5818846438651135),
    "spearman": (-0.06733469087453943, 0.5640758668009686),
    "kendall": (-0.029964677270600665, 0.4098565164085108),
}
BY_SEGMENT = {
    "pearson": (-0.808376631595968, 0.9287863878043723),
    "spearman": (-0.7262127280589684, 0.9653646507719408),
    "kendall": (-0.684486849088761, 0.9418063314024349),
}


@pytest.fixture(scope="module")
def tables():
    legacy = np.random.RandomState(12)
    names = tuple("abcde")
    metric, human = legacy.rand(5, 7), legacy.rand(5, 7)
    return ScoreTable("m", "segment", names, metric), ScoreTable("h", "segment", names, human, protocol="DA-z")


@pytest.mark.parametrize("name", BY_SYSTEM)
def test_the_values_of_nlpstats_by_system(tables, name):
    found = agree(*tables, name, level="system", ci="fisher", outliers="keep")
    assert found.interval == pytest.approx(BY_SYSTEM[name], abs=1e-12)
    assert found.estimate.basis.to_dict() == {
        "method": "fisher",
        "confidence": 0.95,
        "n": 5,
        "resamples": 0,
        "resamples_undefined": 0,
        "seed": None,
    }


@pytest.mark.parametrize(("grouping", "n", "expected"), [("none", 35, OF_ALL_CELLS), ("item", 5, BY_SEGMENT)])
@pytest.mark.parametrize("name", BY_SYSTEM)
def test_the_values_of_nlpstats_for_segments(tables, name, grouping, n, expected):
    """The formula is the same; as a method it is refused, because the scores are not independent."""
    with pytest.raises(ConfigError, match="ci has no effect"):
        agree(*tables, name, grouping=grouping, ci="fisher", outliers="keep")
    found = agree(*tables, name, grouping=grouping, ci="none", outliers="keep")
    low, high = fisher_interval(statistic.create(name), np.array([found.value]), np.array([n]), 0.95)
    assert (low[0], high[0]) == pytest.approx(expected[name], abs=1e-12)


def test_the_value_of_nlpstats():
    """Its documented system-level example; three systems are too few for an interval."""
    metric = ScoreTable("m", "segment", tuple("abc"), np.array([[1.0, 9, 2], [4, 5, 2], [6, 7, 2]]))
    human = ScoreTable("h", "segment", tuple("abc"), np.arange(11.0, 20.0).reshape(3, 3), protocol="DA-z")
    found = agree(metric, human, level="system", outliers="keep")
    assert found.value == pytest.approx(0.7205766921, abs=1e-10)
    assert found.reason == "no interval: Fisher's z needs more than 3 systems"


def test_the_constants():
    """tanh(atanh r ± z c / sqrt(n - b)), by hand for r = .5, n = 12 and z = 1."""
    confidence = 0.6826894921370859  # within one standard deviation
    z = np.arctanh(0.5)
    for name, step in (("pearson", 1 / 3), ("spearman", np.sqrt(1.125) / 3), ("kendall", np.sqrt(0.437 / 8))):
        low, high = fisher_interval(statistic.create(name), np.array([0.5]), np.array([12]), confidence)
        assert (low[0], high[0]) == pytest.approx((np.tanh(z - step), np.tanh(z + step)), abs=1e-12)


def test_where_it_is_undefined():
    values = np.array([0.5, 1.0, -1.0, np.nan, 0.5])
    n = np.array([3, 9, 9, 9, 4])
    low, high = fisher_interval(statistic.create("pearson"), values, n, 0.95)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True] * 4 + [False]
    low, _ = fisher_interval(statistic.create("kendall"), np.array([0.5]), np.array([4]), 0.95)
    assert np.isnan(low).all()
    for spec in ("kendall:variant=c", "acc23"):
        low, _ = fisher_interval(statistic.create(spec), np.array([0.5]), np.array([9]), 0.95)
        assert np.isnan(low).all()


def test_a_perfect_correlation_has_no_interval():
    scores = [[1.0], [2.0], [3.0], [4.0], [7.0]]
    metric = ScoreTable("m", "system", tuple("abcde"), np.array(scores))
    human = ScoreTable("h", "system", tuple("abcde"), np.array(scores), protocol="DA-z")
    found = agree(metric, human, "spearman", outliers="keep")
    assert (found.value, found.reason) == (pytest.approx(1.0), "no interval: the correlation is exactly 1")
    assert found.to_dict()["low"] is None
    assert agree(metric, human, "acc23", ci="fisher").reason == "no interval: Fisher's z is not defined for acc23"
