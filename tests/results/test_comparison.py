from __future__ import annotations

import json
import math

from assay.results import Comparison, Estimate


def test_n_and_reason_are_those_of_the_difference():
    comparison = Comparison("x", "y", Estimate(0.5, 20, reason="the differences do not vary"), math.nan, "paired-t")
    assert (comparison.n, comparison.reason) == (20, "the differences do not vary")


def test_plain_values():
    comparison = Comparison("x", "y", Estimate(0.5, 20, 0.25, 0.75), math.nan, "paired-t")
    values = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))
    assert list(values) == ["first", "second", "difference", "p", "test"]
    assert (values["first"], values["second"], values["p"], values["test"]) == ("x", "y", None, "paired-t")
    assert values["difference"] == comparison.difference.to_dict()
