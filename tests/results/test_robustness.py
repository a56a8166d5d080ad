from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.results import Casts, Curve, Curves, Estimate, EvaluatedPair, Outliers, Point, SubsampledMetric, Subsamples

PAIR = EvaluatedPair("en-de", "h", ("a", "b", "x"), {"refA": "a reference"}, Outliers((), {}, 0.0, 1.0, 2.5))


def curve(kind="top", metric="m", values=(math.nan, 0.5), whole=0.5):
    names = ("a", "b", "c")
    points = tuple(
        Point(f"part {k}", names[: k + 2], Estimate(v, k + 2, reason="flat" if math.isnan(v) else None))
        for k, v in enumerate(values)
    )
    return Curve(kind, metric, "h", "pearson", Estimate(whole, 3), points)


def subsamples(values=(0.0, math.nan, 1.0), always=("x",)):
    return Subsamples("m", "h", "pearson", always, ("a", "b", "c"), 3, np.array(values), 5, "flat")


def plain(tree):
    return json.loads(json.dumps(tree, allow_nan=False))


def test_curves():
    found = curve()
    assert len(found) == 2
    assert [(row["part"], row["value"], row["change"], row["n"]) for row in found.rows()] == [
        ("all", 0.5, 0.0, 3),
        ("part 0", None, None, 2),
        ("part 1", 0.5, 0.0, 3),
    ]
    assert repr(found) == "Curve(top: pearson of m with h, 2 points)"
    point = plain(found.to_dict())["points"][0]
    assert point == {"label": "part 0", "systems": ["a", "b"], "change": None, **found.points[0].estimate.to_dict()}
    assert found._repr_html_().count("<tr>") == 3


def test_subsamples():
    found = subsamples()
    assert (found.mean, found.undefined, found.quantile(0.25)) == (0.5, 1, 0.25)
    assert found.deviation == pytest.approx(math.sqrt(0.5))
    assert found.reason == "undefined in 1 of 3 draws: flat"
    assert repr(found) == "Subsamples(pearson of m over x and 2 of 3: mean 0.500)"
    tree = plain(found.to_dict())
    assert tree["values"] == [0.0, None, 1.0]
    assert (tree["mean"], tree["q25"], tree["q97.5"], tree["draws"]) == (0.5, 0.25, 0.975, 3)


def test_subsamples_without_a_value():
    nothing = subsamples([math.nan])
    assert math.isnan(nothing.mean)
    assert math.isnan(nothing.quantile(0.5))
    summary = nothing.summary()
    assert {summary[name] for name in ("mean", "deviation", "q2.5", "q50")} == {None}
    assert summary["reason"] == "undefined in 1 of 1 draws: flat"
    assert subsamples([0.5]).reason == "one draw has no deviation"
    assert subsamples([0.5, 0.6]).reason is None


def test_tables_of_curves():
    table = Curves("top", {"kind": "top", "least": "4"}, PAIR, ("a", "b"), ("n",), (curve(), curve(metric="o")))
    assert (len(table), [each.metric for each in table]) == (2, ["m", "o"])
    assert table.labels == ("part 0", "part 1")
    assert table.signature == "kind:top|least:4"
    assert [(row["place"], row["part"]) for row in table.rows()][2:4] == [(1, "part 1"), (2, "all")]
    tree = plain(table.to_dict())
    assert list(tree) == [
        *("version", "kind", "settings", "pair", "human", "systems", "left_out", "outliers"),
        *("order", "metrics", "notes"),
    ]
    assert list(tree["metrics"][0]) == ["metric", "whole", "points"]
    assert repr(table) == "Curves(top of en-de: 2 metrics)"
    assert table._repr_html_().count("<tr>") == 3


def test_influence_is_the_mean_change_of_the_metrics_that_have_one():
    first = curve("without-one", values=(0.4, 0.9, math.nan))
    second = curve("without-one", values=(0.5, math.nan, math.nan))
    table = Curves("without-one", {}, PAIR, (), (), (first, second))
    assert table.labels == ("part 1", "part 0", "part 2")


def test_tables_of_subsamples():
    casts = (subsamples(always=()), subsamples())
    table = Casts("subsamples", {}, PAIR, ("a",), (), (SubsampledMetric("m", Estimate(0.25, 4), casts),))
    assert (len(table), next(iter(table)).metric) == (1, "m")
    rows = list(table.rows())
    assert [(row["always"], row["size"], row["drawn_from"], row["all"], row["n"]) for row in rows] == [
        ("", 3, 3, 0.25, 4),
        ("x", 3, 3, 0.25, 4),
    ]
    cast = plain(table.to_dict())["metrics"][0]["casts"][1]
    assert (cast["always"], cast["mean"], cast["values"]) == (["x"], 0.5, [0.0, None, 1.0])
    assert repr(table) == "Casts(en-de: 1 metrics)"
    assert table._repr_html_().count("<th>") == 4
