from __future__ import annotations

from dataclasses import replace

from assay.charts import caption, draw, drawable, svg
from assay.charts.pairwise_tests import _cells
from assay.results import Outcome
from tests.charts.examples import compared


def test_above_the_diagonal_row_minus_column():
    for metric in (compared().metric("chrf", "corpus"), compared().metric("ter", "corpus")):
        order = metric.best_first
        pairs = (
            replace(pair, p_corrected=0.001, outcome=Outcome.BETTER if metric.is_better(pair) else Outcome.WORSE)
            for pair in metric.pairs
        )
        cells = list(_cells(replace(metric, pairs=tuple(pairs)), order, 0.05))
        assert len(cells) == 6
        above = [cell for cell in cells if cell["role"]]
        assert {cell["role"] for cell in above} == {"first"}, "the better system is in the row"
        assert all(order.index(cell["row"]) + 1 < int(cell["column"]) for cell in above)
        assert {cell["text"] for cell in cells if not cell["role"]} <= {"0.0010", "<0.0011"}
        assert {cell["text"][0] for cell in above} == {"+" if metric.higher_is_better else "−"}


def test_p_values_stay_on_their_side_of_the_level_that_was_chosen():
    metric = compared().metrics[0]
    pairs = tuple(replace(pair, p_corrected=0.0996) for pair in metric.pairs)
    settings = {**compared().settings, "alpha": "0.1"}
    shown = replace(compared(), metrics=(replace(metric, pairs=pairs),), settings=settings)
    assert ">0.0996<" in svg(draw("pairwise-tests", shown, width=700))


def test_a_system_without_a_score_is_last():
    metric = compared().metrics[0]
    best, *_ = metric.best_first
    undefined = replace(metric.scores[best], value=float("nan"))
    shown = replace(metric, scores={**metric.scores, best: undefined})
    assert shown.best_first[-1] == best


def test_numbers_only_where_there_is_room():
    text = svg(draw("pairwise-tests", compared(), width=500))
    assert text.count("row minus column") == 0 or "below" in text
    assert "Above the diagonal" in caption(draw("pairwise-tests", compared(), width=500))[1]


def test_it_needs_all_pairs():
    few = tuple(replace(metric, pairs=metric.pairs[:1]) for metric in compared().metrics)
    assert "pairwise-tests" not in drawable(replace(compared(), metrics=few))
    assert "differences" in drawable(replace(compared(), metrics=few))
