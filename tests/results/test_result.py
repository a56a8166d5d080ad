"""The base of every result."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from assay.errors import MissingExtraError
from assay.results import SCHEMA_VERSION, Result, html_table
from assay.results.columns import ResultColumn
from assay.results.result import Listed, Tabular
from assay.types import Note, NoteKind


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Lengths(Result):
    lengths: tuple[float | None, ...]

    columns: ClassVar = (ResultColumn("text"), ResultColumn("length", float), ResultColumn("remark"))

    def records(self) -> Iterator[dict[str, Any]]:
        for number, length in enumerate(self.lengths):
            yield {"text": f"<{number}>", "length": length}


def test_every_tree_has_version_signature_and_notes_as_dicts():
    note = Note(NoteKind.MISSING, "no text", where="new.de", count=1)
    assert Lengths((1.0, None), notes=(note,)).to_dict() == {
        "version": SCHEMA_VERSION,
        "lengths": [1.0, None],
        "rows": [
            {"text": "<0>", "length": 1.0, "remark": None},
            {"text": "<1>", "length": None, "remark": None},
        ],
        "signature": "",
        "notes": [{"severity": "note", "kind": "missing", "where": "new.de", "count": 1, "text": "no text"}],
    }
    assert Lengths(()).notes == ()


def test_rows_become_data_frames(monkeypatch):
    result = Lengths((1.0, None))
    pytest.importorskip("pyarrow")
    table = result.to_arrow()
    assert table.to_pylist() == list(result.rows())
    assert [str(kind) for kind in table.schema.types] == ["string", "double", "string"]
    for name in ("pandas", "polars"):
        made = {}
        frame = SimpleNamespace(DataFrame=lambda rows, made=made, **options: made.update(rows=rows, **options) or made)
        monkeypatch.setitem(sys.modules, name, frame)
        assert getattr(result, f"to_{name}")()["rows"] == list(result.rows())


@pytest.mark.parametrize(
    ("form", "package", "line"),
    [
        ("arrow", "pyarrow", 'pip install ".[io]" in the folder of Assay'),
        ("pandas", "pandas", "pip install pandas"),
        ("polars", "polars", "pip install polars"),
    ],
)
def test_a_missing_package_is_named(form, package, line, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=f"{package} is not installed") as caught:
        getattr(Lengths(()), f"to_{form}")()
    assert caught.value.hint == line


def test_a_result_must_have_records():
    with pytest.raises(TypeError, match="abstract"):
        Result()  # type: ignore[abstract]


def test_html_has_the_rows_escaped_and_no_empty_columns():
    page = Tabular._repr_html_(Lengths((12.3456, None)))
    assert page.count("<tr>") == 3
    assert all(text in page for text in ("&lt;0&gt;", "12.35", "<td>–</td>"))
    assert "remark" not in page
    assert Tabular._repr_html_(Lengths(())).count("<th>") == 3
    assert html_table(["n"], [[math.nan]]).count("–") == 1


class Words(Listed[str]):
    holds = "words"

    def __init__(self, *words: str) -> None:
        self.words = words


def test_what_holds_a_list_is_read_like_it():
    assert list(Words("a", "b")) == ["a", "b"]
    assert len(Words("a", "b")) == 2
