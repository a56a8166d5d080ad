from __future__ import annotations

from dataclasses import replace

from assay.charts import caption, draw, drawable, svg
from assay.results import PairRankings
from tests.results.test_ranking import RANKING
from tests.store.examples import example


def test_undefined_scores_are_in_the_chart_without_a_dot():
    text = svg(draw("human-ranking", RANKING))
    assert ">y<" in text
    assert ">–<" in text
    assert ">−1.50<" in text


def test_lines_between_clusters():
    first, second = RANKING.systems
    parted = replace(RANKING, systems=(first, replace(second, cluster=2)))
    assert "stroke-dasharray" not in svg(draw("human-ranking", RANKING))
    assert svg(draw("human-ranking", parted)).count("stroke-dasharray") == 1
    assert "clusters" in caption(draw("human-ranking", parted))[1]


def test_direction():
    assert "lower is better" in svg(draw("human-ranking", replace(RANKING, higher_is_better=False)))


def test_language_pairs():
    rankings = PairRankings({lp: replace(RANKING, lp=lp) for lp in ("en-de", "en-zh")})
    assert caption(draw("human-ranking", rankings))[1].startswith("en-de, 10 judgements")
    assert caption(draw("human-ranking", rankings, lp="en-zh"))[1].startswith("en-zh, ")
    assert "human-ranking" in drawable(example("rank pairs"))
    assert "human-ranking" not in drawable(example("score"))
