"""Judgements of people: Appraise, MQM, ratings as JSON and rankings."""

from __future__ import annotations

import gzip
import json
from typing import Any

from tests.badinputs.case import CONVERT, Case, Process
from tests.badinputs.forms import Form, replaced

_APPRAISE = Form(
    "appraise",
    "t.csv",
    "u1,a,1,TGT,eng,deu,90,1.0,2.0\nu1,a,2,TGT,eng,deu,50,2.0,3.0\n"
    "u1,b,1,TGT,eng,deu,70,3.0,4.0\nu2,b,2,BAD,eng,deu,10,4.0,5.0\n",
)
_ESA = Form(
    "appraise",
    "t.csv",
    'u1,a,0,TGT,eng,deu,90,d1,False,"[{""start_i"": 0, ""end_i"": 2, ""severity"": ""minor""}]",1.0,2.0\n',
)
_APPRAISE_CASES = (
    _APPRAISE.case("good", None, shows=("en-de", "appraise:4")),
    _ESA.case("good, with errors", None, shows=("en-de", "appraise:1")),
    _APPRAISE.refused("empty", b"", "no scores", "--input-format", "appraise"),
    _APPRAISE.refused(
        "header only", "user,system,item,type,src,tgt,score\n", "no scores", "--input-format", "appraise"
    ),
    _APPRAISE.damaged("short row", ",3.0,4.0", ",3.0", "expected 7, 9, 11 or 12 fields, not 8", line=3),
    _APPRAISE.damaged("comma decimal", ",70,", ",7,5,", "expected 7, 9, 11 or 12 fields, not 10", line=3),
    _APPRAISE.damaged("empty line", "u1,b", "\nu1,b", "expected 7, 9, 11 or 12 fields, not 1", line=3),
    _APPRAISE.damaged("score 101", ",70,", ",101,", "the score 101 must be between 0 and 100", line=3),
    _APPRAISE.damaged("score -1", ",70,", ",-1,", "the score -1 must be between 0 and 100", line=3),
    _APPRAISE.damaged("score inf", ",70,", ",inf,", "the score is not a number: 'inf'", line=3),
    _APPRAISE.damaged("score 1e400", ",70,", ",1e400,", "the score 1e400 is too large for a number", line=3),
    _APPRAISE.damaged("unknown type", "BAD", "XXX", "the type must be TGT, CHK, BAD or REF, not 'XXX'", line=4),
    _APPRAISE.damaged("language", "BAD,eng,deu", "BAD,eng,../x", "'../x' is not a language", line=4),
    _APPRAISE.noted("item 0", replaced(_APPRAISE.good, "u1,b,1", "u1,b,0"), "items are numbered from 0, not from 1"),
    _APPRAISE.refused(
        "item 0 though 1 is the first",
        replaced(_APPRAISE.good, "u1,b,1", "u1,b,0"),
        "item 0 is before the first item, 1",
        *("--input-format", "appraise:first=1"),
        line=3,
    ),
    _ESA.noted(
        "one document, and no item 0",
        replaced(_ESA.good, "a,0", "a,1"),
        "no item 0: item 1 was read as segment 2",
        "one document",
    ),
    _APPRAISE.damaged("system twice", "u1,b", "u1,b+b", "a system has no name, or occurs twice", line=3),
    _APPRAISE.damaged("path as a system", "u1,b", "u1,../b", "'../b' cannot be the name of a system"),
    _APPRAISE.refused(
        "mixed forms", _APPRAISE.good + _ESA.good, "a different number of fields than in earlier lines", line=5
    ),
    _APPRAISE.refused("Latin-1", _APPRAISE.good.replace("u2", "ü").encode("latin-1"), "byte 1 of the line", line=4),
    _APPRAISE.damaged("open quote", "u2", '"u2', "invalid CSV: unexpected end of data", line=4),
    _APPRAISE.noted("exported twice", _APPRAISE.good + _APPRAISE.good.splitlines()[0], "1 duplicate line removed"),
    _ESA.damaged("errors that are no JSON", "[{", "[", "invalid JSON: ", line=1),
    _ESA.damaged(
        "error from behind",
        '""start_i"": 0',
        '""start_i"": 9',
        "an error ends before it starts: characters 9 to 2",
        line=1,
    ),
    _ESA.damaged(
        "error at -1",
        '""start_i"": 0',
        '""start_i"": -1',
        "the position of an error must be a character index, not '-1'",
        line=1,
    ),
    _ESA.damaged(
        "must be true or false", "False", "maybe", "is-document-score must be True or False, not 'maybe'", line=1
    ),
    _APPRAISE.case(
        "to a table",
        None,
        command=CONVERT,
        arguments=("t.csv", "new.tsv"),
        code=2,
        says=("error: t en-de: a table of outputs and scores cannot hold individual judgements",),
    ),
    _APPRAISE.case(
        "only texts, where there are none",
        None,
        command=CONVERT,
        arguments=("t.csv", "new.tsv", "--only", "texts"),
        code=2,
        says=("error: t en-de: no texts or scores to write",),
    ),
    _APPRAISE.case(
        "only scores, where there are none, as scores of the metrics task",
        None,
        command=CONVERT,
        arguments=("t.csv", "new.seg.score", "--only", "scores", "--to", "wmt-scores"),
        code=2,
        says=("error: no scores to write",),
    ),
    _APPRAISE.case(
        "only texts, where there are none, as XML",
        None,
        command=CONVERT,
        arguments=("t.csv", "new.xml", "--only", "texts"),
        code=2,
        says=("error: no texts to write",),
    ),
    _APPRAISE.case(
        "item 999,999,999, to a table",
        replaced(_APPRAISE.good, "u1,b,1", "u1,b,999999999"),
        command=CONVERT,
        arguments=("t.csv", "new.jsonl", "--only", "scores"),
        process=Process(script='ulimit -v 600000; "$@"'),
        code=3,
        says=("error: t.csv: segments are numbered up to 999,999,999, but the file has only 4 judgements", "hint: "),
    ),
    _APPRAISE.damaged("item 999,999,999", "u1,b,1", "u1,b,999999999", "segments are numbered up to 999,999,999"),
    _APPRAISE.noted("no score", replaced(_APPRAISE.good, ",70,", ",,"), "1 of 4 judgements without a score"),
)

_MQM = Form(
    "mqm",
    "mqm_newstest2020_ende.tsv",
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "a\td1\t1\t1\tr1\tone\t<v>eins</v>\tAccuracy/Mistranslation\tMajor\n"
    "a\td1\t2\t2\tr1\ttwo\tzwo\tNo-error\tNo-error\n"
    "b\td1\t1\t1\tr1\tone\tein\tNo-error\tNo-error\n",
)
_MQM_HEADER = _MQM.good.splitlines(keepends=True)[0]
_WIDER = _MQM.good.replace("Major\n", "Major\tx\n").replace("No-error\n", "No-error\tx\n")
_MQM_CASES = (
    _MQM.case("good", None, shows=("newstest2020  en-de", "mqm:3")),
    _MQM.refused("empty", b"", "empty file", "--input-format", "mqm"),
    _MQM.refused("header only", _MQM_HEADER, "no ratings"),
    _MQM.damaged("short row", "ein\tNo-error\t", "ein\t", "8 fields, expected 9", line=4),
    _MQM.noted("half a mark", replaced(_MQM.good, "</v>", ""), "1 error without a position: not one <v> and one </v>"),
    _MQM.damaged(
        "no error, but marked", "zwo", "<v>zwo</v>", "an error is marked, but the category is No-error", line=3
    ),
    _MQM.damaged("error without severity", "Major", "", "an error needs a category and a severity", line=2),
    _MQM.damaged(
        "another source", "b\td1\t1\t1\tr1\tone", "b\td1\t1\t1\tr1\tuno", "the source for segment 1 differs", line=4
    ),
    _MQM.damaged("segment 0", "b\td1\t1\t1", "b\td1\t1\t0", "the segment '0' must be a positive integer", line=4),
    _MQM.damaged("system without name", "\nb\t", "\n \t", "the system has no name", line=4),
    _MQM.damaged("path as a system", "\nb\t", "\n../b\t", "'../b' cannot be the name of a system"),
    _MQM.refused("Latin-1", _MQM.good.replace("zwo", "zwö").encode("latin-1"), "byte 19 of the line (0xF6)", line=3),
    _MQM.named("m.tsv.gz").refused("truncated gzip", gzip.compress(b"x", mtime=0)[:-9], "not a complete gzip file"),
    _MQM.noted("unknown column", _WIDER.replace("severity\n", "severity\tmood\n"), "unused columns: mood"),
    _MQM.refused(
        "column twice",
        _WIDER.replace("severity\n", "severity\trater\n"),
        "the columns 'rater' and 'rater' have the same meaning",
        line=1,
    ),
    _MQM.damaged(
        "segment 999,999,999", "b\td1\t1\t1", "b\td1\t1\t999999999", "segments are numbered up to 999,999,999"
    ),
    _MQM.noted(
        "texts of few segments",
        replaced(_MQM.good, "b\td1\t1\t1", "b\td1\t1\t99999"),
        "texts not used: ",
    ),
    _MQM.case(
        "language pair",
        None,
        "--input-format",
        "mqm:lp=german",
        code=2,
        says=("error: 'german' is not a language pair",),
    ),
    _MQM.case(
        "unknown option", None, "--input-format", "mqm:x=1", code=2, says=("error: format 'mqm' has no option 'x'",)
    ),
    _MQM.case(
        "unknown format", None, "--input-format", "mqmm", code=2, says=("error: unknown format 'mqmm'", "'mqm'?")
    ),
)

_ERROR = {"start": 0, "end": 2, "category": "Accuracy", "severity": "Major", "score": 5}
_RATED: tuple[tuple[str, int, str, str, list[dict[str, Any]]], ...] = (
    ("a", 0, "one", "eins", [_ERROR]),
    ("a", 1, "two", "zwo", []),
    ("b", 0, "one", "ein", []),
)
_KEYS = ("system_id", "segment_id", "source", "hypothesis", "errors")
_LANGUAGES = {"rater_id": "r1", "src_lang": "en", "tgt_lang": "de"}
_LINES = [json.dumps(dict(zip(_KEYS, row, strict=True)) | _LANGUAGES) for row in _RATED]
_RATINGS = Form("ratings", "t.jsonl", "\n".join(_LINES) + "\n")
_WMT24 = '{"esa_score": 90, "esa_spans": [], "line_id": 0, "langs": "en-de", "system": "a", "annotator": "x"}\n'
_BLOCKS = Form("ratings", "en-de.mqm.seg.rating", 'a\t{"errors": []}\tr1\na\tNone\nb\t{"errors": []}\nb\tNone\n')
_RATING_CASES = (
    _RATINGS.case("good", None, shows=("en-de", "mqm:3")),
    _BLOCKS.case("good, in blocks", None, shows=("en-de", "mqm:2")),
    _RATINGS.refused("truncated", _RATINGS.good[:-30], "invalid JSON: ", line=3),
    _RATINGS.refused("empty line", _RATINGS.good + "\n", "invalid JSON: expecting value", line=4),
    _RATINGS.refused("a list", _RATINGS.good + "[]\n", "expected a JSON object", line=4),
    _RATINGS.refused("mixed forms", _RATINGS.good + _WMT24, "not the layout of the first line", line=4),
    _RATINGS.refused(
        "unknown form",
        _RATINGS.good + '{"a": 1}\n',
        "unrecognised layout of a rating",
        line=4,
        hides=("docs/formats.md",),
    ),
    _RATINGS.refused("rated twice", _RATINGS.good + _LINES[0], "duplicate rating of 'a' by 'r1' for a segment", line=4),
    _RATINGS.damaged(
        "segment -1", '"segment_id": 1', '"segment_id": -1', "segment_id must be a non-negative integer", line=2
    ),
    _RATINGS.damaged(
        "segment 999,999,999", '"segment_id": 1', '"segment_id": 999999998', "segments are numbered up to 999,999,999"
    ),
    _RATINGS.damaged("errors that are none", "[]", '"none"', "the errors must be a list of JSON objects", line=2),
    _RATINGS.damaged(
        "error from behind", '"start": 0', '"start": 9', "an error ends before it starts: characters 9 to 2", line=1
    ),
    _RATINGS.damaged(
        "error at 0.5",
        '"start": 0',
        '"start": 0.5',
        "the position of an error must be a character index, not '0.5'",
        line=1,
    ),
    _RATINGS.damaged("NaN", '"score": 5', '"score": NaN', "invalid JSON: NaN is not a number", line=1),
    _RATINGS.damaged("1e400", '"score": 5', '"score": 1e400', "the score of an error is too large", line=1),
    _RATINGS.damaged(
        "5,000 digits", '"score": 5', '"score": ' + "9" * 5000, "invalid JSON: a number has too many digits", line=1
    ),
    _RATINGS.damaged(
        "error in a list",
        '"start": 0',
        f'"start": {"[" * 500 + "]" * 500}',
        "the position of an error must be a character index, not a list",
        line=1,
    ),
    _RATINGS.noted("null is a gap", _WMT24.replace("90", "null"), "1 rating without a score"),
    _RATINGS.noted("unknown field", replaced(_RATINGS.good, "{", '{"mood": 1, '), "unused fields: mood"),
    _BLOCKS.noted("not rated", _BLOCKS.good, "2 of 4 outputs not rated"),
    _RATINGS.damaged("language", '"de"', '"../x"', "'../x' is not a language", line=1),
    _RATINGS.damaged("another source", '"one"', '"uno"', "the source for segment 1 differs", line=3),
    _RATINGS.damaged("path as a system", '"b"', '"../b"', "'../b' cannot be the name of a system"),
    _RATINGS.damaged("system without name", '"b"', '""', "system_id is missing", line=3),
    _RATINGS.damaged(
        "key twice", '"errors": []', '"errors": [], "errors": []', "invalid JSON: duplicate key 'errors'", line=2
    ),
    _RATINGS.damaged("a lone surrogate", '"zwo"', r'"\ud800"', "invalid JSON: a lone surrogate", line=2),
    _RATINGS.damaged("nested too deeply", "[]", "[" * 100_000, "invalid JSON: nested too deeply", line=2),
    _RATINGS.refused("score 101", _WMT24.replace("90", "101"), "the score 101 must be between 0 and 100", line=1),
    _BLOCKS.refused("blocks of two lengths", _BLOCKS.good + "b\tNone\n", "systems have different numbers of segments"),
    _BLOCKS.refused("nobody rated", "a\tNone\n", "no ratings"),
    _BLOCKS.refused("empty", b"", "empty file"),
    _BLOCKS.damaged("spaces for tabs", "a\tNone", "a None", "expected 2 or 3 fields, none empty, not 1", line=2),
)

_RANKINGS = Form(
    "rankings",
    "t.csv",
    "srclang,trglang,srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank\n"
    "eng,deu,1,j1,a,1,b,2\neng,deu,2,j1,a,2,b,1\neng,deu,2,j2,a,1,b,-1\n",
)
_RANKING_CASES = (
    _RANKINGS.case("good", None, shows=("en-de", "rr:3")),
    _RANKINGS.noted("not ranked", _RANKINGS.good, "1 of 6 judged outputs without a rank"),
    _RANKINGS.noted(
        "unknown column",
        _RANKINGS.good.replace("deu,", "deu,x,").replace("trglang", "trglang,mood"),
        "unused columns: mood",
    ),
    _RANKINGS.noted(
        "mark and CR LF",
        "\ufeff" + _RANKINGS.good.replace("\n", "\r\n"),
        "removed a byte order mark",
    ),
    _RANKINGS.refused("empty", b"", "empty file", "--input-format", "rankings"),
    _RANKINGS.refused("header only", _RANKINGS.good.splitlines(True)[0], "no rankings"),
    _RANKINGS.damaged("short row", "a,2,b,1", "a,2,b", "7 fields, but the header has 8", line=3),
    *(
        _RANKINGS.damaged(f"rank {rank}", "a,2,b,1", f"a,{rank},b,1", f"the rank '{rank}' must be an integer", line=3)
        for rank in ("0", "x", "1.5", "1000", "-2")
    ),
    _RANKINGS.damaged("two ranks", "a,2,b,1", "a,2,a,1", "two different ranks for 'a' in one ranking", line=3),
    _RANKINGS.damaged("system without name", "a,2,b,1", ",2,b,1", "a system has no name", line=3),
    _RANKINGS.damaged("nobody's ranking", "deu,2,j1", "deu,2,", "the judge has no name", line=3),
    _RANKINGS.damaged("segment 999,999,999", "deu,2,j1", "deu,999999999,j1", "segments are numbered up to 999,999,999"),
    _RANKINGS.damaged("segment 0", "deu,2,j1", "deu,0,j1", "the segment '0' must be a positive integer", line=3),
    _RANKINGS.damaged("language", "deu,2,j1", "klingonisch,2,j1", "'klingonisch' is not a language", line=3),
    _RANKINGS.damaged("no judges", "judgeId", "jugdeId", "missing columns: judgeid", line=1),
    _RANKINGS.damaged("column twice", "judgeId", "srcIndex", "duplicate column", line=1),
    _RANKINGS.refused("semicolons", _RANKINGS.good.replace(",", ";"), "missing columns: srclang, trglang, src", line=1),
    _RANKINGS.damaged("path as a system", "a,2,b,1", "../a,2,b,1", "'../a' cannot be the name of a system"),
    _RANKINGS.refused("Latin-1", _RANKINGS.good.replace("j2", "jü").encode("latin-1"), "byte 12 of the line", line=4),
    _RANKINGS.refused(
        "one ranking of two judges",
        _RANKINGS.good.replace("srcIndex", "rankingID,srcIndex").replace("deu,", "deu,7,"),
        "ranking 7 has a different judge or segment in line 2",
        line=3,
    ),
)

CASES: tuple[Case, ...] = (*_APPRAISE_CASES, *_MQM_CASES, *_RATING_CASES, *_RANKING_CASES)
