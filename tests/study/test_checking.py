from __future__ import annotations

import numpy as np
import pytest

from assay import check
from assay.sample import write
from assay.study.checking import check_campaign, check_testset
from assay.types import Campaign, ScoreTable, TestSet


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sample"))[0]


@pytest.fixture
def lines(pair):
    return (pair / "systems/elm.de").read_text(encoding="utf-8").splitlines()


def texts(findings, severity=None):
    return [f"{f.what}@{f.line}" for f in findings.findings if severity in (None, f.severity)]


def look(tmp_path, pair, lines, **options):
    (tmp_path / "new.de").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return check([pair / "systems/alder.de", tmp_path / "new.de"], references=[pair / "refA.de"], **options)


def test_sound_files(tmp_path, pair, lines):
    found = look(tmp_path, pair, lines, sources=next(pair.glob("source*.en"), None))
    assert not found.has_errors
    assert texts(found, "warning") == []
    assert len(found.looked_at) >= 3


def test_a_deleted_line(tmp_path, pair, lines):
    found = look(tmp_path, pair, lines[:40] + lines[41:])
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert "has 129 lines" in error.what
    assert "lines are missing, most likely here" in error.what
    assert abs(error.line - 41) <= 5


def test_a_stretch_that_is_shifted_though_the_lengths_agree(tmp_path, pair, lines):
    found = look(tmp_path, pair, lines[:40] + lines[41:100] + ["ein Satz zu viel"] + lines[100:])
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert "misaligned" in error.what
    assert abs(error.line - 41) <= 5


def test_every_kind_of_flaw_is_told(tmp_path, pair, lines):
    lines[3] = ""
    lines[5] = "Gru\u0308n ist die Hoffnung"
    lines[7] += "\ufffd"
    lines[9] += "\u2028"
    found = look(tmp_path, pair, lines)
    assert not found.has_errors
    warnings, notes = texts(found, "warning"), texts(found, "note")
    assert "1 of 130 lines is empty@4" in warnings
    assert any("normal form C" in w and w.endswith("@6") for w in warnings)
    assert "1 of 130 lines contains a replacement character, where something was lost before@8" in warnings
    assert "1 of 130 lines contains a line separator (U+2028)@10" in notes


def test_copies_of_the_source_and_of_another_system(tmp_path):
    source = [f"sentence number {i} is here" for i in range(50)]
    (tmp_path / "src").write_text("\n".join(source) + "\n", encoding="utf-8")
    (tmp_path / "a").write_text("\n".join([*source[:3], *("x" * i for i in range(1, 48))]) + "\n", encoding="utf-8")
    (tmp_path / "b").write_bytes((tmp_path / "a").read_bytes())
    found = check([tmp_path / "a", tmp_path / "b"], sources=tmp_path / "src")
    assert texts(found, "warning") == [
        "3 of 50 outputs are copies of the source, the first here@1",
        "3 of 50 outputs are copies of the source, the first here@1",
        f"is the same as {tmp_path / 'a'}, line by line@None",
    ]


def test_files_that_cannot_be_read_do_not_hide_the_others(tmp_path, pair, lines):
    (tmp_path / "bad").write_bytes(b"a\n\xff\n")
    (tmp_path / "empty").write_bytes(b"")
    found = check([tmp_path / "bad", tmp_path / "absent", tmp_path / "empty", pair / "refA.de", pair / "refB.de"])
    errors = [(f.where.rpartition("/")[2], f.line) for f in found.findings if f.severity == "error"]
    assert sorted(errors, key=str) == [("absent", None), ("bad", 2), ("empty", None)]


def test_marks_and_returns_are_notes(tmp_path, pair, lines):
    (tmp_path / "m.de").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")
    found = check([tmp_path / "m.de", pair / "refA.de"])
    assert "a byte order mark was dropped@None" in texts(found, "note")
    assert any(text.startswith("carriage returns were dropped") for text in texts(found, "note"))


def test_a_campaign():
    testset = TestSet(outputs={"x": ("a b", None), "y": ("a", "")}, references={"refA": ("a", "b")}, name="wmt")
    table = ScoreTable("mqm", "segment", ("x",), np.array([[1.0, np.nan]]), protocol="MQM")
    campaign = Campaign("wmt", "en-de", 2, ("x", "y"), ("refA",), testset, (table,), notes=("three gaps",))
    found = [(f.severity, f.where, f.what) for f in check_campaign(campaign)]
    assert ("note", "wmt en-de", "three gaps") in found
    assert ("note", "wmt en-de", "mqm by segment: no human score for y") in found
    gaps = "mqm by segment: 1 of the 2 cells of judged systems have no human score"
    assert ("note", "wmt en-de", gaps) in found
    assert ("warning", "wmt: y", "1 of 2 lines is empty") in found
    assert ("note", "wmt: x", "1 of 2 segments are absent") in found
    assert [f.severity for f in check_campaign(Campaign("", "", 0, (), (), None))] == ["error"]


def test_a_folder(tmp_path):
    for name, text in {
        "system-outputs/en-de/x.txt": "a\nb\n",
        "human-scores/en-de.mqm.seg.score": "y 1\ny 2\n",
    }.items():
        (tmp_path / "wmt" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt" / name).write_text(text, encoding="utf-8")
    (finding,) = check([tmp_path / "wmt"]).findings
    assert (finding.severity, finding.what) == ("error", "scores of an unknown system 'y'")
    assert finding.where.endswith("en-de.mqm.seg.score")


def test_it_works_on_a_testset_too():
    testset = TestSet(outputs={"x": ("a\ufeff",)}, notes=("note",))
    assert [f.what for f in check_testset(testset)] == ["note", "1 of 1 lines contains a byte order mark"]


def test_an_order_or_language_that_is_another(tmp_path, pair, lines):
    for other in (lines[::-1], lines[65:] + lines[:65], ["völlig anderer Text ohne Bezug zum Original"] * len(lines)):
        found = look(tmp_path, pair, other)
        warnings = [f for f in found.findings if f.severity == "warning" and f.where.endswith("new.de")]
        assert any("no more like their own line" in f.what for f in warnings)


def test_a_shifted_reference_is_told_once(tmp_path, pair):
    reference = (pair / "refA.de").read_text(encoding="utf-8").splitlines()
    (tmp_path / "ref.de").write_text("\n".join([*reference[1:], "Ende"]) + "\n", encoding="utf-8")
    found = check(sorted((pair / "systems").iterdir()), references=[tmp_path / "ref.de"])
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert error.where.endswith("ref.de")
    assert error.what.startswith("misaligned: so say 7 of 7 outputs")


def test_a_copied_reference_and_a_missing_one(tmp_path, pair):
    (tmp_path / "copy.de").write_bytes((pair / "refA.de").read_bytes())
    found = check([tmp_path / "copy.de"], references=[pair / "refA.de"])
    assert f"is the reference {pair / 'refA.de'}, line by line@None" in texts(found, "error")
    alone = check([pair / "systems/elm.de"])
    assert "no reference was given (--ref), so alignment was not checked@None" in texts(alone, "note")


def test_tables_that_nobody_can_read_are_no_plain_text(tmp_path):
    (tmp_path / "excel.csv").write_text("Quelle;Ziel\na;b\n", encoding="utf-8")
    assert check([tmp_path / "excel.csv"]).has_errors


def test_a_few_copies_of_the_source_are_told_once(tmp_path):
    source = [f"sentence number {i} is here" for i in range(200)]
    texts_of = {"src": source, "a": [source[0], *("x" * 199)], "b": ["y", source[1], source[2], *("x" * 197)]}
    for name, given in texts_of.items():
        (tmp_path / name).write_text("\n".join(given) + "\n", encoding="utf-8")
    found = check([tmp_path / "a", tmp_path / "b"], sources=tmp_path / "src", references=[tmp_path / "src"])
    (note,) = [f for f in found.findings if "copies of the source" in f.what]
    assert note.what.endswith(f"among 200 outputs, the first here: {tmp_path / 'a'} 1, {tmp_path / 'b'} 2")
    assert (note.severity, note.line) == ("note", 1)


def test_tables_that_lack_the_same_are_told_together():
    cells = np.array([[1.0, np.nan]])
    tables = [
        ScoreTable(name, level, ("x",), cells if level == "segment" else [[1.0]], protocol="DA")
        for name in ("wmt-raw", "wmt-z")
        for level in ("segment", "system")
    ]
    campaign = Campaign("wmt", "en-de", 2, ("x", "y"), (), None, tuple(tables))
    assert [f.what for f in check_campaign(campaign)] == [
        "wmt-raw, wmt-z by segment and system: no human score for y",
        "wmt-raw, wmt-z by segment: 1 of the 2 cells of judged systems have no human score",
    ]


def test_a_mark_that_is_told_is_not_told_again(tmp_path):
    (tmp_path / "wmt/system-outputs/en-de").mkdir(parents=True)
    (tmp_path / "wmt/system-outputs/en-de/x.txt").write_text("\ufeffa\nb\ufeff\n", encoding="utf-8")
    (tmp_path / "wmt/system-outputs/en-de/y.txt").write_text("\ufeffa\nb\n", encoding="utf-8")
    kept = "byte order marks, which were kept, because published scores were computed with them: x.txt, y.txt"
    assert texts(check([tmp_path / "wmt"])) == [
        f"{kept}@None",
        "2 of 2 lines contain a byte order mark, the first here@1",
    ]


def test_names_that_look_alike(tmp_path):
    for name in ("Online-A.de", "online-A.de", "b.de"):
        (tmp_path / name).write_text(f"Satz von {name}\n", encoding="utf-8")
    found = check([tmp_path / name for name in ("Online-A.de", "b.de", "online-A.de")])
    alike = "'Online-A' ({0}/Online-A.de) and 'online-A' ({0}/online-A.de) differ only in case or Unicode form"
    assert any(text.startswith(alike.format(tmp_path)) for text in texts(found, "note"))
    table = tmp_path / "t.tsv"
    table.write_text("system\tsegment\toutput\nA\t1\tx\na\t1\ty\nB\t1\tz\n", encoding="utf-8")
    (finding,) = check([table]).findings
    assert finding.where == str(table)
    assert finding.what == f"'A' ({table}) and 'a' ({table}) differ only in case or Unicode form: probably one"


def test_a_column_of_a_spreadsheet(tmp_path, pair, lines):
    lines[2] = '"Er sagte: ""Ja"", und ging."'
    (note,) = [text for text in texts(look(tmp_path, pair, lines), "note") if "spreadsheet" in text]
    assert note.startswith(
        "all lines with quotation marks have them as a spreadsheet puts them around cells, the first"
    )
    lines[3] = 'Er sagte: "Ja".'
    assert not any("spreadsheet" in text for text in texts(look(tmp_path, pair, lines)))
