from __future__ import annotations

from pathlib import Path

import pytest

from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.formats import data_format
from assay.errors import InputError
from assay.types import Campaign, TestSet
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
    "empty header": (b"\nA,1,x\n", "t.csv, line 1: no recognised column"),
    "header only": (b"sys,seg,mt\n", "t.csv: no rows"),
    "semicolons": (b"sys;seg;mt\nA;1;x\n", "t.csv, line 1: no recognised column: sys;seg;mt\ncheck the separator"),
    "too few": (b"sys,seg,mt\nA,1\n", "t.csv, line 2: 2 fields, but the header has 3"),
    "too many": (b"sys,seg,mt\nA,1,x,y\n", "t.csv, line 2: 4 fields, but the header has 3\nput a text with a comma"),
    "an empty line": (b"sys,seg,mt\n\nA,1,x\n", "t.csv, line 2: 0 fields, but the header has 3\ndelete the empty line"),
    "a line end in a text": (
        b'sys,seg,mt,src\nA,1,x,y\nA,2,"x\ny",z\n',
        "t.csv, line 3: field 'mt' starts with a quotation mark that is not closed in this line\na segment cannot span",
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
