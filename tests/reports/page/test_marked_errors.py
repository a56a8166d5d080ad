from __future__ import annotations

import dataclasses

from assay import load
from assay.reports.page.marked_errors import marked_errors
from assay.types import Campaign, ErrorSpan, Ratings

RATED = load(outputs={"one": ["ab cd", "same", "same"], "two": ["x", "y", "z"]}, sources=["s", "t", "u"], lp="en-de")


def campaign(rows, testset=RATED, **fields):
    """A campaign of rows: system, segment, errors."""
    ratings = Ratings(
        "mqm",
        "MQM",
        ("r1",),
        ("one", "two"),
        rater=[0] * len(rows),
        system=[system for system, *_ in rows],
        segment=[segment for _, segment, _ in rows],
        score=[float("nan")] * len(rows),
        errors=tuple(errors for *_, errors in rows),
        **fields,
    )
    return Campaign("toy", "en-de", 3, ("one", "two"), (), testset, judgements=(ratings,))


def test_errors_by_system_and_segment():
    major = ErrorSpan("Accuracy", "major", 0, 2)
    missing = ErrorSpan("Omission", "minor")
    in_source = ErrorSpan("Accuracy", "minor", 1, 2, in_source=True)
    found = marked_errors([campaign([(0, 0, (major, missing)), (1, 2, (in_source,)), (1, 1, ())])], RATED)
    assert found.tree == {
        "severities": ["major", "minor"],
        "categories": ["Accuracy", "Omission"],
        "raters": ["r1"],
        "systems": {
            "one": {0: [[0, 2, 0, 0, 0, 0], [None, None, 0, 1, 1, 0]]},
            "two": {2: [[1, 2, 1, 1, 0, 0]], 1: []},
        },
    }
    assert (found.outputs, found.elsewhere) == (3, 0)


def test_an_output_is_found_by_its_text():
    moved = load(outputs={"one": ["same", "ab cd", "same"]}, lp="en-de")
    error = ErrorSpan("Accuracy", "major", 0, 2)
    found = marked_errors([campaign([(0, 0, (error,)), (0, 2, ()), (0, 1, ())])], moved)
    assert list(found.tree["systems"]["one"]) == [1, 2, 0]  # the same number first, else the first with the text


def test_outputs_that_are_not_in_the_test_set_are_counted():
    others = load(outputs={"one": ["ab cd", "different"]}, lp="en-de")
    found = marked_errors([campaign([(0, 0, ()), (0, 1, ()), (1, 0, ())])], others)
    assert (found.outputs, found.elsewhere) == (1, 1)  # another system is no loss


def test_without_texts_of_the_ratings_the_number_of_the_segment_counts():
    found = marked_errors([campaign([(0, 1, ()), (0, 2, ())], testset=None)], load(outputs={"one": ["a", "b"]}))
    assert list(found.tree["systems"]["one"]) == [1]


def test_named_items_are_found_by_name():
    named = dataclasses.replace(RATED, items=("p", "q", "r"))
    found = marked_errors([campaign([(0, 0, ()), (0, 1, ())], items=("r", "none"))], named)
    assert list(found.tree["systems"]["one"]) == [2]


def test_quality_control_and_documents_are_left_out():
    rows = [(0, 0, ()), (0, 1, ()), (0, -1, ())]
    found = marked_errors([campaign(rows, kind=("BAD", "TGT", "TGT"))], RATED)
    assert list(found.tree["systems"]["one"]) == [1]
    assert marked_errors([], RATED) is None
