"""Scores of metrics: files of mt-metrics-eval and of the metrics task, sacreBLEU's and COMET's JSON."""

from __future__ import annotations

import functools
import gzip
import json
from typing import Any

from tests.badinputs.case import CONVERT, Case, text
from tests.badinputs.forms import Form, encoded, replaced

_SCORE = Form("score", "M.seg.score", "a 0.9\na 0.4\nb 0.7\nb 0.8\n")
_SCORE_CASES = (
    _SCORE.case("good", None, shows=("1 language pair",)),
    _SCORE.refused("empty", b"", "empty file"),
    _SCORE.damaged("three fields", "b 0.7", "b x 0.7", "expected 'SYSTEM SCORE', not 'b x 0.7'", line=3),
    _SCORE.damaged("one field", "b 0.7", "b", "expected 'SYSTEM SCORE', not 'b'", line=3),
    _SCORE.damaged("empty line", "b 0.7", "\nb 0.7", "expected 'SYSTEM SCORE', not ''", line=3),
    _SCORE.refused("one too many", _SCORE.good + "b 0.1\n", "2 scores for system 'a', expected 3"),
    _SCORE.refused("system begins again", "a 1\nb 1\na 1\nb 1\n", "a second block of system 'a'", line=3),
    *(
        _SCORE.damaged(f"score {given}", "0.7", given, f"the score {what}", line=3)
        for given, what in (
            ("inf", "is not a number: 'inf'"),
            ("-inf", "is not a number: '-inf'"),
            ("1e400", "1e400 is too large for a number"),
            ("0,7", "is not a number: '0,7'"),
            ("1_0", "is not a number: '1_0'"),
            ("٧", "is not a number: '٧'"),
        )
    ),
    _SCORE.refused("UTF-16", _SCORE.good.encode("utf-16"), "looks like UTF-16, not UTF-8"),
    _SCORE.refused("Latin-1", _SCORE.good.replace("b", "ö").encode("latin-1"), "byte 1 of the line (0xF6)", line=3),
    _SCORE.damaged("path as a system", "b 0.7\nb 0.8", "../b 1\n../b 2", "'../b' cannot be the name"),
    _SCORE.named("M.sys.score").refused("two by system", _SCORE.good, ""),
    _SCORE.named("M.domain.score").refused("domain twice", "n a 1\nn a 2\n", "duplicate score of 'a' in 'n'", line=2),
    _SCORE.named("M.seg.score.gz").refused(
        "truncated gzip", gzip.compress(b"a 1\n", mtime=0)[:-9], "not a complete gzip file"
    ),
    _SCORE.case(
        "no level",
        None,
        "--input-format",
        "score",
        files={"M.score": b"a 1\n"},
        arguments=("M.score", "--input-format", "score"),
        code=2,
        says=("error: the file name 'M.score' does not end in a level", "hint: e.g. METRIC.sys|"),
    ),
    _SCORE.case(
        "unknown protocol",
        None,
        *("--input-format", "score:protocol=X"),
        code=2,
        says=("error: unknown protocol 'X'",),
    ),
)

_LINE = "M\ten-de\twmt\trefA\t{}\t{}\t{}\n"
_CELLS = (("a", 1, 0.9), ("a", 2, 0.4), ("b", 1, 0.7), ("b", 2, 0.8))
_TASK = Form("wmt-scores", "M.seg.score", "".join(_LINE.format(*cell) for cell in _CELLS))
_TASK_CASES = (
    _TASK.case("good", None, shows=("wmt       en-de",)),
    _TASK.refused("empty", b"", "no scores", "--input-format", "wmt-scores"),
    _TASK.refused("header only", "metric\tlp\ttestset\tsystem\tsegment\tscore\n", "no scores"),
    _TASK.damaged("short row", "b\t1\t0.7", "b\t1", "6 columns, expected 7", line=3),
    _TASK.refused("mixed columns", _TASK.good + "M\ten-de\twmt\ta\t1\n", "5 columns, expected 7", line=5),
    _TASK.refused("score twice", _TASK.good + _LINE.format(*_CELLS[0]), "duplicate score 'M' of system 'a'", line=5),
    _TASK.refused("language pair", _TASK.good + "M\tger\twmt\trefA\tc\t1\t1\n", "'ger' is not a language pair", line=5),
    _TASK.damaged("comma decimal", "0.7", "0,7", "the score is not a number: '0,7'", line=3),
    _TASK.damaged("1e400", "0.7", "1e400", "the score 1e400 is too large for a number", line=3),
    _TASK.damaged("1e200", "0.7", "1e200", "the score 1e200 is too large: the limit is ±1e+150", line=3),
    _TASK.damaged("infinity", "0.7", "inf", "the score is not a number: 'inf'", line=3),
    _TASK.damaged("segment 0", "b\t1", "b\t0", "the segment '0' must be a positive integer", line=3),
    _TASK.damaged("segment 999,999,999", "b\t1", "b\t999999999", "1,999,999,998 cells"),
    _TASK.damaged("path as a system", "\tb\t", "\t../b\t", "'../b' cannot be the name of a system", line=3),
    _TASK.named("M.sys.score").refused("another level", _TASK.good, "the scores are by segment, but the file name"),
    _TASK.noted("None is a gap", replaced(_TASK.good, "0.7", "None"), "M by segment: 1 of 4 scores missing"),
    _TASK.case(
        "unknown columns",
        None,
        *("--input-format", "wmt-scores:columns=metric+lp"),
        code=2,
        says=("error: columns=metric+lp must contain metric, lp, testset, system and score",),
    ),
)

_METRICS = [{"name": name, "score": 27.3, "signature": "nrefs:1|v:2", "nrefs": "1"} for name in ("BLEU", "chrF2")]
_BLEU = Form("sacrebleu-json", "s.json", json.dumps(_METRICS, indent=1))


def _systems(name: str, second: dict[str, object], what: str, **rest: Any) -> Case:
    """The form of several systems, of which the second is wrong."""
    return _BLEU.refused(name, json.dumps([{"system": "x/a.txt", "BLEU": "27.3"}, second]), what, **rest)


_BLEU_CASES = (
    _BLEU.case("good", None, shows=("1 language pair",)),
    _BLEU.case("good, with mark", "\ufeff" + _BLEU.good, shows=("1 language pair",)),
    _BLEU.refused("empty", b"", "invalid JSON: expecting value", "--input-format", "sacrebleu-json", line=1),
    _BLEU.refused(
        "empty list", "[]", "expected an object with a score, or a list of such", "--input-format", "sacrebleu-json"
    ),
    _BLEU.refused("other JSON", '{"a": 1}', "this JSON is no table", is_told_alike=False),
    _BLEU.refused("truncated", _BLEU.good[:-40], "invalid JSON: ", line=11),
    _BLEU.damaged("Infinity", "27.3", "Infinity", "invalid JSON: Infinity is not a number"),
    _BLEU.damaged("1e400", "27.3", "1e400", "the score 'BLEU' of system 's' is"),
    _BLEU.damaged("comma decimal", "27.3", '"27,3"', "the score 'BLEU' of system 's' is"),
    _BLEU.damaged("true", "27.3", "true", "the score 'BLEU' of system 's' must be a number, not bool"),
    _BLEU.damaged("no score", '"score"', '"scores"', "an object needs the name and score of a metric"),
    _BLEU.damaged("metric twice", "chrF2", "BLEU", "duplicate score 'BLEU' of system 's'"),
    _BLEU.damaged("key twice", '"nrefs": "1"', '"nrefs": "1", "nrefs": "2"', "invalid JSON: duplicate key 'nrefs'"),
    _BLEU.damaged("nested too deeply", '"1"', "[" * 100_000, "invalid JSON: nested too deeply"),
    _BLEU.damaged("a lone surrogate", "BLEU", r"\ud800", "invalid JSON: a lone surrogate"),
    _systems("system twice", {"system": "x/a.txt", "BLEU": "28"}, "two systems are called 'x_a.txt'"),
    _systems("system without score", {"system": "b.txt"}, "system 'b' has no score"),
    _systems("folder as a system", {"system": "..", "BLEU": "28"}, "'..' cannot be the name of a system"),
    _systems("null as a system", {"system": None, "BLEU": "1"}, "a system has no name"),
    _systems("nothing in place of a score", {"system": "b.txt", "BLEU": {}}, "'BLEU' of system 'b' has no score"),
    _BLEU.damaged("5,000 digits", "27.3", "9" * 5000, "invalid JSON: a number has too many digits"),
    _BLEU.damaged("1e200", "27.3", "1e200", "the score 'BLEU' of system 's' is too large: the limit is ±1e+150"),
)

_SEGMENTS = {
    file: [{"src": src, "mt": mt, "ref": ref, "COMET": score} for src, mt, ref, score in rows]
    for file, rows in {
        "a.txt": (("one", "eins", "ein", 0.9), ("two", "zwo", "zwei", 0.4)),
        "b.txt": (("one", "x", "ein", 0.7), ("two", "y", "zwei", 0.8)),
    }.items()
}
_COMET = Form("comet-json", "c.json", json.dumps(_SEGMENTS, indent=1))
_COMET_CASES = (
    _COMET.case("good", None, shows=("1 language pair",)),
    _COMET.case("good, with mark", "\ufeff" + _COMET.good, shows=("1 language pair",)),
    _COMET.refused("truncated", _COMET.good[:-60], "invalid JSON: ", line=24),
    _COMET.refused("no segments", json.dumps(_SEGMENTS | {"b.txt": []}), "system 'b' has no segments"),
    _COMET.refused("one short", json.dumps(_SEGMENTS | {"b.txt": _SEGMENTS["b.txt"][:1]}), "system 'b' has 1 segment"),
    _COMET.damaged("another source", '"one"', '"uno"', "segment 1: 'b' and 'a' have a different source"),
    _COMET.damaged("no output", '"mt": "x"', '"nt": "x"', "system 'b', segment 1: no output (mt)"),
    _COMET.damaged("number for a text", '"x"', "3", "system 'b', segment 1: the output must be a text"),
    _COMET.damaged("Infinity", "0.7", "Infinity", "invalid JSON: Infinity is not a number"),
    _COMET.damaged("1e400", "0.7", "1e400", "the score 'COMET' of system 'b', segment 1 is"),
    _COMET.damaged("comma decimal", "0.7", '"0,7"', "the score 'COMET' of system 'b', segment 1 is"),
    _COMET.refused("no score", _COMET.good.replace("COMET", "errors"), "no scores"),
    _COMET.damaged("no name", "b.txt", "", "a system has no name"),
    _COMET.damaged("escape sequence as a system", "b.txt", r"\u001b[2J", r"'\x1b[2J' cannot be", hides=("\x1b",)),
    _COMET.damaged("a lone surrogate", '"x"', r'"\udc80"', "invalid JSON: a lone surrogate"),
    _COMET.noted("NaN is a gap", replaced(_COMET.good, "0.7", "NaN"), "COMET by segment: 1 of 4 scores missing"),
    _COMET.case(
        "line end in a text, as TSV",
        replaced(_COMET.good, '"x"', r'"x\ny"'),
        command=CONVERT,
        arguments=("c.json", "new.tsv"),
        code=3,
        says=(
            "system 'b', segment '1': the output contains a line end, which TSV cannot hold",
            "hint: write JSON lines instead",
        ),
    ),
)

_METRICX = Form(
    "metricx-jsonl",
    "m.jsonl",
    "".join(
        json.dumps({"source": src, "hypothesis": mt, "reference": ref, "prediction": score}) + "\n"
        for src, mt, ref, score in (("one", "eins", "ein", 0.5), ("two", "zwo", "zwei", 4.25))
    ),
)
_METRICX_CASES = (
    _METRICX.case("good", None, shows=("1 language pair",)),
    _METRICX.case("good, with mark", "\ufeff" + _METRICX.good, shows=("1 language pair",)),
    _METRICX.refused("truncated", _METRICX.good[:-20], "invalid JSON: ", line=2),
    _METRICX.refused("empty", b"", "empty file", "--input-format", "metricx-jsonl"),
    _METRICX.damaged("number for a text", '"zwo"', "3", "the field 'hypothesis' must be a text", line=2),
    _METRICX.damaged("Infinity", "4.25", "Infinity", "invalid JSON: Infinity is not a number", line=2),
    _METRICX.damaged("comma decimal", "4.25", '"4,25"', "the score is", line=2),
    _METRICX.noted("NaN is a gap", replaced(_METRICX.good, "4.25", "NaN"), "MetricX by segment: 1 of 2 scores missing"),
)

_imported = functools.partial(
    Case,
    family="imported scores",
    arguments=("--ref", "ref.txt", "a.txt", "b.txt", "--scores", "M.seg.score", "--format", "csv", "--resamples", "0"),
)
_TWO = {"ref.txt": text("x y", "z"), "a.txt": text("x", "z"), "b.txt": text("x y", "y")}


def _scores(name: str, content: str, *options: str, **rest: Any) -> Case:
    """`score --scores` with two systems of two segments."""
    arguments = (*_imported.keywords["arguments"], *options)
    known: dict[str, Any] = {"files": _TWO | {"M.seg.score": encoded(content)}, "arguments": arguments}
    return _imported(name=name, **known | rest)


_IMPORTED_CASES = (
    _scores("good", _SCORE.good, shows=("a,M,segment,,0.65,",)),
    _scores("constant", "a 1\na 1\nb 1\nb 1\n", shows=("a,M,segment,,1.0,", "b,M,segment,,1.0,")),
    _scores(
        "one None each",
        "a None\na 1\nb 1\nb 2\n",
        shows=("a,M,segment,,1.0,", "b,M,segment,,2.0,"),
        says=("note: M: excluded 1 of 2",),
    ),
    _scores(
        "nothing but None",
        "a None\na None\nb None\nb None\n",
        code=3,
        says=("error: nothing was scored: M: no segments of a, b were scored: they lack a score",),
    ),
    _scores(
        "system missing",
        "a 1\na 2\n",
        shows=("b,M,segment,,,,,,,0,no segment was scored,", "a,M,segment,,"),
        says=("note: M.seg.score: no scores of b",),
    ),
    _scores(
        "system too many",
        _SCORE.good + "c 1\nc 2\n",
        shows=("a,M,",),
        says=("note: M.seg.score: ", "scores of unknown systems are not used: c"),
    ),
    _scores("only other systems", "c 1\nc 2\n", code=3, says=("error: M.seg.score: ",)),
    _scores(
        "too many segments", "a 1\na 2\na 3\nb 1\nb 2\nb 3\n", code=3, says=("error: M.seg.score: 3 scores per sys",)
    ),
    _scores("NaN", _SCORE.good.replace("0.7", "nan"), says=("note: M: excluded 1 of 2 segments",)),
    _scores(
        "infinity",
        _SCORE.good.replace("0.7", "inf"),
        code=3,
        says=("error: M.seg.score, line 3: the score is not a number: 'inf'",),
    ),
    _scores(
        "comma decimal",
        _SCORE.good.replace("0.7", "0,7"),
        code=3,
        says=("error: M.seg.score, line 3: ", "hint: use a decimal"),
    ),
    _scores("empty", "", code=3, says=("error: M.seg.score: empty file",)),
    _scores(
        "the same twice", _SCORE.good, "--scores", "M.seg.score", code=2, says=("error: two metrics are called 'M'",)
    ),
    _scores(
        "by system",
        _SCORE.good,
        "--scores",
        "X.sys.score",
        files=_TWO | {"M.seg.score": _SCORE.good.encode(), "X.sys.score": b"a 1\nb 2\n"},
        code=3,
        says=("error: X.sys.score: this file has no segment scores",),
    ),
    _scores("not there", _SCORE.good, "--scores", "X.seg.score", code=3, says=("error: X.seg.score: no such file",)),
    _scores(
        "no scores in it", _SCORE.good, "--scores", "ref.txt", code=3, says=("error: ref.txt: unrecognised format",)
    ),
    _scores(
        "escape sequence as a name",
        _SCORE.good,
        arguments=("--ref", "ref.txt", "a.txt", "b.txt", "--scores", "\x1b[2J=M.seg.score"),
        code=3,
        says=(r"'\x1b[2J' cannot be the name of a metric",),
        hides=("\x1b",),
    ),
    _scores(
        "sums beyond the largest number",
        "a 1e308\na 1e308\nb 0\nb 0\n",
        code=3,
        says=("error: M.seg.score", "beyond ±1e+150"),
    ),
)

CASES = (*_SCORE_CASES, *_TASK_CASES, *_BLEU_CASES, *_COMET_CASES, *_METRICX_CASES, *_IMPORTED_CASES)
