from __future__ import annotations

from assay.charts.metric_label import difference_label, metric_label, score_label


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
