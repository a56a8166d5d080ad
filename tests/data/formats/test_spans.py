from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.data.formats import detect_format
from assay.data.formats.spans import SpanFile
from assay.data.tables.headers import ALIASES
from assay.errors import ConfigError, InputError
from assay.types import ErrorSpan, NoteKind
from tests.data.formats.marked_errors import ABOUT, ERROR, QE, SPAN, by_cell, only


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("xc.json", json.dumps([[SPAN], []])),
        ("xc.jsonl", f"{json.dumps([SPAN])}\n[]\n"),
        ("xc.csv", "segment,start,end,severity,text\n1,4,7,major,cat\n2,,,no-error,\n"),
        ("xc.tsv", "system\tsegment\tstart\tend\tseverity\nxc\t1\t4\t7\tMajor\nxc\t2\t\t\t\n"),
    ],
)
def test_saved_lists_and_tables_of_errors(tmp_path: Path, name: str, text: str) -> None:
    _, predicted = only(tmp_path / name, text)
    assert by_cell(predicted) == {("xc", 0): (ERROR,), ("xc", 1): ()}


@pytest.mark.warns("1 faulty row skipped")
@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1,3,7,", "an error without a severity"),
        ("1,3,7,none", "the place of an error, but the severity 'none'"),
        ("1,3,7,no-error", "the place of an error, but the severity 'no-error'"),
        ("1,,7,", "an error without a severity"),
        ("1,7,3,minor", "an error ends before it starts: characters 7 to 3"),
    ],
)
def test_a_place_without_a_severity_is_not_an_output_without_errors(tmp_path: Path, row: str, problem: str) -> None:
    """The output is left out, with those of its rows that are sound: they are not all of its errors."""
    rows = ["1,4,7,major", *(f"{number},,,no-error" for number in range(2, 20)), row]
    path = tmp_path / "xc.csv"
    path.write_text("segment,start,end,severity\n" + "".join(f"{each}\n" for each in rows), encoding="utf-8")
    (campaign,) = assay.read(path)
    assert by_cell(campaign.predictions[0]) == {("xc", number): () for number in range(1, 19)}
    (note,) = [note for note in campaign.notes if note.kind is NoteKind.SKIPPED]
    assert (note.text, note.line, note.count) == (f"1 faulty row skipped: {problem}", 21, 1)


def test_a_table_without_severities_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "xc.csv"
    path.write_text("segment,start,end,severity\n1,,,\n2,3,7,\n3,4,7,\n", encoding="utf-8")
    with pytest.raises(InputError, match="an error without a severity") as caught:
        assay.read(path)
    assert caught.value.line == 3


def test_a_row_without_a_place_is_an_output_without_errors(tmp_path: Path) -> None:
    """Places of -1 are none, as in the tasks of WMT."""
    _, predicted = only(tmp_path / "xc.csv", "segment,start,end,severity\n1,-1,-1,no-error\n2,,,\n3,-1,-1,minor\n")
    assert by_cell(predicted) == {("xc", 0): (), ("xc", 1): (), ("xc", 2): (ErrorSpan("", "minor"),)}


@pytest.mark.warns("1 faulty row skipped")
def test_an_output_with_and_without_an_error_is_left_out(tmp_path: Path) -> None:
    rows = [f"A,{segment},4,7,major" for segment in range(1, 21)]
    text = "\n".join(("system,segment,start,end,severity", *rows, "A,3,,,no-error", rows[4], ""))
    campaign, predicted = only(tmp_path / "mine.csv", text)
    assert ("A", 2) not in by_cell(predicted)
    assert by_cell(predicted)["A", 4] == (ERROR,)
    texts = [note.text for note in campaign.notes]
    assert "1 row counted once: the same as an earlier row in every column" in texts
    assert "1 faulty row skipped: no error in this row, but an error in an earlier one of the same output" in texts


@pytest.mark.warns("1 faulty row skipped")
def test_a_faulty_segment_of_a_list_moves_no_other(tmp_path: Path) -> None:
    path = tmp_path / "xc.json"
    path.write_text(json.dumps([[{**SPAN, "severity": "majr"}], *[[] for _ in range(18)], [SPAN]]), encoding="utf-8")
    (campaign,) = assay.read(path)
    found = by_cell(campaign.predictions[0])
    assert found == {**{("xc", number): () for number in range(1, 19)}, ("xc", 19): (ERROR,)}


def test_json_lines_with_systems_and_segments(tmp_path: Path) -> None:
    lines = [
        {"system": "A", "segment": 3, "error_spans": [SPAN], "score": 0.4},
        {"system": "B", "segment": 3, "error_spans": []},
    ]
    path = tmp_path / "judge.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (campaign,) = assay.read(path, input_format="spans")
    assert by_cell(campaign.predictions[0]) == {("A", 2): (ERROR,), ("B", 2): ()}


def test_predictions_are_written_and_joined(tmp_path: Path) -> None:
    """They stay predictions: no command takes them for the judgements of people."""
    (tmp_path / "predictions.txt").write_text(ABOUT + QE, encoding="utf-8")
    target = tmp_path / "all.judgements.jsonl"
    assay.convert(tmp_path / "predictions.txt", target, only="judgements")
    assert detect_format(target).name == "judgements"  # type: ignore[union-attr]
    (read,) = assay.read(target)
    assert not read.judgements
    assert read.predictions[0].errors[1] == (ErrorSpan("", "major", 2, 8), ErrorSpan("", "minor", 14, 17))
    other = tmp_path / "other.txt"
    other.write_text(ABOUT + QE.replace("ens", "other"), encoding="utf-8")
    (joined,) = assay.read(tmp_path / "predictions.txt", other)
    assert [each.name for each in joined.predictions] == ["ens", "other"]
    assert assay.list_data(other).campaigns[0].judgements == {"other": 2}
    with pytest.raises(InputError, match="no segment-level human judgements"):
        assay.rank(joined)


@pytest.mark.parametrize("name", ["errors.spans.csv", "errors.spans.tsv"])
def test_errors_are_written_as_a_table(tmp_path: Path, name: str) -> None:
    lines = [
        {"system": "A", "segment": 1, "errors": [SPAN, {"start": None, "end": None, "severity": "minor"}]},
        {"system": "B", "segment": 2, "errors": []},
    ]
    source = tmp_path / "metric.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assay.convert(source, tmp_path / name, only="judgements")
    (written,), (read,) = (assay.read(path)[0].predictions for path in (source, tmp_path / name))
    assert by_cell(read) == by_cell(written) == {("A", 0): (ERROR, ErrorSpan("", "minor")), ("B", 1): ()}


def test_a_table_of_errors_holds_those_of_one(tmp_path: Path) -> None:
    source = tmp_path / "metric.jsonl"
    source.write_text(json.dumps({"system": "A", "segment": 1, "errors": [SPAN], "mt": "the cat"}) + "\n", "utf-8")
    with pytest.raises(ConfigError, match="cannot hold texts and scores"):
        assay.convert(source, tmp_path / "errors.csv", to="spans")


def test_quoted_texts_are_kept_for_their_check(tmp_path: Path) -> None:
    _, predicted = only(tmp_path / "metric.json", json.dumps([[SPAN]]))
    assert predicted.errors[0][0].text == "cat"
    assay.convert(tmp_path / "metric.json", tmp_path / "all.judgements.jsonl", only="judgements")
    (read,) = assay.read(tmp_path / "all.judgements.jsonl")[0].predictions
    assert read.errors[0][0].text == "cat"


@pytest.mark.parametrize("system", ALIASES["system"])
@pytest.mark.parametrize("segment", [*(name for name in ALIASES["segment"] if name != "id"), "item"])
def test_columns_of_tables_of_errors_have_the_names_of_other_tables(tmp_path, system, segment):
    path = tmp_path / "metric.csv"
    path.write_text(f"{system},{segment},start,end,severity\nA,2,0,3,minor\n")
    (campaign,) = SpanFile().read(path)
    (predicted,) = campaign.predictions
    assert (predicted.systems, predicted.segment.tolist()) == (("A",), [1])
    assert not campaign.notes
