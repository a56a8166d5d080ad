from __future__ import annotations

import pytest

from assay.data.tables.row_numbers import may_number_rows, numbered_rows
from assay.errors import InputError


def numbered(names, records, headers=None):
    return numbered_rows(names, headers or names, list(enumerate(records, 2)), "t.csv")


def column(found, position=-1):
    return [record[position] for _, record in found.records]


@pytest.mark.parametrize("name", ["", "index", "idx", "line", "row", "row_idx", "#", "Unnamed: 0", "line no"])
@pytest.mark.parametrize("number", [int, str, float, lambda i: i + 1])
def test_permuted_rows_are_put_into_order(name, number):
    found = numbered([name, "A"], [[number(2), "c"], [number(0), "a"], [number(1), "b"]])
    assert column(found) == ["a", "b", "c"]
    assert [line for line, _ in found.records] == [3, 4, 2]
    assert found.segment is None
    assert "rows put into the order of the numbers in the " in found.notes[0].text


def test_rows_in_order_are_left_alone():
    for first in (0, 1):
        found = numbered(["", "A"], [[first, "a"], [first + 1, "b"]])
        assert (column(found), found.notes) == (["a", "b"], ())


def test_numbers_with_gaps_are_those_of_segments():
    found = numbered(["", "A"], [[0, "a"], [2, "b"], [40, "c"]])
    assert (column(found), found.segment) == (["a", "b", "c"], 0)
    assert found.notes[0].text == "the first column numbers the segments: 3 from 0 to 40"


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ([0, 5, 2], "2 follows 5, and they are not 1 to 3 either"),
        ([0, 1, 1], "1 follows 1, and they are not 1 to 3 either"),
        ([0, None, 1], "this row has nothing"),
        ([0, "x", 1], "this row has 'x'"),
    ],
)
def test_other_numbers_are_refused(numbers, reason):
    with pytest.raises(InputError) as caught:
        numbered(["index", "A"], [[number, "a"] for number in numbers])
    assert f"the column 'index' seems to number the rows, but {reason}" in str(caught.value)
    assert 'say so: columns="segment=index"' in caught.value.hint


def test_what_is_no_number_of_rows():
    assert not may_number_rows("", 1)
    assert not may_number_rows("number of words", 0)
    for values in (["x", "a", "b"], [0.5, 0.25, 0.75], [-3, -1, -2]):
        found = numbered(["index", "A"], [[value, str(value)] for value in values])
        assert column(found, 0) == values
    segments = numbered(["index", "segment"], [[1, 5], [0, 3]])
    assert column(segments) == [5, 3]


def test_rows_are_numbered_within_each_system():
    names = ["line", "system", "output"]
    found = numbered(names, [[1, "A", "b"], [0, "A", "a"], [0, "B", "c"], [1, "B", "d"]])
    assert column(found) == ["a", "b", "c", "d"]
    whole = [[7, "A", 0.5], [3, "B", 0.25]]
    assert column(numbered(names, whole)) == [0.5, 0.25]
    with pytest.raises(InputError, match="some are missing between 0 and 8"):
        numbered(names, [[0, "A", "a"], [2, "A", "b"], [5, "B", "c"], [8, "B", "d"]])


def test_a_named_column_counts_more_than_the_index():
    assert column(numbered(["", "line"], [[0, 2], [1, 1]])) == [1, 2]


def test_empty_rows_stay_at_the_end():
    assert column(numbered(["index", "A"], [[1, "b"], [0, "a"], ["", ""]])) == ["a", "b", ""]


def test_the_documents_of_wmt_name_segments():
    records = [[7, f"cs-uk_UA_#_edu_#_edu0217{i}", "a"] for i in range(2)]
    assert numbered(["line", "doc_id", "output"], records).notes == ()
