from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.errors import InputError
from assay.types import ErrorSpan
from tests.data.formats.marked_errors import by_cell, only


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
    assert "or null if there is none; available: " in refused.value.hint
