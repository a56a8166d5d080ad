from __future__ import annotations

from dataclasses import replace

import pytest

from assay.charts import caption, chart, draw, drawable, svg
from assay.errors import ConfigError
from tests.store.examples import example
from tests.study.test_correlate import correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


@pytest.mark.slow
def test_a_box_for_every_two_scores_and_each_size(result):
    drawn = draw("sampled-correlations:scores=bleu+m-bleu+x-bleu", result)
    text = svg(drawn)
    for label in ("1 segment", "5 segments", "BLEU and m-BLEU", "m-BLEU and x-BLEU (whole)", "BLEU and x-BLEU (whole)"):
        assert f">{label}<" in text
    assert caption(drawn)[1].startswith("3 of 14 pairs of scores, 20 samples of each size, 30 systems.")


def test_what_it_needs(result):
    assert len(chart.create("sampled-correlations").select([result])[1]) == 3
    assert chart.create("sampled-correlations:scores=bleu").select([result]) is None
    assert chart.create("sampled-correlations").select([example("agree")]) is None


def test_without_samples_the_error_names_the_option(result):
    without = replace(result, correlations=tuple(replace(each, samples=()) for each in result))
    with pytest.raises(ConfigError, match="there are no samples of segments"):
        draw("sampled-correlations", without)
    assert drawable(without) == ["score-correlations"]
