from __future__ import annotations

from assay.reports.html.labels import joined, metric_label


def test_metrics_as_the_literature_writes_them():
    assert [metric_label(spec) for spec in ("bleu", "chrf++", "bleu:tok=intl", "COMET-22")] == [
        "BLEU",
        "chrF++",
        "BLEU:tok=intl",
        "COMET-22",
    ]


def test_lists():
    assert [joined(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
