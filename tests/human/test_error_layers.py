from __future__ import annotations

from dataclasses import replace

from assay.human.error_layers import with_error_layers
from assay.types import Campaign, ErrorSpan, Ratings
from tests.human.test_marks import MINOR, campaign, ratings
from tests.human.test_predicted_errors import JUDGED, predictions


def predicted(*metrics: Ratings) -> Campaign:
    return with_error_layers(replace(campaign(JUDGED), predictions=metrics))


def test_errors_of_the_only_metric() -> None:
    texts = predicted(predictions(("A", 0, (MINOR,)), ("A", 1, ()), ("B", 0, ()))).testset
    assert texts is not None
    assert list(texts.annotations) == ["errors", "errors-metric"]
    columns = {name: list(column) for name, column in texts.annotations["errors"].items()}
    assert columns == {"A": ["0-4:minor", ""], "B": ["", None]}
    assert texts.annotators["errors"] == "metric"
    assert not texts.notes


def test_several_metrics_have_names() -> None:
    other = replace(predictions(("A", 0, ())), name="other")
    texts = predicted(predictions(("A", 0, (MINOR,))), other).testset
    assert texts is not None
    assert list(texts.annotations) == ["errors-metric", "errors-other"]


def test_what_does_not_fit_has_no_value() -> None:
    beyond = ErrorSpan("", "minor", 0, 99)
    rows = (("A", 0, (beyond,)), ("A", 1, ()), ("B", 0, ()), ("B", 0, (MINOR,)), ("C", 0, ()))
    texts = predicted(predictions(*rows)).testset
    assert texts is not None
    assert {name: list(column) for name, column in texts.annotations["errors"].items()} == {"A": [None, ""]}
    notes = [note.text for note in texts.notes]
    assert any("errors outside the text" in text for text in notes)
    assert "left out: 1 output that 'metric' marked more than once" in notes


def test_named_segments_that_the_texts_do_not_have() -> None:
    texts = predicted(replace(predictions(("A", 0, ())), items=("first",))).testset
    assert texts is not None
    assert not texts.annotations
    assert "its segments have names that the texts do not have" in texts.notes[0].text


def test_nothing_to_do() -> None:
    judged = campaign(ratings(("r", "A", 0, ())))
    assert with_error_layers(judged) is judged
    once = predicted(predictions(("A", 0, ())))
    assert with_error_layers(once).testset is once.testset or with_error_layers(once) is once
