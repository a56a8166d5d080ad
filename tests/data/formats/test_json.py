from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import assay
from assay.data import NO, POSSIBLE
from assay.data.formats import data_format, detect_format
from assay.errors import InputError
from assay.types import Campaign, TestSet
from tests.data.flat import write_and_read

JSON = data_format.create("json")
ROWS = [
    {"source": "one two", "reference": "eins zwei", "SysA": "eins drei", "SysB": "zwei eins"},
    {"source": "three", "reference": "drei", "SysA": "vier", "SysB": None},
]
NAMES = list(ROWS[0])


def by_column(rows):
    return {name: {str(i): row[name] for i, row in enumerate(rows)} for name in NAMES}


FORMS = {
    "records": ROWS,
    "columns": by_column(ROWS),
    "index": {str(i): row for i, row in enumerate(ROWS)},
    "split": {"columns": NAMES, "index": [0, 1], "data": [list(row.values()) for row in ROWS]},
    "table": {"schema": {"fields": [{"name": "index"}]}, "data": [{"index": i, **row} for i, row in enumerate(ROWS)]},
    "lists": {name: [row[name] for row in ROWS] for name in NAMES},
    "under a key": {"version": 1, "segments": ROWS},
    "rows of a data set": {
        "features": [{"name": "source"}],
        "rows": [{"row_idx": i, "row": row} for i, row in enumerate(ROWS)],
    },
}


def written(tmp_path, tree, name="t.json", **options):
    path = tmp_path / name
    path.write_text(tree if isinstance(tree, str) else json.dumps(tree, **options), encoding="utf-8")
    return path


def read(tmp_path, text, name="t.json"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return JSON.read(path)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("form", FORMS)
def test_a_table_in_many_forms(tmp_path, form, indent):
    (campaign,) = assay.read(written(tmp_path, FORMS[form], indent=indent))
    assert campaign.testset.outputs == {"SysA": ("eins drei", "vier"), "SysB": ("zwei eins", None)}
    assert campaign.testset.references == {"ref": ("eins zwei", "drei")}
    assert campaign.testset.sources == ("one two", "three")
    assert any("as output" in note.text for note in campaign.notes)


def test_json_lines_that_are_called_json(tmp_path):
    path = written(tmp_path, "".join(json.dumps(row) + "\n" for row in ROWS))
    assert detect_format(path).name == "jsonl"
    assert assay.read(path)[0].systems == ("SysA", "SysB")


def test_scores_by_system(tmp_path):
    (campaign,) = assay.read(written(tmp_path, {"A": [0.5, 0.25], "B": [0.75, None]}, "comet.json"))
    (table,) = campaign.scores
    assert (table.name, table.level, table.systems) == ("comet", "segment", ("A", "B"))
    assert table.values[0].tolist() == [0.5, 0.25]
    assert math.isnan(table.values[1, 1])
    (single,) = assay.read(written(tmp_path, {"A": [0.5, 0.25]}, "comet.json"))
    assert single.scores[0].systems == ("A",)
    (own,) = assay.read(written(tmp_path, [0.5, 0.25], "A.json"))
    assert (own.scores[0].systems, own.scores[0].values.tolist()) == (("A",), [[0.5, 0.25]])


def test_rows_by_system(tmp_path):
    (campaign,) = assay.read(written(tmp_path, {"A": {"COMET": 0.8, "TER": 40}, "B": {"COMET": 0.7}}))
    assert [(table.name, table.level, table.gaps) for table in campaign.scores] == [
        ("COMET", "system", 0),
        ("TER", "system", 0),
    ]


@pytest.mark.parametrize("name", ["score", "COMET"])
def test_a_list_of_records_for_each_system(tmp_path, name):
    values = {"A": [0.5, 0.25], "B": [0.75, 1.0]}
    path = written(tmp_path, {key: [{name: value} for value in column] for key, column in values.items()}, "COMET.json")
    (table,) = assay.read(path)[0].scores
    assert (table.name, table.level, table.systems) == ("COMET", "segment", ("A", "B"))
    assert table.values.tolist() == list(values.values())


@pytest.mark.parametrize(
    ("tree", "keys"),
    [
        ({"data": [{"system": "A", "COMET": 1}], "more": [{"system": "B", "COMET": 2}]}, "'data', 'more'"),
        ({"A": [{"COMET": 1}], "B": [0.5]}, "'A', 'B'"),
        ({"train": [{"A": 0.5, "B": 0.25}], "test": []}, "'train', 'test'"),
    ],
)
def test_lists_that_would_be_left_out_are_named(tmp_path, tree, keys):
    with pytest.raises(InputError, match=f"several lists: {keys}"):
        JSON.read(written(tmp_path, tree))


def test_names_of_metrics_are_columns(tmp_path):
    trees = (
        {"COMET": {"A": 0.5, "mean": 0.5}, "BLEU": {"A": 30.5, "mean": 30.5}},
        {"columns": ["COMET", "BLEU"], "index": ["A"], "data": [[0.5, 30.5]]},
    )
    for tree in trees:
        (campaign,) = assay.read(written(tmp_path, tree))
        assert [(table.name, table.level, table.systems) for table in campaign.scores] == [
            ("COMET", "system", ("A",)),
            ("BLEU", "system", ("A",)),
        ]


FLAWS = {
    "empty": ("[]", "t.json: empty JSON"),
    "rows without names": ([["a", "b"]], "t.json: a list of lists\nthese are rows without the names of columns"),
    "uneven columns": ({"A": [1, 2], "B": [1]}, "t.json: 'B' has 1 value, but 'A' has 2"),
    "a short row": ({"columns": ["a", "b"], "data": [[1]]}, "t.json: row 1 has 1 value; columns: 2"),
    "few labels": ({"columns": ["a"], "index": [0], "data": [[1], [2]]}, "t.json: 1 label in 'index' for 2 rows"),
    "names of two levels": (
        {"columns": [["a", "b"]], "data": [[1]]},
        "t.json: 1 label of rows or columns with several",
    ),
    "a column twice": ({"columns": ["a", "a"], "data": [[1, 2]]}, "t.json: two columns have the same name"),
    "a text": ('"x"', "t.json: this JSON is no table\nwrite a list of records"),
    "mixed": ([1, {"a": 1}], "t.json: this JSON is no table"),
    "no list": ({"a": 1}, "t.json: this JSON is no table"),
    "broken": ('[{"source": "a"', "t.json, line 1: invalid JSON"),
    "a wrong value": (
        '[\n{"source": "a",\n "output": "b"},\n{"source": "a", "output": 3}\n]',
        "t.json, line 4: the output",
    ),
    "a number": ('{"columns": ["source", "output"], "data": [["a", 3]]}', "t.json, line 1: the output must be text"),
}


@pytest.mark.parametrize(("tree", "message"), FLAWS.values(), ids=list(FLAWS))
def test_flaws(tmp_path, monkeypatch, tree, message):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, tree)
    with pytest.raises(InputError) as caught:
        JSON.read(Path("t.json"))
    assert str(caught.value).startswith(message)


def test_what_is_written_is_read_back(tmp_path):
    texts = ("", " ", "a\nb", "\u2028", '"', None)
    sources = tuple("abcdef")
    campaign = Campaign("d", "en-de", 6, ("A",), (), TestSet(outputs={"A": texts}, sources=sources, lp="en-de"))
    (back,) = write_and_read("json", [campaign], tmp_path / "t.json.gz")
    assert back.testset.outputs == {"A": texts}
    assert back.testset.sources == sources
    assert (back.name, back.lp) == ("d", "en-de")


@pytest.mark.parametrize(
    ("name", "head", "certainty"),
    [
        ("t.json", '[{"a": 1}]', POSSIBLE),
        ("t.json", '\ufeff {"a": [1]}', POSSIBLE),
        ("t.json", '{"a": 1}\n{"a": 2}\n', NO),
        ("t.json", "text", NO),
        ("t.jsonl", '[{"a": 1}]', NO),
    ],
)
def test_recognised(name, head, certainty):
    assert JSON.recognises(Path(name), head) == certainty
