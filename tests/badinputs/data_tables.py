"""Tables with named columns: TSV, CSV, JSON lines and Parquet."""

from __future__ import annotations

import functools
import gzip
import io
import json
from typing import Any

import pytest

from tests.badinputs.case import CHECK, CONVERT, LIST, Case, Process
from tests.badinputs.forms import Form, replaced

_COLUMNS = ("system", "segment", "source", "reference", "output", "score:COMET")
_ROWS = (
    ("a", 1, "one", "ein", "ein", 0.9),
    ("a", 2, "two", "zwei", "zwo", 0.4),
    ("b", 1, "one", "ein", "eins", 0.7),
    ("b", 2, "two", "zwei", "zwei", 0.8),
)
_OBJECTS = [dict(zip(_COLUMNS, row, strict=True)) for row in _ROWS]
_MANY = "".join(f"s{i}\t{i}\tx\n" for i in range(4000))


def _joined(separator: str) -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in (_COLUMNS, *_ROWS))


_TSV = Form("tsv", "t.tsv", _joined("\t"))
_CSV = Form("csv", "t.csv", _joined(","))
_JSONL = Form("jsonl", "t.jsonl", "".join(json.dumps(tree) + "\n" for tree in _OBJECTS))
_HEADER = "\t".join(_COLUMNS) + "\n"
_NUMBERS = {
    "inf": "is not a number: 'inf'",
    "-Infinity": "is not a number: '-Infinity'",
    "1e400": "1e400 is too large for a number",
    "1e200": "1e200 is too large: the limit is ±1e+150",
    "0,7": "is not a number: '0,7'",
    "0x1p3": "is not a number: '0x1p3'",
    "1_000": "is not a number: '1_000'",
    "٠.٧": "is not a number: '٠.٧'",
    "high": "is not a number: 'high'",
}

_TSV_CASES = (
    _TSV.case("good", None, shows=("1 language pair",)),
    _TSV.case("good, with mark and CR LF", "\ufeff" + _TSV.good.replace("\n", "\r\n"), shows=("1 language pair",)),
    _TSV.refused("empty", b"", "", is_told_alike=False),
    _TSV.refused("header only", _HEADER, "no rows"),
    _TSV.refused("empty, as TSV", b"", "no header", "--input-format", "tsv"),
    _TSV.refused("Latin-1", _TSV.good.replace("zwo", "zwö").encode("latin-1"), "byte 16 of the line (0xF6)", line=3),
    _TSV.refused("UTF-16", _TSV.good.encode("utf-16"), "looks like UTF-16, not UTF-8"),
    _TSV.refused("gzip with a plain name", gzip.compress(b"x", mtime=0), "looks like gzip"),
    _TSV.damaged("NUL", "zwo", "z\0o", "byte 15 of the line is NUL", line=3),
    _TSV.damaged("short row", "eins\t0.7", "eins", "5 fields, but the header has 6", line=4),
    _TSV.damaged("tab in a text", "eins", "ei\tns", "7 fields, but the header has 6", line=4),
    _TSV.damaged("empty line", "b\t1", "\nb\t1", "an empty line, but the header has 6", line=4),
    _TSV.noted("unknown column", replaced(_TSV.good, "source", "sauce"), "unused columns: sauce"),
    _TSV.noted(
        "unknown column, told once",
        replaced(_TSV.good, "source", "sauce"),
        "1 note\n",
    ),
    _TSV.noted(
        "cells of a spreadsheet",
        replaced(_TSV.good, "eins", '"ei""ns"'),
        "removed spreadsheet quotation marks around cells, first in line 4",
        "to keep them: --input-format tsv:quotes=no",
    ),
    _TSV.noted(
        "cells of a spreadsheet, and others",
        _TSV.good.replace("eins", '"ei""ns"').replace("zwo", 'z"wo'),
        "line 4 has some",
        "but line 3 has others",
    ),
    _TSV.refused(
        "text over two lines",
        replaced(_TSV.good, "eins", '"ei\nns"'),
        "5 fields, but the header has 6; field 5 starts with a quotation mark that is not closed in this line",
        line=4,
    ),
    _TSV.refused(
        "wrong quotes around cells",
        _TSV.good.replace("system", '"system"').replace("eins", r'"ei\"ns"'),
        "a cell starts with a quotation mark that is closed before the end of the cell",
        line=4,
    ),
    _TSV.noted("names that look alike", _TSV.good.replace("b\t", "A\t"), "'a' and 'A' (t.tsv) differ only in"),
    _TSV.case(
        "names that look alike, converted",
        _TSV.good.replace("b\t", "A\t"),
        command=CONVERT,
        arguments=("t.tsv", "new.jsonl"),
        says=("note: 'a' and 'A' (outputs, t.tsv) differ only in case, spaces or Unicode form",),
        shows=("new.jsonl: 1 language pair",),
        writes=("new.jsonl",),
    ),
    _TSV.damaged("column twice", "source", "output", "duplicate column 'output'", line=1),
    _TSV.damaged(
        "columns of one meaning", "source", "mt", "the columns 'mt' and 'output' have the same meaning", line=1
    ),
    _TSV.damaged("long and wide", "source", "output:c", "a row has the outputs or scores of several systems", line=1),
    _TSV.damaged("ratings beside references", "source", "rater", "this table of ratings needs one rater", line=1),
    _TSV.refused("no known column", "a\tb\nx\ty\n", "no recognised column: a, b", "--input-format", "tsv", line=1),
    _TSV.refused("same row twice", _TSV.good + _TSV.good.splitlines()[1], "duplicate output of system 'a'", line=6),
    _TSV.damaged("another reference", "b\t1\tone\tein", "b\t1\tone\tEin", "a different reference 'ref'", line=4),
    _TSV.damaged("other source", "b\t1\tone", "b\t1\tuno", "a different source for the same segment", line=4),
    _TSV.refused("one segment, two numbers", _TSV.good + "a\t01\tx\ty\tz\t1\n", "ambiguous segment numbers '1' and"),
    _TSV.refused("every row a system", "system\tsegment\toutput\n" + _MANY, "4,000 systems and 4,000 segments"),
    *(
        _TSV.damaged(f"score {given}", "0.7\n", given + "\n", f"the score 'COMET' {what}", line=4)
        for given, what in _NUMBERS.items()
    ),
    *(
        _TSV.case(f"score '{given}' is a gap", replaced(_TSV.good, "0.7\n", given + "\n"), shows=("1 language pair",))
        for given in ("None", "NaN", "")
    ),
    _TSV.case(
        "no segments, and one row less",
        _TSV.good.replace("segment", "line").removesuffix(_TSV.good.splitlines()[-1] + "\n"),
        code=3,
        says=("error: t.tsv: 1 row of system 'b', but 2 of 'a'", "hint: add a column 'segment'"),
    ),
    _TSV.refused(
        "language pair",
        "".join(("lp\t" if i == 0 else "german\t") + line for i, line in enumerate(_TSV.good.splitlines(True))),
        "'german' is not a language pair",
        line=2,
    ),
    _TSV.case(
        "two language pairs and no choice",
        "".join(
            ("lp\t", "en-de\t", "en-de\t", "en-fr\t", "en-fr\t")[i] + line
            for i, line in enumerate(_TSV.good.splitlines(True))
        ),
        command=("score",),
        arguments=("--data", "t.tsv"),
        code=2,
        says=("error: t.tsv has several language pairs", "hint: choose one with --lp: en-de, en-fr"),
    ),
)

_CSV_CASES = (
    _CSV.case("good", None, shows=("1 language pair",)),
    _CSV.refused("header only", ",".join(_COLUMNS) + "\n", "no rows"),
    _CSV.damaged("unquoted comma", "eins", "ei,ns", "7 fields, but the header has 6", line=4),
    _CSV.damaged(
        "open quote", "eins", '"eins', "field 'output' starts with a quotation mark that is not closed", line=4
    ),
    _CSV.noted(
        "text over two lines", replaced(_CSV.good, "eins", '"ei\nns"'), "1 cell with 1 line break, first in line 4"
    ),
    _CSV.damaged("text behind a quote", "eins", '"ei"ns', "invalid CSV: ',' expected after '\"'", line=4),
    _CSV.damaged("comma decimal in quotes", "0.7", '"0,7"', "the score 'COMET' is not a number: '0,7'", line=4),
    _CSV.noted("semicolons", _CSV.good.replace(",", ";"), "the columns are separated by semicolons"),
    _CSV.case("good, gzip", files={"t.csv.gz": gzip.compress(_CSV.good.encode(), mtime=0)}, arguments=("t.csv.gz",)),
    *(
        _CSV.named("t.csv.gz").refused(name, raw, what)
        for name, raw, what in (
            ("truncated gzip", gzip.compress(_CSV.good.encode(), mtime=0)[:-20], "not a complete gzip file: the comp"),
            (
                "gzip and more",
                gzip.compress(_CSV.good.encode(), mtime=0) + b"x",
                "not a complete gzip file: unexpected data",
            ),
            ("plain with a gzip name", _CSV.good, "not gzip-compressed, although its name ends in .gz"),
        )
    ),
    _CSV.case(
        "gzip bomb",
        files={},
        makes=lambda: {"t.csv.gz": gzip.compress(bytes(1 << 20), mtime=0) * 1000},
        arguments=("t.csv.gz",),
        process=Process(script='ulimit -v 900000; "$@"'),
        code=3,
        says=("error: t.csv.gz: it unpacks to more than 200 times its size", "hint: if you trust the file"),
    ),
    _CSV.case(
        "formula as a text is written as it is",
        replaced(_CSV.good, "eins", "=1+1"),
        command=CONVERT,
        arguments=("t.csv", "new.csv"),
        shows=("new.csv: 1 language pair",),
        writes=("new.csv",),
    ),
)

_DEEP = "[" * 100_000
_JSONL_CASES = (
    _JSONL.case("good", None, shows=("1 language pair",)),
    _JSONL.refused("empty, as JSON lines", b"", "empty file", "--input-format", "jsonl"),
    _JSONL.refused("truncated", _JSONL.good[:-30], "invalid JSON: ", line=4),
    _JSONL.refused("truncated first line", _JSONL.good[:30], "invalid JSON: ", line=1),
    _JSONL.damaged("empty line", '{"system": "b"', '\n{"system": "b"', "empty line", line=3),
    _JSONL.refused("a list", _JSONL.good + "[1]\n", "expected a JSON object, not list", line=5),
    _JSONL.refused("all in one line", _JSONL.good.replace("\n", ""), "invalid JSON: extra data", line=1),
    _JSONL.damaged(
        "key twice", '"segment": 2', '"segment": 2, "segment": 3', "invalid JSON: duplicate key 'segment'", line=2
    ),
    _JSONL.damaged("a lone surrogate", "zwo", r"\ud800", "invalid JSON: a lone surrogate is not text", line=2),
    _JSONL.damaged("nested too deeply", '"zwo"', _DEEP, "invalid JSON: nested too deeply", line=2),
    _JSONL.damaged("number for a text", '"zwo"', "2", "the output must be text, not int", line=2),
    _JSONL.damaged("half a segment", '"segment": 2', '"segment": 1.5', "the segment must be text, not float", line=2),
    _JSONL.damaged("Infinity", "0.7", "Infinity", "invalid JSON: Infinity is not a number", line=3),
    _JSONL.damaged("1e400", "0.7", "1e400", "the score 'COMET' is too large for a number", line=3),
    _JSONL.damaged("400 digits", "0.7", "9" * 400, "the score 'COMET' is too large for a number", line=3),
    _JSONL.damaged("5,000 digits", "0.7", "9" * 5000, "invalid JSON: a number has too many digits", line=3),
    _JSONL.damaged("true for a score", "0.7", "true", "the score 'COMET' must be a number, not bool", line=3),
    _JSONL.damaged("comma decimal", "0.7", '"0,7"', "the score 'COMET' is not a number: '0,7'", line=3),
    _JSONL.refused(
        "long and wide", '{"outputs": {"a": "x"}}\n' + _JSONL.good, "a row has the outputs or scores of several systems"
    ),
    _JSONL.refused("outputs that are none", '{"source": "x", "outputs": "y"}\n', "the outputs must be an obj", line=1),
    _JSONL.noted("NaN and null are gaps", _JSONL.good.replace("0.7", "NaN").replace('"zwo"', "null"), "1 of 2 segm"),
    _JSONL.noted(
        "hostile key", replaced(_JSONL.good, "source", r"\u001b[2J"), r"unused columns: \x1b[2J", hides=("\x1b",)
    ),
)


def _parquet(**columns: Any) -> dict[str, bytes]:
    """A Parquet file of these columns in place of the usual ones."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    usual = {name: [row[i] for row in _ROWS] for i, name in enumerate(_COLUMNS)}
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(usual | columns), buffer)
    return {"t.parquet": buffer.getvalue()}


def _cut(**columns: Any) -> dict[str, bytes]:
    return {name: raw[:-10] for name, raw in _parquet(**columns).items()}


def _flipped() -> dict[str, bytes]:
    return {name: raw[:60] + bytes([raw[60] ^ 255]) + raw[61:] for name, raw in _parquet().items()}


def _without_pyarrow(name: str, command: tuple[str, ...], file: str, *arguments: str) -> Case:
    return Case(
        name=name,
        family="parquet",
        files={"pyarrow.py": b"raise ImportError\n", file: _TSV.good.encode()},
        command=command,
        arguments=(file, *arguments),
        process=Process(environment={"PYTHONDONTWRITEBYTECODE": "1"}),
        code=4,
        says=("error: Parquet needs pyarrow", 'hint: pip install ".[io]" in the folder of Assay'),
    )


_pq = functools.partial(Case, family="parquet", command=LIST, arguments=("t.parquet",))
_pq_refused = functools.partial(_pq, code=3, is_told_alike=True)
_PARQUET_CASES = (
    _pq(name="good", makes=_parquet, shows=("1 language pair",)),
    *(
        _pq_refused(name=name, makes=make, says=(f"error: t.parquet{what}",))
        for name, make, what in (
            ("empty", lambda: {"t.parquet": b""}, ": cannot read Parquet"),
            ("four bytes", lambda: {"t.parquet": b"PAR1"}, ": cannot read Parquet"),
            ("a text", lambda: {"t.parquet": _TSV.good.encode()}, ": cannot read Parquet"),
            ("truncated", _cut, ": cannot read Parquet"),
            ("damaged", _flipped, ": cannot read Parquet"),
            ("infinity", lambda: _parquet(**{"score:COMET": [0.0, 1.0, float("inf"), 2.0]}), ", line 3: the score"),
            (
                "bytes",
                lambda: _parquet(output=[b"\xff", b"b", b"c", b"d"]),
                ", line 1: the output must be text, not by",
            ),
            ("numbers for texts", lambda: _parquet(output=[1, 2, 3, 4]), ", line 1: the output must be text, not int"),
            ("path as a system", lambda: _parquet(system=["a", "../b", "a", "b"]), ", line 2: '../b' cannot be the"),
        )
    ),
    _pq(
        name="unknown column",
        command=CHECK,
        makes=lambda: _parquet(mood=[1, 2, 3, 4]),
        shows=("unused columns: mood",),
    ),
    _without_pyarrow("read without pyarrow", LIST, "t.parquet"),
    _without_pyarrow("written without pyarrow", CONVERT, "t.tsv", "new.parquet"),
)

CASES = (*_TSV_CASES, *_CSV_CASES, *_JSONL_CASES, *_PARQUET_CASES)
