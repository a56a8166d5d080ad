from __future__ import annotations

from assay.reports import document
from assay.reports.table import Table
from assay.results import MetricDescription, MetricList, MetricSummary

CHRF = MetricSummary("chrf++", "chrf:word_order=2", "= chrf:word_order=2", ("reference",), True, "corpus")
TER = MetricSummary("ter", "ter", "Edits per word.", ("reference",), False, "corpus")


def test_a_list():
    assert Table().render(document(MetricList((CHRF, TER)))) == (
        "metric  description          better\nchrf++  = chrf:word_order=2  higher\nter     Edits per word.      lower\n"
    )


def test_one_metric():
    text = Table().render(document(MetricDescription(CHRF, "F-score.\n\nMore.", {"word_order": "2"})))
    assert text == (
        "chrf++ = chrf:word_order=2\n\n"
        "option      default\n"
        "word_order  2\n\n"
        "F-score.\n\nMore.\n\n"
        "Needs: reference. Higher is better. Usual aggregation: corpus.\n"
    )
