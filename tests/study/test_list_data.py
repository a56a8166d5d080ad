from __future__ import annotations

import importlib

import numpy as np
import pytest

from assay import list_data
from assay.data.formats.mtme import Mtme
from assay.errors import InputError
from assay.types import Campaign, NoteKind, Rankings, ScoreTable, TestSet
from tests.campaigns_with_metrics import campaign

listing = importlib.import_module("assay.study.list_data")


def test_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    with pytest.raises(InputError, match="home: the data folder has no campaigns") as caught:
        list_data()
    assert caught.value.hint.startswith("assay data import")
    Mtme().write([campaign(), campaign("en-de")], tmp_path / "home")
    assert [(row["testset"], row["lp"]) for row in list_data().rows()] == [("wmt99", "de-en"), ("wmt99", "en-de")]
    assert list(list_data(tmp_path / "home/wmt99", input_format="mtme").rows()) == list(list_data().rows())


def test_counts(monkeypatch):
    testset = TestSet(outputs={"a": ("x", "y"), "b": ("x", "z")}, references={"refA": ("x", "y")})
    scores = (
        ScoreTable("mqm", "segment", ("a", "b"), np.array([[1.0, np.nan], [2.0, 3.0]]), protocol="MQM"),
        ScoreTable("mqm", "system", ("a", "b"), np.ones((2, 1)), protocol="MQM"),
        ScoreTable("BLEU", "system", ("a", "b"), np.ones((2, 1))),
    )
    rankings = Rankings("rr", ("a", "b"), ("j",), np.zeros(3), np.zeros(3), np.ones((3, 2), np.int8))
    campaigns = (
        Campaign("wmt", "en-de", 2, ("a", "b"), ("refA",), testset, scores, (rankings,)),
        Campaign("", "", 0, ("a", "b"), (), None, scores[2:]),
    )
    monkeypatch.setattr(listing, "read", lambda *_paths, **_options: campaigns)
    first, second = list_data("anywhere")
    assert first.to_dict() == {
        "testset": "wmt",
        "lp": "en-de",
        "systems": 2,
        "segments": 2,
        "outputs": 2,
        "references": 1,
        "human_system": ["mqm"],
        "human_segment": {"mqm": 3},
        "metrics_system": 1,
        "metrics_segment": 0,
        "judgements": {"rr": 3},
    }
    assert (second.outputs, second.metrics_system) == (0, 1)


def test_what_was_not_read_is_noted(tmp_path):
    Mtme().write([campaign()], tmp_path / "home")
    (tmp_path / "home/wmt99/odd.csv").write_text("a,b\n", encoding="utf-8")
    (note,) = list_data(tmp_path / "home/wmt99").notes
    assert (note.kind, "odd.csv" in note.text) == (NoteKind.UNREAD, True)
