"""Errors that metrics predicted, in the forms of WMT23, WMT25 and WMT26 and as programs save xCOMET's.

The forms are those that the pages of the tasks and the files of participants show; the texts here are made up.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.data.formats import detect_format
from assay.errors import ConfigError, InputError
from assay.types import Campaign, ErrorSpan, NoteKind, Ratings

ABOUT = "2409244995\n2280000000\n3\n"
QE = (
    "he-en\tens\t0\tA sample without errors.\t-1\t-1\tno-error\n"
    "he-en\tens\t1\tA sample with two spans.\t2 14\t8 17\tmajor minor\n"
)
SPAN = {"text": "cat", "confidence": 0.4, "severity": "major", "start": 4, "end": 7}
ERROR = ErrorSpan("", "major", 4, 7)


def only(path: Path, text: str) -> tuple[Campaign, Ratings]:
    """The only campaign of a file, and its predicted errors."""
    path.write_text(text, encoding="utf-8")
    (campaign,) = assay.read(path)
    (predicted,) = campaign.predictions
    assert not campaign.judgements
    assert not predicted.is_human
    return campaign, predicted


def by_cell(ratings: Ratings) -> dict[tuple[str, int], tuple[ErrorSpan, ...]]:
    systems = [ratings.systems[k] for k in ratings.system]
    return dict(zip(zip(systems, ratings.segment.tolist(), strict=True), ratings.errors, strict=True))


def test_wmt23_predictions_and_labels_of_people(tmp_path: Path) -> None:
    campaign, predicted = only(tmp_path / "predictions.txt", ABOUT + QE)
    assert (campaign.lp, predicted.name, campaign.segments) == ("he-en", "ens", 2)
    spans = (ErrorSpan("", "major", 2, 8), ErrorSpan("", "minor", 14, 17))
    assert by_cell(predicted) == {("output", 0): (), ("output", 1): spans}
    assert campaign.testset is not None
    assert campaign.testset.outputs["output"][1] == "A sample with two spans."
    assert "3 models" in next(note.text for note in campaign.notes if note.kind is NoteKind.PROVENANCE)
    labels = tmp_path / "labels.tsv"
    labels.write_text("lp\tmethod\tsegment\ttarget\tstarts\tends\ttypes\n" + QE, encoding="utf-8")
    (judged,) = assay.read(labels)
    assert not judged.predictions
    assert judged.judgements[0].is_human
    assert judged.judgements[0].errors == predicted.errors


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("2 14\t8\tmajor minor", "2 starts, 1 ends and 2 types"),
        ("8\t2\tmajor", "ends before it starts: characters 8 to 2"),
        ("2\t8\tmajr", "unknown severity 'majr'"),
        ("2\tx\tmajor", "must be a character index, not 'x'"),
        ("2\t8\tno-error", "positions of errors, but the type is 'no-error'"),
    ],
)
def test_faulty_cells_are_errors_with_their_line(tmp_path: Path, cells: str, message: str) -> None:
    path = tmp_path / "predictions.txt"
    path.write_text(f"{ABOUT}he-en\tens\t0\tA sample\t{cells}\n", encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        assay.read(path)
    assert caught.value.line == 4


@pytest.mark.warns("1 error by ens outside the text")
def test_a_span_beyond_the_text_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "predictions.txt"
    path.write_text(f"{ABOUT}he-en\tens\t0\tA sample\t2\t9\tmajor\n", encoding="utf-8")
    (campaign,) = assay.read(path)
    (note,) = [note for note in campaign.notes if note.severity == "warning"]
    assert note.text == "1 error by ens outside the text, the first in line 4: characters 2 to 9 of 8"


HEADER = (
    "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tsource_segment\thypothesis_segment\t"
    "reference_segment\tdomain_name\tmethod\tstart_indices\tend_indices\terror_types\n"
)


def wmt25(segment: int, errors: str, *, system: str = "A", document: str = "d1") -> str:
    return f"{document}\t{segment}\ten\tis_IS\tofficial\t{system}\tsrc\tThe cat sat\tref\tnews\tESA\t{errors}\n"


def test_wmt25_segments_are_numbered_through_the_documents(tmp_path: Path) -> None:
    rows = [wmt25(7, "4\t7\tmajor"), wmt25(8, "missing\tmissing\tminor"), wmt25(9, "-1\t-1\tno-error", document="d2")]
    campaign, predicted = only(tmp_path / "GemSpanEval.tsv", HEADER + "".join(rows))
    assert (campaign.lp, predicted.name) == ("en-is_IS", "GemSpanEval")
    assert campaign.testset is not None
    assert campaign.testset.items == ("d1:0", "d1:1", "d2:0")
    assert predicted.errors == ((ERROR,), (ErrorSpan("missing", "minor"),), ())
    (judged,) = assay.read(tmp_path / "GemSpanEval.tsv", input_format="wmt-mteval-spans:human=yes")
    assert judged.judgements[0].protocol == "ESA"


def test_wmt26_errors_without_a_position_and_scores(tmp_path: Path) -> None:
    of_a = {"errors": [{"start": 4, "end": 7, "severity": "major", "category": "a"}], "omission": "minor"}
    of_b = {"errors": [], "omission": None, "instruction_fault": "major"}
    line = {
        "item_id": "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_0",
        "task1_pred": {"A": of_a, "B b": of_b},
        "task2_pred": {"A": 60.0, "B b": None},
    }
    campaign, predicted = only(tmp_path / "judge.jsonl", json.dumps(line) + "\n")
    assert (campaign.lp, predicted.name, predicted.document, predicted.domain) == (
        "eng_Latn-deu_Latn",
        "judge",
        ("news_###_d1",) * 2,
        ("news",) * 2,
    )
    found = by_cell(predicted)
    assert found["A", 0] == (ErrorSpan("a", "major", 4, 7), ErrorSpan("omission", "minor"))
    assert found["B b", 0] == (ErrorSpan("instruction_fault", "major"),)
    assert predicted.score.tolist()[0] == 60
    (table,) = campaign.metrics
    assert (table.name, table.gaps) == ("judge", 1)


@pytest.mark.parametrize(("value", "shown"), [(False, "false"), ("none", "none"), (1, "1")])
def test_omissions_are_severities_or_null(tmp_path: Path, value: object, shown: str) -> None:
    prediction = {"errors": [], "omission": value, "instruction_fault": None}
    item = "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_0"
    path = tmp_path / "judge.jsonl"
    path.write_text(json.dumps({"item_id": item, "task1_pred": {"A": prediction}}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"omission: unknown severity '{shown}'") as refused:
        assay.read(path)
    assert refused.value.hint is not None
    assert "or null if there is none; known: " in refused.value.hint


def test_xcomet_json_keeps_errors_beside_scores(tmp_path: Path) -> None:
    segments = [{"src": "s", "mt": "The cat sat", "COMET": 0.5, "errors": [SPAN]}]
    segments.append({"src": "t", "mt": "Fine", "COMET": 0.9, "errors": []})
    campaign, predicted = only(tmp_path / "xcomet.json", json.dumps({"A.txt": segments}))
    assert by_cell(predicted) == {("A", 0): (ERROR,), ("A", 1): ()}
    assert (predicted.name, campaign.metrics[0].name) == ("COMET", "COMET")
    assert not campaign.notes


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
