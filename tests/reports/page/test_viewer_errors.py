from __future__ import annotations

import dataclasses

import pytest

from assay import load
from assay.reports.page.viewer_errors import viewer_errors
from assay.types import Campaign, ErrorSpan, Ratings

RATED = load(outputs={"one": ["ab cd", "same", "same"], "two": ["x", "y", "z"]}, sources=["s", "t", "uv"], lp="en-de")


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
    found = viewer_errors([campaign([(0, 0, (major, missing)), (1, 2, (in_source,)), (1, 1, ())])], RATED)
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
    found = viewer_errors([campaign([(0, 0, (error,)), (0, 2, ()), (0, 1, ())])], moved)
    assert list(found.tree["systems"]["one"]) == [1, 2, 0]  # the same number first, else the first with the text


def test_outputs_that_are_not_in_the_test_set_are_counted():
    others = load(outputs={"one": ["ab cd", "different"]}, lp="en-de")
    found = viewer_errors([campaign([(0, 0, ()), (0, 1, ()), (1, 0, ())])], others)
    assert (found.outputs, found.elsewhere) == (1, 1)  # another system is no loss


def test_without_texts_of_the_ratings_the_number_of_the_segment_counts():
    found = viewer_errors([campaign([(0, 1, ()), (0, 2, ())], testset=None)], load(outputs={"one": ["a", "b"]}))
    assert list(found.tree["systems"]["one"]) == [1]


@pytest.mark.parametrize("testset", [RATED, None])
def test_errors_that_do_not_fit_the_output_are_left_out_and_noted(testset):
    """By the rules of comparisons: an output of one letter has no characters 0 to 200."""
    outside, misspelt = ErrorSpan("Accuracy", "major", 0, 200), ErrorSpan("Accuracy", "mjaor", 0, 1)
    fine = ErrorSpan("Accuracy", "minor", 0, 1)
    found = viewer_errors([campaign([(1, 0, (outside,)), (1, 1, (fine,)), (1, 2, (misspelt,))], testset)], RATED)
    assert found.tree["systems"] == {"two": {1: [[0, 1, 0, 0, 0, 0]]}}
    assert found.outputs == 1
    assert [note.text for note in found.left_out] == [
        "left out: 1 rating with errors outside the text (first: two, segment 1); the output was probably another one "
        "when they were marked",
        "left out: 1 rating with unknown severities: 'mjaor' (1; did you mean 'major'?)",
    ]


def test_named_items_are_found_by_name():
    named = dataclasses.replace(RATED, items=("p", "q", "r"))
    found = viewer_errors([campaign([(0, 0, ()), (0, 1, ())], items=("r", "none"))], named)
    assert list(found.tree["systems"]["one"]) == [2]


def test_quality_control_and_documents_are_left_out():
    """A repeated item is an ordinary output, as in comparisons."""
    rows = [(0, 0, ()), (0, 1, ()), (0, -1, ()), (0, 2, ())]
    found = viewer_errors([campaign(rows, kind=("BAD", "TGT", "TGT", "REPEAT"))], RATED)
    assert list(found.tree["systems"]["one"]) == [1, 2]
    assert not found.left_out
    assert viewer_errors([], RATED) is None
