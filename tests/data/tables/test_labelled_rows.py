from __future__ import annotations

import pytest

from assay.data.tables.labelled_rows import rows_of_objects, rows_of_systems, rows_with_labels
from assay.errors import InputError

BY_SYSTEM = [{"system": "A", "COMET": 0.8, "BLEU": 30.1}, {"system": "B", "COMET": 0.7, "BLEU": 31.0}]


def test_names_of_metrics_say_which_side_has_the_columns():
    by_row = {"A": {"COMET": 0.8, "BLEU": 30.1}, "B": {"COMET": 0.7, "BLEU": 31.0}}
    by_column = {"COMET": {"A": 0.8, "B": 0.7}, "BLEU": {"A": 30.1, "B": 31.0}}
    assert rows_of_objects(by_row, "t") == rows_of_objects(by_column, "t") == BY_SYSTEM
    assert rows_with_labels(["COMET", "BLEU"], list(by_column.values()), "t") == BY_SYSTEM
    unite = {"UniTE-MT": {"COMET": 0.8, "UniTE": 0.2}, "B": {"COMET": 0.7, "UniTE": 0.1}}
    assert [row["system"] for row in rows_of_objects(unite, "t")] == ["UniTE-MT", "B"]


def test_labels_of_texts_are_segments():
    texts = {"d:1": {"source": "a", "SysA": "b"}, "d:2": {"source": "c", "SysA": "d"}}
    rows = [{"segment": "d:1", "source": "a", "SysA": "b"}, {"segment": "d:2", "source": "c", "SysA": "d"}]
    by_column = {"source": {"d:1": "a", "d:2": "c"}, "SysA": {"d:1": "b", "d:2": "d"}}
    assert rows_of_objects(texts, "t") == rows_of_objects(by_column, "t") == rows


def test_numbers_are_kept_where_they_tell_an_order():
    rows = [{"A": 0.5}, {"A": 0.25}]
    assert rows_with_labels([0, 1], rows, "t") == rows_with_labels(["1", "2"], rows, "t") == rows
    assert rows_with_labels([1, 0], rows, "t") == [{"index": "1", "A": 0.5}, {"index": "0", "A": 0.25}]
    assert rows_with_labels([3], [{"index": "x"}], "t") == [{"": "3", "index": "x"}]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"A": {"doc0": 1.0}, "B": {"doc0": 2.0}}, "are 'A', 'B' rows and 'doc0' columns, or the other way round?"),
        ({"COMET": {"BLEU": 1.0}}, "Both have names of metrics"),
        ({"COMET": {"('A', 0)": 1.0}}, "1 label of rows or columns with several parts, such as ('A', 0)"),
    ],
)
def test_what_names_do_not_decide(table, message):
    with pytest.raises(InputError) as caught:
        rows_of_objects(table, "t")
    assert message in str(caught.value)


def test_several_levels_and_rows_of_the_same_name():
    with pytest.raises(InputError, match=r"2 labels of rows or columns with several parts, such as .'A', 0."):
        rows_with_labels([["A", 0], ["A", 1]], [{"COMET": 1.0}, {"COMET": 2.0}], "t")
    with pytest.raises(InputError, match="two rows are called 'COMET'"):
        rows_with_labels(["COMET", "COMET"], [{"A": 1.0}, {"A": 2.0}], "t")


def test_a_list_for_each_system():
    rows = rows_of_systems({"A": [{"COMET": 0.5}, {"COMET": 0.25}], "B": [{"COMET": 0.75}, {"COMET": 1.0}]}, "t")
    assert [(row["system"], row["segment"], row["COMET"]) for row in rows] == [
        ("A", 1, 0.5),
        ("A", 2, 0.25),
        ("B", 1, 0.75),
        ("B", 2, 1.0),
    ]
    own = {"A": [{"segment": 2, "score": 0.5}], "B": [{"segment": 1, "score": 0.5}, {"segment": 2, "score": 1}]}
    assert [(row["system"], row["segment"]) for row in rows_of_systems(own, "t")] == [("A", 2), ("B", 1), ("B", 2)]
    (numbered, *_) = rows_of_systems({"A": [{"line": 7, "score": 1}], "B": [{"line": 7, "score": 2}]}, "t")
    assert numbered["segment"] == 7


@pytest.mark.parametrize(
    ("keys", "record"),
    [
        (("train", "test"), {"COMET": 0.5}),
        (("en-de", "en-cs"), {"COMET": 0.5}),
        (("BLEU", "COMET"), {"score": 0.5}),
        (("A", "B"), {"system": "C", "COMET": 0.5}),
        (("A", "B"), {"SysA": 0.5, "SysB": 0.25}),
    ],
)
def test_lists_that_may_not_be_systems_are_named(keys, record):
    with pytest.raises(InputError) as caught:
        rows_of_systems({key: [record] for key in keys}, "t")
    assert caught.value.message.endswith(f"several lists of records: '{keys[0]}', '{keys[1]}'")


def test_lists_of_different_length():
    with pytest.raises(InputError, match="not equally long: 'A' 1, 'B' 2"):
        rows_of_systems({"A": [{"score": 1}], "B": [{"score": 1}, {"score": 2}]}, "t")
