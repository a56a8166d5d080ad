from __future__ import annotations

import gzip
import re
from types import SimpleNamespace

import numpy as np
import pytest

from assay import _core, load
from assay.errors import (
    AlignmentError,
    AssayWarning,
    ConfigError,
    DecodeError,
    EmptyInputError,
    InputError,
    NameClashError,
)

OUTPUTS = {"x": ["a", "b", "c"]}


def test_columns_are_paths_or_lists(tmp_path):
    (tmp_path / "base.de").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "ref.de").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    testset = load(outputs={"base": tmp_path / "base.de", "new": ["a", None]}, references=str(tmp_path / "ref.de"))
    assert dict(testset.outputs) == {"base": ("a", "b"), "new": ("a", None)}
    assert dict(testset.references) == {"ref": ("a", "b")}
    assert len(testset.notes) == 2


def test_bare_columns_get_names(tmp_path):
    testset = load(outputs=["a"], references=["b"])
    assert (list(testset.outputs), list(testset.references)) == (["output"], ["ref"])
    (tmp_path / "best.txt").write_text("a\n", encoding="utf-8")
    assert load(outputs=tmp_path / "best.txt").systems == ("best",)


@pytest.mark.parametrize(
    ("references", "message", "hint"),
    [
        (
            [["a"], ["b"], ["c"]],
            "references is 3 lists of 1, one per segment: transposed",
            'references={"refA": [r[0] for r in refs]}',
        ),
        (
            [["a", "b"], ["b", "c"], ["c"]],
            "references is 3 lists of 1 to 2, one per segment: transposed",
            'references={"refA": [r[0] for r in refs], "refB": [r[1] if len(r) > 1 else None for r in refs]}',
        ),
        (
            [["a", "b", "c"]],
            "references is 1 list of 3, one per reference, as in sacreBLEU",
            'references={"refA": refs[0]}',
        ),
        (
            [["a", "b", "c"], ["a", "b", "c"]],
            "references is 2 lists of 3, one per reference, as in sacreBLEU",
            'references={"refA": refs[0], "refB": refs[1]}',
        ),
        ([["a", "b", "c"]] * 3, "references is 3 lists of 3; a column is one flat list", "if a list is a segment"),
        ([["a"], ["b"]], "references is 2 lists of 1; a column is one flat list", "if a list is a reference"),
        ({"A": [["a"], ["b"], ["c"]]}, "references['A'] is 3 lists of 1, one per segment", "[r[0] for r in refs]"),
    ],
)
def test_nested_references_are_explained(references, message, hint):
    with pytest.raises(AlignmentError) as caught:
        load(outputs=OUTPUTS, references=references)
    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint


def test_as_many_references_as_segments_are_transposed():
    with pytest.raises(AlignmentError, match="3 segments and 3 references of 1 texts: the references are transposed"):
        load(outputs=OUTPUTS, references={"0": ["a"], "1": ["b"], "2": ["c"]})


def test_arrays_and_other_columns_are_explained_too():
    with pytest.raises(AlignmentError, match="references is 3 lists of 1, one per segment: transposed"):
        load(outputs=OUTPUTS, references=np.array([["a"], ["b"], ["c"]]))
    with pytest.raises(AlignmentError) as caught:
        load(outputs=[["a"], ["b"]])
    assert str(caught.value) == "outputs is 2 lists of 1; a column is one flat list with one text per segment"


@pytest.mark.parametrize("references", [["a"], ["a", "b"], ["a", "b", "c", "d"], {"A": ["a", "b", "c"], "B": ["a"]}])
def test_references_of_the_wrong_length_are_refused(references):
    with pytest.raises(AlignmentError) as caught:
        load(outputs=OUTPUTS, references=references)
    assert re.fullmatch(
        r"(reference '\w+'|output 'x') has \d segments?, (reference|output) '\w+' has \d", caught.value.message
    )


def test_the_error_names_the_odd_column_and_the_likely_line(tmp_path):
    lines = [f"line number {i} about {'abcdefghij'[i % 10] * (i % 7 + 1)}" for i in range(60)]
    (tmp_path / "short.txt").write_text("\n".join(lines[:41] + lines[42:]), encoding="utf-8")
    with pytest.raises(AlignmentError) as caught:
        load(outputs={"x": lines, "y": tmp_path / "short.txt"}, references=lines)
    message = (
        f"{tmp_path}/short.txt has 59 segments, output 'x' has 60: the first lacks 1 segment, most likely at line 42"
    )
    assert caught.value.message == message
    with pytest.raises(
        AlignmentError, match=r"output 'z' has 61 segments, .* 1 segment too many, most likely at line 8"
    ):
        load(outputs={"x": lines, "z": [*lines[:7], "something else", *lines[7:]]}, references=lines)


def test_blank_last_lines_are_named_as_the_cause():
    lines = [f"line number {i}" for i in range(9)]
    with pytest.raises(AlignmentError, match=r"output 'x' has 9 .* 10: the last line of reference 'ref' is blank"):
        load(outputs={"x": lines}, references=[*lines, " "])
    with pytest.raises(AlignmentError, match=r"output 'z' has 11 .* 9: the last 2 lines of output 'z' are blank"):
        load(outputs={"x": lines, "z": [*lines, "", ""]}, references=lines)


@pytest.mark.parametrize(("joint", "name"), [("\r", "CR"), ("\f", "FF"), ("\x85", r"U\+0085"), ("\u2028", r"U\+2028")])
def test_false_line_ends_are_named_as_the_cause(joint, name):
    lines = [f"line number {i}" for i in range(4)]
    with pytest.raises(AlignmentError, match=f"output 'x' contains {name} 3 times, and only LF ends a line"):
        load(outputs={"x": [joint.join(lines)]}, references=lines)


def test_empty_columns_are_named(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")
    with pytest.raises(EmptyInputError) as caught:
        load(outputs=OUTPUTS, references=tmp_path / "empty.txt")
    assert caught.value.message == f"{tmp_path}/empty.txt has no segments"
    with pytest.raises(EmptyInputError, match="output 'y' has no segments"):
        load(outputs=OUTPUTS | {"y": []}, references=["a", "b", "c"])


def test_things_that_are_not_text():
    with pytest.raises(InputError, match=r"outputs\['x'\], segment 2: int is not text"):
        load(outputs={"x": ["a", 1]})
    with pytest.raises(InputError, match=r"references, segment 1: a lone surrogate is not text"):
        load(outputs={"x": ["a", "b"]}, references=["\ud800"])
    with pytest.raises(InputError, match="no such file"):
        load(outputs={"x": "Hello world"})


def test_a_misspelt_file_and_a_single_nested_list(tmp_path):
    (tmp_path / "Online-A.en").write_text("a\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(outputs={"a": str(tmp_path / "Onlin-A.en")})
    assert caught.value.hint == f"did you mean '{tmp_path / 'Online-A.en'}'?"
    with pytest.raises(AlignmentError, match="references is 1 list of 2"):
        load(outputs=["a", "b"], references=[["a", "b"]])


def test_a_link_to_nothing(tmp_path):
    (tmp_path / "a.de").symlink_to("absent.de")
    with pytest.raises(InputError, match="no such file") as caught:
        load(outputs={"a": tmp_path / "a.de"})
    assert caught.value.hint == "it is a link to absent.de"


@pytest.mark.warns("different domains")
def test_a_column_that_holds_no_domains():
    texts = [f"text {i}" for i in range(100)]
    (note,) = load(outputs=texts, references=texts, domains=texts).notes
    assert (note.kind, note.count, note.severity) == ("suspect", 100, "warning")
    assert not load(outputs=texts, references=texts, domains=["news", "chat"] * 50).notes


@pytest.mark.parametrize("large_file", [1 << 40, 1])
@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.txt", "ä b\nc\n".encode()),
        ("open.txt", "ä b\nc".encode()),
        ("dos.txt", "ä b\r\nc\r\n".encode()),
        ("mixed.txt", "ä b\r\nc\n".encode()),
        ("marked.txt", "\ufeffä b\nc\n".encode()),
        ("a.txt.gz", gzip.compress("ä b\nc\n".encode(), mtime=0)),
    ],
)
def test_files_make_no_strings(tmp_path, monkeypatch, name, raw, large_file):
    monkeypatch.setattr("assay.data.text_files._LARGE_FILE", large_file)
    path = tmp_path / name
    path.write_bytes(raw)
    testset = load(outputs=path, references={"ref": str(path)}, sources=path)
    assert all(column.is_utf8 and column == ("ä b", "c") for _, column in testset.columns())
    parts = [column for _, column in testset.part(1, 2).columns()] + list(testset.texts(_core.lower)[0])
    assert all(column.is_utf8 for column in parts)


def test_parquet_columns_make_no_strings(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table({"output": ["ä b", None, "c"], "reference": ["d", "", "e"]})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    for options in ({}, {"read_dictionary": ["output"]}):
        read = parquet.read_table(tmp_path / "a.parquet", **options)
        testset = load(outputs=read["output"], references=read["reference"])
        assert all(column.is_utf8 for _, column in testset.columns())
        assert testset.outputs["output"] == ("ä b", None, "c")


def test_arrow_arrays_are_columns():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"out": ["ein Haus", None], "ref": ["das Haus", "zwei"], "count": [1, 2]})
    testset = load(outputs={"base": table["out"]}, references=table["ref"].combine_chunks())
    assert testset.outputs["base"] == ("ein Haus", None)
    assert testset.references["ref"].is_utf8
    with pytest.raises(DecodeError, match=r"outputs\['base'\], segment 1: Int64Scalar is not text"):
        load(outputs={"base": table["count"]})


def test_tables_and_missing_texts_of_pandas():
    frame = SimpleNamespace(columns=["a"], iloc=None)
    with pytest.raises(InputError, match="outputs is a table, not a column") as refused:
        load(outputs=frame, references=["a"])
    assert refused.value.hint == 'name its columns: outputs={"base": frame["base"]}'
    with pytest.raises(InputError, match="float is not text") as refused:
        load(outputs=["a", float("nan")], references=["a", "b"])
    assert "a missing text is None" in refused.value.hint


def test_a_text_instead_of_a_list_gives_a_short_message():
    with pytest.raises(InputError) as refused:
        load(outputs={"a": "a text\n" * 10_000}, references=["a"])
    assert len(str(refused.value)) + len(refused.value.hint) < 3000


def test_a_system_with_the_name_of_a_reference_must_have_its_texts():
    """Otherwise it would be left out of a comparison as if it were the reference."""
    with pytest.raises(
        NameClashError, match="an output and a reference are both called 'news', and their texts differ"
    ):
        load(outputs={"news": ["a b", "c"], "new": ["a", "c"]}, references={"news": ["a b", "d"]})
    same = load(outputs={"news": ["a b", "d"], "new": ["a", "c"]}, references={"news": ["a b", "d"]})
    assert same.reference_systems == ("news",)


def test_two_files_that_only_their_suffixes_tell_apart_keep_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("m.hyp", "m.ref", "n.ref"):
        (tmp_path / name).write_text(f"{name}\n", encoding="utf-8")
    found = load(outputs="m.hyp", references="m.ref")
    assert (found.systems, [*found.references]) == (("m.hyp",), ["m.ref"])
    assert load(outputs="m.hyp", references="n.ref").systems == ("m",)


def test_names_of_files_are_no_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("A.de", "B.de", "ref"):
        (tmp_path / name).write_text("ein Haus\n")
    for given, hint in (
        ({"outputs": ["A.de"]}, "give the name without a list: outputs='A.de'"),
        ({"outputs": ["A.de", "B.de"]}, "give the name without a list: outputs={'A': 'A.de', 'B': 'B.de'}"),
        ({"outputs": {"A": ["ein Haus", "A.de"]}}, "outputs={\"A\": 'A.de'}"),
        ({"outputs": "A.de", "references": ["no-such.txt"]}, "give the name without a list: references='no-such.txt'"),
    ):
        with pytest.raises(InputError, match=r"is a list of texts, but '.*' is the name of a file") as refused:
            load(**given)
        assert refused.value.hint == hint
    for texts in (["U.S."], ["ref"], ["Ende.Gut", "ein Haus"], ["version 2.de"]):
        assert load(outputs=texts).outputs["output"] == tuple(texts)


def test_codes_of_countries_and_of_no_language():
    for wrong, right in (("en-jp", "en-ja"), ("CN_Hans-en", "zh_Hans-en"), ("gr-ua", "el-ua")):
        with pytest.raises(ConfigError, match="is the code of a country, not of a language") as refused:
            load(outputs=["a"], lp=wrong)
        assert refused.value.hint == f"did you mean {right}?"
    with pytest.warns(AssayWarning, match="'yy' in 'en-yy' is not the code of a language"):
        load(outputs=["a"], lp="en-yy")
    with pytest.warns(AssayWarning, match=r"'se' in 'en-se' is not the code of Swedish \(sv\): is that meant\?"):
        load(outputs=["a"], lp="en-se")
    for lp in ("en-zh_TW", "liv-en", "cs-bho_IN", None):
        assert load(outputs=["a"], lp=lp).warnings == ()


def test_domains_beside_the_documents_of_mt_metrics_eval(tmp_path):
    (tmp_path / "en-de.docs").write_text("news doc 1\nnews doc 2\n")
    assert load(outputs=["a", "b"], documents=tmp_path / "en-de.docs").domains is None  # three words
    for name, text in (("en-de.docs", "news doc1\nchat doc2\n"), ("docs.tsv", "news\tdoc1\nchat\tdoc2\n")):
        (tmp_path / name).write_text(text)
        testset = load(outputs=["a", "b"], documents=tmp_path / name)
        assert (testset.domains, testset.documents) == (("news", "chat"), ("doc1", "doc2"))
        assert [note.text for note in testset.notes] == ["read as domains and documents"]
    (tmp_path / "docs.txt").write_text("doc 1\ndoc 2\n")
    assert load(outputs=["a", "b"], documents=tmp_path / "docs.txt").documents == ("doc 1", "doc 2")
