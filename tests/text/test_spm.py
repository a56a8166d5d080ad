from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay import load, score
from assay.errors import InputError, MissingExtraError
from assay.metrics import metric
from assay.testing import check_metric
from assay.text import make_tokenizer, spm
from tests import tokenizer_model
from tests.tokenizer_model import LINES


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tokenizer_model.train(tmp_path_factory.mktemp("spm"))


def test_spbleu_is_bleu_over_the_pieces(model):
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(model_file=model)
    outputs = [line.replace("the", "a") for line in LINES]

    def cut(lines):
        return [" ".join(pieces.encode(line, out_type=str)) for line in lines]

    spec = f"spbleu:{model}"
    found = score(load(outputs={"x": outputs}, references=LINES), spec, resamples=0, agg="corpus")[spec]
    plain = score(load(outputs={"x": cut(outputs)}, references=cut(LINES)), "bleu:tok=none", resamples=0, agg="corpus")
    assert found.corpus["x"] == plain["bleu:tok=none"].corpus["x"]
    assert 0 < found.corpus["x"] < 100
    assert dict(found.signature.resources)["model"].startswith("sha256-")
    assert "model.digest:sha256-" in str(found.signature)


def test_it_keeps_the_contract(model):
    check_metric(metric.create(f"spbleu:{model}"))


def test_models_of_sacrebleu_are_found_where_it_keeps_them(model, tmp_path, monkeypatch):
    pytest.importorskip("sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    spm._load.cache_clear()
    for name, file in (("flores101", "sacrebleu_tokenizer_spm.model"), ("flores200", "flores200sacrebleuspm")):
        with pytest.raises(MissingExtraError) as caught:
            score(load(outputs={"x": ["a"]}, references=["a"]), f"bleu:tok={name}")
        assert str(tmp_path / "resources") in caught.value.message
        assert str(tmp_path / "sacrebleu" / "models" / file) in caught.value.message
        assert spm.SACREBLEU_MODELS[name] in caught.value.hint
    folder = tmp_path / "sacrebleu" / "models"
    folder.mkdir(parents=True)
    (folder / "sacrebleu_tokenizer_spm.model").write_bytes(Path(model).read_bytes())
    for spec in ("bleu:tok=flores101", "bleu:tok=spm", "spbleu"):
        assert "|tok:flores101|" in metric.create(spec).sacrebleu_signature("1")
    found = score(load(outputs={"x": LINES}, references=LINES), "spbleu", resamples=0, agg="corpus")
    assert found["spbleu"].corpus["x"] == pytest.approx(100)
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "flores200.model").write_bytes(Path(model).read_bytes())
    assert make_tokenizer("flores200").cut(LINES[0]) == make_tokenizer("flores101").cut(LINES[0])
    spm._load.cache_clear()


def test_sacrebleu_has_no_name_for_a_file():
    assert make_tokenizer("spm:x.model").sacrebleu_name is None
    assert metric.create("spbleu:x.model").sacrebleu_signature("1") is None


def test_files_that_are_not_models(tmp_path):
    pytest.importorskip("sentencepiece")
    testset = load(outputs={"x": ["a"]}, references=["a"])
    with pytest.raises(InputError, match="SentencePiece model not found: '"):
        score(testset, f"spbleu:{tmp_path / 'absent.model'}")
    for name, content in (("junk", b"junk"), ("empty", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="not a SentencePiece model") as caught:
            score(testset, f"bleu:tok=spm:{tmp_path / name}")
        assert caught.value.hint == "is it a whole file? Download it again"


def test_a_damaged_model_of_sacrebleu_is_downloaded_again(tmp_path, monkeypatch):
    pytest.importorskip("sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "flores200sacrebleuspm").write_bytes(b"junk")
    spm._load.cache_clear()
    with pytest.raises(InputError, match="not a SentencePiece model") as caught:
        make_tokenizer("flores200").cut("a")
    assert caught.value.hint == f"is it a whole file? Download it again: {spm.SACREBLEU_MODELS['flores200']}"


def test_models_in_the_resource_folder(model, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    (tmp_path / "tiny.model").write_bytes(Path(model).read_bytes())
    by_name, by_path = make_tokenizer("spm:tiny"), make_tokenizer(f"spm:{model}")
    assert by_name.cut(LINES[0]) == by_path.cut(LINES[0])
    assert by_name.resources == by_path.resources


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    spm._load.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "\.\[spm\]"'):
        spm.SentencePiece("x.model").cut("a")
