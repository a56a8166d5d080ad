"""COMET: options, errors, and scores through the public verbs."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from assay import load, score
from assay.cli.group import _run
from assay.errors import ConfigError, MissingExtraError
from assay.learned.comet import _DualModel
from assay.metrics import metric
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.learned.official import LONG_LINE, official

pytestmark = LONG_LINE
CPU = Runtime(device="cpu")


def test_without_a_model_an_error_says_what_to_do(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("a\n", encoding="utf-8")
    assert _run(["score", "-m", "comet", "--ref", "a.txt", "a.txt"]) == 2
    error = capsys.readouterr().err
    assert "comet needs a model" in error
    assert all(words in error for words in ("comet:model=FOLDER", "models fetch wmt22-comet-da", "--scores comet=FILE"))


def test_scores_of_other_programs_are_read(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "scores.txt").write_text("0.5\n0.7\n", encoding="utf-8")
    assert _run(["score", "-m", "bleu", "--scores", "comet=scores.txt", "--ref", "a.txt", "a.txt"]) == 0
    assert "0.6" in capsys.readouterr().out


def test_without_torch_an_error_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "checkpoints").mkdir()
    for name in ("hparams.yaml", "checkpoints/model.ckpt"):
        (tmp_path / name).touch()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match="needs torch and transformers") as raised:
        score(load(outputs={"x": ["a"]}, references=["a"]), f"comet:{tmp_path}")
    assert 'pip install ".[neural]" in the folder of Assay' in raised.value.hint


def test_a_model_that_is_not_there():
    pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
    with pytest.raises(MissingExtraError, match="COMET checkpoint not found: 'nothing'"):
        score(load(outputs={"x": ["a"]}, references=["a"]), "comet:nothing")


def test_the_scores_of_a_run():
    made = official("comet")
    spec = f"comet:{made.model}"
    run = score(made.testset, spec, resamples=0, runtime=CPU)[spec]
    np.testing.assert_allclose(run.segments["x"], made.scores["scores"], atol=1e-6)
    assert run.headline["x"] == pytest.approx(np.mean(made.scores["scores"]), abs=1e-6)
    assert "precision:fp32" in str(run.signature)
    assert "model.digest:sha256-" in str(run.signature)


def test_quality_estimation_needs_no_reference():
    made = official("comet-qe")
    testset = load(outputs={"x": [each.output for each in made.segments]}, sources=made.testset.sources)
    spec = f"comet:model={made.model}"
    run = score(testset, spec, resamples=0, runtime=CPU)[spec]
    np.testing.assert_allclose(run.segments["x"], made.scores["scores"], atol=1e-6)
    assert "refs:0" in str(run.signature)


def test_a_model_with_references_needs_them():
    made = official("comet")
    with pytest.raises(ConfigError, match="needs a reference"):
        score(load(outputs={"x": ["a"]}, sources=["a"]), f"comet:{made.model}")
    with pytest.raises(ConfigError, match="needs the sources"):
        score(load(outputs={"x": ["a"]}, references=["a"]), f"comet:{made.model}")


def test_a_run_tokenises_once(monkeypatch):
    made = official("comet")
    calls, encode = [], _DualModel.encode

    def counting(self, segments):
        calls.append(len(segments))
        return encode(self, segments)

    monkeypatch.setattr(_DualModel, "encode", counting)
    score(made.testset, f"comet:{made.model}", resamples=0, runtime=CPU)
    assert calls == [len(made.segments)]


def test_a_run_that_is_repeated_with_a_cache_computes_nothing(tmp_path, monkeypatch):
    made = official("comet")
    comet = metric.create(f"comet:{made.model}")
    first = comet.statistics(made.testset, Runtime(device="cpu", cache=tmp_path))

    def refuse(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr("assay.learned.comet_networks.TextVectors.compute", refuse)
    monkeypatch.setattr("assay.learned.comet_networks.TextVectors.open", refuse)
    second = comet.statistics(made.testset, Runtime(device="cpu", cache=tmp_path))
    assert first.tobytes() == second.tobytes()


def test_the_contract():
    check_metric(metric.create(f"comet:{official('comet').model}"), skip=["direction"])  # random weights do not know it
