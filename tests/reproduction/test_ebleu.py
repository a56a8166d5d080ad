from __future__ import annotations

import sys

import pytest

from assay import reproduce
from assay.reproduction.ebleu import digests_at_hand
from scripts.embedding_metrics import result_file
from tests.encoders import tiny_use
from tests.metrics import made_up_vectors
from tests.reproduction.rerun import made_up_folder, needs_archives, numbers, on_made_up_data, rerun


@needs_archives
def test_stored_values():
    found = numbers(rerun("ebleu"))
    for metric, hits in (("BLEU", 215), ("chrF", 219), ("COMET-20", 209)):
        ours = found[f"{metric}, crowd DA (MTurk)"]
        assert ours.ours.value == pytest.approx(100 * hits / 329)
        assert (ours.verdict, ours.ours.n) == ("met", 329)
    assert found["BLEU, crowd DA, z-scores of each judge"].ours.value == pytest.approx(100 * 267 / 329)
    assert rerun("ebleu").counts["differs"] == 0
    assert rerun("ebleu").settings["pairs_of_systems"] == "329"


def test_pairs_of_systems_are_pooled_and_missing_pairs_named():
    found = numbers(on_made_up_data("ebleu"))["BLEU, crowd DA (MTurk)"]
    assert (found.ours.n, found.verdict) == (30, "other data")
    assert found.reason == "not in the data: de-en, ja-en, ru-en, uk-en"
    assert on_made_up_data("ebleu").settings["pairs_of_systems"] == "30"


def test_other_vectors_are_used_if_they_are_at_hand(tmp_path, monkeypatch):
    """The numbers of the paper are of other vectors, so that ours need not be the same."""
    made_up_vectors.write(tmp_path / "wink-en.vec", made_up_vectors.of_words("abcdefghij"))
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    result = reproduce("ebleu", data=made_up_folder())
    found = numbers(result)
    for variant in ("L1", "Softmax"):
        ours = found[f"eBLEU-FastText {variant}, crowd DA (MTurk)"]
        assert (ours.verdict, ours.ours.n) == ("other data", 30)
        assert ours.reason.startswith("computed with the vectors wink-en; the paper's are fastText's; not in the data")
        assert f"eBLEU-FastText {variant}, crowd DA, z-scores of each judge" in found
    assert "raw-wink-en" in result.results
    assert result.recommendations[0].found.startswith("With the vectors wink-en instead of fastText's")


def test_without_vectors_the_reason_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    found = numbers(reproduce("ebleu", data=made_up_folder()))["eBLEU-FastText L1, crowd DA (MTurk)"]
    assert (found.verdict, found.reason) == ("no data", "the fastText vectors of the paper are not at hand")


def test_encoders_are_used_if_they_are_at_hand(tmp_path, monkeypatch):
    """BERTScore is that of the first one; the paper has no eBLEU on encoders."""
    tiny_use.write(tmp_path / "use-multilingual")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    result = reproduce("ebleu", data=made_up_folder())
    found = numbers(result)
    ours = found["BERTScore, crowd DA (MTurk)"]
    assert (ours.verdict, ours.ours.n) == ("other data", 30)
    assert ours.reason.startswith("computed with the encoder use-multilingual; the paper's is not at hand")
    for metric in ("eBLEU L1", "eBLEU Softmax", "BERTScore"):
        for human in ("crowd DA", "crowd DA, z-scores of each judge"):
            assert found[f"{metric} on the encoder use-multilingual, {human}"].verdict == "ours only"
    assert found["eBLEU-FastText L1, crowd DA (MTurk)"].verdict == "no data"
    assert {"raw-use-multilingual", "standardised-use-multilingual"} <= set(result.results)
    assert result.settings["use-multilingual"].startswith("sha256-")


def test_an_encoder_without_its_packages_is_not_at_hand(tmp_path, monkeypatch):
    tiny_use.write(tmp_path / "use-multilingual")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    found = numbers(reproduce("ebleu", data=made_up_folder()))["BERTScore, crowd DA (MTurk)"]
    assert found.reason == "scores of this metric are stored for zh-en only, and no encoder is at hand"


def test_kept_results_of_another_version_of_a_resource_are_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    files = set()
    for seed in (1, 2):
        made_up_vectors.write(tmp_path / "wink-en.vec", made_up_vectors.of_words("abc", seed=seed))
        digests = digests_at_hand(["wink-en", "navec-ru"])
        assert set(digests) == {"wink-en"}
        files.add(result_file("wmt22", "de-en", "wink-en", digests))
    assert len(files) == 2
