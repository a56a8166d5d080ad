from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.human.predicted_errors import predicted_errors
from assay.types import ErrorSpan, Ratings
from tests.human.test_marks import MINOR, campaign, ratings


def predictions(*rows: tuple[str, int, tuple[ErrorSpan, ...]], **columns: object) -> Ratings:
    made = ratings(*(("metric", *row) for row in rows), **columns)
    return replace(made, name="metric", protocol="other", is_human=False, origin="metric.csv")


JUDGED = ratings(("r", "A", 0, ()), ("s", "A", 0, ()), ("r", "A", 1, ()), ("r", "B", 0, ()))


def test_every_rating_of_an_output_has_what_the_metric_marked_there() -> None:
    metric = predictions(("B", 0, ()), ("A", 0, (MINOR,)))
    found, notes = predicted_errors(campaign(JUDGED), JUDGED, [metric])
    assert found["metric"].errors == [(MINOR,), (MINOR,), None, ()]
    assert not notes


def test_outputs_that_were_marked_twice_or_do_not_fit_have_none() -> None:
    beyond = ErrorSpan("", "minor", 0, 99)
    metric = predictions(("A", 0, ()), ("A", 0, (MINOR,)), ("A", 1, (beyond,)), ("B", 0, (MINOR,)))
    found, notes = predicted_errors(campaign(JUDGED), JUDGED, [metric])
    assert found["metric"].errors == [None, None, None, (MINOR,)]
    assert [note.text for note in notes if "more than once" in note.text] == [
        "left out: 1 output that 'metric' marked more than once"
    ]


def test_names_and_numbers_of_segments_do_not_meet() -> None:
    named = replace(predictions(("A", 0, ())), items=("first",))
    found, (note,) = predicted_errors(campaign(JUDGED), JUDGED, [named])
    assert not found
    assert note.text.startswith("left out: its segments have names, and those of the ratings have numbers")


def test_systems_that_nobody_knows_are_named() -> None:
    metric = predictions(("A", 0, ()), ("Z", 0, ()))
    found, notes = predicted_errors(campaign(JUDGED), JUDGED, [metric])
    assert found["metric"].errors == [(), (), None, None]
    assert any(note.text == "errors in outputs of systems that nobody rated: Z" for note in notes)
    assert np.array_equal(found["metric"].row >= 0, [True, True, False, False])
