from __future__ import annotations

import json

import pytest

from assay.errors import UnknownNameError
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
