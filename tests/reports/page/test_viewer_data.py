from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from assay import compare, load
from assay.reports.page import viewer_data as module
from assay.reports.page.scored_texts import ScoredMetric, ScoredTexts
from assay.reports.page.viewer_data import viewer_data
from assay.study.page_report import page_report

TESTSET = load(
    outputs={"one": ["eins", "zwei", None], "two": ["ein", "zwo", "drei"]},
    references={"refA": ["eins", "zwei", "drei"], "refB": ["uno", None, "tres"]},
    sources=["one", "two", "three"],
    domains=["news", "chat", "news"],
    documents=["d1", "d1", "d2"],
    lp="en-de_CH",
)


@pytest.fixture(scope="module")
def scored():
    return viewed()


def viewed(**options):
    (found,) = page_report([compare(TESTSET, ["bleu", "ter"], resamples=10)], **options).viewed
    return found


def unpacked(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def test_scores_survive(scored):
    tree = viewer_data(scored).tree
    assert tree["systems"] == ["one", "two"]
    assert tree["pair"] == [1, 0]
    ter = tree["metrics"][1]
    assert (ter["name"], ter["higher"], ter["decimals"]) == ("TER", False, 2)
    np.testing.assert_allclose(unpacked(ter["scores"][1]), scored.metrics["ter"].segments["two"], rtol=1e-6)
    assert np.isnan(unpacked(ter["scores"][0])[2])


def test_scores_between_0_and_1_have_more_decimals(scored):
    shares = {"one": np.array([0.5, np.nan, 1.0]), "two": np.zeros(3)}
    of_shares = ScoredTexts(TESTSET, ("one", "two"), {"share": ScoredMetric("share", True, shares)})
    assert viewer_data(of_shares).tree["metrics"][0]["decimals"] == 4


def test_texts_and_their_number(scored):
    found = viewer_data(scored)
    assert found.tree["texts"] == {
        "source": ["one", "two", "three"],
        "references": [["refA", ["eins", "zwei", "drei"]], ["refB", ["uno", None, "tres"]]],
        "outputs": [["eins", "zwei", None], ["ein", "zwo", "drei"]],
    }
    assert found.texts == 13
    assert found.tree["languages"] == ["en", "de-CH"]


def test_groups(scored):
    domain, document, length = viewer_data(scored).tree["groupings"]
    assert domain == {"name": "domain", "labels": ("news", "chat"), "of": (0, 1, 0)}
    assert document == {"name": "document", "labels": ("d1", "d2"), "of": (0, 0, 1)}
    assert length["labels"] == ("4 characters",)


def test_without_texts_nothing_of_them_is_left():
    found = viewer_data(viewed(texts=False))
    assert (found.texts, found.tree["texts"], found.tree["errors"]) == (0, None, None)
    written = json.dumps(found.tree)
    for word in ("eins", "zwo", "drei", "tres", "three", "refA"):
        assert word not in written


def test_a_file_holds_so_many_texts_and_says_how_many(scored, monkeypatch):
    monkeypatch.setattr(module, "_MOST_CHARACTERS", 30)  # one, eins, uno, eins, ein: 17
    found = viewer_data(scored)
    assert found.segments_with_texts == 1
    assert found.tree["texts"]["outputs"] == [["eins"], ["ein"]]
    assert found.texts == 5
    assert len(unpacked(found.tree["metrics"][0]["scores"][0])) == 3


def test_segments_that_differ_by_less_than_32_bits_are_told_apart():
    close = np.nextafter(12.3, 13)
    values = {"one": np.array([12.3, 1.0, np.nan]), "two": np.array([close, 1.0, 2.0]), "three": np.array([12.3, 5, 2])}
    testset = load(outputs={name: ["x"] * 3 for name in values}, references=["x"] * 3)
    scored = ScoredTexts(testset, ("one", "two"), {"m": ScoredMetric("m", True, values)})
    (metric,) = viewer_data(scored).tree["metrics"]
    assert metric["exact"] == [(0, 0, 12.3), (1, 0, close), (2, 0, 12.3)]


def test_the_viewer_knows_where_the_tests_are(scored):
    assert viewer_data(scored, tests=["matrix-data"]).tree["tests"] == ["matrix-data"]
