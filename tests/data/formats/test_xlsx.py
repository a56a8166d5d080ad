from __future__ import annotations

import datetime
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from assay import read
from assay.data import CERTAIN, NO
from assay.data.formats import data_format
from assay.errors import ConfigError, InputError, MissingExtraError
from assay.types import NoteKind
from tests.data.flat import facts, read_or_refused

XLSX = data_format.create("xlsx")
ROWS = [
    ["Source", "Reference", "DeepL", "GPT-4"],
    ["one two three", "eins zwei drei", "eins zwei vier", "ein zwei drei"],
    ["four five", "vier fünf", "vier fünf", "fünf vier"],
    ["year", "Jahr", "das Jahr", "Jahre"],
]


def workbook(path, *sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_sheet_of_texts(tmp_path):
    (campaign,) = read(workbook(tmp_path / "t.xlsx", ("Texts", ROWS)))
    assert campaign.testset.outputs == {
        "DeepL": ("eins zwei vier", "vier fünf", "das Jahr"),
        "GPT-4": ("ein zwei drei", "fünf vier", "Jahre"),
    }
    assert campaign.testset.sources == ("one two three", "four five", "year")


def test_another_sheet_is_named(tmp_path):
    scores = [["segment", "A", "B"], [1, 0.5, None], [2, 1, 0.25]]
    path = workbook(tmp_path / "t.xlsx", ("Texts", ROWS), ("My scores", scores))
    (campaign,) = read(path)
    assert any(note.text.startswith("only the sheet 'Texts' is read, not My scores") for note in campaign.notes)
    (campaign,) = read(path, input_format="xlsx:sheet=My scores")
    (table,) = campaign.scores
    assert (table.systems, table.gaps, table.values[0].tolist()) == (("A", "B"), 1, [0.5, 1.0])
    with pytest.raises(ConfigError, match="has no sheet 'Scores'") as caught:
        read(path, input_format="xlsx:sheet=Scores")
    assert "My scores" in str(caught.value.hint)


def test_what_spreadsheets_add(tmp_path):
    rows = [[], [*ROWS[0], None], *ROWS[1:], [2024, "2024", 2024, "im Jahr\n 2024"], [None, None], []]
    (campaign,) = read(workbook(tmp_path / "t.xlsx", ("Texts", rows)))
    assert campaign.testset.sources[3] == "2024"
    assert campaign.testset.outputs["GPT-4"][3] == "im Jahr 2024"
    notes = {note.kind: note for note in campaign.notes}
    assert notes[NoteKind.JOINED].count == 1
    assert [note.text for note in campaign.notes if note.kind is NoteKind.CHANGED] == [
        "column 'Source': 1 number among the texts, first in row 6, read as a text",
        "column 'DeepL': 1 number among the texts, first in row 6, read as a text",
    ]


def test_a_workbook_is_the_same_as_its_csv(tmp_path):
    (sheet,) = read(workbook(tmp_path / "t.xlsx", ("Texts", ROWS)))
    (tmp_path / "t.csv").write_text("".join(",".join(row) + "\n" for row in ROWS), encoding="utf-8")
    (table,) = read(tmp_path / "t.csv")
    assert facts(sheet) == facts(table)


FLAWS = {
    "a date": (
        [ROWS[0], ["a", datetime.date(2024, 3, 4), "b", "c"]],
        "line 2: the reference 'ref' must be text, not datetime",
    ),
    "a truth value": ([ROWS[0], [True, "a", "b", "c"]], "line 2: the source must be text, not bool"),
    "a formula": ([ROWS[0], ["a", "b", "=A2", "c"]], "line 2: cell C2 has a formula without a value"),
    "an error": ([ROWS[0], ["a", "b", "#NAME?", "c"]], "line 2: cell C2 is #NAME?"),
    "no header": ([["", None], [1, 2]], "no recognised column"),
    "no name": ([["source", "output"], ["a", "b", "c"]], "line 2: 3 cells, but the first row names 2 columns"),
    "an empty sheet": ([], "the sheet 'S' is empty"),
    "only a header": ([ROWS[0]], "no rows"),
}


@pytest.mark.parametrize(("rows", "message"), FLAWS.values(), ids=list(FLAWS))
def test_flaws(tmp_path, monkeypatch, rows, message):
    monkeypatch.chdir(tmp_path)
    workbook("t.xlsx", ("S", rows))
    with pytest.raises(InputError, match=r"^t\.xlsx") as caught:
        XLSX.read(Path("t.xlsx"))
    assert message in str(caught.value)


@pytest.mark.parametrize("raw", [b"", b"source,output\n", b"PK\x03\x04 and no more"])
def test_what_is_no_workbook(tmp_path, raw):
    path = tmp_path / "t.xlsx"
    path.write_bytes(raw)
    with pytest.raises(InputError, match="cannot read the workbook"):
        XLSX.read(path)


def test_other_archives_and_bombs(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(InputError, match="cannot read the workbook"):
        XLSX.read(tmp_path / "t.xlsx")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"\0" * (65 << 20))
    with pytest.raises(InputError, match="unpacks to more than"):
        XLSX.read(tmp_path / "bomb.xlsx")


def test_the_package_that_is_missing_is_named(tmp_path, monkeypatch):
    path = workbook(tmp_path / "t.xlsx", ("S", ROWS))
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match="openpyxl") as caught:
        read(path)
    assert caught.value.hint == 'pip install ".[xlsx]" in the folder of Assay'


def test_recognised():
    assert XLSX.recognises(Path("T.XLSX"), "PK") == CERTAIN
    assert XLSX.recognises(Path("t.csv"), "PK") == NO


def test_damaged_workbooks_are_read_or_refused(tmp_path):
    def attempt(raw):
        (tmp_path / "damaged.xlsx").write_bytes(raw)
        return XLSX.read(tmp_path / "damaged.xlsx")

    read_or_refused(attempt, workbook(tmp_path / "t.xlsx", ("Texts", ROWS)).read_bytes(), examples=60)
