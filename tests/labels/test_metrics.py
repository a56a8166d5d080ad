from __future__ import annotations

from assay.labels.metrics import difference_label, distinct_labels, metric_label, score_label
from assay.metrics import metric


def test_metrics_as_the_literature_writes_them():
    assert [metric_label(spec) for spec in ("bleu", "chrf++", "bleu:tok=intl", "COMET-22", "m-bleu")] == [
        "BLEU",
        "chrF++",
        "BLEU:tok=intl",
        "COMET-22",
        "m-BLEU",
    ]


def test_every_metric_has_a_label():
    labels = {
        name: metric_label(name) for name in metric.names() if metric.type_of(name)[0].__module__.startswith("assay.")
    }
    assert [name for name, label in labels.items() if label == name] == []
    assert {name: label for name, label in labels.items() if label.lower() != name} == {}
    assert (labels["meteor"], labels["act5+6"], labels["hlepor"], labels["depref-exact"], labels["cder-moses"]) == (
        *("METEOR", "ACT5+6", "hLEPOR", "DEPREF-exact", "CDER-moses"),
    )


def test_stored_scores_keep_their_names():
    names = ["Meteor", "CHRF", "ter", "bleu-refA", "elsewhere-refA", "actual", "my_metric.py@1a2b3c4d:bleu"]
    assert [metric_label(name) for name in names] == [*names[:2], "TER", "BLEU-refA", *names[4:]]


def test_aggregations_in_words():
    assert score_label("bleu", "segment") == "BLEU segment mean"
    assert difference_label("chrf", "corpus") == "difference in chrF, corpus"


def test_metrics_of_one_label_keep_their_names():
    assert distinct_labels(["bleu-refA", "BLEU-refA", "chrf"]) == {
        "bleu-refA": "bleu-refA",
        "BLEU-refA": "BLEU-refA",
        "chrf": "chrF",
    }
