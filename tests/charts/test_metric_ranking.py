from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.charts import caption, draw, svg
from tests.charts.examples import resampled
from tests.store.examples import example

pytestmark = pytest.mark.slow  # they draw


def test_best_metric_first():
    meta = example("meta")
    text = svg(draw("metric-ranking", meta))
    ranked = sorted(meta.metrics, key=lambda metric: -next(iter(metric.averages.values())).value)
    places = [text.index(f">{metric.metric}<") for metric in ranked]
    assert places == sorted(places)
    assert "average over 2 language pairs" in caption(draw("metric-ranking", meta))[1]


def test_outliers():
    subtitle = caption(draw("metric-ranking", example("meta"), lp="en-zh", outliers="dropped"))[1]
    assert "without far" in subtitle


def test_limit():
    chart = draw("metric-ranking", example("meta"), limit=1)
    assert f"1 metric of {len(example('meta'))}" in caption(chart)[1]


def test_ranks_of_the_tests_between_metrics():
    every = resampled()
    ranks = every.tests[0].ranks
    meta = replace(every, metrics=tuple(row for row in every.metrics if row.metric in ranks))
    text, subtitle = svg(draw("metric-ranking", meta)), caption(draw("metric-ranking", meta))[1]
    assert text.count("stroke-dasharray") == len(set(ranks.values())) - 1 > 0
    assert "starts a new rank" in subtitle


def test_ranks_of_some_of_the_metrics_are_not_drawn():
    every = resampled()
    untested = replace(every.metrics[0], metric="untested-refA")
    drawn = draw("metric-ranking", replace(every, metrics=(*every.metrics, untested)))
    assert "stroke-dasharray" not in svg(drawn)
    assert "4 of 5 metrics could be tested against each other" in caption(drawn)[1]


def test_metrics_that_share_the_first_rank_were_tested():
    every = resampled()
    tests = tuple(replace(each, p_values=np.where(np.isnan(each.p_values), np.nan, 1.0)) for each in every.tests)
    ranked = tuple(row for row in every.metrics if row.metric in tests[0].ranks)
    assert set(tests[0].ranks.values()) == {1}
    drawn = draw("metric-ranking", replace(every, tests=tests, metrics=ranked))
    assert "All tested metrics share rank 1 (p < 0.05" in caption(drawn)[1].replace("\xa0", " ")


def test_a_metric_with_fewer_systems_says_how_many():
    meta = example("meta")
    pair = meta.language_pairs[0]
    first = meta.metrics[0]
    fewer = {
        column: replace(agreement, systems=agreement.systems[:-1]) for column, agreement in first.agreements.items()
    }
    only = replace(meta, language_pairs=(pair,), metrics=(replace(first, agreements=fewer), *meta.metrics[1:]))
    systems = len(next(iter(fewer.values())).systems)
    text = svg(draw("metric-ranking", only, width=1040))
    assert f" ({systems})<" in text
    assert " (1)<" not in text
    assert ">Pearson correlation with people<" in text
