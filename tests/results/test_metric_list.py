from __future__ import annotations

import json

from assay.results import MetricDescription, MetricList, MetricSummary

BLEU = MetricSummary("bleu", "bleu", "BLEU.", ("reference",), higher_is_better=True, aggregation="corpus")


def test_rows_and_tree():
    metrics = MetricList((BLEU,))
    (row,) = metrics.rows()
    assert list(row) == [column.name for column in metrics.file_columns()]
    assert (row["metric"], row["needs"]) == ("bleu", "reference")
    assert json.loads(json.dumps(metrics.to_dict()))["metrics"][0]["needs"] == ["reference"]
    assert (len(metrics), list(metrics), repr(metrics)) == (1, [BLEU], "MetricList(bleu)")


def test_description():
    description = MetricDescription(BLEU, "BLEU.", {"tok": "13a"})
    assert list(description.rows()) == [{"metric": "bleu", "option": "tok", "value": "13a"}]
    assert description.to_dict()["options"] == {"tok": "13a"}
    assert repr(description) == "MetricDescription(bleu: BLEU.)"
