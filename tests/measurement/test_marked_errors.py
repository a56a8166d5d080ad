from __future__ import annotations

from dataclasses import dataclass

import assay
from assay.measurement import measure
from assay.measurement.marked_errors import MARKING_METRICS, predicted_spans
from assay.metrics import metric
from assay.metrics.chrf import Chrf
from assay.types import ErrorSpan, predicted_ratings
from assay.types.runtime import Runtime


@dataclass(frozen=True)
class First(Chrf):
    """chrF that marks the first character of each output."""

    marks_errors = True

    def predicted_spans(self, testset, runtime):
        cells = {(0, i): (ErrorSpan("", "minor", 0, 1),) for i in range(len(testset))}
        return predicted_ratings(self.name, "MQM", testset.systems, cells)


def test_errors_have_the_name_of_the_metric_in_the_run(monkeypatch):
    metric.names()  # those that are read now stay registered
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    metric("first")(First)
    testset = assay.load(outputs={"x": ["ab", "c"]}, references=["ab", "c"])
    measurements = measure(testset, [First(), "bleu", First(char_order=4)], Runtime())
    found = list(predicted_spans(measurements, Runtime()))
    assert [each.name for each in found] == [spec for spec in measurements.metrics if spec.startswith("first")]
    assert [len(each.errors) for each in found] == [2, 2]
    assert not any(each.is_human for each in found)


def test_the_metrics_of_the_hint_mark_errors():
    assert "xcomet" in MARKING_METRICS
    assert metric.create("xcomet").marks_errors
    for protocol in ("esa", "mqm"):
        assert f"protocol={protocol}" in MARKING_METRICS
        assert metric.create(f"judge:protocol={protocol}").marks_errors
    assert not metric.create("judge:protocol=da").marks_errors
