from __future__ import annotations

import re
from dataclasses import replace

import pytest

from assay.charts import caption, draw, svg
from assay.errors import ConfigError
from assay.results import Estimate, RankedSystem
from tests.charts.examples import compared
from tests.results.test_ranking import RANKING


def test_one_row_for_each_metric_and_aggregation():
    comparison = compared()
    text = svg(draw("differences", comparison))
    for name in ("chrF", "chrF segment mean", "TER", "TER segment mean"):
        assert f">{name}<" in text
    first, second = comparison.pairs[0].first, comparison.pairs[0].second
    assert f"← favours {second}" in text
    assert "TER negated: lower is better" in text
    title, subtitle = caption(draw("differences", comparison))
    assert (first in title, second in title) == (True, True)
    assert "grey: no difference shown" in subtitle


@pytest.mark.slow
def test_lower_is_better_is_negated():
    comparison = compared()
    pair = comparison.metric("ter", "corpus").pairs[0]
    sign = "+" if pair.difference.value < 0 else "−"
    assert f">{sign}{abs(pair.difference.value):.2f}<" in svg(draw("differences", comparison))


@pytest.mark.slow
def test_people():
    comparison = compared()
    names = comparison.pairs[0].first, comparison.pairs[0].second
    systems = tuple(
        RankedSystem(name, Estimate(score, 10), rank, None, None, 1, 1.0, 0.5)
        for rank, (name, score) in enumerate(zip(names, (2.0, 1.5), strict=True), 1)
    )
    ranking = replace(RANKING, systems=systems, lp=comparison.inputs.lp or "")
    text = svg(draw("differences", comparison, ranking))
    assert ">people<" in text
    assert ">+0.50<" in text
    assert ">p = 0.25<" in text
    assert ">people<" not in svg(draw("differences", comparison, RANKING)), "it ranks other systems"
    elsewhere = replace(ranking, lp="xx-yy")
    assert ">people<" not in svg(draw("differences", comparison, elsewhere)), "systems of another language pair"
    penalties = svg(draw("differences", comparison, replace(ranking, higher_is_better=False)))
    assert ">−0.50<" in penalties


def test_the_ranking_of_people_is_that_of_the_language_pair():
    nowhere = replace(compared(), inputs=replace(compared().inputs, lp=None))
    first, second = nowhere.pairs[0].first, nowhere.pairs[0].second
    systems = tuple(
        RankedSystem(name, Estimate(2.0 - rank, 10), rank, None, None, 1, 1.0, 0.5)
        for rank, name in enumerate((first, second), 1)
    )
    rankings = [replace(RANKING, systems=systems, lp=lp) for lp in ("de-en", "en-de")]
    assert f"{RANKING.name} in de-en, difference" in svg(draw("differences", nowhere, rankings[0]))
    with pytest.raises(ConfigError, match="in several language pairs"):
        draw("differences", nowhere, *rankings)
    assert "in en-de, difference" in svg(draw("differences", nowhere, *rankings, lp="en-de"))


@pytest.mark.slow
def test_the_interval_is_left_out_on_a_phone():
    assert re.search(r">\[[−.\d]+, [−.\d]+\]<", svg(draw("differences", compared(), width=500)))
    assert not re.search(r">\[[−.\d]+, [−.\d]+\]<", svg(draw("differences", compared(), width=368)))
