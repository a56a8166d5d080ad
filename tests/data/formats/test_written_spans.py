"""Files of marked errors that Assay writes in the forms of WMT."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.errors import ConfigError
from assay.types import ErrorSpan
from tests.data.formats.marked_errors import ABOUT, ERROR, QE, by_cell
from tests.data.formats.test_wmt_mteval_spans import HEADER, wmt25


def written(source: Path, target: Path, form: str, **options: object) -> str:
    assay.convert(source, target, to=form, **options)  # type: ignore[arg-type]
    return target.read_text(encoding="utf-8")


def test_the_form_of_wmt23_is_written(tmp_path: Path) -> None:
    source, target = tmp_path / "predictions.txt", tmp_path / "again.tsv"
    source.write_text(ABOUT + QE, encoding="utf-8")
    form = "wmt-qe-spans:disk_bytes=2409244995,parameters=2280000000,models=3"
    assert written(source, target, form) == ABOUT + QE
    labels = "lp\tmethod\tsegment\ttarget\tstarts\tends\ttypes\n" + QE
    source.write_text(labels, encoding="utf-8")
    assert written(source, target, "wmt-qe-spans", force=True) == labels


def test_the_form_of_wmt25_is_written(tmp_path: Path) -> None:
    rows = [wmt25(0, "4\t7\tmajor"), wmt25(1, "missing\tmissing\tminor"), wmt25(2, "-1\t-1\tno-error", document="d2")]
    source, target = tmp_path / "mine.tsv", tmp_path / "out" / "mine.tsv"
    source.write_text(HEADER + "".join(rows), encoding="utf-8")
    target.parent.mkdir()
    written(source, target, "wmt-mteval-spans")
    (before,), (after,) = assay.read(source), assay.read(target)
    assert (
        before.predictions[0].errors == after.predictions[0].errors == ((ERROR,), (ErrorSpan("missing", "minor"),), ())
    )
    assert before.testset is not None
    assert after.testset is not None
    assert (after.lp, after.testset.items, after.testset.outputs) == (
        before.lp,
        before.testset.items,
        before.testset.outputs,
    )
    assert (after.testset.sources, after.testset.domains) == (before.testset.sources, before.testset.domains)
    with pytest.raises(ConfigError, match="a file of WMT23 has no place for errors without a position"):
        assay.convert(source, tmp_path / "x.tsv", to="wmt-qe-spans")
    with pytest.raises(ConfigError, match="has the texts of the outputs"):
        assay.convert(source, tmp_path / "x.tsv", to="wmt-mteval-spans", only="judgements")


def test_the_form_of_wmt26_is_written(tmp_path: Path) -> None:
    marked = {
        "A": {"errors": [{"start": 4, "end": 7, "severity": "major", "category": "a"}], "omission": "minor"},
        "B b": {"errors": [], "omission": None, "instruction_fault": "major"},
    }
    item = "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_"
    lines = [
        {"item_id": f"{item}0", "task1_pred": marked, "task2_pred": {"A": 60.0, "B b": None}},
        {"item_id": f"{item}1", "task1_pred": {"A": {"errors": []}}, "task2_pred": {"A": 61.5, "B b": 3.0}},
    ]
    source, target = tmp_path / "mine.jsonl", tmp_path / "out" / "mine.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    target.parent.mkdir()
    found = [json.loads(line) for line in written(source, target, "wmt-predictions").splitlines()]
    none = {"omission": None, "instruction_fault": None}
    assert found[1] == {**lines[1], "task1_pred": {"A": {"errors": [], **none}}}
    assert found[0]["task1_pred"] == {"A": {**none, **marked["A"]}, "B b": marked["B b"]}
    assert found[0]["task2_pred"] == {"A": 60.0, "B b": None}
    (before,), (after,) = assay.read(source), assay.read(target)
    assert by_cell(after.predictions[0]) == by_cell(before.predictions[0])
    (tmp_path / "qe.txt").write_text(ABOUT + QE, encoding="utf-8")
    with pytest.raises(ConfigError, match="names its segments, and these have no such names"):
        assay.convert(tmp_path / "qe.txt", tmp_path / "x.jsonl", to="wmt-predictions")


def test_what_a_form_of_spans_cannot_hold_is_an_error(tmp_path: Path) -> None:
    path, target = tmp_path / "e.judgements.jsonl", tmp_path / "x.tsv"
    base = {"lp": "en-de", "rater": "r", "system": "A", "segment": 1, "score": 5.0}
    for fields, message in (
        ({"category": "style"}, "no place for categories of errors: 'style'"),
        ({"in_source": True}, "no place for errors in the source"),
        ({}, "has the texts of the outputs"),
    ):
        error = {"severity": "minor", "start": 0, "end": 1, **fields}
        path.write_text(json.dumps({**base, "errors": [error]}) + "\n", encoding="utf-8")
        with pytest.raises(ConfigError, match=message):
            assay.convert(path, target, to="wmt-qe-spans")
    path.write_text("".join(json.dumps({**base, "score": k, "errors": []}) + "\n" for k in (5, 6)), encoding="utf-8")
    with pytest.raises(ConfigError, match="no place for two ratings of an output"):
        assay.convert(path, target, to="wmt-qe-spans")
    assert not target.exists()
