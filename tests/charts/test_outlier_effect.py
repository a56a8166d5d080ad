from __future__ import annotations

from dataclasses import replace

import pytest

from assay import meta
from assay.charts import caption, draw, drawable, svg
from assay.charts.evaluated import select_evaluated
from assay.charts.outlier_effect import _changes, _rows
from assay.labels.metrics import metric_label
from tests.campaigns_with_metrics import campaign
from tests.charts.examples import marks
from tests.store.examples import example

pytestmark = pytest.mark.slow  # they draw


def test_two_dots_for_each_metric():
    result = example("meta")
    text = svg(draw("outlier-effect", result, lp="en-zh"))
    assert marks(text).count('stroke="#96387a"') == len(result)
    assert ">change<" in text
    assert "without far" in caption(draw("outlier-effect", result, lp="en-zh"))[1]
    change = [metric.averages[measure].value for metric in result.metrics[:1] for measure in result.measures[:2]]
    assert f"{abs(change[1] - change[0]):.2f}<" in svg(draw("outlier-effect", result))


def test_it_needs_both():
    kept = meta([campaign()], outliers="keep", resamples=0)
    assert "outlier-effect" not in drawable(kept)
    assert "metric-ranking" in drawable(kept)


def test_metrics_on_fewer_systems_come_last_and_say_how_many():
    meta = example("meta")
    pair, first = meta.language_pairs[0], meta.metrics[0]
    fewer = {
        column: replace(agreement, systems=agreement.systems[:-1]) for column, agreement in first.agreements.items()
    }
    changed = replace(meta, metrics=(replace(first, agreements=fewer), *meta.metrics[1:]))
    drawn = draw("outlier-effect", changed, lp=pair.lp)
    shown = select_evaluated([changed], lp=pair.lp)
    assert _changes(shown)[-1].label == f"{metric_label(first.metric)} ({len(next(iter(fewer.values())).systems)})"
    assert "Grey, last: on fewer systems" in caption(drawn)[1]


def test_filled_dots_are_without_outliers():
    shown = select_evaluated([example("meta")])
    rows = _rows(_changes(shown))
    change = _changes(shown)[0]
    assert [(row["value"], row["hollow"]) for row in rows[:2]] == [(change.dropped, False), (change.kept, True)]
