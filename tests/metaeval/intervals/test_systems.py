from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np

from assay.study.agree import agree
from assay.types import ScoreTable
from tests.metaeval.intervals.enumeration import all_resamples, check_enumerated, tables


def test_systems_by_enumeration_of_all_resamples():
    metric, human = tables(systems=4)
    found = agree(metric, human, "pairwise-accuracy", level="system", resamples=20_000, outliers="keep")
    x, y = metric.values.mean(axis=1), human.values.mean(axis=1)
    counts, probabilities = all_resamples(4)

    def accuracy(row):
        pairs = [(i, j) for i, j in itertools.combinations(np.repeat(np.arange(4), row), 2) if i != j]
        return np.mean([(x[i] > x[j]) == (y[i] > y[j]) for i, j in pairs]) if pairs else np.nan

    values = np.array([accuracy(row) for row in counts])
    is_defined = ~np.isnan(values)
    assert is_defined.sum() == len(counts) - 4  # one system four times
    found = replace(found, replicates=found.replicates[~np.isnan(found.replicates)])
    check_enumerated(found, values[is_defined], probabilities[is_defined] / probabilities[is_defined].sum())


def test_undefined_resamples_are_counted():
    metric, human = (
        ScoreTable(name, "system", tuple("abc"), np.array([[1.0], [2.0], [2.5]]) * sign, protocol=protocol)
        for name, sign, protocol in (("m", -1, None), ("h", [[1], [1], [3]], "DA-z"))
    )
    found = agree(metric, human, ci="systems", resamples=200, outliers="keep")
    undefined = int(np.isnan(found.replicates).sum())
    assert undefined > 0
    assert found.estimate.basis.resamples_undefined == undefined
    assert found.reason == f"undefined in {undefined} of 200 resamples"
    tree = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert tree["ci"] == {
        "method": "systems",
        "confidence": 0.95,
        "n": 3,
        "resamples": 200,
        "resamples_undefined": undefined,
        "seed": 12345,
    }
