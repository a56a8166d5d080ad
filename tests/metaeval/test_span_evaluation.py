from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.aggregate.unit_intervals import UnitResamples
from assay.metaeval.span_evaluation import (
    BASELINES,
    Compared,
    EvaluatedSpans,
    common_notes,
    compare_metrics,
    compared_outputs,
    evaluate_spans,
)
from assay.metric_tests.perm_documents import PermDocuments
from assay.span_agreement import span_statistic
from assay.types import ErrorSpan
from assay.types.runtime import Runtime
from tests.study.test_meta_spans import SEGMENTS, campaign

NONE = UnitResamples(0, 1, 0.95, Runtime())
MPP = span_statistic.create("mpp")


def compared(*, without: tuple[int, ...] = ()) -> Compared:
    """The metric `good` did not read some segments."""
    data = campaign()
    good, bad = data.predictions
    read = good.where(~np.isin(good.segment, without))
    return compared_outputs(data.ratings[0], data, ["A"], [read, bad])


def test_a_metric_stands_beside_every_rating_of_an_output() -> None:
    found = compared()
    assert len(found) == 2 * SEGMENTS
    assert found.human == "esa"
    assert found.metrics["good"] == ((ErrorSpan("", "minor", 0, 10),),) * len(found)
    assert found.baselines["human: another rater"][0] == ((ErrorSpan("", "minor", 5, 10),),)
    assert found.baselines["one character marked"][0] == ((ErrorSpan("", "minor", 0, 1),),)
    assert "human: the same rater again" not in found.baselines
    assert set(found.baselines) < set(BASELINES)


def test_errors_without_a_place_are_counted_in_a_note() -> None:
    data = campaign()
    (ratings,) = data.ratings
    missing = replace(ratings, errors=(*ratings.errors[:-1], (ErrorSpan("missing", "major"),)))
    found = compared_outputs(missing, replace(data, judgements=(missing,)), ["A"], [])
    assert found.marked[-1] == ()
    assert any(note.text.startswith("1 of 19 errors marked by people have no place") for note in found.notes)


def test_what_was_not_read_does_not_count_and_is_noted() -> None:
    found = compared(without=(0, 1))
    assert found.metrics["good"][:3] == (None, None, (ErrorSpan("", "minor", 0, 10),))
    (note,) = common_notes(found)
    assert note.text.startswith("'good' read only 20 rated outputs of 24: its values are of these")
    evaluated = evaluate_spans(MPP, found, "micro", NONE)
    assert (evaluated.metrics["good"].n, evaluated.metrics["bad"].n) == (20, 24)
    assert any(note.text.startswith("by mpp, on what 'good' read: ") for note in evaluated.notes)


@pytest.mark.parametrize("without", [(), (0, 1, 2, 3, 4)])
def test_metrics_are_tested_on_what_both_read(without: tuple[int, ...]) -> None:
    found = compared(without=without)
    evaluated = evaluate_spans(MPP, found, "micro", NONE)
    pairs = compare_metrics(PermDocuments(resamples=99), evaluated.tables, found, label="en-de")
    assert pairs.n[0, 1] == pairs.n[1, 0] == 24 - 2 * len(without)
    on_common = on_segments([k for k in range(SEGMENTS) if k not in without])
    good, bad = (on_common.metrics[name].value for name in ("good", "bad"))
    assert pairs.differences[0, 1] == pytest.approx(good - bad)


def on_segments(segments: list[int]) -> EvaluatedSpans:
    """The evaluation of both metrics on some segments only."""
    data = campaign()
    ratings = data.ratings[0].where(np.isin(data.ratings[0].segment, segments))
    return evaluate_spans(MPP, compared_outputs(ratings, data, ["A"], data.predictions), "micro", NONE)


def test_nothing_marked_by_anybody_has_no_value() -> None:
    data = campaign()
    clean = replace(data.ratings[0], errors=((),) * len(data.ratings[0]))
    found = compared_outputs(clean, replace(data, judgements=(clean,)), ["A"], [])
    evaluated = evaluate_spans(MPP, found, "micro", NONE).baselines["nothing marked"]
    assert np.isnan(evaluated.value)
    assert evaluated.estimate.reason == "nothing was marked by people or the metric"
