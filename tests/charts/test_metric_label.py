from __future__ import annotations

from assay.charts.metric_label import difference_label, distinct_labels, metric_label, score_label


def test_metrics_as_the_literature_writes_them():
    assert [metric_label(spec) for spec in ("bleu", "chrf++", "bleu:tok=intl", "COMET-22", "m-bleu")] == [
        "BLEU",
        "chrF++",
        "BLEU:tok=intl",
        "COMET-22",
        "m-BLEU",
    ]


def test_aggregations_in_words():
    assert score_label("bleu", "segment") == "BLEU segment mean"
    assert difference_label("chrf", "corpus") == "difference in chrF, corpus"


def test_metrics_of_one_label_keep_their_names():
    assert distinct_labels(["bleu-refA", "BLEU-refA", "chrf"]) == {
        "bleu-refA": "bleu-refA",
        "BLEU-refA": "BLEU-refA",
        "chrf": "chrF",
    }
