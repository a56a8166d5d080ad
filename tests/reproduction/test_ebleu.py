from __future__ import annotations

import shutil
import sys

import pytest

from assay import reproduce
from assay.reproduction.ebleu import digests_at_hand
from assay.text import spm
from scripts.embedding_metrics import result_file
from tests import tokenizer_model
from tests.encoders import tiny_use
from tests.metrics import made_up_vectors
from tests.reproduction.made_up import write_test_set, write_test_sets
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
    assert rerun("ebleu").settings["pairs_of_systems"].startswith("329+")
    mqm = found["COMET-22, MQM"]  # of zh-en alone
    assert (mqm.verdict, mqm.ours.n) == ("other data", 91)
    assert mqm.reason == "not in the data: en-de, en-ru; 91 pairs of systems, the paper has 274"


def test_pairs_of_systems_are_pooled_and_missing_pairs_named():
    found = numbers(on_made_up_data("ebleu"))["BLEU, crowd DA (MTurk)"]
    assert (found.ours.n, found.verdict) == (30, "other data")
    assert found.reason == "not in the data: de-en, ja-en, ru-en, uk-en; 30 pairs of systems, the paper has 329"
    assert on_made_up_data("ebleu").settings["pairs_of_systems"] == "30+30+30"  # MQM: zh-en and en-de


def test_the_columns_of_a_whole_archive(tmp_path):
    """As many systems as at WMT22 and WMT23, in metric files of odd case; each column has all its pairs of systems."""
    metrics = ("bertscore", "bleu", "CHRF", "comet-20", "COMET-22", "F101SPBLEU", "f200spbleu")
    for lp, systems in (("en-de", 14), ("en-ru", 13), ("zh-en", 15)):
        write_test_set(tmp_path / "wmt22", lp, golds=("mqm", "wmt-appraise"), systems=systems, metrics=metrics)
    write_test_sets(tmp_path, "wmt23")
    result = reproduce("ebleu", data=tmp_path)
    found = numbers(result)
    for metric in ("COMET-22", "COMET-20", "BERTScore", "f101spBLEU", "f200spBLEU", "chrF", "BLEU"):
        mqm = found[f"{metric}, MQM"]
        assert (mqm.verdict in ("met", "differs"), mqm.ours.n) == (True, 274), metric
        da = found[f"{metric}, DA+SQM"]
        assert da.verdict == "other data"
        assert "274 pairs of systems, the paper has 544" in da.reason
    assert found["eBLEU-FastText L1, MQM"].verdict == "needs model"
    assert found["eBLEU-FastText L1, MQM"].reason.startswith("fastText vectors of de, ru")
    for metric in ("COMET", "BERTScore", "f200spBLEU", "BLEU", "chrF", "eBLEU-FastText Softmax"):
        assert found[f"{metric}, WMT23, pairs of systems that people distinguish"].verdict in ("met", "differs")
        assert found[f"{metric}, WMT23, all pairs of systems"].ours.n == 45  # of refB in he-en
    assert found["COMET-22, crowd DA (MTurk)"].verdict == "needs data"
    assert found["COMET-22, crowd DA (MTurk)"].reason.startswith("the folder has no wmt scores of systems of wmt22")
    assert "the official scores of eBLEU have" in result.recommendations[0].found


def test_a_language_pair_that_is_missing_is_named(tmp_path):
    write_test_sets(tmp_path, "wmt23")
    for path in sorted((tmp_path / "wmt23").rglob("he-en*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    found = numbers(reproduce("ebleu", data=tmp_path))
    row = found["COMET, WMT23, pairs of systems that people distinguish"]
    assert (row.verdict, row.reason) == ("other data", "not in the data: he-en")


def test_scores_that_are_not_stored_are_computed_if_the_model_is_there(tmp_path, monkeypatch):
    pytest.importorskip("sentencepiece")
    (tmp_path / "resources").mkdir()
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "none"))
    spm._load.cache_clear()
    write_test_set(tmp_path / "wmt22", "zh-en", golds=("mqm",))
    missing = numbers(reproduce("ebleu", data=tmp_path))["f200spBLEU, MQM"]
    assert missing.verdict == "needs model"
    assert "SentencePiece model flores200 not found in" in missing.reason
    model = tokenizer_model.train(tmp_path)
    shutil.copy(model, tmp_path / "resources" / "flores200.model")
    found = numbers(reproduce("ebleu", data=tmp_path))["f200spBLEU, MQM"]
    assert (found.verdict, found.ours.n) == ("other data", 15)
    spm._load.cache_clear()


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
    assert found.verdict == "needs model"
    assert found.reason.startswith("the fastText vectors of the paper are not at hand, nor the English")


def without_bertscore(folder):
    """A folder in which BERTScore is not stored."""
    options = {"golds": ("wmt", "wmt-z"), "metrics": ("BLEU", "chrF", "COMET")}
    write_test_set(folder / "data" / "wmt22", "cs-en", "zh-en", **options)
    return folder / "data"


def test_encoders_are_used_if_they_are_at_hand(tmp_path, monkeypatch):
    """BERTScore is that of the first one; the paper has no eBLEU on encoders."""
    tiny_use.write(tmp_path / "use-multilingual")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    result = reproduce("ebleu", data=without_bertscore(tmp_path))
    found = numbers(result)
    ours = found["BERTScore, crowd DA (MTurk)"]
    assert (ours.verdict, ours.ours.n) == ("other data", 30)
    assert ours.reason.startswith("computed with the encoder use-multilingual; the paper's is not at hand")
    for metric in ("eBLEU L1", "eBLEU Softmax", "BERTScore"):
        for human in ("crowd DA", "crowd DA, z-scores of each judge"):
            assert found[f"{metric} on the encoder use-multilingual, {human}"].verdict == "ours only"
    assert found["eBLEU-FastText L1, crowd DA (MTurk)"].verdict == "needs model"
    assert {"raw-use-multilingual", "standardised-use-multilingual"} <= set(result.results)
    assert result.settings["use-multilingual"].startswith("sha256-")


def test_an_encoder_without_its_packages_is_not_at_hand(tmp_path, monkeypatch):
    tiny_use.write(tmp_path / "use-multilingual")
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    found = numbers(reproduce("ebleu", data=without_bertscore(tmp_path)))["BERTScore, crowd DA (MTurk)"]
    assert found.verdict == "needs model"
    assert "none of the encoders that Assay would use instead of the paper's: minilm-en or use-multi" in found.reason


def test_kept_results_of_another_version_of_a_resource_are_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    files = set()
    for seed in (1, 2):
        made_up_vectors.write(tmp_path / "wink-en.vec", made_up_vectors.of_words("abc", seed=seed))
        digests = digests_at_hand(["wink-en", "navec-ru"])
        assert set(digests) == {"wink-en"}
        files.add(result_file("wmt22", "de-en", "wink-en", digests))
    assert len(files) == 2
