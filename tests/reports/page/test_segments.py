from __future__ import annotations

import re

import pytest

from assay import compare, load, open_result, save_result, score
from assay.reports.html.page import asset
from assay.reports.page import viewer_data
from assay.types import TestSet
from tests.reports.page.built import built, page_text, section_html

TESTSET = TestSet(
    {"base": ("ein Haus", "no"), "new": ("das Haus", "No")},
    references={"ref": ("das Haus", "No")},
    sources=("the house", "No"),
    name="toy",
)


@pytest.fixture(scope="module")
def comparison():
    return compare(TESTSET, ["chrf"], resamples=10)


def sections(*results, **fields):
    return {name: section for name, (section, _) in built("segments", *results, **fields).items()}


def test_words_and_segments(comparison):
    found = sections(comparison)
    assert list(found) == ["words", "segments"]
    assert found["segments"].lede == "This file holds 8 texts of 2 segments."
    assert list(found["segments"].data) == ["segments-data"]
    assert page_text(comparison).count(asset("text_diff.js") + asset("segments.js")) == 1


def test_nothing_without_segment_scores():
    assert sections() == {}


def test_test_sets_apart(comparison):
    other = score(load(outputs={"base": ["x"]}, references=["x"]), ["chrf"], resamples=0)
    found = sections(comparison, other)
    assert list(found) == ["words-1", "segments-1", "segments-2"]
    assert [section.link for section in found.values()] == [
        "Words toy",
        "Segments toy",
        "Segments 2",
    ]


def test_what_is_said_of_texts_that_are_not_there(comparison, tmp_path, monkeypatch):
    assert sections(comparison, texts=False)["segments"].lede == (
        "Scores of 2 segments. This report was made without texts: none is in the file."
    )
    save_result(comparison, tmp_path / "saved")
    assert sections(open_result(tmp_path / "saved"))["segments"].lede == (
        "Scores of 2 segments. The result was saved without its texts; --save-texts keeps them."
    )
    save_result(comparison, tmp_path / "with", texts=True)
    assert sections(open_result(tmp_path / "with"))["segments"].lede == "This file holds 8 texts of 2 segments."
    monkeypatch.setattr(viewer_data, "_MOST_CHARACTERS", 40)
    assert sections(comparison)["segments"].lede == (
        "This file holds the texts of the first 1 of 2 segments, and the scores of all."
    )


def test_names_are_escaped():
    hostile = '"><script>alert(1)<'
    outputs = {hostile: ["ein <b>Haus"], "new": ["das <i>Haus"]}
    testset = load(outputs=outputs, references=["das <i>Haus"])
    for section in sections(compare(testset, ["chrf"], resamples=10)).values():
        assert "<script>" not in section_html(section)
        assert "<i>" not in section_html(section)


@pytest.mark.parametrize(
    "way",
    ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "setTimeout", "fetch("],
)
def test_the_script_writes_text_only(way):
    assert way not in re.sub(r"//.*", "", asset("text_diff.js") + asset("segments.js"))


@pytest.mark.parametrize("texts", [True, False])
def test_labels_of_words_are_offered_where_there_are_some(texts):
    outputs = {"one": ["he walked home", None], "two": ["home he walks", "no"]}
    testset = load(outputs=outputs, references=["he walks home", "yes"])
    offered = '<option value="labels" selected>error classes (Hjerson)</option>'
    assert (offered in page_text(score(testset, ["chrf", "hjerson"], resamples=0), texts=texts)) == texts
    assert offered not in page_text(score(testset, ["chrf"], resamples=0), texts=texts)
