"""The skipped correlation: against values of pingouin, and the center against all halves of the items."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay.agreement import skipped, statistic
from tests import archives
from tests.agreement.twins import batch_of

# Of pingouin 0.7.0 with scikit-learn 1.9.1: the correlation of WMT19, and the number of outliers.
PINGOUIN = [
    ("de-en", "BLEU", "pearson", 0.7704801440497978, 1),
    ("de-en", "BLEU", "spearman", 0.7119868279789773, 1),
    ("en-de", "BLEU", "pearson", 0.682645667394185, 1),
    ("en-de", "chrF", "pearson", 0.8805244672565775, 2),
    ("en-de", "chrF", "spearman", 0.8740128485708615, 2),
    ("fi-en", "YiSi-1", "pearson", 0.9785062731081571, 1),
    ("gu-en", "CharacTER", "spearman", 0.9878787878787878, 1),
]


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
@pytest.mark.parametrize(("lp", "metric", "correlation", "value", "outliers"), PINGOUIN)
def test_equals_pingouin(lp, metric, correlation, value, outliers):
    """pingouin does not bring the scores to the same scale."""
    folder = archives.unpacked("wmt19")
    paths = folder / "metric-scores" / lp / f"{metric}-ref.sys.score", folder / "human-scores" / f"{lp}.wmt-z.sys.score"
    ours, human = (dict(map(str.split, archives.lines(path))) for path in paths)
    systems = [name for name, score in human.items() if score != "None"]
    batch = batch_of([float(ours[name]) for name in systems], [float(human[name]) for name in systems])
    found = statistic.create(f"skipped:standardize=no,correlation={correlation}").compute(batch)
    assert found.values[0] == pytest.approx(value, abs=1e-9)
    assert dict(found.details) == {"skipped items": str(outliers)}


def center_of_all_halves(points):
    """The mean and covariance of the half with the smallest determinant, and the mean of what is near it."""
    size = -(-(len(points) + 3) // 2)
    halves = [points[list(half)] for half in combinations(range(len(points)), size)]
    best = min(halves, key=lambda half: np.linalg.det(np.cov(half.T)))
    deviations = points - best.mean(axis=0)
    squared = np.einsum("ij,jk,ik->i", deviations, np.linalg.inv(np.cov(best.T)), deviations)
    return points[squared * 2 * np.log(2) / np.median(squared) < -2 * np.log(0.025)].mean(axis=0)


@pytest.mark.slow
def test_the_center_is_that_of_the_best_half():
    random = np.random.default_rng(5)
    for _ in range(60):
        points = random.normal(size=(int(random.integers(5, 13)), 2))
        points[: int(random.integers(0, 3))] += 6
        np.testing.assert_allclose(skipped._mcd_center(points), center_of_all_halves(points), rtol=0, atol=1e-9)


@pytest.mark.parametrize("center", ["mcd", "median"])
def test_an_item_far_from_the_others_is_skipped(center):
    random = np.random.default_rng(1)
    human = np.arange(12.0)
    metric = human + random.normal(size=12) / 10
    metric[11] = -50
    found = statistic.create(f"skipped:center={center}").compute(batch_of(metric, human))
    assert dict(found.details) == {"skipped items": "1"}
    assert found.values[0] == pytest.approx(np.corrcoef(metric[:11], human[:11])[0, 1])


def test_units_do_not_matter_if_scores_are_standardized():
    random = np.random.default_rng(2)
    metric, human = random.normal(size=(2, 15))
    metric[0] += 8
    spec = "skipped:correlation=spearman"
    values = [statistic.create(spec).compute(batch_of(metric * unit, human)).values[0] for unit in (1, 100, 1e-3)]
    assert values == pytest.approx([values[0]] * 3)


def test_items_on_a_line_have_no_best_half():
    """Then the center is the median."""
    found = statistic.create("skipped").compute(batch_of([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]))
    assert found.values[0] == pytest.approx(1)
