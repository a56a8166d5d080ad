from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay.metaeval.tasks.evaluation import ComponentValues
from assay.metaeval.tasks.ranking import Combination, rank_metrics, ranks_of
from assay.results import Estimate, TaskComponent


def component(label, *, weight=1.0, low=-1.0):
    return TaskComponent(
        label, (label,), "each", "system", "pearson", "none", "macro", "scores", None, False, weight, low, 1.0
    )


def column(label, values, *, replicates=None, **changes):
    estimates = {name: Estimate(value, 5) for name, value in values.items()}
    return ComponentValues(component(label, **changes), estimates, replicates or {})


VALUES = [
    column("x", {"A": 0.8, "B": 0.6, "C": 0.6}),
    column("y", {"A": 0.5, "B": 0.9, "C": 0.1}, weight=3.0, low=0.0),
]


def test_equal_values_share_the_best_rank():
    assert ranks_of({"a": 1.0, "b": 3.0, "c": 3.0, "d": 2.0}) == {"a": 4, "b": 1, "c": 1, "d": 3}


def test_scores_are_rescaled_to_the_range_of_each_statistic():
    """Correlations from [-1, 1], accuracies from [0, 1] (mt-metrics-eval's AverageCorrs)."""
    table = rank_metrics("", VALUES, Combination())
    assert [row.metric for row in table.metrics] == ["B", "A", "C"]
    assert table["A"].score.value == pytest.approx(0.25 * (0.8 + 1) / 2 + 0.75 * 0.5)
    assert table["B"].score.value == pytest.approx(0.25 * (0.6 + 1) / 2 + 0.75 * 0.9)
    assert [component.weight for component in table.components] == [0.25, 0.75]
    assert rank_metrics("", VALUES, Combination("mean"))["A"].score.value == pytest.approx(0.25 * 0.8 + 0.75 * 0.5)


def test_average_ranks():
    table = rank_metrics("", VALUES, Combination("rank"))
    assert table["A"].average_rank.value == pytest.approx(0.25 * 1 + 0.75 * 2)
    assert table["C"].average_rank.value == pytest.approx(0.25 * 2 + 0.75 * 3)
    assert [(row.metric, row.rank) for row in table.metrics] == [("B", 1), ("A", 2), ("C", 3)]
    assert table["C"].ranks == {"x": 2, "y": 3}


def test_metrics_of_the_same_value_share_a_place():
    table = rank_metrics("", [column("x", {"b": 0.5, "a": 0.5, "c": 0.1})], Combination())
    assert [(row.metric, row.rank) for row in table.metrics] == [("a", 1), ("b", 1), ("c", 3)]


def test_metrics_that_lack_a_component_are_dropped_or_come_last():
    values = [column("x", {"A": 0.1, "B": 0.9}), column("y", {"A": 0.1}), column("z", {"A": 0.1, "B": 0.9, "D": 1.0})]
    dropped = rank_metrics("", values, Combination())
    assert [row.metric for row in dropped.metrics] == ["A"]
    assert dropped.dropped == {"B": 1, "D": 2}
    assert dropped["A"].ranks["x"] == 2  # among all metrics of the component, as in WMT22
    last = rank_metrics("", values, Combination("mean", "last"))
    assert [(row.metric, row.rank) for row in last.metrics] == [("A", 1), ("B", None), ("D", None)]
    assert last["B"].score.value == pytest.approx(0.9)
    assert last["B"].score.reason == "no value for y"
    assert not last.dropped


def test_a_metric_without_any_value_is_said():
    values = [column("x", {"A": 0.1, "B": 0.9})]
    assert rank_metrics("", values, Combination(), metrics=["A", "flat"]).dropped == {"flat": 1}
    last = rank_metrics("", values, Combination("mean", "last"), metrics=["flat"]).metrics[-1]
    assert (last.metric, last.rank, math.isnan(last.score.value)) == ("flat", None, True)


def test_a_component_that_does_not_count_may_be_missing():
    values = [column("x", {"A": 0.1, "B": 0.9}), column("y", {"A": 0.1}, weight=0.0)]
    table = rank_metrics("", values, Combination())
    assert [row.metric for row in table.metrics] == ["B", "A"]
    assert list(table["B"].values) == ["x"]


def test_the_interval_of_the_score_is_that_of_joint_resamples():
    random = np.random.Generator(np.random.PCG64(1))
    draws = [random.normal(0.5, 0.1, size=400) for _ in range(2)]
    values = [column(label, {"A": 0.5}, replicates={"A": drawn}) for label, drawn in zip("xy", draws, strict=True)]
    score = rank_metrics("", values, Combination("mean"))["A"].score
    expected = np.quantile(np.mean(draws, axis=0), [0.025, 0.975])
    assert (score.low, score.high) == pytest.approx(expected, abs=0.01)
    alone = rank_metrics("", values[:1], Combination("mean"))["A"].score
    assert (alone.n, alone.low) == (1, pytest.approx(np.quantile(draws[0], 0.025), abs=0.01))
    values[1] = column("y", {"A": 0.5})
    assert math.isnan(rank_metrics("", values, Combination("mean"))["A"].score.low)


def test_average_ranks_by_attribute():
    table = rank_metrics("", VALUES, Combination("rank"))
    assert table.average_ranks_by("lp") == {
        "x": {"B": 2.0, "A": 1.0, "C": 2.0},
        "y": {"B": 1.0, "A": 2.0, "C": 3.0},
    }
    assert table.average_ranks_by("level")["system"]["A"] == pytest.approx(0.25 * 1 + 0.75 * 2)


def test_a_metric_on_fewer_systems_comes_after_the_others_whatever_its_value():
    """It must not pay to leave out a system that a metric finds hard: neither the place nor any rank rises by it."""
    whole = [column("x", {"A": 0.8, "B": 0.6, "C": 0.5}), column("y", {"A": 0.5, "B": 0.9, "C": 0.4})]
    partial = [column("x", {"A": 0.8, "B": 0.6, "C": 0.99}), column("y", {"A": 0.5, "B": 0.97, "C": 0.96})]
    partial[0] = replace(partial[0], fewer_systems={"C": "9 of 10 on x"})
    for combination in (Combination(), Combination("rank"), Combination("mean", "last")):
        complete, incomplete = (rank_metrics("", columns, combination) for columns in (whole, partial))
        assert [row.metric for row in incomplete.metrics][-1] == [row.metric for row in complete.metrics][-1] == "C"
        assert incomplete["C"].rank == 3
        assert incomplete["C"].ranks == {"x": 3, "y": 2}  # all systems are there in y
        assert incomplete["C"].fewer_systems == {"x": "9 of 10 on x"}
        assert incomplete["A"].ranks["x"] == complete["A"].ranks["x"]


def test_fewer_systems_in_a_component_that_does_not_count_changes_no_place():
    shown = replace(column("y", {"A": 0.1, "B": 0.2}, weight=0.0), fewer_systems={"A": "9 of 10 on y"})
    table = rank_metrics("", [column("x", {"A": 0.8, "B": 0.6}), shown], Combination())
    assert [row.metric for row in table.metrics] == ["A", "B"]
    assert not table["A"].fewer_systems
