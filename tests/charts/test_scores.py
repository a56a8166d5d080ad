from __future__ import annotations

from assay import load, score
from assay.charts import caption, draw, svg
from tests.store.examples import example


def test_both_aggregations_best_system_first():
    run = example("score")
    text = svg(draw("scores", run))
    order = sorted(run.systems, key=lambda name: -run["bleu"].corpus[name])
    places = [text.index(f">{name}<") for name in order]
    assert places == sorted(places)
    assert all(f">{scores[order[0]]:.2f}<" in text for scores in (run["bleu"].corpus, run["bleu"].segment_mean))
    assert (
        "95 % intervals of each score alone. Filled: corpus score; hollow: segment mean."
        in caption(draw("scores", run))[1]
    )


def test_no_columns_of_numbers_on_a_phone():
    run = example("score")
    value = f">{run['bleu'].corpus[run.systems[0]]:.2f}<"
    assert value in svg(draw("scores", run, width=500))
    assert value not in svg(draw("scores", run, width=368))


def test_lower_is_better():
    run = score(load(references=["a b c d"], outputs={"bad": ["x y"], "good": ["a b c"]}), ["ter"], resamples=0)
    text = svg(draw("scores", run))
    assert text.index(">good<") < text.index(">bad<")
    assert "lower is better" in text
    assert "intervals" not in caption(draw("scores", run))[1]
