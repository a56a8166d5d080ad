from __future__ import annotations

import math

from assay.reports.cells import Number, cell_text
from assay.reports.system_scores import ScoreColumn, interval_captions, score_grid, systems_on
from assay.types import TestSetRecord


def column(metric, aggregation, *values, higher=True):
    return ScoreColumn(metric, aggregation, higher, {name: Number(v) for name, v in zip("abc", values, strict=True)})


def test_a_metric_stands_above_its_aggregations():
    scores = [
        column("bleu", "corpus", 30.04, 31, 29),
        column("bleu", "segment", 28, 29, 27),
        column("ter", "segment", 60, 50, 70, higher=False),
    ]
    grid = score_grid(["b", "a", "c"], scores)
    assert [(each.title, each.group, each.short) for each in grid.columns] == [
        ("system", "", ""),
        ("bleu corpus", "BLEU", "corpus"),
        ("bleu segment", "BLEU", "segment"),
        ("ter segment ↓", "", ""),
    ]
    assert [*map(cell_text, grid.rows[1])] == ["a", "30.0", "28.0", "60.0"]
    assert [each.template for each in grid.captions] == ["segment: mean of the segment scores", "↓: lower is better"]


def test_scores_of_the_order_of_1_have_three_decimals():
    """One less than in other forms."""
    grid = score_grid(["a"], [ScoreColumn("comet", "corpus", True, {"a": Number(0.84512, 4)})])
    assert cell_text(grid.rows[0][1]) == "0.845"


def test_the_best_comes_first_and_undefined_scores_last():
    assert column("bleu", "corpus", 1, math.nan, 2).best_first == ["c", "a", "b"]
    assert column("ter", "corpus", 1, math.nan, 2, higher=False).best_first == ["a", "c", "b"]


def test_the_test_set_in_words():
    record = TestSetRecord(100, ("a", "b"), ("refA",), {}, "en-de", name="wmt22")
    assert systems_on(record, [100, 100]) == "2 systems on wmt22 (en-de, 100 segments, 1 reference)"
    assert systems_on(record, [9, 10], "document") == "2 systems on wmt22 (en-de, 9–10 documents, 1 reference)"


def test_intervals_are_explained_if_there_are_any():
    assert [*interval_captions({})] == []
    (caption,) = interval_captions({"resamples": "1000", "confidence": "0.9", "unit": "document"})
    assert caption.role == "intervals"
    assert caption.values[0].text == "90 % intervals: bootstrap over documents, 1,000 resamples"
