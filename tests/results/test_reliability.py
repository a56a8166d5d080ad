from __future__ import annotations

import json
import math

import pytest

from assay.errors import UnknownNameError
from assay.results import Estimate, Reliability

RELIABILITY = Reliability(
    "da",
    {
        "kappa between raters": Estimate(0.5, 40),
        "split-half reliability of systems": Estimate(0.8, 10, 0.7, 0.9),
        "kappa within raters": Estimate(math.nan, 0, reason="nobody judged anything twice"),
    },
    {"kappa between raters": "pairs of judgements"},
)


def test_measures_by_name():
    assert (len(RELIABILITY), next(iter(RELIABILITY))) == (3, "kappa between raters")
    assert RELIABILITY["kappa between raters"].value == 0.5
    with pytest.raises(UnknownNameError, match="no measure is called 'kappa'"):
        RELIABILITY["kappa"]
    assert repr(RELIABILITY).startswith("Reliability(da: kappa between raters 0.500, ")


def test_rows_and_tree():
    rows = list(RELIABILITY.rows())
    tree = json.loads(json.dumps(RELIABILITY.to_dict(), allow_nan=False))
    assert (tree["name"], tree["rows"]) == ("da", rows)
    assert [row["n_unit"] for row in rows] == ["pairs of judgements", None, None]
