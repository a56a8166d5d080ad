from __future__ import annotations

from assay import load
from assay.measurement.labelled_words import labelled_words

TESTSET = load(
    outputs={"one": ["he walked home", None], "two": ["home he walks", "no"]},
    references={"refA": ["he walks home", "yes"], "refB": ["x y z v w", "yes"]},
)


def test_the_first_metric_that_labels_words():
    found = labelled_words(["elsewhere", "bleu", "hjerson:error=order", "hjerson"], TESTSET)
    assert found["metric"] == "hjerson"
    assert found["names"] == ["inflection", "order", "missing", "extra", "lexical"]
    assert found["reference_only"] == ["missing"]
    assert found["outputs"] == [{0: ((3, 9, 0),)}, {0: ((0, 4, 1),), 1: ((0, 2, 4),)}]
    assert found["references"] == [{0: [0, ((3, 8, 0),)]}, {0: [0, ((9, 13, 1),)], 1: [0, ((0, 3, 4),)]}]


def test_most_metrics_label_no_words(monkeypatch):
    """They are not prepared for nothing."""
    monkeypatch.delattr("assay.contracts.Metric.prepare")
    assert labelled_words(["bleu", "ter"], TESTSET) is None
