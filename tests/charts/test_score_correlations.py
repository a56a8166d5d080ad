from __future__ import annotations

import pytest

from assay.charts import caption, chart, draw, svg
from assay.errors import UnknownNameError
from tests.store.examples import example
from tests.study.test_correlate import correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


@pytest.mark.slow
def test_the_scores_that_are_named(result):
    drawn = draw("score-correlations:scores=bleu+m-bleu", result)
    text = svg(drawn)
    assert ">m-BLEU<" in text
    assert ">TER<" not in text
    assert caption(drawn)[1].startswith("2 of 6 scores, 30 systems in 6 language pairs, pooled.")


def test_what_it_needs(result):
    made = chart.create("score-correlations")
    assert len(made.select([result])[1]) == 4
    assert made.select([example("agree")]) is None
    with pytest.raises(UnknownNameError, match="the result has no 'nothing'"):
        chart.create("score-correlations:scores=bleu+nothing").select([result])
