"""The test set of the WMT26 evaluation task. The texts are made up; the fields are those of the task's pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.data.formats import find_format
from assay.data.formats.mteval_test import MtevalTest
from assay.data.formats.wmt_predictions import WmtPredictions
from assay.types import NoteKind
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

GERMAN, CHALLENGE = (
    "official_###_eng_Latn_###_deu_Latn_###_social_###_d1_###_",
    "challenge_###_en_###_de_###_x_###_d_###_",
)
CHINESE = "official_###_eng_Latn_###_zho_Hant_TW_###_news_###_d2_###_"


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def segment(item: str, number: int, reference: object) -> dict[str, object]:
    outputs = {"GPT 5.5": f"Eins {number}.", "HW-TSC": None if number else "Zwei."}
    return {"item_id": f"{item}{number}", "src": f"One {number}.", "ref": reference, "hyps": outputs, "resources": {}}


TEST = lines(
    segment(GERMAN, 0, {"text": "Verweis.", "type": "postedit"}),
    segment(GERMAN, 1, {"text": "Gewählt.", "type": "pseudo"}),
    segment(CHINESE, 0, {}),
    segment(CHALLENGE, 0, {"text": "Verweis."}),
)
SCORES = lines(
    {"item_id": f"{GERMAN}0", "task2_pred": {"GPT 5.5": 60.0, "HW-TSC": None}},
    {"item_id": f"{GERMAN}1", "task2_pred": {"GPT 5.5": 80}},
    {"item_id": f"{CHINESE}0", "task2_pred": {"GPT 5.5": 1, "HW-TSC": 2}, "note": "x"},
    {"item_id": f"{CHALLENGE}0", "task2_pred": {"GPT 5.5": 1, "HW-TSC": 2}},
)


def test_texts_by_test_set_and_language_pair(tmp_path: Path) -> None:
    german, chinese, challenge = read(tmp_path, "mteval-test", TEST, "mteval-test26.jsonl")
    assert [(c.name, c.lp) for c in (german, chinese, challenge)] == [
        ("", "eng_Latn-deu_Latn"),
        ("", "eng_Latn-zho_Hant_TW"),
        ("challenge", "en-de"),
    ]
    texts = german.testset
    assert texts is not None
    assert texts.items == ("social_###_d1_###_0", "social_###_d1_###_1")
    assert list(texts.outputs["HW-TSC"]) == ["Zwei.", None]
    assert {name: list(column) for name, column in texts.references.items()} == {
        "postedit": ["Verweis.", None],
        "pseudo": [None, "Gewählt."],
    }
    assert (list(texts.documents or ()), list(texts.domains or ())) == (["social_###_d1"] * 2, ["social"] * 2)
    assert (chinese.references, challenge.references) == ((), ("ref",))
    assert [note.text for note in german.notes] == ["unused fields: resources"]


def test_scores_join_the_texts(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").write_text(TEST, encoding="utf-8")
    (tmp_path / "judge.jsonl").write_text(SCORES, encoding="utf-8")
    assert find_format(tmp_path / "test.jsonl") == MtevalTest()
    assert find_format(tmp_path / "judge.jsonl") == WmtPredictions()
    german, chinese, challenge = assay.read(tmp_path / "test.jsonl", tmp_path / "judge.jsonl")
    (table,) = german.metrics
    assert (table.name, table.systems, table.gaps) == ("judge", ("GPT 5.5", "HW-TSC"), 2)
    assert table.values[0].tolist() == [60, 80]
    assert chinese.metrics[0].values.tolist() == [[1], [2]]
    assert challenge.name == "challenge"
    notes = [note.text for note in german.notes]
    assert "unused fields: note" in notes
    assert "judge by segment: 2 of 4 scores missing" in notes


def test_scores_on_another_scale_are_a_warning(tmp_path: Path) -> None:
    text = SCORES.replace('"GPT 5.5": 1, "HW-TSC": 2}, "note"', '"GPT 5.5": -1, "HW-TSC": 101}, "note"')
    _, chinese, _ = read(tmp_path, "wmt-predictions", text, "judge.jsonl")
    (note,) = [note for note in chinese.notes if note.kind is NoteKind.SUSPECT]
    assert note.text == "2 of 2 scores are outside 0 to 100, the scale that the task asks for"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (TEST, TEST, None, ""),
        (TEST, "", None, "empty file"),
        ('"item_id": "official_###_eng_Latn_###_deu_Latn_###_social_###_d1_###_1"', '"item": 1', 2, "no item_id"),
        ("official_###_eng_Latn_###_deu_Latn_###_social_###_d1_###_1", "d1", 2, "'d1' does not name a segment"),
        ("_###_d1_###_1", "_###_d1_###_0", 2, "a second line of the segment"),
        ('"type": "pseudo"', '"type": 5', 2, "the type of the reference must be text, not int"),
        ('{"text": "Verweis."}', '"Verweis."', 4, "'ref' must be an object with a text and a type, not str"),
        ('"Eins 1."', "5", 2, "the output of 'GPT 5.5' must be text, not int"),
        ('"src": "One 1."', '"src": 1', 2, "the source must be text, not int"),
        ('{"GPT 5.5": "Eins 1.", "HW-TSC": null}', '["Eins"]', 2, "'hyps' must be an object of texts by system"),
        ('"GPT 5.5": "Eins 1."', '"": "Eins 1."', 2, "system"),
    ],
)
def test_damaged_twins(tmp_path: Path, old: str, new: str, line: int | None, message: str) -> None:
    text = TEST.replace(old, new, 1)
    if not message:
        assert len(read(tmp_path, "mteval-test", text, "a.jsonl")) == 3
        return
    assert text != TEST
    assert message in refused(tmp_path, "mteval-test", text, "a.jsonl", line)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('{"GPT 5.5": 80}', "[80]", 2, "task2_pred must be an object of systems"),
        ('{"GPT 5.5": 80}', '{"GPT 5.5": "high"}', 2, "the score of 'GPT 5.5' is not a number: 'high'"),
        ('{"GPT 5.5": 80}', '{"GPT 5.5": true}', 2, "the score of 'GPT 5.5' must be a number, not bool"),
        ("_###_d1_###_1", "_###_d1_###_0", 2, "a second line of the segment"),
        (f"{GERMAN}1", "d1:1", 2, "'d1:1' does not name a segment"),
    ],
)
def test_damaged_predictions(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    text = SCORES.replace(old, new, 1)
    assert text != SCORES
    assert message in refused(tmp_path, "wmt-predictions", text, "a.jsonl", line)


def test_any_bytes_are_read_or_refused(tmp_path: Path) -> None:
    read_or_refused(lambda raw: read(tmp_path, "mteval-test", raw, "a.jsonl"), TEST, examples=60)
    read_or_refused(lambda raw: read(tmp_path, "wmt-predictions", raw, "a.jsonl"), SCORES, examples=60)
