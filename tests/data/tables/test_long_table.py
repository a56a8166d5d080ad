from __future__ import annotations

import gzip
import math
from dataclasses import replace

import numpy as np
import pytest

from assay.data.tables.long_table import delimited, encoded, long_table, write_packed
from assay.errors import ConfigError, DecodeError, EmptyInputError, InputError, NameClashError
from assay.types import Campaign, Ratings, ScoreTable, TestSet
from tests.data.flat import facts, write_and_read

NAN = math.nan
TESTSET = TestSet(
    outputs={"B": ("b1", None, None), "A": (None, "", None)},
    references={"refA": ("r1", "r2", "r3")},
    documents=("d", None, None),
    lp="en-de",
    name="wmt",
)
METRIC = ScoreTable("BLEU", "segment", ("A", "C"), [[NAN, 2.0, NAN], [1.0, NAN, NAN]], references=("refA",))
WHOLE = ScoreTable("MQM", "system", ("B",), [[-1.5]], protocol="MQM")
CAMPAIGN = Campaign("wmt", "en-de", 3, ("A", "B", "C", "D"), ("refA",), TESTSET, (METRIC, WHOLE))


def test_a_row_for_whatever_there_is():
    table = long_table([CAMPAIGN])
    assert list(table.columns) == [
        *("dataset", "lp", "system", "segment", "document", "reference:refA", "output"),
        *("score:BLEU:references=refA", "human:MQM"),
    ]
    base = {"dataset": "wmt", "lp": "en-de"}
    first = base | {"segment": "1", "document": "d", "reference:refA": "r1"}
    assert list(table.records()) == [
        first | {"system": "B", "output": "b1"},
        base | {"system": "B", "human:MQM": -1.5},
        base | {"segment": "2", "reference:refA": "r2", "system": "A", "output": "", "score:BLEU:references=refA": 2.0},
        first | {"system": "C", "score:BLEU:references=refA": 1.0},
        base | {"system": "D"},
        base | {"segment": "3", "reference:refA": "r3"},
    ]


def test_lines_of_cells():
    campaign = replace(CAMPAIGN, scores=(WHOLE,), systems=("A", "B", "D"))
    assert delimited(long_table([campaign]), "|", str, lambda text: None).split("\n") == [
        "dataset|lp|system|segment|document|reference:refA|output|human:MQM",
        "wmt|en-de|B|1|d|r1|b1|",
        "wmt|en-de|B|||||-1.5",
        "wmt|en-de|A|2||r2||",
        "wmt|en-de|D|||||",
        "wmt|en-de||3||r3||",
        "",
    ]


def without_texts(**changes):
    return Campaign("wmt", "en-de", 0, ("A", "B"), (), None, **changes)


RATINGS = Ratings("r", "DA", ("x",), ("A",), np.array([0]), np.array([0]), np.array([0]), np.array([1.0]))
BY_DOCUMENT = ScoreTable("m", "document", ("A",), [[1.0]], items=("d",))


@pytest.mark.parametrize(
    ("campaigns", "error", "message"),
    [
        ([], EmptyInputError, "no campaigns to write"),
        ([CAMPAIGN, CAMPAIGN], NameClashError, "a table cannot hold two campaigns"),
        (
            [without_texts(judgements=(RATINGS,))],
            ConfigError,
            "wmt en-de: a table of outputs and scores cannot hold individual judgements",
        ),
        (
            [replace(without_texts(), references=("refA",))],
            ConfigError,
            "references without texts cannot be written: refA",
        ),
        ([without_texts(scores=(BY_DOCUMENT,))], ConfigError, "cannot hold scores by document"),
        ([without_texts(scores=(WHOLE, WHOLE))], NameClashError, "duplicate system scores 'MQM'"),
    ],
)
def test_what_a_table_cannot_hold(campaigns, error, message):
    with pytest.raises(error) as caught:
        long_table(campaigns)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"sources": ("a", None, "c")},
            "segment '2': the source is missing; an empty cell would be read as an empty text",
        ),
        ({"references": {"r": ("a", "b", None)}}, "segment '3': the reference r is missing"),
        (
            {"documents": ("", None, None)},
            "system 'B', segment '1': the document is empty; an empty cell would be read as no label",
        ),
    ],
)
def test_lines_cannot_tell_gaps_from_empty_texts(changes, message):
    references = tuple(changes.get("references", TESTSET.references))
    campaign = replace(CAMPAIGN, scores=(), references=references, testset=replace(TESTSET, **changes))
    with pytest.raises(InputError) as caught:
        delimited(long_table([campaign]), "\t", str, lambda text: None)
    assert message in str(caught.value)
    assert "dataset 'wmt', lp 'en-de'" in str(caught.value)
    assert caught.value.hint == "write JSON lines instead: FILE.jsonl"


def test_a_score_of_an_output_that_is_missing_needs_gaps():
    with pytest.raises(InputError, match="system 'C', segment '1': the output is missing"):
        delimited(long_table([CAMPAIGN]), "\t", str, lambda text: None)


def test_names_that_are_no_text():
    with pytest.raises(DecodeError, match=r"contains '\\ud800', which is not text"):
        encoded("a\ud800")


def test_packed(tmp_path):
    for name in ("a", "b"):
        write_packed(tmp_path / f"{name}.tsv.gz", b"text")
    assert gzip.decompress((tmp_path / "a.tsv.gz").read_bytes()) == b"text"
    assert (tmp_path / "a.tsv.gz").read_bytes() == (tmp_path / "b.tsv.gz").read_bytes()
    write_packed(tmp_path / "a.tsv", b"text")
    assert (tmp_path / "a.tsv").read_bytes() == b"text"


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_a_real_campaign_is_written_and_read_back(tmp_path, wmt_texts, name):
    references, outputs = wmt_texts("wmt21.tedtalks", "zh-en", ("refA", "refB"))
    testset = TestSet(outputs=outputs, references=references, lp="zh-en", name="wmt21.tedtalks")
    campaign = Campaign("wmt21.tedtalks", "zh-en", len(testset), testset.systems, ("refA", "refB"), testset)
    (back,) = write_and_read(name, [campaign], tmp_path / f"t.{name}.gz")
    assert facts(back) == facts(campaign)


def test_nothing_to_write():
    with pytest.raises(ConfigError, match="wmt en-de: no texts or scores to write"):
        long_table([Campaign("wmt", "en-de", 10**12, ("A",), (), None)])


def test_rows_come_one_by_one():
    scores = ScoreTable("M", "segment", ("A",), np.concatenate([np.full(10**6, NAN), [1.0]])[None])
    records = long_table([Campaign("wmt", "en-de", 10**6 + 1, ("A",), (), None, (scores,))]).records()
    assert next(records) == {"dataset": "wmt", "lp": "en-de", "segment": "1000001", "system": "A", "score:M": 1.0}
    assert next(records) == {"dataset": "wmt", "lp": "en-de", "segment": "1"}
