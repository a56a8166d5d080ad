from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.formats import data_format
from assay.errors import InputError
from assay.types import Campaign, NoteKind, TestSet
from tests.data.flat import write_and_read

CSV = data_format.create("csv")
LONG = (
    "dataset,lp,system,segment,source,reference,output,raw,z\n"
    'wmt20,de-en,"Online, B",1,"Er sagte ""ja"".","He said ""yes"".",He says yes.,71,0.33\n'
    'wmt20,de-en,"Online, B",2,"Gut, so.",Good.,,,\n'
    'wmt20,cs-en,UEDIN,1,Dobrý den.,Hello.,"Good\r day",,-1.5\n'
)


def read(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CSV.read(path)


def test_a_long_table(tmp_path):
    german, czech = read(tmp_path, LONG)
    assert german.testset.outputs == {"Online, B": ("He says yes.", "")}
    assert german.testset.references == {"ref": ('He said "yes".', "Good.")}
    assert german.testset.sources == ('Er sagte "ja".', "Gut, so.")
    assert [(table.name, table.protocol, table.gaps) for table in german.scores] == [
        ("DA", "DA", 1),
        ("DA-z", "DA-z", 1),
    ]
    assert czech.testset.outputs == {"UEDIN": ("Good\r day",)}
    assert [table.name for table in czech.scores] == ["DA-z"]
    assert german.notes == ()


def test_a_column_of_row_numbers_is_noted(tmp_path):
    (campaign,) = read(tmp_path, ",src,mt\n0,a,b\n1,c,d\n", "base.csv")
    assert campaign.testset.outputs == {"base": ("b", "d")}
    assert campaign.notes[0].text.endswith("unused columns: (unnamed)")


def test_a_very_large_field(tmp_path):
    text = 'a "quoted" word, ' * 60_000
    quoted = text.replace('"', '""')
    (campaign,) = read(tmp_path, f'mt,src\n"{quoted}",b\n')
    assert campaign.testset.outputs == {"t": (text,)}


FLAWS = {
    "empty": (b"", "t.csv: no header"),
    "empty header": (b"\nA,1,x\n", "t.csv, line 1: an empty line\nname the columns"),
    "header only": (b"sys,seg,mt\n", "t.csv: no rows"),
    "bars": (b"sys|seg|mt\nA|1|x\n", "t.csv, line 1: no recognised column: sys|seg|mt"),
    "too few": (b"sys,seg,mt\nA,1\n", "t.csv, line 2: 2 fields, but the header has 3"),
    "too many": (b"sys,seg,mt\nA,1,x,y\n", "t.csv, line 2: 4 fields, but the header has 3\nput a text with a comma"),
    "an empty line": (b"sys,seg,mt\n\nA,1,x\n", "t.csv, line 2: 0 fields, but the header has 3\ndelete the empty line"),
    "a stray quotation mark": (
        b"sys,seg,mt\n" + b"".join(b"A,%d,%sx\n" % (i, b'"' if i == 2 else b"") for i in range(1, 30)) + b'A,30,x"\n',
        "t.csv, line 3: field 'mt' starts with a quotation mark that is not closed\nclose it",
    ),
    "cut off": (b'sys,seg,mt\nA,1,"x', "t.csv, line 2: field 'mt' starts with a quotation mark that is not closed"),
    "a field too many, not closed": (b'sys,mt\nA,x,"x', "t.csv, line 2: field number 3 starts with a quotation mark"),
    "text after a quote": (b'sys,seg,mt\nA,1,"x"y\n', "t.csv, line 2: invalid CSV: "),
    "a carriage return": (b"sys,seg,mt\nA,1,x\ry\n", "t.csv, line 2: invalid CSV: "),
    "a name twice": (b"sys,mt,mt\nA,1,x\n", "t.csv, line 1: duplicate column 'mt'"),
    "no number": (
        b'sys,seg,z\nA,1,"0,5"\n',
        "t.csv, line 2: the score 'DA-z' is not a number: '0,5'\nuse a decimal point",
    ),
    "a second row": (b"sys,seg,mt\nA,1,x\nA,1,y\n", "t.csv, line 3: duplicate output of system 'A'"),
    "not UTF-8": (b"sys,seg,mt\nA,1,\xff\n", "t.csv, line 2: byte 5 of the line (0xFF) is not UTF-8"),
}


@pytest.mark.parametrize(("text", "why"), [("a\nb", "contains a line end"), ("a\0", "contains a NUL")])
def test_texts_that_cannot_be_written(tmp_path, text, why):
    campaign = Campaign("d", "", 1, ("A",), (), TestSet(outputs={"A": (text,)}))
    with pytest.raises(InputError) as caught:
        CSV.write([campaign], tmp_path / "t.csv")
    assert str(caught.value).startswith(
        f"dataset 'd', system 'A', segment '1': the output {why}, which CSV cannot hold"
    )
    assert not (tmp_path / "t.csv").exists()


def test_odd_texts_are_kept(tmp_path):
    texts = ("", " ", '"', "a\rb\r", "a\u2028b\x85\x0b", ",", "x" * 300_000, "=1+1", "None", "\t")
    campaign = Campaign("", "", len(texts), ("A",), (), TestSet(outputs={"A": texts}))
    (back,) = write_and_read("csv", [campaign], tmp_path / "t.csv")
    assert back.testset.outputs == {"A": texts}


@pytest.mark.parametrize(
    ("name", "head", "certainty"),
    [
        ("t.csv", "output:A,output:B\n", CERTAIN),
        ("t.csv", '\ufeff"src","mt"\r\n', LIKELY),
        ("t.csv", "segment,x\n", POSSIBLE),
        ("t.csv", "engdeu0101,Online-B,17,TGT,eng,deu,88,news.1,False,1.0,2.0\n", NO),
        ("t.csv", "", NO),
        ("t.csv", "\n", NO),
        ("t.tsv", LONG, NO),
    ],
)
def test_recognised(name, head, certainty):
    assert CSV.recognises(Path(name), head) == certainty


def test_cells_of_several_lines(tmp_path):
    (campaign,) = read(tmp_path, 'source,output\n"one\r\n two",eins\n"a ""b""\n\nc\n",x\n', "A.csv")
    assert campaign.testset.sources == ("one two", 'a "b" c')
    (note,) = (note for note in campaign.notes if note.kind is NoteKind.JOINED)
    assert (note.count, "2 cells with 4 line breaks, first in line 2" in note.text) == (2, True)
    with pytest.raises(InputError, match="2 cells with 4 line breaks") as caught:
        assay.read(tmp_path / "A.csv", strict=True)
    assert caught.value.hint == "correct the file, or read it without strict"


@pytest.mark.parametrize("first", ["", "sep=;\n"])
def test_semicolons(tmp_path, first):
    (campaign,) = assay.read(written(tmp_path, f'{first}source;output\n"a;b";"x, ""y"""\n'))
    assert (campaign.testset.sources, campaign.testset.outputs) == (("a;b",), {"t": ('x, "y"',)})
    assert any(note.text == "the columns are separated by semicolons" for note in campaign.notes)


def test_a_decimal_comma_is_refused_with_advice(tmp_path):
    with pytest.raises(InputError, match="the score 'comet' is not a number: '0,5'") as caught:
        assay.read(written(tmp_path, "system;segment;comet\nA;1;0,5\n"))
    assert "use a decimal point" in str(caught.value.hint)


def test_what_spreadsheets_add_at_the_end(tmp_path):
    (campaign,) = read(tmp_path, "source,output,,\na,b,,\nc,d,,,,\n,,,\n,,,\n", "A.csv")
    assert campaign.testset.outputs == {"A": ("b", "d")}
    texts = [note.text for note in campaign.notes]
    assert texts == ["unused columns: (unnamed), column 4", "2 empty rows at the end, from line 4"]
    with pytest.raises(InputError, match="line 3: 3 fields"):
        read(tmp_path, "source,output\na,b\nc,d,e\n")


@pytest.mark.warns("texts are 'nan'|is '#NAME")
def test_texts_of_programs_are_warned_of(tmp_path):
    (campaign,) = assay.read(written(tmp_path, "source,output\na,nan\nb,nan\nc,#NAME?\n"))
    assert [str(note.severity) for note in campaign.notes] == ["warning", "warning"]
    assert "2 texts are 'nan', first in line 2: was there no text?" in campaign.notes[0].text


def test_scores_in_a_column_for_each_system(tmp_path):
    (campaign,) = assay.read(written(tmp_path, "A,B\n0.5,0.25\n0.75,\n", "comet.csv"))
    (table,) = campaign.scores
    assert (table.name, table.level, table.systems, table.gaps) == ("comet", "segment", ("A", "B"), 1)
    (campaign,) = assay.read(written(tmp_path, ",COMET,TER\nA,0.5,40\nB,0.25,50\n"))
    assert [(table.name, table.level, table.systems) for table in campaign.scores] == [
        ("COMET", "system", ("A", "B")),
        ("TER", "system", ("A", "B")),
    ]


def written(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path
