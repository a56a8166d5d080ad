from __future__ import annotations

from assay import load, score
from assay.charts import caption, draw, drawable, svg
from assay.results import Run

REFERENCES = ["a b c d e f g h", "i j"]
RUN = score(
    load(references=REFERENCES, outputs={"long": ["a b c d e f g h", "x y"], "short": ["a b c x x x x x", "i j"]}),
    ["ter"],
    resamples=0,
)


def test_systems_that_change_places_are_marked():
    assert isinstance(RUN, Run)
    text = svg(draw("aggregations", RUN))
    assert len(RUN["ter"].disagreement.flips) == 1
    assert text.count('stroke="#96387a" stroke-width="1.5"') == 2
    assert "rank the two systems differently" in caption(draw("aggregations", RUN))[1]


def test_it_needs_both_aggregations():
    only_corpus = score(load(references=REFERENCES, outputs={"a": REFERENCES}), ["ter"], agg="corpus", resamples=0)
    assert "aggregations" not in drawable(only_corpus)
    assert "scores" in drawable(only_corpus)
