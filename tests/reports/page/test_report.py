from __future__ import annotations

from assay.reports.page.pair_details import pairs_data
from assay.reports.page.report import distinct_names, numbered
from assay.types import TestSetRecord


def record(name=None, lp=None, references=("refA",)):
    return TestSetRecord(10, ("a", "b"), references, {}, lp, name=name)


def test_a_single_test_set_needs_no_name():
    assert distinct_names([record("wmt22", "en-de")]) == [""]
    assert distinct_names([]) == []


def test_test_sets_are_told_apart_by_what_differs():
    assert distinct_names([record("wmt22", "en-de"), record("wmt22", "en-zh")]) == ["en-de", "en-zh"]
    assert distinct_names([record("wmt21", "en-de"), record("wmt22", "en-zh")]) == ["wmt21", "wmt22"]
    assert distinct_names([record(), record(references=("refA", "refB"))]) == ["against refA", "against refA and refB"]
    three = [record(lp="en-de"), record(lp="en-de", references=("refB",)), record(lp="en-zh")]
    assert distinct_names(three) == ["en-de against refA", "en-de against refB", "en-zh against refA"]
    assert distinct_names([record(), record()]) == ["1", "2"]


def test_the_first_of_a_kind_has_the_plain_id():
    assert [numbered(place) for place in range(3)] == ["", "-2", "-3"]
    assert pairs_data(0) == "matrix-data"
