"""Metrics on their common cells, and the default test of a statistic."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import AlignmentError, ConfigError, InputError
from assay.metric_tests import MetricCells, default_test, metric_test
from tests.metric_tests.twins import made_up


def test_every_test_names_its_null_hypothesis():
    names = metric_test.names()
    assert names == [
        "pair-outcomes",
        *("perm-both", "perm-cells", "perm-documents", "perm-segments", "perm-systems"),
        "williams",
    ]
    nulls = {metric_test.create(name).null for name in names}
    assert len(nulls) == len(names)
    assert all(len(null) > 30 for null in nulls)


@pytest.mark.parametrize(
    ("spec", "level", "expected"),
    [
        ("pearson", "system", "williams"),
        ("kendall", "system", "perm-systems"),
        ("spa", "system", "perm-systems"),
        ("pearson", "segment", "perm-segments"),
        ("acc-star", "segment", "perm-segments"),
        ("acc23", "segment", "perm-segments"),
    ],
)
def test_default_tests(spec, level, expected):
    assert default_test(statistic.create(spec), level) == expected


@pytest.mark.parametrize("level", ["system", "segment"])
def test_a_test_is_refused_at_other_levels(level):
    test = metric_test.create("perm-documents")
    assert test.levels == ("span",)
    with pytest.raises(ConfigError, match=f"perm-documents does not test metrics at the level {level}") as caught:
        test.compare(statistic.create("kendall"), made_up(1, metrics=2, systems=3, segments=4), level=level)
    assert caught.value.hint == 'use it with level="span"'


def test_metrics_with_different_cells_are_compared_on_common_ones():
    cells = made_up(1, metrics=3, systems=4, segments=10)
    mask = cells.mask.copy()
    mask[1, :, 0] = mask[2, 0, 3] = False
    test = metric_test.create("perm-segments:resamples=100")
    pearson = statistic.create("pearson")
    tested = test.compare(pearson, MetricCells(cells.names, cells.metrics, cells.human[0], mask))
    common = mask[1] & mask[2]
    pair = MetricCells(("b", "c"), cells.metrics[1:], cells.human[0], np.stack([common] * 2))
    assert tested.p_values[1, 2] == test.compare(pearson, pair).p_values[0, 1]
    assert tested.n.tolist() == [[40, 36, 39], [36, 36, 35], [39, 35, 39]]
    own = [MetricCells((name,), cells.metrics[[k]], cells.human[0], mask[[k]]) for k, name in enumerate("abc")]
    assert tested.values == pytest.approx([test.compare(pearson, each).values[0] for each in own])


def test_human_scores_that_differ_cannot_be_compared():
    cells = made_up(1, metrics=2, systems=8, segments=1)
    human = np.stack([cells.human[0], cells.human[0] + 1e-6])
    test, pearson = metric_test.create("williams"), statistic.create("pearson")
    rounded = test.compare(pearson, MetricCells(cells.names, cells.metrics, human, cells.mask), level="system")
    assert not np.isnan(rounded.p_values[0, 1])
    human[1] += np.linspace(0, 1, 8)[:, np.newaxis]
    tested = test.compare(pearson, MetricCells(cells.names, cells.metrics, human, cells.mask), level="system")
    assert np.isnan(tested.p_values[0, 1])
    assert sum(tested.untested.values()) == 1


def test_shapes_are_checked():
    cells = made_up(1)
    with pytest.raises(AlignmentError, match="one name per metric"):
        MetricCells(("a",), cells.metrics, cells.human[0], cells.mask)
    with pytest.raises(AlignmentError, match="do not fit"):
        MetricCells(("a", "b"), cells.metrics, cells.human[0][:2], cells.mask)
    scores = cells.metrics.copy()
    scores[0, 0, 0] = np.nan
    with pytest.raises(InputError, match="metric scores must be finite"):
        MetricCells(("a", "b"), scores, cells.human[0], cells.mask)


def test_one_metric_has_no_pairs():
    cells = made_up(1, metrics=1)
    tested = metric_test.create("perm-cells:resamples=10").compare(statistic.create("pearson"), cells)
    assert tested.p_values.shape == (1, 1)
    assert np.isnan(tested.p_values).all()


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("williams", "pearson"),
        *((f"{test}:resamples=10", name) for test in ("perm-segments", "perm-systems") for name in ("pearson", "spa")),
    ],
)
def test_metrics_without_a_common_cell(spec, name):
    cells = made_up(1, metrics=2, systems=6, segments=1 if name != "spa" else 4)
    mask = cells.mask.copy()
    mask[0, :3] = mask[1, 3:] = False
    apart = MetricCells(cells.names, cells.metrics, cells.human[0], mask)
    tested = metric_test.create(spec).compare(statistic.create(name), apart, level="system")
    assert np.isnan(tested.p_values).all()
    assert sum(tested.untested.values()) == 1


def test_segment_scores_without_a_common_cell():
    cells = made_up(1, metrics=2, systems=4, segments=6)
    mask = cells.mask.copy()
    mask[0, :, :3] = mask[1, :, 3:] = False
    apart = MetricCells(cells.names, cells.metrics, cells.human[0], mask)
    for grouping in ("none", "item", "system"):
        tested = metric_test.create("perm-cells:resamples=10").compare(
            statistic.create("pearson"), apart, grouping=grouping
        )
        assert np.isnan(tested.p_values).all()
