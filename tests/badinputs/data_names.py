"""Names of test sets, pairs and metrics that files give: they are shown, and some become paths."""

from __future__ import annotations

from typing import Any

from tests.badinputs.case import CHECK, CONVERT, LIST, Case

_FOLDER = ("t.tsv", "new", "--to", "mtme")
_TEXTS = "dataset\tlp\tsystem\tsegment\toutput\n{dataset}\ten-de\ta\t1\tx\n"
_SCORES = "dataset\tlp\tsystem\tsegment\tscore:M\nwmt\t{lp}\ta\t1\t0.5\n"
_TASK = "{metric}\ten-de\twmt\t{reference}\ta\t0.5\n"


def _shown(name: str, dataset: str, *options: str, **rest: Any) -> Case:
    """A test set of this name, listed."""
    content = _TEXTS.format(dataset=dataset).encode()
    known: dict[str, Any] = {"files": {"t.tsv": content}, "command": LIST, "arguments": ("t.tsv", *options)}
    return Case(name=name, family="data names", **known | rest)


def _written(name: str, content: str, *says: str, file: str = "t.tsv", **rest: Any) -> Case:
    """Something in this file would be a path in a folder of mt-metrics-eval."""
    known: dict[str, Any] = {"files": {file: content.encode()}, "arguments": (file, *_FOLDER[1:])}
    return Case(name=name, family="data names", command=CONVERT, code=3, says=("error: ", *says), **known | rest)


CASES = (
    _shown("HTML in Markdown", "<b>|x", "--format", "md", shows=(r"\<b\>\|x",)),
    _shown("formula in CSV", "=1+1", "--format", "csv", shows=("\n'=1+1,",), hides=("\n=1",)),
    _shown("quotes in CSV", 'a"b,c', "--format", "csv", shows=('\n"a""b,c",',)),
    _shown("escape sequence in JSON", "\x1b[2J", "--format", "json", shows=(r'"\u001b[2J"',), hides=("\x1b",)),
    _shown("escape sequence in a table", "\x1b[2J", hides=("\x1b",)),
    _shown("direction override in a table", "a\u202eb", hides=("\u202e",)),
    _shown("escape sequence in a check", "\x1b[2J", command=CHECK, hides=("\x1b",)),
    Case(
        name="escape sequence in a signature",
        family="data names",
        command=CHECK,
        arguments=("s.json",),
        files={"s.json": rb'{"name": "BLEU", "score": 1, "signature": "nrefs:1|\u001b[2J", "nrefs": "1"}'},
        hides=("\x1b",),
    ),
    Case(
        name="line end in a test set",
        family="data names",
        command=LIST,
        arguments=("t.xml", "--format", "tsv"),
        files={
            "t.xml": b'<dataset id="a&#10;b"><doc id="d"><src lang="en"><seg id="1">x</seg></src>'
            b'<hyp system="a" lang="de"><seg id="1">y</seg></hyp></doc></dataset>'
        },
        hides=("\na\nb",),
    ),
    _written("parent folder as a test set", _TEXTS.format(dataset=".."), "'..'"),
    _written("path as a test set", _TEXTS.format(dataset="../evil"), "'../evil'"),
    _written("absolute path as a test set", _TEXTS.format(dataset="/dev/null/evil"), "'/dev/null/evil'"),
    _written(
        "path as a language pair", _SCORES.format(lp="../../e-de"), "t.tsv, line 2: '../../e-de' is not a language"
    ),
    _written("path as a metric", _TASK.format(metric="../../../../M", reference="refA"), file="M.sys.score"),
    _written("path as a reference", _TASK.format(metric="M", reference="x/../y"), file="M.sys.score"),
    _written(
        "path as a column",
        _SCORES.format(lp="en-de").replace("score:M", "score:../M"),
        "t.tsv, line 1: column 'score:../M'",
    ),
    _shown(
        "to a name with a folder that is not there",
        "wmt",
        command=CONVERT,
        arguments=("t.tsv", "absent/new.jsonl"),
        code=3,
        says=("error: absent/new.jsonl: cannot be written",),
    ),
    _shown("to an unknown suffix", "wmt", command=CONVERT, arguments=("t.tsv", "new.doc"), code=2, says=("'.doc'",)),
    _shown("to nothing", "wmt", command=CONVERT, code=2, says=("error: no input files to convert",)),
    _shown(
        "to a format that is not written",
        "wmt",
        command=CONVERT,
        arguments=("t.tsv", "new.sgm", "--to", "sgml"),
        code=2,
        says=("error: sgml can be read but not written",),
    ),
    _shown(
        "without a data folder",
        "wmt",
        arguments=(),
        code=3,
        says=("error: home: the data folder has no campaigns", "hint: "),
    ),
    _shown(
        "a test set that fetch does not know",
        "wmt",
        command=("data", "fetch"),
        arguments=("x",),
        code=2,
        says=("error: unknown test set 'x'",),
    ),
)
