"""Small files that would take for ever, or all memory, if something were done for each pair of things in them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

from tests.badinputs.case import LIST, Case, Process

_MANY = 20_000
_DOCUMENT = (
    '<doc id="{0}"><src lang="en"><seg id="1">x</seg></src><hyp system="s{0}" lang="de"><seg id="1">y</seg></hyp></doc>'
)
_SET = '<tstset sysid="s{0}"><doc docid="{0}"><seg id="1">x</seg></doc></tstset>'
_RANKED = "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank"


def _large(name: str, file: str, make: Callable[[], str | bytes], **rest: Any) -> Case:
    def makes() -> dict[str, bytes]:
        content = make()
        return {file: content.encode() if isinstance(content, str) else content}

    known: dict[str, Any] = {"command": LIST, "arguments": (file,), "makes": makes, "process": Process()}
    return Case(name=name, family="data sizes", **known | rest)


def _refused(name: str, file: str, what: str, make: Callable[[], str | bytes], **rest: Any) -> Case:
    return _large(name, file, make, code=3, says=(f"error: {file}{what}",), **rest)


def _each(form: str) -> str:
    return "".join(form.format(i) for i in range(_MANY))


def _comet() -> str:
    segments = [{"src": "x", "mt": "y", f"k{i}": 1.0} for i in range(_MANY)]
    return json.dumps([{"src": "x", "mt": "y", "COMET": 1.0}, *segments])


CASES = (
    _refused(
        "SGML, an attribute without end", "t.sgm", ": no system output", lambda: f"<srcset {'a' * 300_000}></srcset>"
    ),
    _refused("SGML, a system for each text", "t.sgm", ": 20,000 references and outputs of 20,", lambda: _each(_SET)),
    _refused(
        "XML, a system for each document",
        "t.xml",
        ": 20,000 systems and 20,000 segments, but only 20,000 rows",
        lambda: f"<dataset>{_each(_DOCUMENT)}</dataset>",
    ),
    _refused(
        "JSON lines, a key for each line",
        "t.jsonl",
        ": too many different keys (20,002)",
        lambda: '{"system": "a", "output": "x"}\n' + _each('{{"k{}": 1}}\n'),
    ),
    _refused("COMET, a key for each segment", "c.json", ": too many different keys (20,003)", _comet),
    _refused(
        "ratings, the last of many keys twice",
        "t.jsonl",
        ", line 1: invalid JSON: duplicate key 'z'",
        lambda: '{"annotation": [], "item": [], ' + _each('"k{}": 1, ') + '"z": 1, "z": 2}\n',
    ),
    _large(
        "TSV of many scores",
        "t.tsv",
        lambda: "system" + _each("\tscore:m{}") + "\na" + _each("\t{}") + "\n",
        shows=("1 language pair",),
    ),
    _large(
        "rankings with many columns",
        "t.csv",
        lambda: f"{_RANKED}{_each(',x{}')}\neng,deu,1,j,a,1,b,2{_each(',')}\n",
        shows=("1 language pair",),
    ),
    _refused(
        "wmt-scores, a metric for each segment",
        "M.seg.score",
        ": 400,000,000 cells, but only 20,000 scores",
        lambda: "".join(f"M{i}\ten-de\twmt\trefA\ta\t{i + 1}\t1\n" for i in range(_MANY)),
    ),
    _refused(
        "a score in a thousand lists",
        "s.json",
        ": ",
        lambda: '{"name": "BLEU", "score": ' + "[" * 960 + "]" * 960 + ', "signature": "", "nrefs": "1"}',
    ),
    _refused(
        "gzip of many streams",
        "t.tsv.gz",
        ": no header",
        lambda: gzip.compress(b"", mtime=0) * 200_000,
        arguments=("t.tsv.gz", "--input-format", "tsv"),
    ),
)
