from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from assay.errors import UnknownNameError
from assay.results import ComparedMetric, Estimate
from tests.store.examples import example


def test_metrics_and_pairs_by_name():
    found = example("compare")
    metric = found.metric("bleu", "segment")
    first, second = metric.pairs[0].first, metric.pairs[0].second
    assert metric.pair(first, second) is metric.pairs[0]
    assert len(found.pairs) == 2 * len(metric.pairs)
    with pytest.raises(UnknownNameError, match="'chrf' was not compared"):
        found.metric("chrf")
    with pytest.raises(UnknownNameError, match="was not compared with"):
        metric.pair(second, first)


def test_rows_and_tree():
    found = example("compare")
    rows = list(found.rows())
    assert [tuple(row) for row in rows] == [tuple(found.columns)] * len(found.pairs)
    assert rows[0]["first_score"] - rows[0]["second_score"] == pytest.approx(rows[0]["difference"])
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["verdict"] == list(found.verdict)
    assert found.signature.startswith("test:randomisation|alternative:two-sided|correction:holm")


def test_p_best_and_rank_ranges():
    shares = np.array([[0.9, 0.08, 0.02], [0.1, 0.9, 0.0], [0.0, 0.02, 0.98]])
    scores = {name: Estimate(1.0, 10) for name in "abc"}
    metric = ComparedMetric("bleu", "corpus", True, "", scores, (), rank_shares=shares, rank_ranges={"a": (1, 2)})
    assert metric.p_best("b") == 0.1
    assert metric.to_dict()["rank_ranges"] == {"a": [1, 2]}
    assert math.isnan(dataclasses.replace(metric, rank_shares=None).p_best("a"))
