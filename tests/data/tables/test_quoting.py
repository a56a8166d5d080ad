from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.tables.quoting import cell_reader, enclosed_line, header_cells, is_enclosed, open_cell, text_notes
from assay.errors import InputError
from assay.types import NoteKind

HEADER = "system\toutput"
SPREADSHEET = [HEADER, 'a\t"She said ""hi"" twice"', 'b\t"Well, no"', "c\tplain"]


def read(lines, **options):
    """The cells of all lines, and what was noted."""
    notes = []
    cells = cell_reader(lines, path="t.tsv", notes=notes, **options)
    return [cells(number, line) for number, line in enumerate(lines, 1)], notes


def test_cells_of_a_spreadsheet():
    rows, (note,) = read(SPREADSHEET, override="tsv:quotes")
    assert rows == [["system", "output"], ["a", 'She said "hi" twice'], ["b", "Well, no"], ["c", "plain"]]
    assert (note.kind, note.where) == (NoteKind.CHANGED, "t.tsv")
    assert note.text == (
        'removed spreadsheet quotation marks around cells, first in line 2 (to keep them: input_format="tsv:quotes=no")'
    )
    assert is_enclosed(SPREADSHEET)


@pytest.mark.parametrize(
    "contrary", ['He said "so".', '"So" it is', '"So"', '"So it" "is"', '"', 'a "b, c"', '"half ""open""', '""']
)
def test_a_mark_that_no_spreadsheet_writes_keeps_all(contrary):
    rows, (note,) = read([*SPREADSHEET, f"d\t{contrary}"], override="tsv:quotes")
    assert rows[1] == ["a", '"She said ""hi"" twice"']
    assert rows[4] == ["d", contrary]
    assert note.kind is NoteKind.KEPT
    assert 'line 2 has some, but line 5 has others (to remove them: input_format="tsv:quotes=yes")' in note.text


@pytest.mark.parametrize("text", ['"Yes, of course."', '"So"', 'He said "so".', '"', '""', "it''s", ""])
def test_marks_that_may_be_part_of_a_text_are(text):
    assert read([HEADER, f"a\t{text}"]) == ([["system", "output"], ["a", text]], [])
    assert not is_enclosed([HEADER, f"a\t{text}"])


def test_a_tab_inside():
    rows, (note,) = read([HEADER, 'a\t"one\ttwo"', 'b\t"x, y"'])
    assert rows[1:] == [["a", "one\ttwo"], ["b", "x, y"]]
    assert "line 2" in note.text
    rows, notes = read([HEADER, 'a\t"one', 'two"\tb'])  # every line has two cells as it stands
    assert (rows[1:], notes) == ([["a", '"one'], ['two"', "b"]], [])


def test_names_of_columns_that_are_enclosed():
    lines = ['"system"\t"output"', '"a"\t"So"', '1\t""']
    rows, (note,) = read(lines)
    assert rows == [["system", "output"], ["a", "So"], ["1", ""]]
    assert "line 1" in note.text
    assert header_cells(lines[0]) == ["system", "output"]
    assert header_cells('a "b"\tc') == ['a "b"', "c"]
    assert read(lines, has_header=False)[0] == [line.split("\t") for line in lines]
    with pytest.raises(
        InputError, match="line 2: a cell starts with a quotation mark that is closed before the end of the cell"
    ):
        read([lines[0], '"a"\t"He said \\"so\\""'])
    with pytest.raises(InputError, match="line 2: a cell starts with a quotation mark that is not closed in this line"):
        read([lines[0], '"a"\t"He said'])


def test_tables_of_names_need_no_doubled_mark():
    lines = ["judge\tsystem", '1\t"a,b"']
    assert read(lines)[0][1] == ["1", '"a,b"']
    assert read(lines, are_names=True)[0][1] == ["1", "a,b"]
    assert read([*lines, '2\tc"d'], are_names=True)[0][1] == ["1", '"a,b"']


def test_it_can_be_said():
    assert read(SPREADSHEET, quotes="no") == ([line.split("\t") for line in SPREADSHEET], [])
    assert read([HEADER, 'a\t"So"', 'b\t5" wide'], quotes="yes") == (
        [["system", "output"], ["a", "So"], ["b", '5" wide']],
        [],
    )


def test_a_cell_that_goes_over_the_end_of_its_line():
    assert open_cell('a\t"one') == 1
    assert open_cell('a\t"one"\tb"') is None
    assert open_cell("a\tb") is None


def test_texts():
    lines = ["plain", '"She said ""hi"" twice"', '"Well, no"']
    assert enclosed_line(lines) == 2
    (note,) = text_notes(lines, path="out.txt")
    assert (note.kind, note.where) == (NoteKind.KEPT, "out.txt")
    assert "first in line 2 (to remove them: python3 -c 'import csv" in note.text
    assert enclosed_line([*lines, 'He said "so".']) is None
    assert enclosed_line(['"Yes, of course."', "plain"]) is None
    assert list(text_notes([], path="out.txt")) == []


CELLS = st.text(st.sampled_from('ab", \t'), max_size=8)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_what_python_writes_for_spreadsheets_is_read_back(rows):
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", lineterminator="\n").writerows([("system", "output"), *rows])
    lines = stream.getvalue().removesuffix("\n").split("\n")
    cells = cell_reader(lines, path="t", notes=[], quotes="yes")
    assert [tuple(cells(number, line)) for number, line in enumerate(lines[1:], 2)] == rows
    needs_marks = [cell for row in rows for cell in row if '"' in cell or "\t" in cell]
    assert is_enclosed(lines) == bool(needs_marks)


@given(st.lists(st.lists(st.text(st.sampled_from('ab",'), max_size=6), min_size=2, max_size=2), min_size=1, max_size=6))
def test_a_table_is_read_as_it_is_or_the_file_says_why(rows):
    lines = ["\t".join(row) for row in [["system", "output"], *rows]]
    found, notes = read(lines)
    assert notes or found[1:] == rows
