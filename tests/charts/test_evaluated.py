from __future__ import annotations

import pytest

from assay.charts.evaluated import select_evaluated
from assay.errors import UnknownNameError
from tests.store.examples import example


def test_the_average_or_a_language_pair():
    meta = example("meta")
    average, pair = select_evaluated([meta]), select_evaluated([meta], "kendall", "en-zh")
    metric = meta.metrics[0]
    assert average.value(metric, "kept") == metric.averages[average.measure("kept")]
    assert average.agreement(metric, "kept") is None
    assert average.where == "average over 2 language pairs, da"
    assert pair.value(metric, "kept") == pair.agreement(metric, "kept").estimate
    assert pair.where == "en-zh, da"
    assert pair.outliers == ("far",)
    assert pair.systems("kept") == pair.systems("dropped") + 1
    assert select_evaluated([example("score")]) is None


def test_the_only_language_pair():
    only = select_evaluated([example("meta segments")])
    assert only.single_pair is not None
    assert only.pair is None


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="'spearman' was not computed"):
        select_evaluated([example("meta")], "spearman")
    with pytest.raises(UnknownNameError, match="'xx-yy' was not evaluated"):
        select_evaluated([example("meta")], lp="xx-yy")
