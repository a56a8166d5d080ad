from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.formats import data_format
from assay.errors import InputError
from assay.types import Campaign, TestSet
from tests.data.flat import write_and_read

TSV = data_format.create("tsv")
LONG = (
    "testset\tlp\tsystem\tseg_id\tdoc\tsrc\treference:refA\tmt\tscore:COMET\thuman:MQM\tyear\n"
    "wmt22\ten-de\tOnline-B\t1\tnews.1\tHello.\tHallo.\tHi.\t0.81\t-1\t2022\n"
    "wmt22\ten-de\tOnline-B\t2\tnews.1\tBye.\tTschüss.\t\t0.2\tNone\t2022\n"
    "wmt22\ten-de\tM2M\t1\tnews.1\tHello.\tHallo.\tHallo.\t0.9\t0\t2022\n"
    'wmt22\ten-cs\tM2M\t1\t\tHello.\tAhoj.\tAhoj "vy".\t\t\t2022\n'
)


def read(tmp_path, text, name="t.tsv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return TSV.read(path)


def test_a_long_table(tmp_path):
    german, czech = read(tmp_path, LONG)
    assert (german.name, german.lp, german.segments, german.systems) == ("wmt22", "en-de", 2, ("Online-B", "M2M"))
    assert german.testset.outputs == {"Online-B": ("Hi.", ""), "M2M": ("Hallo.", None)}
    assert german.testset.references == {"refA": ("Hallo.", "Tschüss.")}
    assert german.testset.sources == ("Hello.", "Bye.")
    assert german.testset.documents == ("news.1", "news.1")
    comet, mqm = german.scores
    assert (comet.name, comet.is_human, comet.gaps) == ("COMET", False, 1)
    assert (mqm.name, mqm.protocol, mqm.gaps) == ("MQM", "MQM", 2)
    assert len(mqm.digest) == 32
    assert czech.testset.outputs == {"M2M": ('Ahoj "vy".',)}
    assert czech.testset.documents is None
    assert czech.scores == ()
    assert [note.text for note in czech.notes] == ["unused columns: year"]


def test_a_wide_table(tmp_path):
    (campaign,) = read(tmp_path, "source\tref\toutput:A\toutput:B\na\tb\tc\td\ne\tf\t\tg\n")
    assert campaign.testset.outputs == {"A": ("c", ""), "B": ("d", "g")}
    assert campaign.testset.references == {"ref": ("b", "f")}


def test_one_system_without_name(tmp_path):
    (campaign,) = read(tmp_path, "lp\tsrc\tmt\tref\tscore\traw\nde-en\ta\tb\tc\t0.5\t70\n", "base.tsv")
    assert campaign.systems == ("base",)
    assert [(table.name, table.protocol) for table in campaign.scores] == [("base", None), ("DA", "DA")]


def test_a_table_of_systems(tmp_path):
    (campaign,) = read(tmp_path, "lp\tsystem\thuman:DA-z\tscore:BLEU\nen-de\tA\t0.1\t27.3\nen-de\tB\t-0.1\t\n")
    assert (campaign.segments, campaign.testset) == (0, None)
    assert [(table.level, table.systems) for table in campaign.scores] == [("system", ("A", "B")), ("system", ("A",))]


def test_line_ends_marks_and_compression(tmp_path):
    raw = b"\xef\xbb\xbfsystem\tsegment\toutput\r\nA\t1\tx\r\n"
    (campaign,) = read(tmp_path, gzip.compress(raw), "t.tsv.gz")
    assert campaign.testset.outputs == {"A": ("x",)}
    assert campaign.notes[0].text.endswith("removed a byte order mark")
    assert campaign.notes[1].text.endswith("removed carriage returns at the end of 2 of 2 lines")


FLAWS = {
    "empty": (b"", "t.tsv: no header"),
    "header only": (b"system\tsegment\toutput\n", "t.tsv: no rows"),
    "nothing known": (b"a\tb\nx\ty\n", "t.tsv, line 1: no recognised column: a, b"),
    "too few": (b"sys\tseg\tmt\nA\t1\n", "t.tsv, line 2: 2 fields, but the header has 3"),
    "a tab in a text": (b"sys\tseg\tmt\nA\t1\tx\ty\n", "t.tsv, line 2: 4 fields, but the header has 3"),
    "an empty line": (b"sys\tseg\tmt\nA\t1\tx\n\n", "t.tsv, line 3: an empty line, but the header has 3"),
    "a name twice": (b"sys\tseg\tseg\nA\t1\tx\n", "t.tsv, line 1: duplicate column 'seg'"),
    "no number": (b"sys\tseg\tscore:m\nA\t1\t0,5\n", "t.tsv, line 2: the score 'm' is not a number: '0,5'"),
    "too large": (b"sys\tseg\tscore:m\nA\t1\t1e400\n", "t.tsv, line 2: the score 'm' 1e400 is too large"),
    "a second row": (b"sys\tseg\tmt\nA\t1\tx\nA\t1\tx\n", "t.tsv, line 3: duplicate output of system 'A'"),
    "another source": (b"sys\tseg\tsrc\tmt\nA\t1\ta\tx\nB\t1\tb\tx\n", "t.tsv, line 3: a different source"),
    "no system": (b"sys\tseg\tmt\n\t1\tx\n", "t.tsv, line 2: an output or score without a system"),
    "no segment": (b"sys\tseg\tmt\nA\t\tx\n", "t.tsv, line 2: a text without a segment"),
    "not UTF-8": (b"sys\tseg\tmt\nA\t1\t\xff\n", "t.tsv, line 2: byte 5 of the line (0xFF) is not UTF-8"),
    "language pair": (b"lp\tsys\tseg\tmt\nx\tA\t1\tx\n", "t.tsv, line 2: 'x' is not a language pair"),
}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a\tb", "contains a tab"),
        ("a\nb", "contains a line end"),
        ("a\r", "contains a carriage return at its end"),
        ("a\0", "contains a NUL"),
    ],
)
def test_texts_that_cannot_be_written(tmp_path, text, why):
    campaign = Campaign("d", "", 1, ("A",), (), TestSet(outputs={"A": (text,)}))
    path = tmp_path / "t.tsv"
    path.write_text("before")
    with pytest.raises(InputError) as caught:
        TSV.write([campaign], path)
    assert str(caught.value).startswith(
        f"dataset 'd', system 'A', segment '1': the output {why}, which TSV cannot hold"
    )
    assert caught.value.hint == "write JSON lines instead: FILE.jsonl"
    assert path.read_text() == "before"


def test_odd_texts_are_kept(tmp_path):
    texts = ("", " ", '"a"', "a\rb", "a\u2028b\x85", "\ufeffx", "x" * 300_000, "=1+1", "None")
    campaign = Campaign("", "", len(texts), ("A",), (), TestSet(outputs={"A": texts}))
    (back,) = write_and_read("tsv", [campaign], tmp_path / "t.tsv")
    assert back.testset.outputs == {"A": texts}


@pytest.mark.parametrize(
    ("name", "head", "certainty"),
    [
        ("t.tsv", LONG, CERTAIN),
        ("t.TSV.gz", "\ufeffsrc\tmt\r\n", LIKELY),
        ("t.tsv", "segment\tbetter\tworse\n", POSSIBLE),
        ("t.tsv", "BLEU\ten-de\tnewstest\trefA\tOnline-B\t1\t0.5\n", NO),
        ("t.tsv", "", NO),
        ("t.csv", LONG, NO),
    ],
)
def test_recognised(name, head, certainty):
    assert TSV.recognises(Path(name), head) == certainty


def test_a_table_of_a_spreadsheet(tmp_path):
    quoted = LONG.replace("Hi.", '"Say ""hi"", please"').replace('Ahoj "vy".', '"Ahoj ""vy""."')
    german, czech = read(tmp_path, quoted)
    assert german.testset.outputs["Online-B"][0] == 'Say "hi", please'
    assert czech.testset.outputs == {"M2M": ('Ahoj "vy".',)}
    assert any("first in line 2" in note.text for note in german.notes)
    kept, _ = data_format.create("tsv:quotes=no").read(tmp_path / "t.tsv")
    assert kept.testset.outputs["Online-B"][0] == '"Say ""hi"", please"'
    german, _ = read(tmp_path, LONG.replace("Hi.", '"Say ""hi"", please"'))
    assert german.testset.outputs["Online-B"][0] == '"Say ""hi"", please"'
    assert any("but line 5 has others" in note.text for note in german.notes)


def test_names_of_columns_in_quotation_marks(tmp_path):
    (campaign,) = read(tmp_path, '"system"\t"segment"\t"output"\n"A"\t1\t"So"\n')
    assert campaign.testset.outputs == {"A": ("So",)}
    head = '"system"\t"segment"\t"output"\n'
    assert TSV.recognises(Path("t.tsv"), head) == TSV.recognises(Path("t.tsv"), head.replace('"', "")) == LIKELY


def test_texts_that_would_be_read_otherwise_are_not_written(tmp_path):
    text = '"He said ""so""."'
    campaign = Campaign("", "", 1, ("a",), (), TestSet(outputs={"a": (text,)}))
    with pytest.raises(InputError, match="would be removed when reading"):
        TSV.write([campaign], tmp_path / "t.tsv")
    more = Campaign("", "", 2, ("a",), (), TestSet(outputs={"a": (text, 'He said "so".')}))
    TSV.write([more], tmp_path / "t.tsv")
    assert TSV.read(tmp_path / "t.tsv")[0].testset.outputs == more.testset.outputs
