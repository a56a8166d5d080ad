from __future__ import annotations

import json

import pytest

from assay import load, score
from assay.reports.html.page import Report, page
from assay.reports.html.segments.embedded import embed
from assay.reports.html.segments.labelled_words import labelled_words
from assay.reports.html.segments.scored_texts import scored_texts

TESTSET = load(
    outputs={"one": ["he walked home", None], "two": ["home he walks", "no"]},
    references={"refA": ["he walks home", "yes"], "refB": ["x y z v w", "yes"]},
)


def test_the_first_metric_that_labels_words():
    found = labelled_words(["elsewhere", "bleu", "hjerson:error=order", "hjerson"], TESTSET)
    assert found["metric"] == "Hjerson"
    assert found["names"] == ["inflection", "order", "missing", "extra", "lexical"]
    assert found["reference_only"] == ["missing"]
    assert found["outputs"] == [{0: ((3, 9, 0),)}, {0: ((0, 4, 1),), 1: ((0, 2, 4),)}]
    assert found["references"] == [{0: [0, ((3, 8, 0),)]}, {0: [0, ((9, 13, 1),)], 1: [0, ((0, 3, 4),)]}]


def test_most_metrics_label_no_words(monkeypatch):
    """They are not prepared for nothing."""
    monkeypatch.delattr("assay.contracts.Metric.prepare")
    assert labelled_words(["bleu", "ter"], TESTSET) is None


@pytest.mark.parametrize("texts", [True, False])
def test_labels_are_texts(texts):
    (scored,) = scored_texts([score(TESTSET, ["chrf", "hjerson"], resamples=0)])
    tree = embed(scored, texts=texts).tree
    assert (tree["labels"] is not None) == texts
    assert json.dumps(tree)


def test_marks_are_offered_where_there_are_labels():
    offered = '<option value="labels" selected>error classes (Hjerson)</option>'
    assert offered in page(Report((score(TESTSET, ["chrf", "hjerson"], resamples=0),)))
    assert offered not in page(Report((score(TESTSET, ["chrf"], resamples=0),)))
