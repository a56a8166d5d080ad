from __future__ import annotations

import json

import numpy as np
import pytest

from assay.errors import UnknownNameError
from assay.results import Measure, MetricDifferences
from assay.results.metric_differences import usual
from assay.store import open_result, save_result
from assay.study.meta import meta
from tests.campaigns_with_metrics import campaign


def made(**changes):
    p = np.array([[np.nan, 0.01], [0.99, np.nan]])
    fields = {
        "lp": "de-en",
        "statistic": "pearson",
        "outliers": "kept",
        "test": "williams",
        "null": "no difference",
        "sides": "one",
        "resamples": 0,
        "seed": None,
        "p_rule": None,
        "alpha": 0.05,
        "correction": "none",
        "metrics": ("a", "b"),
        "values": np.array([0.9, 0.5]),
        "systems": np.array([9, 9]),
        "differences": np.array([[0.0, 0.4], [-0.4, 0.0]]),
        "p_values": p,
        "uncorrected": p,
        "smallest_p": np.zeros((2, 2)),
        "is_exact": np.ones((2, 2), dtype=bool),
        "n": np.full((2, 2), 9),
    }
    return MetricDifferences(**fields | changes)


def test_look_ups():
    differences = made()
    assert differences.winners == ("a",)
    assert differences.p_value("a", "b") == 0.01
    assert differences.ranks["b"] == 2
    with pytest.raises(UnknownNameError, match="'c' was not tested"):
        differences.p_value("a", "c")


def test_json_says_everything():
    tree = json.loads(json.dumps(made().to_dict(), allow_nan=False))
    assert tree["p_values"] == [[None, 0.01], [0.99, None]]
    assert (tree["metrics"][0], tree["values"][0], tree["systems"][0]) == ("a", 0.9, 9)
    assert (tree["ranks"]["a"], "a" in tree["winners"]) == (1, True)
    assert {"test", "null", "sides", "resamples", "seed", "alpha", "correction", "n", "untested"} <= tree.keys()


def test_they_are_part_of_the_table_and_of_what_is_saved(tmp_path):
    table = meta([campaign()], sig="perm-systems:resamples=20", outliers="keep")
    tree = table.to_dict()
    assert tree["tests"][0]["resamples"] == 20
    assert tree["tests"][0]["null"].startswith("for every system")
    rows = list(table.rows())
    assert {row["tested_rank"] for row in rows if row["lp"] and row["rank"]} >= {1}
    assert all(row["tested_rank"] is None for row in rows if row["rank"] is None)
    save_result(table, tmp_path / "saved")
    opened = open_result(tmp_path / "saved")
    assert opened.tests[0].to_dict() == table.tests[0].to_dict()
    assert table.test_of("de-en", Measure("pearson", "kept", "news")) is None


def test_tables_without_tests_are_as_before():
    assert meta([campaign()]).to_dict()["tests"] == []


def test_the_most_common_count():
    assert usual([14, 10, 14]) == 14
    assert usual([14, 10]) == 14  # the highest of several
    assert usual([]) == 0
