from __future__ import annotations

import datetime
import io
import sys
from pathlib import Path

import pytest

import assay
from assay.data import CERTAIN, NO, POSSIBLE
from assay.data.formats import data_format
from assay.errors import InputError, MissingExtraError
from assay.types import Campaign, TestSet

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

PARQUET = data_format.create("parquet")
LONG = {
    "lp": ["en-de", "en-de", "en-de"],
    "system": ["A", "A", "B"],
    "segment": [1, 2, 1],
    "source": ["a", "d", "a"],
    "mt": ["", None, "line\nend"],
    "score:COMET-1.0": [0.5, None, 0.25],
    "year": [datetime.date(2022, 1, 1)] * 3,
}


def stored(columns):
    buffer = io.BytesIO()
    table = columns if isinstance(columns, pyarrow.Table) else pyarrow.table(columns)
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


def read(tmp_path, raw, name="t.parquet"):
    path = tmp_path / name
    path.write_bytes(raw)
    return PARQUET.read(path)


def test_a_long_table(tmp_path):
    (campaign,) = read(tmp_path, stored(LONG))
    assert campaign.testset.outputs == {"A": ("", None), "B": ("line\nend", None)}
    assert campaign.testset.sources == ("a", "d")
    (table,) = campaign.scores
    assert (table.name, table.gaps) == ("COMET-1.0", 2)
    assert campaign.notes[0].text.endswith("unused columns: year")


def test_several_unused_columns(tmp_path):
    columns = {"src": ["a", "b"], "mt": ["x", "y"], "more": [1, 2], "year": [3, 4], "name": ["p", "q"]}
    (campaign,) = read(tmp_path, stored(columns))
    assert campaign.testset.outputs == {"t": ("x", "y")}
    assert campaign.notes[0].text.endswith("unused columns: more, year, name")


@pytest.mark.parametrize("kind", ["string", "large_string", "dictionary"])
def test_texts_of_all_types(tmp_path, kind):
    types = {"dictionary": pyarrow.dictionary(pyarrow.int32(), pyarrow.string())}
    texts = pyarrow.array(["x", None, "x"], types.get(kind) or getattr(pyarrow, kind)())
    (campaign,) = read(tmp_path, stored({"src": ["a", "b", "c"], "mt": texts}))
    assert campaign.testset.outputs == {"t": ("x", None, "x")}


def test_nested_columns(tmp_path):
    columns = {"references": [["a", "b"], ["c", None]], "outputs": [{"A": "x", "B": None}, {"A": "y", "B": "z"}]}
    (campaign,) = read(tmp_path, stored(columns))
    assert campaign.testset.references == {"ref1": ("a", "c"), "ref2": ("b", None)}
    assert campaign.testset.outputs == {"A": ("x", "y"), "B": (None, "z")}


def test_numbers_that_a_data_frame_made_decimal(tmp_path):
    (campaign,) = read(tmp_path, stored({"seg": [2.0, 1.0], "sys": ["A", "A"], "mt": ["b", "a"]}))
    assert campaign.testset.outputs == {"A": ("a", "b")}


@pytest.mark.slow
def test_many_rows_share_their_texts(tmp_path):
    rows = 70_000
    (campaign,) = read(tmp_path, stored({"src": ["the same"] * rows, "mt": [str(i) for i in range(rows)]}))
    assert campaign.segments == rows
    assert campaign.testset.outputs["t"][-1] == str(rows - 1)
    assert len({id(text) for text in campaign.testset.sources}) < 10


FLAWS = {
    "empty": (b"", "t.parquet: cannot read Parquet: "),
    "text": (b"a\tb\n", "t.parquet: cannot read Parquet: "),
    "cut off": (stored(LONG)[:-20], "t.parquet: cannot read Parquet: "),
    "no row": (stored(pyarrow.schema([("mt", pyarrow.string())]).empty_table()), "t.parquet: no rows"),
    "nothing known": (stored({"a": [1]}), "t.parquet: no recognised column: a"),
    "not text": (stored({"mt": [1]}), "t.parquet, line 1: the output must be text, not int"),
    "a date": (stored({"mt": LONG["year"]}), "t.parquet, line 1: the output must be text, not date"),
    "not UTF-8": (
        stored({"mt": pyarrow.array([b"\xff"]).view(pyarrow.string())}),
        "t.parquet: cannot read Parquet: ",
    ),
    "infinite": (stored({"sys": ["A"], "z": [float("inf")]}), "t.parquet, line 1: the score 'DA-z' is too large"),
    "a name twice": (
        stored(pyarrow.Table.from_arrays([pyarrow.array(["a"])] * 2, names=["mt", "mt"])),
        "t.parquet: duplicate column 'mt'",
    ),
    "a second row": (
        stored({"sys": ["A", "A"], "seg": [1, 1], "mt": ["a", "a"]}),
        "t.parquet, line 2: duplicate output of system 'A'",
    ),
    "rows of nothing": (
        stored({"mt": pyarrow.nulls(3_000_000, pyarrow.string())}),
        "t.parquet: invalid Parquet: 3,000,000 rows in ",
    ),
}


def test_a_name_that_is_no_text_cannot_be_written(tmp_path):
    campaign = Campaign("a\ud800", "", 1, ("A",), (), TestSet(outputs={"A": ("x",)}))
    with pytest.raises(InputError, match="which is not text"):
        PARQUET.write([campaign], tmp_path / "t.parquet")


def test_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    campaign = Campaign("", "", 1, ("A",), (), TestSet(outputs={"A": ("x",)}))
    for call in (lambda: PARQUET.read(tmp_path), lambda: PARQUET.write([campaign], tmp_path / "x")):
        with pytest.raises(MissingExtraError) as caught:
            call()
        assert caught.value.hint == 'pip install ".[io]" in the folder of Assay'


@pytest.mark.parametrize(
    ("name", "head", "certainty"),
    [("t.parquet", "PAR1\x15", CERTAIN), ("t", "PAR1", CERTAIN), ("t.parquet", "", POSSIBLE), ("t.tsv", "a", NO)],
)
def test_recognised(name, head, certainty):
    assert PARQUET.recognises(Path(name), head) == certainty


def test_structs_are_columns_and_vectors_are_not_read(tmp_path):
    texts = [{"de": "eins zwei", "en": "one two"}, {"de": "drei", "en": "three"}]
    columns = {"translation": texts, "prediction": ["eins drei", "vier"], "embedding": [[0.5] * 8, [0.25] * 8]}
    path = tmp_path / "t.parquet"
    path.write_bytes(stored(columns))
    with pytest.raises(InputError, match=r"which of the columns 'translation.de' and 'translation.en'"):
        assay.read(path)
    (campaign,) = assay.read(path, columns="source=translation.en,reference=translation.de")
    assert campaign.testset.sources == ("one two", "three")
    assert campaign.testset.references == {"ref": ("eins zwei", "drei")}
    assert campaign.testset.outputs == {"t": ("eins drei", "vier")}
    assert any(note.text == "unused columns: embedding" for note in campaign.notes)
