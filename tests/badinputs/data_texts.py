"""Test sets as texts: folders of mt-metrics-eval, WMT's XML and mteval's SGML."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any

from tests.badinputs.case import CHECK, CONVERT, LIST, Case
from tests.badinputs.forms import Form, encoded, replaced

_MTME = {
    "sources/en-de.txt": "one\ntwo\n",
    "references/en-de.refA.txt": "ein\nzwei\n",
    "system-outputs/en-de/a.txt": "eins\nzwo\n",
    "system-outputs/en-de/b.txt": "ein\nzwoe\n",
    "documents/en-de.docs": "news d1\nnews d1\n",
    "human-scores/en-de.mqm.seg.score": "a 0\na -5\nb -1\nb None\n",
    "metric-scores/en-de/COMET-refA.seg.score": "a 0.9\na 0.1\nb 0.5\nb 0.8\n",
    "judgements/en-de.rr.tsv": "judge\tsegment\tsystem1\trank1\tsystem2\trank2\nj1\t1\ta\t2\tb\t1\n",
}
_B, _DOCS, _RR = "system-outputs/en-de/b.txt", "documents/en-de.docs", "judgements/en-de.rr.tsv"
_COMET, _MQM = "metric-scores/en-de/COMET-refA.seg.score", "human-scores/en-de.mqm.seg.score"


def _mtme(name: str, changes: Mapping[str, str | bytes], **rest: Any) -> Case:
    """A folder of which some files are others."""
    files = {f"wmt/{path}": encoded(content) for path, content in (_MTME | dict(changes)).items()}
    return Case(name=name, family="mtme", **{"files": files, "command": LIST, "arguments": ("wmt",)} | rest)


def _damaged(name: str, path: str, content: str | bytes, what: str, **rest: Any) -> Case:
    known: dict[str, Any] = {"code": 3, "is_told_alike": "awaits" not in rest, "says": (f"error: wmt/{path}{what}",)}
    return _mtme(name, {path: content}, **known | rest)


def _unread(name: str, path: str, content: str | bytes, what: str) -> Case:
    """A table without which the rest of the folder can be read."""
    place, reason = what.split(": ", 1)
    says = (f"warning: wmt/{path}{place}: not read, unlike the other files: {reason}",)
    return _mtme(name, {path: content}, says=says, shows=("wmt       en-de",))


def _noted(name: str, path: str, content: str | bytes, *shows: str, **rest: Any) -> Case:
    return _mtme(name, {path: content}, command=CHECK, shows=shows, **rest)


def _scored(name: str, code: int, *arguments: str, says: tuple[str, ...], **rest: Any) -> Case:
    return _mtme(name, {}, command=("score",), arguments=arguments, code=code, says=says, **rest)


_HEAD = "judge\tsegment\tsystem1\trank1\tsystem2\trank2\n"
_MTME_CASES = (
    _mtme("good", {}, shows=("wmt       en-de", "1 language pair")),
    _mtme("good, scored", {}, command=("score",), arguments=("--data", "wmt", "--format", "csv"), shows=("\na,chrf",)),
    _damaged("output one short", _B, "ein\n", ": "),
    _damaged("empty output", _B, "", ": "),
    _damaged("reference one short", "references/en-de.refA.txt", "ein\n", ": "),
    _mtme(
        "name with an escape sequence",
        {"system-outputs/en-de/\x1b[2J.txt": "x\ny\n"},
        code=3,
        says=(r"error: wmt/system-outputs/en-de/\x1b[2J.txt: '\x1b[2J' cannot be the name of a system",),
        hides=("\x1b",),
    ),
    _damaged("half a surrogate", "system-outputs/en-de/c.jsonl", '{"hypothesis": "\\ud800"}\n' * 2, ", line 1: "),
    _damaged("Latin-1", _B, "ein\nzwö\n".encode("latin-1"), ", line 2: byte 3 of the line (0xF6) is not UTF-8"),
    _damaged("UTF-16", _B, "ein\nzwei\n".encode("utf-16"), ": looks like UTF-16, not UTF-8"),
    _damaged("documents one short", _DOCS, "news d1\n", ": has 1 line, but there are 2 segments"),
    _damaged("document without domain", _DOCS, "news d1\nd1\n", ", line 2: expected a domain and a document"),
    _damaged("documents of bad bytes", _DOCS, b"news \xff\nnews d\n", ", line 1: byte 6 of the line (0xFF)"),
    _mtme(
        "document begins twice",
        {
            _DOCS: "n d1\nn d2\nn d1\n",
            **dict.fromkeys((_B, "system-outputs/en-de/a.txt", "references/en-de.refA.txt"), "x\ny\nz\n"),
            "sources/en-de.txt": "x\ny\nz\n",
        },
        code=3,
        says=("error: wmt/documents/en-de.docs, line 3: the document 'd1' is not contiguous",),
    ),
    _noted(
        "scores of a system without an output",
        _COMET,
        "a 1\na 2\nx 1\nx 2\n",
        "scores of systems without an output are kept: x, in metric-scores/en-de/COMET-refA.seg.score",
    ),
    _unread("too few scores", _COMET, "a 1\nb 1\n", ": 1 score for system 'a', expected 2"),
    _unread("too many scores", _COMET, "a 1\na 1\na 1\nb 1\nb 1\nb 1\n", ", line 3: more than 2 scores for system"),
    _unread("scores out of order", _COMET, "a 1\nb 1\na 1\nb 1\n", ", line 3: a second block of system 'a'"),
    _unread("scores with NUL", _COMET, "a 1\na 1\0\nb 1\nb 1\n", ", line 2: byte 4 of the line is NUL"),
    _unread("infinite score", _MQM, "a 0\na -inf\nb -1\nb 0\n", ", line 2: the score is not a number: '-inf'"),
    _unread(
        "metric of no references", "metric-scores/en-de/X.seg.score", "a 1\n", ": the file name does not end in -REF"
    ),
    _unread(
        "scores of no level", "metric-scores/en-de/X-refA.score", "a 1\n", ": the file name does not end in a level"
    ),
    _damaged(
        "field that is not there",
        "system-outputs/en-de/c.jsonl",
        "{}\n{}\n",
        ", line 1: the field 'hypothesis' must be",
    ),
    _noted(
        "unknown judgements",
        _RR,
        "a\tb\n1\t2\n",
        "en-de.rr.tsv",
        "not read: unrecognised header of a judgement table: a b",
    ),
    _unread("no judgements", _RR, "", ": empty file"),
    _unread("judgements, header only", _RR, _HEAD, ": no judgements"),
    _unread("rank 0", _RR, _HEAD + "j1\t1\ta\t0\tb\t1\n", ", line 2: the rank '0' must be an integer from 1 to 127"),
    _unread(
        "better than itself", _RR, "segment\tbetter\tworse\n1\ta\ta\n", ", line 2: invalid preference of 'a' over 'a'"
    ),
    _noted(
        "judgements of strangers",
        _RR,
        "segment\tbetter\tworse\n9\ta\tc\n",
        "include systems without an output: c",
        "to 9",
    ),
    _noted("nobody judged", _MQM, "a NaN\na NaN\nb NaN\nb NaN\n", "no human score for a, b"),
    _noted("system without scores", _COMET, "a 1\na 2\n", "no scores for b in COMET-refA.seg.score"),
    _noted("byte order mark", _B, "\ufeffein\nzwei\n", "kept byte order marks"),
    _noted("carriage returns", _B, "ein\r\nzwoe\r\n", "carriage returns"),
    _damaged(
        "one system in two files",
        "system-outputs/en-de/b.jsonl",
        '{"hypothesis": "x"}\n' * 2,
        "",
        says=("error: wmt/system-outputs/en-de: the same text twice: b.jsonl and b.txt",),
    ),
    _mtme(
        "a table that cannot be read, checked",
        {_RR: _HEAD},
        command=CHECK,
        code=3,
        shows=("error  wmt/judgements/en-de.rr.tsv        no judgements",),
        says=("error: found 1 error",),
    ),
    _mtme(
        "a table that cannot be read, strictly",
        {_RR: _HEAD},
        command=("rank",),
        arguments=("wmt", "--strict"),
        code=3,
        says=("error: wmt/judgements/en-de.rr.tsv: not read, unlike the other files: no judgements",),
    ),
    _mtme(
        "human scores that cannot be read, ranked",
        {_MQM: "a 0\n"},
        command=("rank",),
        arguments=("wmt", "--gold", "mqm"),
        code=2,
        says=("there are no segment-level human judgements called 'mqm'", "not read, unlike the other files: 1 score"),
    ),
    _mtme(
        "one output short, checked",
        {_B: "ein\n"},
        command=CHECK,
        code=3,
        shows=("b.txt", "has 1 segment, but a.txt has 2", "checked: 1 error, 1 note\n"),
        says=("error: found 1 error",),
    ),
    _mtme(
        "not the folder of a test set",
        {},
        arguments=("wmt/sources",),
        code=3,
        says=("error: wmt/sources: not the folder of a test set",),
    ),
    _mtme("folder that is not there", {}, arguments=("wmx",), code=3, says=("error: wmx: no such file or directory",)),
    _scored(
        "unknown language pair",
        2,
        *("--data", "wmt", "--lp", "en-fr"),
        says=("error: wmt has no language pair 'en-fr'",),
    ),
    _scored("path as a language pair", 2, "--data", "wmt", "--lp", "../x", says=("wmt has no language pair '../x'",)),
    _scored(
        "unknown test set",
        3,
        *("--data", "wmx"),
        says=("error: wmx: no such file, and no test set of this name in home", "hint: assay data"),
    ),
    _scored(
        "unknown reference", 2, "--data", "wmt", "--ref", "refZ", says=("error: wmt en-de has no reference 'refZ'",)
    ),
    _scored(
        "nobody left", 3, "--data", "wmt", "--exclude", "*", says=("error: all systems of wmt en-de are excluded",)
    ),
    _scored("pattern of nothing", 2, "--data", "wmt", "--systems", "z*", says=("error: no system matches 'z*'",)),
    _scored(
        "a folder and files",
        2,
        "--data",
        "wmt",
        "out.txt",
        says=("error: --data cannot be combined with text files",),
    ),
    _scored("choice of no system", 2, "--exclude", "a", "out.txt", says=("no system matches 'a'",)),
    _scored("unknown scores", 2, "--data", "wmt", "--scores", "X", says=("error: 'X' is neither a file nor a metric",)),
    _mtme(
        "to itself",
        {},
        command=CONVERT,
        arguments=("wmt", "wmt", "--to", "mtme"),
        code=3,
        says=("error: wmt: is an input and will not be replaced",),
    ),
)

_XML = Form(
    "wmt-xml",
    "t.xml",
    """<?xml version="1.0" encoding="UTF-8"?>
<dataset id="wmt">
<doc id="d1" domain="news">
<src lang="en"><p>
<seg id="1">one</seg>
<seg id="2">two</seg>
</p></src>
<ref lang="de" translator="A"><p>
<seg id="1">ein</seg>
<seg id="2">zwei</seg>
</p></ref>
<hyp lang="de" system="a"><p>
<seg id="1">eins</seg>
<seg id="2">zwo</seg>
</p></hyp>
</doc>
</dataset>
""",
)
_BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><dataset'
_OUTSIDE = '<!DOCTYPE x [<!ENTITY b SYSTEM "file:///etc/passwd">]><dataset'
_ELSEWHERE = '<!DOCTYPE x SYSTEM "http://x.example/x.dtd"><dataset'
_WITH_ENTITY = replaced(_XML.good, "zwo", "&b;")
_XML_CASES = (
    _XML.case("good", None, shows=("wmt       en-de",)),
    _XML.refused("empty", b"", "invalid XML: no element found", line=1),
    _XML.refused("nothing in it", '<dataset id="x"/>', "no system output"),
    _XML.refused("truncated", _XML.good[:-40], "invalid XML: ", line=14),
    _XML.refused("two in one", _XML.good + _XML.good[39:], "invalid XML: junk after document element", line=18),
    _XML.refused("entity bomb", replaced(_WITH_ENTITY, "<dataset", _BOMB), "declarations in the DOCTYPE", line=2),
    _XML.refused(
        "entity of a file",
        replaced(_WITH_ENTITY, "<dataset", _OUTSIDE),
        "declarations in the DOCTYPE",
        line=2,
        hides=("root:",),
    ),
    _XML.refused(
        "entity from elsewhere", replaced(_WITH_ENTITY, "<dataset", _ELSEWHERE), "unknown entity 'b'", line=14
    ),
    _XML.damaged("entity of HTML", "zwo", "&nbsp;", "invalid XML: undefined entity", line=14),
    _XML.damaged("bare ampersand", "zwo", "R&D", "invalid XML: ", line=14),
    _XML.damaged("control character", "zwo", "z\x01o", "invalid XML: ", line=14),
    _XML.damaged("character that is none", "zwo", "&#xD800;", "invalid XML: reference to invalid", line=14),
    _XML.damaged(
        "nested too deeply", "</dataset>", "<x>" * 99_999, "elements are nested more than 64 levels deep", line=17
    ),
    _XML.damaged("markup in a segment", "zwo", "<b>zwo</b>", "unexpected element <b> inside a segment", line=14),
    _XML.damaged("text outside", "<hyp", "stray<hyp", "text outside segments: 'stray'", line=12),
    _XML.damaged("segment twice", '2">zwo', '1">zwo', "duplicate segment 1 in the output of 'a'", line=14),
    _XML.damaged(
        "segment missing", '<seg id="2">zwo</seg>', "", "the output of 'a' of document 'd1' has 1 segm", line=12
    ),
    _XML.damaged("segment 0", '2">zwo', '0">zwo', "the id of a segment '0' must be a positive integer", line=14),
    _XML.damaged(
        "two languages",
        '<hyp lang="de"',
        '<ref lang="fr" translator="B"><p><seg id="1">un</seg><seg id="2">deux</seg></p></ref><hyp lang="de"',
        "the target language is 'fr' here, but 'de' before",
        line=12,
    ),
    _XML.damaged("path as a system", '"a"', '"../a"', "'../a' cannot be the name of a system", line=12),
    _XML.damaged("system without name", ' system="a"', "", "a system has no name", line=12),
    _XML.refused("Latin-1", replaced(_XML.good, "zwo", "zwö").encode("latin-1"), "byte 15", line=14),
    _XML.refused("UTF-16", _XML.good.encode("utf-16"), "looks like UTF-16, not UTF-8"),
    _XML.refused("web page", "<html><body>404</body></html>", "unexpected element <html> as the root", line=1),
    _XML.named("t.xml.gz").refused("truncated gzip", gzip.compress(b"<dataset/>", mtime=0)[:-9], "not a complete gzip"),
    _XML.noted(
        "unknown element", replaced(_XML.good, "<hyp", "<mood>good</mood><hyp"), "other elements are not used (mood: 1)"
    ),
)

_SRC = """<srcset setid="wmt" srclang="en">
<doc docid="d1">
<seg id="1">one</seg>
<seg id="2">two</seg>
</doc>
</srcset>
"""
_TST = Form(
    "sgml",
    "t.sgm",
    replaced(_SRC.replace("srcset", "tstset"), 'srclang="en"', 'srclang="en" trglang="de" sysid="a"').replace(
        "two", "zwo"
    ),
)


def _sgml(name: str, content: str | bytes, **rest: Any) -> Case:
    files = {"s.sgm": _SRC.encode(), "t.sgm": encoded(content)}
    return Case(name=name, family="sgml", **{"files": files, "command": LIST, "arguments": ("s.sgm", "t.sgm")} | rest)


def _beside(name: str, old: str, new: str, what: str) -> Case:
    """Wrong in itself or beside its sources."""
    return _sgml(name, replaced(_TST.good, old, new), code=3, says=(f"error: t.sgm, line {what}",))


_SGML_CASES = (
    _sgml("good", _TST.good, shows=("wmt       en-de",)),
    _sgml(
        "good, checked",
        _TST.good,
        command=CHECK,
        shows=("no findings",),
    ),
    _TST.refused("sources alone", _SRC, "no system output (<tstset>), only: source"),
    _TST.refused("empty", b"", "no system output (<tstset>)"),
    _TST.refused("truncated", _TST.good[:-20], "<seg> is never closed; is the file truncated", line=4),
    _TST.refused("truncated tag", _TST.good[: _TST.good.index(" docid")], "the tag <doc has no >", line=2),
    _TST.damaged(
        "crossed tags", "</seg>\n</doc>", "</doc>\n</seg>", "unexpected </doc>; <seg> of line 4 is open", line=4
    ),
    _TST.damaged("segment without id", ' id="2"', "", "a segment of document 'd1' has no id", line=4),
    _TST.damaged("attribute twice", 'docid="d1"', 'docid="d1" docid="d2"', "duplicate attribute docid", line=2),
    _TST.damaged("path as a system", '"a"', '"../a"', "'../a' cannot be the name of a system", line=2),
    _TST.damaged("escape sequence as a system", '"a"', '"\x1b[2J"', r"'\x1b[2J' cannot be", line=2, hides=("\x1b",)),
    _TST.refused(
        "character 0",
        '<?xml version="1.0"?>' + replaced(_TST.good, "zwo", "&#0;"),
        "invalid character reference",
        line=4,
    ),
    _TST.refused("Latin-1", replaced(_TST.good, "zwo", "zwö").encode("latin-1"), "byte 15", line=4),
    _beside(
        "segment of no source", 'id="2"', 'id="3"', "4: output 'a' has segment 3 of document 'd1', but no source does"
    ),
    _beside("segment twice", 'id="2"', 'id="1"', "4: duplicate output 'a' for segment 1 of document 'd1'"),
    _beside("another set", '"wmt"', '"wmx"', "1: the setid is 'wmx', but 'wmt' in s.sgm"),
    _beside("another language", '"en"', '"fr"', "1: the srclang is 'fr', but 'en' in s.sgm"),
)

CASES = (*_MTME_CASES, *_XML_CASES, *_SGML_CASES)
