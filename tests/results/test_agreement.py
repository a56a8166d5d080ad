from __future__ import annotations

import dataclasses
import json
import math

import pytest

from assay.results import Agreement, Estimate
from assay.results.agreement import CELLS, EPSILON, MONTE_CARLO_ERROR, NOT_ON_COMMON_CELLS
from assay.results.meta import MetaEvaluation
from assay.results.result import Tabular

SETTINGS = {"statistic": "pearson", "level": "system", "grouping": "none", "average": "macro", "outliers": "kept"}


def agreement(value=0.5, **changes):
    fields = {
        "metric": "BLEU",
        "human": "mqm",
        "settings": SETTINGS,
        "estimate": Estimate(value, 3, reason="flat" if math.isnan(value) else None),
        "systems": ("a", "b", "c"),
        "left_out": {"d": "excluded"},
        "segments": 0,
        "groups": 1,
        "groups_undefined": 0,
        "weight": 3.0,
        "hits": None,
        "pairs": None,
        "source": "both as given by system",
    }
    return Agreement(**fields | changes)


def test_properties():
    found = agreement()
    assert (found.value, found.n, found.reason) == (0.5, 3, None)
    assert all(map(math.isnan, found.interval))
    assert found.signature == "statistic:pearson|level:system|grouping:none|average:macro|outliers:kept"
    assert repr(found) == "Agreement(BLEU with mqm, pearson: 0.5000; n=3)"
    assert "undefined, flat" in repr(agreement(math.nan))


def test_it_is_frozen():
    found = agreement()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.metric = "other"
    with pytest.raises(TypeError):
        found.left_out["x"] = "y"


def test_json_has_no_nan():
    tree = agreement(math.nan, without_outliers=agreement()).to_dict()
    text = json.dumps(tree, allow_nan=False)
    assert json.loads(text)["without_outliers"]["value"] == 0.5
    assert (tree["value"], tree["reason"], tree["systems"]) == (None, "flat", ["a", "b", "c"])


def test_notebooks_show_a_table():
    page = Tabular._repr_html_(agreement(math.nan, metric="<b>", without_outliers=agreement()))
    assert page.count("<tr>") == 3
    assert "&lt;b&gt;" in page
    assert "<td>–</td>" in page


def test_numbers_among_the_details_are_columns_of_the_rows():
    optional = {column.name for column in MetaEvaluation.columns if column.optional}
    assert {CELLS, EPSILON, MONTE_CARLO_ERROR, NOT_ON_COMMON_CELLS} <= optional
