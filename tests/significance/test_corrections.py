from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assay.errors import ConfigError
from assay.significance.corrections import CORRECTIONS, corrected


def random_p_values(count):
    random = np.random.Generator(np.random.PCG64(4))
    for _ in range(count):
        values = random.random(int(random.integers(1, 40))) ** random.choice([1, 5])
        yield np.round(values, 2) if random.random() < 0.3 else values


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), [("benjamini-hochberg", "bh"), ("benjamini-yekutieli", "by")])
def test_false_discovery_as_scipy(name, method):
    for values in random_p_values(1000):
        assert corrected(values, name) == pytest.approx(stats.false_discovery_control(values, method=method), rel=1e-12)


def test_holm_by_its_definition():
    for values in random_p_values(300):
        m = len(values)
        ordered = sorted(values.tolist())
        steps = [max(min(1.0, (m - j) * ordered[j]) for j in range(k + 1)) for k in range(m)]
        # The first of equal p-values is multiplied by most, so all of them share its step.
        assert corrected(values, "holm") == pytest.approx([steps[ordered.index(p)] for p in values.tolist()])


PUBLISHED = {
    "none": [
        *(5.23656777208e-05, 2.8140506198e-04, 0.0149877310796, 0.0202732688798, 0.177096952723),
        *(0.642193923795, 0.680845947633, 0.71626938238, 0.838541367553, 0.967833824309),
    ],
    "bonferroni": [5.23656777208e-04, 2.8140506198e-03, 0.149877310796, 0.202732688798] + [1.0] * 6,
    "holm": [5.23656777208e-04, 2.53264555782e-03, 0.1199018486368, 0.1419128821586] + [1.0] * 6,
    "benjamini-hochberg": [
        *(5.23656777208e-04, 1.4070253099e-03, 0.04995910359866667, 0.0506831721995, 0.354193905446),
        *(0.895336727975, 0.895336727975, 0.895336727975, 0.93171263061444454, 0.967833824309),
    ],
    "benjamini-yekutieli": [1.5337740764175588e-03, 4.1211324652269442e-03, 0.14632862843720582, 0.14844940238274187]
    + [1.0] * 6,
}
"""The example that statsmodels tests `multipletests` with (stats/tests/test_multi.py), computed by R's multtest."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_example_of_statsmodels(name):
    assert corrected(np.array(PUBLISHED["none"]), name) == pytest.approx(PUBLISHED[name], rel=1e-12)


def test_published_example_with_close_p_values():
    """The second example of statsmodels, in which Holm and Benjamini-Hochberg reject all."""
    values = np.array([0.002, 0.004, 0.006, 0.008, 0.01, 0.012])
    assert corrected(values, "holm") == pytest.approx([0.012, 0.02, 0.024, 0.024, 0.024, 0.024], rel=1e-12)
    assert corrected(values, "benjamini-hochberg") == pytest.approx([0.012] * 6, rel=1e-12)
    assert corrected(values, "benjamini-yekutieli") == pytest.approx([0.0294] * 6, rel=1e-12)


def test_by_hand():
    values = np.array([0.01, 0.04, 0.03, 0.5])
    assert corrected(values, "none").tolist() == values.tolist()
    assert corrected(values, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, 1.0])
    assert corrected(values, "holm") == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert corrected(values, "benjamini-hochberg") == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    assert corrected(values, "benjamini-yekutieli") == pytest.approx(
        [0.04 * 25 / 12, 0.16 / 3 * 25 / 12, 0.16 / 3 * 25 / 12, 1.0]
    )


@pytest.mark.parametrize("name", CORRECTIONS)
def test_every_correction(name):
    for values in random_p_values(200):
        found = corrected(values, name)
        assert (found >= values - 1e-15).all()
        assert (found <= 1).all()
        assert (np.diff(found[np.argsort(values, kind="stable")]) >= 0).all()  # the order stays
        shuffled = np.random.Generator(np.random.PCG64(1)).permutation(len(values))
        assert corrected(values[shuffled], name) == pytest.approx(found[shuffled], rel=1e-12)


@pytest.mark.parametrize("name", CORRECTIONS)
def test_undefined_p_values_are_not_counted(name):
    values = np.array([[0.01, math.nan], [0.02, 0.3]])
    found = corrected(values, name)
    assert np.isnan(found).tolist() == [[False, True], [False, False]]
    assert found[~np.isnan(values)].tolist() == corrected(values[~np.isnan(values)], name).tolist()
    assert corrected(np.array([math.nan]), name).tolist() == pytest.approx([math.nan], nan_ok=True)
    assert corrected(np.array([]), name).tolist() == []
    assert values[0, 0] == 0.01  # what was given stays


def test_unknown_names_are_refused():
    with pytest.raises(ConfigError, match=r"unknown correction 'holms'"):
        corrected(np.array([0.5]), "holms")
