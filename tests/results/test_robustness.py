from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.errors import UnknownNameError
from assay.results import (
    Curve,
    Estimate,
    LanguagePair,
    Outliers,
    Point,
    RobustnessCurves,
    RobustnessSubsamples,
    SubsampledMetric,
    Subsamples,
)
from assay.results.result import Tabular
from assay.types import Note, NoteKind

NOTE = Note(NoteKind.EXCLUDED, "left out: x")
PAIR = LanguagePair("en-de", "h", ("a", "b", "x"), {"refA": "a reference"}, Outliers((), {}, "mad", 0.0, 1.0, 2.5))


def curve(kind="top", metric="m", values=(math.nan, 0.5), over_all=0.5):
    names = ("a", "b", "c")
    points = tuple(
        Point(f"part {k}", names[: k + 2], Estimate(v, k + 2, reason="flat" if math.isnan(v) else None))
        for k, v in enumerate(values)
    )
    return Curve(kind, metric, "h", "pearson", Estimate(over_all, 3), points)


def subsamples(values=(0.0, math.nan, 1.0), included=("x",)):
    return Subsamples("m", "h", "pearson", included, ("a", "b", "c"), 3, np.array(values), 5, "flat")


def plain(tree):
    return json.loads(json.dumps(tree, allow_nan=False))


def test_curves():
    found = curve()
    assert len(found) == 2
    assert [(row["subset"], row["value"], row["change"], row["n"]) for row in found.rows()] == [
        ("all", 0.5, 0.0, 3),
        ("part 0", None, None, 2),
        ("part 1", 0.5, 0.0, 3),
    ]
    assert repr(found) == "Curve(top: pearson of m with h, 2 points)"
    point = plain(found.to_dict())["points"][0]
    pairs = {"missing": [], "pairs": 1, "significant_pairs": None, "cuts_tie": False}
    first = found.points[0]
    assert point == {"label": "part 0", "systems": ["a", "b"], **pairs, **first.estimate.to_dict()}
    assert math.isnan(first.significant_share)
    assert Point("top 3", ("a", "b", "c"), Estimate(0.5, 3), 2).significant_share == pytest.approx(2 / 3)


def test_subsamples():
    found = subsamples()
    assert (found.mean, found.undefined, found.quantile(0.25)) == (0.5, 1, 0.25)
    assert found.standard_deviation == pytest.approx(math.sqrt(0.5))
    assert found.reason == "undefined in 1 of 3 resamples: flat"
    assert repr(found) == "Subsamples(pearson of m over x and 2 of 3: mean 0.500)"
    tree = plain(found.to_dict())
    assert tree["values"] == [0.0, None, 1.0]
    assert (tree["mean"], tree["quantiles"]["q25"], tree["quantiles"]["q97.5"], tree["draws"]) == (0.5, 0.25, 0.975, 3)


def test_subsamples_without_a_value():
    nothing = subsamples([math.nan])
    assert math.isnan(nothing.mean)
    assert math.isnan(nothing.quantile(0.5))
    (row,) = nothing.rows()
    assert {row[name] for name in ("mean", "standard_deviation", "q2.5", "q50")} == {None}
    assert row["reason"] == "undefined in 1 of 1 resample: flat"
    assert subsamples([0.5]).reason == "one resample has no standard deviation"
    assert subsamples([0.5, 0.6]).reason is None


def test_tables_of_curves():
    table = RobustnessCurves(
        "top", {"kind": "top", "min_systems": "4"}, PAIR, ("a", "b"), (curve(), curve(metric="o")), notes=(NOTE,)
    )
    assert (len(table), [each.metric for each in table]) == (2, ["m", "o"])
    assert table.labels == ("part 0", "part 1")
    assert table.signature == "kind:top|min_systems:4"
    assert [(row["rank"], row["subset"]) for row in table.rows()][2:4] == [
        (1, "part 1"),
        (1, "all"),
    ]  # tied metrics share a rank
    tree = plain(table.to_dict())
    assert list(tree) == [
        *("version", "kind", "settings", "lp", "gold", "systems", "left_out", "outliers"),
        *("order", "curves", "rows", "signature", "notes"),
    ]
    assert list(tree["curves"][0]) == ["metric", "all_systems", "points", "missing"]
    assert repr(table) == "RobustnessCurves(top of en-de: 2 metrics)"
    assert Tabular._repr_html_(table).count("<tr>") == 7


def test_influence_is_the_mean_change_of_the_metrics_that_have_one():
    first = curve("without-one", values=(0.4, 0.9, math.nan))
    second = curve("without-one", values=(0.5, math.nan, math.nan))
    table = RobustnessCurves("without-one", {}, PAIR, (), (first, second))
    assert table.labels == ("part 1", "part 0", "part 2")


def test_tables_of_subsamples():
    drawn = (subsamples(included=()), subsamples())
    table = RobustnessSubsamples("subsamples", {}, PAIR, ("a",), (SubsampledMetric("m", Estimate(0.25, 4), drawn),))
    assert (len(table), next(iter(table)).metric) == (1, "m")
    rows = list(table.rows())
    assert [(row["included"], row["size"], row["drawn_from"], row["all_systems"], row["n"]) for row in rows] == [
        (None, 3, 3, 0.25, 4),
        ("x", 3, 3, 0.25, 4),
    ]
    with_x = plain(table.to_dict())["metrics"][0]["subsamples"][1]
    assert (with_x["included"], with_x["mean"], with_x["values"]) == (["x"], 0.5, [0.0, None, 1.0])
    assert repr(table) == "RobustnessSubsamples(en-de: 1 metric)"


def test_look_ups():
    made = curve(metric="bleu")
    table = RobustnessCurves("top", {}, PAIR, ("a", "b"), (made,))
    assert table["bleu"] is made
    assert made[made.points[0].label] is made.points[0]
    drawn = SubsampledMetric("bleu", Estimate(0.5, 4), (subsamples(included=()), subsamples(included=("x", "y"))))
    found = RobustnessSubsamples("subsamples", {}, PAIR, ("a", "b"), (drawn,))["bleu"]
    assert found is drawn
    assert found.including() is drawn.subsamples[0]
    assert found.including("x", "y") is drawn.subsamples[1]
    for unknown in (lambda: table["blue"], lambda: made["top 99"], lambda: drawn.including("x")):
        with pytest.raises(UnknownNameError, match="is not in the table"):
            unknown()
