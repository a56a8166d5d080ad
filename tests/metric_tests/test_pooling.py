"""Tests of averages from the draws of their parts."""

from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError
from assay.metric_tests.perm_segments import PermSegments
from assay.metric_tests.perm_systems import PermSystems
from assay.metric_tests.pooling import pool
from assay.metric_tests.williams import Williams
from tests.metric_tests.twins import made_up

PEARSON = statistic.create("pearson")
TEST = PermSegments(resamples=500)


def part(seed, stream, test=TEST):
    return test.compare(PEARSON, made_up(seed, 3, 5, 20), stream=stream)


def test_one_part_is_itself():
    alone = part(1, "de-en")
    pooled = pool([alone], [1.0])
    assert np.array_equal(pooled.p_values, alone.p_values, equal_nan=True)
    assert pooled.values.tolist() == alone.values.tolist()


def test_weighted_sums():
    parts = [part(1, "de-en"), part(2, "en-de")]
    pooled = pool(parts, [0.25, 0.75])
    assert pooled.values == pytest.approx(0.25 * parts[0].values + 0.75 * parts[1].values)
    draws = 0.25 * parts[0].draws[:, 0, 1] + 0.75 * parts[1].draws[:, 0, 1]
    observed = 0.25 * parts[0].differences[0, 1] + 0.75 * parts[1].differences[0, 1]
    assert pooled.p_values[0, 1] == (1 + (draws >= observed).sum()) / 501
    assert pooled.n[0, 1] == 200


def test_streams_are_independent():
    one, other = part(1, "de-en"), part(1, "en-de")
    assert abs(np.corrcoef(one.draws[:, 0, 1], other.draws[:, 0, 1])[0, 1]) < 0.2
    assert np.array_equal(one.p_values, part(1, "de-en").p_values, equal_nan=True)


def test_only_metrics_that_all_parts_have():
    parts = [part(1, "de-en"), TEST.compare(PEARSON, made_up(2, 2, 5, 20), stream="en-de")]
    assert pool(parts, [0.5, 0.5]).metrics == ("a", "b")


def test_tests_without_draws_cannot_be_pooled():
    tested = Williams().compare(PEARSON, made_up(1, 3, 8, 1), level="system")
    with pytest.raises(ConfigError, match="williams does not draw"):
        pool([tested], [1.0])


def test_different_tests_are_pooled_if_they_draw_alike():
    parts = [part(1, "de-en"), part(2, "en-de", PermSystems(resamples=500))]
    pooled = pool(parts, [0.5, 0.5])
    assert pooled.test == "perm-segments:resamples=500+perm-systems:resamples=500"
    assert pooled.null == "; ".join(each.null for each in parts)
    assert pool([pooled], [1.0]).p_values[0, 1] == pooled.p_values[0, 1]
    with pytest.raises(ConfigError, match="different resamples"):
        pool([parts[0], part(2, "en-de", PermSystems(resamples=99))], [0.5, 0.5])


def test_pairs_that_a_part_could_not_test_are_named():
    constant = made_up(2, 3, 5, 20)
    constant.metrics[1] = 1.0
    pooled = pool([part(1, "de-en"), TEST.compare(PEARSON, constant, stream="en-de")], [0.5, 0.5])
    assert pooled.reasons == (("a", "b", "a part could not be tested"), ("b", "c", "a part could not be tested"))
    assert pooled.untested == {"a part could not be tested": 2}
