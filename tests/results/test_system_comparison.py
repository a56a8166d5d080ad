from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from assay.errors import UnknownNameError
from assay.results import ComparedMetric, Estimate, Examples, GroupDifference, GroupDifferences
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
        metric.pair(first, first)


def test_a_pair_the_other_way_round():
    metric = example("compare").metric("bleu", "segment")
    pair = metric.pairs[0]
    other = metric.pair(pair.second, pair.first)
    assert (other.first, other.second, other.p) == (pair.second, pair.first, pair.p)
    assert (other.difference.value, other.difference.low) == (-pair.difference.value, -pair.difference.high)
    assert (other.wins, other.ties, other.losses) == (pair.losses, pair.ties, pair.wins)
    assert other.reversed() == pair
    lower = dataclasses.replace(metric, higher_is_better=False)
    assert metric.in_favour(pair).value == pair.difference.value == -lower.in_favour(pair).value


def test_contrasts_of_a_pair_are_in_the_order_that_is_asked_for():
    groups = GroupDifferences(
        "b", "c", "m", (GroupDifference("domain", "news", "corpus", 3.0, 1.0, 2.0, 40, is_small=False),), 30
    )
    other = dataclasses.replace(groups, first="a")
    found = dataclasses.replace(example("compare"), contrasts=(other, groups))
    assert found.contrasts_of(GroupDifferences, "b", "c") == (groups,)
    (turned,) = found.contrasts_of(GroupDifferences, "c", "b")
    assert (turned.first, turned.second, turned.groups[0].better_by) == ("c", "b", -2.0)
    assert found.contrasts_of(GroupDifferences, "a", "b") == found.contrasts_of(Examples, "b", "c") == ()


def test_rows_and_tree():
    found = example("compare")
    rows = list(found.rows())
    assert [tuple(row) for row in rows] == [tuple(column.name for column in found.file_columns())] * len(found.pairs)
    assert rows[0]["first_score"] - rows[0]["second_score"] == pytest.approx(rows[0]["difference"])
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.signature.startswith("test:randomisation|alternative:two-sided|correction:holm")


def test_p_best_and_rank_ranges():
    shares = np.array([[0.9, 0.08, 0.02], [0.1, 0.9, 0.0], [0.0, 0.02, 0.98]])
    scores = {name: Estimate(1.0, 10) for name in "abc"}
    metric = ComparedMetric("bleu", "corpus", True, "", scores, (), rank_shares=shares, rank_ranges={"a": (1, 2)})
    assert metric.p_best("b") == 0.1
    assert metric.to_dict()["rank_ranges"] == {"a": [1, 2]}
    assert math.isnan(dataclasses.replace(metric, rank_shares=None).p_best("a"))
