from __future__ import annotations

import contextlib
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import read
from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.tables.rows import EVERY_SYSTEM, ScoreKind
from assay.data.tables.schema import Schema, campaigns_of_table, certainty_of
from assay.errors import InputError, NameClashError
from assay.types import NoteKind

PATH = Path("folder/base.tsv")


def columns(*names):
    return Schema.of(names, PATH, line=1)


def row(said, *, path=PATH):
    """The row of a record given as names and values."""
    return Schema.of(tuple(said), path).row(list(said.values()), 2)


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("source", ["src", "source", "Source", "SRC ", " src"]),
        ("reference", ["ref", "reference", "Reference", "references"]),
        ("output", ["mt", "MT", "hyp", "hypothesis", "output", "translation", "target"]),
        ("system", ["sys", "System"]),
        ("segment", ["seg", "segment", "seg_id", "segment_id", "id", "Seg ID", "seg-id"]),
        ("document", ["doc", "document", "doc_id", "docid", "docID"]),
        ("lp", ["lp", "langs", "language_pair", "Language Pair"]),
        ("dataset", ["dataset", "testset", "test_set", "corpus"]),
        ("domain", ["domain"]),
    ],
)
def test_aliases(field, names):
    for name in names:
        assert dict(columns(name).fields) == {field: 0}


def test_references_of_many_names():
    found = columns("reference:refA", "ref:my own", "refB", "reference_1", "Ref 2")
    assert dict(found.references) == {"refA": 0, "my own": 1, "refB": 2, "reference_1": 3, "Ref 2": 4}


def test_outputs_of_many_systems():
    found = columns("id", "output:A", "mt:B:2")
    assert dict(found.outputs) == {"A": 1, "B:2": 2}
    assert found.is_wide


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("score:BLEU", ScoreKind("BLEU")),
        ("Score:chrF++ 2", ScoreKind("chrF++ 2")),
        ("score:a%3Ab%25", ScoreKind("a:b%")),
        ("score:BLEU:references=refA,refB", ScoreKind("BLEU", None, ("refA", "refB"))),
        ("score:TER:better=lower", ScoreKind("TER", higher_is_better=False)),
        ("human:MQM", ScoreKind("MQM", "MQM")),
        ("human:mqm", ScoreKind("mqm", "MQM")),
        ("human:DA-z", ScoreKind("DA-z", "DA-z")),
        ("human:DA+SQM", ScoreKind("DA+SQM", "DA+SQM")),
        ("human:my own", ScoreKind("my own", "other")),
        ("human:round 1:protocol=esa:rater=7", ScoreKind("round 1", "ESA", rater="7")),
        ("raw", ScoreKind("DA", "DA")),
        ("z", ScoreKind("DA-z", "DA-z")),
        ("Z-Score", ScoreKind("DA-z", "DA-z")),
        ("zscore", ScoreKind("DA-z", "DA-z")),
        ("score", ScoreKind("base")),
    ],
)
def test_scores(header, kind):
    assert dict(columns("system", header).kinds) == {header: kind}


@given(st.text(max_size=30) | st.text(st.sampled_from("score:human=,%FEprotcl"), max_size=30))
def test_any_header_is_read_or_refused(name):
    with contextlib.suppress(InputError):
        columns(name, "system")


def test_other_columns_are_noted():
    found = campaigns_of_table(Path(__file__), ["mt", "year", "human", "a\x1b"], [(2, ["x", 1, 2, 3])], has_gaps=True)
    assert str(found[0].notes[0]).endswith("test_schema.py: unused columns: year, human, a\\x1b")


FLAWS = {
    "one name twice": (["src", "mt", "src"], "duplicate column 'src'"),
    "one name twice, unread": (["src", "x", "x"], "duplicate column 'x'"),
    "a text twice": (["a text of a first line without names"] * 2, "the first line must name the columns"),
    "one meaning twice": (["src", "Source"], "the columns 'src' and 'Source' have the same meaning"),
    "one kind twice": (["sys", "raw", "human:DA"], "the columns 'raw' and 'human:DA' have the same meaning"),
    "nothing known": (["a", "b"], "no recognised column: a, b\nrecognised columns: dataset"),
    "another separator": (["source;output"], "check the separator"),
    "both forms": (["output:A", "output", "src"], "a column is about one system"),
    "both forms, system": (["outputs", "system"], "a column is about one system"),
    "wide with scores": (["output:A", "score:m"], "a column is about one system"),
    "two raters": (["worker", "judge", "system", "segment", "z"], "this table of ratings needs one rater"),
    "two scores of a rater": (["worker", "system", "segment", "raw", "z"], "this table of ratings needs one rater"),
    "score without name": (["sys", "score:"], "column 'score:': a score has no name"),
    "unknown option": (["sys", "score:COMET:22"], "invalid option '22'"),
    "option twice": (["sys", "score:a:rater=1:rater=2"], "invalid option 'rater=2'"),
    "protocol": (["sys", "human:a:protocol=QQ"], "use protocol=DA|DA-z"),
    "protocol of a metric": (["sys", "score:a:protocol=DA"], "use protocol="),
    "direction": (["sys", "score:a:better=up"], "better=higher|lower"),
    "bytes": (["sys", "score:%FF"], "column 'score:%FF'"),
    "unsafe": (["sys", "score:a\x07b"], "cannot be the name of a score"),
}


@pytest.mark.parametrize(("names", "message"), FLAWS.values(), ids=list(FLAWS))
def test_flaws_of_headers(names, message):
    with pytest.raises(InputError) as caught:
        columns(*names)
    assert str(caught.value).startswith("folder/base.tsv, line 1: ")
    assert message in str(caught.value)


def test_a_long_record():
    said = row(
        {"testset": "wmt", "lp": "en-de", "sys": "A", "id": 3, "src": "s", "ref": "r", "mt": "", "score:m": "0.5"}
    )
    assert (said.dataset, said.lp, said.system, said.segment, said.source) == ("wmt", "en-de", "A", "3", "s")
    assert said.references == {"ref": "r"}
    assert said.outputs == {"A": ""}
    assert said.scores == {("A", "score:m"): 0.5}


def test_a_wide_record():
    said = row({"id": "1", "output:A": "x", "outputs": {"B": None}})
    assert said.system == EVERY_SYSTEM
    assert said.outputs == {"A": "x", "B": None}


def test_without_a_column_for_it_the_system_is_called_after_the_file():
    assert row({"mt": "x"}, path=Path("a/online.B.tsv.gz")).outputs == {"online.B": "x"}


@pytest.mark.parametrize(
    ("reference", "texts"),
    [
        (None, {}),
        ("a", {"ref": "a"}),
        (["a", None], {"ref1": "a", "ref2": None}),
        ({"refA": "a", "refB": ""}, {"refA": "a", "refB": ""}),
    ],
)
def test_references_of_a_record(reference, texts):
    assert row({"mt": "x", "reference": reference}).references == texts


@pytest.mark.parametrize(("value", "label"), [(7, "7"), (7.0, "7"), ("7", "7"), (math.nan, None), (None, None)])
def test_labels_may_be_numbers(value, label):
    assert row({"mt": "x", "segment": value}).segment == label


RECORDS = {
    "text": ({"mt": 1}, "the output must be text, not int"),
    "label": ({"mt": "x", "doc": True}, "the document must be text, not bool"),
    "broken number": ({"mt": "x", "seg": 1.5}, "the segment must be text, not float"),
    "huge number": ({"mt": "x", "seg": 1e300}, "the segment must be text, not float"),
    "reference": ({"mt": "x", "ref": [["a"]]}, "the reference 'ref1' must be text, not list"),
    "reference twice": ({"mt": "x", "ref": "a", "ref:ref": "a"}, "two references are called 'ref'"),
    "outputs": ({"outputs": "x"}, "the outputs must be an object of systems and texts, not str"),
    "output": ({"outputs": {"A": {}}}, "the output 'A' must be text, not dict"),
    "output twice": ({"outputs": {"A": "x"}, "output:A": "y"}, "two outputs are called 'A'"),
    "score": ({"sys": "A", "score:m": "x"}, "the score 'm' is not a number: 'x'"),
    "no system": ({"sys": None, "mt": "x"}, "an output or score without a system"),
    "score of no system": ({"sys": None, "score:m": 1}, "an output or score without a system"),
}


@pytest.mark.parametrize(("said", "message"), RECORDS.values(), ids=list(RECORDS))
def test_flaws_of_records(said, message):
    with pytest.raises(InputError) as caught:
        row(said)
    assert str(caught.value).startswith(f"folder/base.tsv, line 2: {message}")


def test_an_empty_cell_says_nothing_where_there_is_nothing_to_say_it_of():
    found = columns("system", "segment", "source", "output", "doc", "score:m")
    assert found.with_gaps(["A", "1", "", "", "", ""], 2) == ["A", "1", "", "", None, ""]
    assert found.with_gaps(["", "1", "", "", "", ""], 2) == [None, "1", "", None, None, ""]
    assert found.with_gaps(["A", "", "", "", "", "1"], 2) == ["A", None, None, None, None, "1"]
    with pytest.raises(InputError, match="line 2: a text without a segment"):
        found.with_gaps(["A", "", "", "x", "", "1"], 2)


@pytest.mark.parametrize(
    ("names", "certainty"),
    [
        (["a", "b"], NO),
        (["segment", "better", "worse"], POSSIBLE),
        (["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"], POSSIBLE),
        (["worker", "system", "segment", "type", "z"], POSSIBLE),
        (["src", "mt"], LIKELY),
        (["lp", "src", "mt", "ref", "score", "raw", "annotators", "domain", "year"], LIKELY),
        (["id", "output:A"], CERTAIN),
        (["system", "score:COMET:22"], CERTAIN),
        (["Output: see below.", "x"], POSSIBLE),
        (["BLEU", "en-de", "refA"], NO),
        (["z", "refA"], NO),
        (["x:y"], NO),
    ],
)
def test_how_surely_a_header_is_one_of_ours(names, certainty):
    assert certainty_of(names) == certainty


def test_the_order_of_scores_is_that_of_the_columns():
    records = [(2, ["A", "1", None, 1.0]), (3, ["A", "2", 2.0, None])]
    (campaign,) = campaigns_of_table(Path(__file__), ["sys", "seg", "score:b", "score:a"], records, has_gaps=True)
    assert [table.name for table in campaign.scores] == ["b", "a"]


def test_clashes_are_clashes():
    with pytest.raises(NameClashError):
        columns("src", "source")


@pytest.mark.parametrize("column", ["annotator_id", "rater", "user_id", "username", "judgeid"])
def test_scores_beside_a_rater_are_ratings(tmp_path, column):
    path = tmp_path / "t.csv"
    path.write_text(f"system,segment,score,{column}\nx,1,1,a\nx,2,3,b\n", encoding="utf-8")
    (campaign,) = read(path)
    (ratings,) = campaign.judgements
    assert (ratings.name, ratings.protocol, ratings.raters) == ("t", "other", ("a", "b"))
    assert ratings.score.tolist() == [1, 3]
    path.write_text(f"system,score,{column}\nx,1,a\n", encoding="utf-8")
    with pytest.raises(InputError, match="this table of ratings needs one rater, system, segment and score"):
        read(path)


@pytest.mark.warns("faulty rows? skipped")
@pytest.mark.parametrize("suffix", ["tsv", "csv"])
def test_single_faulty_rows_of_scores_are_skipped(tmp_path, suffix):
    separator = "\t" if suffix == "tsv" else ","
    lines = ["system,segment,score:m", *(f"a,{i},{i}" for i in range(1, 301)), "a,301,x", "a,302,1"]
    path = tmp_path / f"t.{suffix}"
    path.write_text("".join(f"{line.replace(',', separator)}\n" for line in lines), encoding="utf-8")
    (campaign,) = read(path)
    (note,) = (note for note in campaign.notes if note.kind is NoteKind.SKIPPED)
    assert (note.count, note.line, np.isnan(campaign.scores[0].values).sum()) == (1, 302, 0)
    with_texts = [line + (",output" if number == 0 else ",t") for number, line in enumerate(lines)]
    path.write_text("".join(f"{line.replace(',', separator)}\n" for line in with_texts), encoding="utf-8")
    with pytest.raises(InputError, match="line 302: the score 'm' is not a number"):
        read(path)


@pytest.mark.warns("faulty rows? skipped")
@pytest.mark.parametrize("header", ["rater,system,segment,human:ESA", "domain,system,segment,human:x:protocol=DA"])
def test_scores_beyond_the_scale_are_faulty(tmp_path, header):
    rows = "".join(f"r,A,{k},{50 + k}\n" for k in range(1, 31))
    (tmp_path / "t.csv").write_text(f"{header}\n{rows}r,A,31,950\n")
    (campaign,) = read(tmp_path / "t.csv")
    (note,) = (note for note in campaign.notes if note.kind is NoteKind.SKIPPED)
    assert "line 32: 1 faulty row skipped: the score 950 must be between 0 and 100 (" in str(note)
