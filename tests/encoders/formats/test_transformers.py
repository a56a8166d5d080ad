"""Encoders of transformers: a small BERT with random weights, compared with transformers called directly."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from assay import load, score
from assay.encoders import LayerStates, open_encoder
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.neural import compute
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.encoders import tiny_bert

torch = pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
transformers = pytest.importorskip("transformers", reason="transformers is not installed (make test-neural)")

TEXTS = ["the cat sat on the mat.", "unbelievable", "", "  cat ", "zebra on the mat"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_bert.write(tmp_path_factory.mktemp("models") / "tiny-bert")


def reference_states(folder, text, layer):
    """The states of one text alone, as in the documentation of transformers."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        output = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
    return output.hidden_states[layer][0].numpy()


def test_tokens(folder):
    encoder = open_encoder(folder)
    first, second, empty, *_, unknown = encoder.tokenize(TEXTS)
    assert first.forms == ("[CLS]", "the", "cat", "sat", "on", "the", "mat", ".", "[SEP]")
    assert second.forms == ("[CLS]", "un", "##believ", "##able", "[SEP]")
    assert second.words == (None, 0, 0, 0, None)
    assert empty.forms == ("[CLS]", "[SEP]")
    assert unknown.forms[1] == encoder.unknown_token == "[UNK]"
    assert encoder.special_tokens == {"[CLS]", "[SEP]"}
    assert (encoder.layers, encoder.max_tokens) == (tiny_bert.LAYERS, tiny_bert.POSITIONS)
    assert encoder.tokenize([]) == []


@pytest.mark.parametrize("layer", range(tiny_bert.LAYERS + 1))
def test_states_of_a_batch_are_those_of_transformers(folder, layer):
    encoder = open_encoder(folder)
    ids = [text.ids for text in encoder.tokenize(TEXTS)]
    for text, states in zip(TEXTS, compute(LayerStates.of(str(folder), layer=layer), ids, Runtime()), strict=True):
        np.testing.assert_allclose(states, reference_states(folder, text.strip(), layer), atol=2e-5)


@pytest.mark.warns("longer than the 16 tokens")
def test_a_long_text_is_truncated_and_said_to_be(folder):
    long, just_fits = "cat " * 30, "cat " * (tiny_bert.POSITIONS - 2)
    encoder = open_encoder(folder)
    truncated, whole = encoder.tokenize([long, just_fits])
    assert (truncated.is_truncated, len(truncated.ids), truncated.forms[-1]) == (True, tiny_bert.POSITIONS, "[SEP]")
    assert (whole.is_truncated, len(whole.ids)) == (False, tiny_bert.POSITIONS)
    testset = load(outputs={"x": [long, "cat"]}, references=[long, "the mat"])
    notes = score(testset, f"bertscore:vectors={folder}", resamples=0).notes
    assert [note.count for note in notes if note.kind is NoteKind.CHANGED] == [2]


def test_bertscore_is_that_of_the_definition(folder):
    """Without weights for [CLS] and [SEP], which may be partners (bert-score 0.3.13)."""
    output, reference = "the cat sat", "unbelievable mat."
    x, y = (reference_states(folder, text, 2) for text in (output, reference))
    x, y = (states / np.linalg.norm(states, axis=1, keepdims=True) for states in (x, y))
    cosines = x @ y.T
    precision, recall = cosines.max(axis=1)[1:-1].mean(), cosines.max(axis=0)[1:-1].mean()
    testset = load(outputs={"x": [output]}, references=[reference])
    for value, wanted in {"precision": precision, "recall": recall}.items():
        spec = f"bertscore:vectors={folder}:layer=2,value={value}"
        run = score(testset, spec, resamples=0)
        assert run[next(iter(run))].headline["x"] == pytest.approx(wanted, abs=1e-6)


def test_bertscore_is_that_of_the_package(folder):
    bert_score = pytest.importorskip("bert_score", reason="bert-score is not installed (make test-neural)")
    outputs, references = ["the cat sat", "unbelievable", "on the mat."], ["unbelievable mat.", "the cat", "on mat"]
    for idf in (False, True):
        expected = bert_score.score(outputs, references, model_type=str(folder), num_layers=2, idf=idf, batch_size=1)
        testset = load(outputs={"x": outputs}, references=references)
        for value, wanted in zip(("precision", "recall", "f1"), expected, strict=True):
            made = metric.create(f"bertscore:vectors={folder}:layer=2,value={value},idf={'yes' if idf else 'no'}")
            made = made.prepare(testset)
            found = made.score(made.statistics(testset, Runtime()))
            np.testing.assert_allclose(found[0], wanted.numpy(), atol=2e-6)


@pytest.mark.parametrize(("precision", "difference"), [("fp32", 1e-5), ("bf16", 0.05), ("fp16", 0.01)])
def test_scores_do_not_depend_on_batches_beyond_the_tolerance(folder, precision, difference):
    rng = random.Random(1)
    words = [word for word in tiny_bert.WORDS[5:] if not word.startswith("##")]
    lines = [[" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(40)] for _ in range(3)]
    testset = load(outputs={"x": lines[0], "y": lines[1]}, references=lines[2])
    for spec in ("bertscore", "yisi-1", "ebleu"):
        made = metric.create(f"{spec}:vectors={folder}:precision={precision}").prepare(testset)
        assert made.tolerance == difference
        tables = [made.statistics(testset, Runtime(threads=1, batch_size=size)) for size in (1, 40, 4096)]
        for table in tables[1:]:
            assert np.abs(table - tables[0]).max() <= difference * max(1, np.abs(table).max())


def test_precision_changes_states_a_little(folder):
    ids = [(2, 5, 6, 3)]
    exact, rough = (
        compute(LayerStates.of(str(folder), layer=3, precision=precision), ids, Runtime())[0]
        for precision in ("fp32", "bf16")
    )
    assert rough.dtype == np.float32
    assert 0 < np.abs(exact - rough).max() < 0.2


def test_devices(folder):
    network = LayerStates.of(str(folder), layer=1)
    for device in ("auto", "cpu"):
        compute(network, [(2, 3)], Runtime(device=device))
    with pytest.raises(ConfigError, match="torch finds no device 'cuda:99'") as caught:
        compute(network, [(2, 3)], Runtime(device="cuda:99"))
    assert caught.value.hint.startswith('device="auto" picks the best available device; available: cpu')


def test_weights_that_are_missing_are_not_made_up(folder, tmp_path):
    other = tiny_bert.write(tmp_path / "other")
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 5}))
    with pytest.raises(InputError, match=r"32 weights of the encoder are missing"):
        compute(LayerStates.of(str(other), layer=1), [(2, 3)], Runtime())


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_damaged_files(tmp_path, name):
    folder = tiny_bert.write(tmp_path / "damaged")
    (folder / name).write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(InputError, match=f"{name}: is a Git LFS pointer"):
        open_encoder(folder)


def test_weights_of_another_shape(tmp_path):
    folder = tiny_bert.write(tmp_path / "other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden_size": 36}))
    with pytest.raises(InputError, match=r"another shape than config.json says: .* has \(24,\) instead of \(36,\)"):
        compute(LayerStates.of(str(folder), layer=1), [(2, 3)], Runtime())


def test_a_tokeniser_of_another_model(folder):
    with pytest.raises(InputError, match="a token with the number 99, the model has 14 tokens"):
        compute(LayerStates.of(str(folder), layer=1), [(2, 99)], Runtime())


def test_the_digest_follows_the_files(tmp_path):
    testset = load(outputs={"x": ["the cat"]}, references=["the mat"])
    digests, values = set(), set()
    for seed in (0, 1):
        folder = tiny_bert.write(tmp_path / "model", seed=seed)
        run = score(testset, f"bertscore:vectors={folder}", resamples=0)
        scored = run[next(iter(run))]
        digests.add(str(scored.signature).partition("vectors.digest:")[2].partition("|")[0])
        values.add(scored.headline["x"])
    assert len(digests) == len(values) == 2


def test_torch_is_left_as_it_was(folder):
    threads = torch.get_num_threads()
    compute(LayerStates.of(str(folder), layer=1), [(2, 3)], Runtime(threads=threads + 1))
    assert torch.get_num_threads() == threads


def test_the_model_is_loaded_to_the_device_once(folder, monkeypatch):
    """It is not moved for every batch, and not before it is needed."""
    loads, load = [], transformers.AutoModel.from_pretrained
    monkeypatch.setattr(transformers.AutoModel, "from_pretrained", lambda *a, **k: loads.append(a) or load(*a, **k))
    encoder = open_encoder(folder)
    ids = [text.ids for text in encoder.tokenize(TEXTS)]
    assert not loads
    compute(LayerStates.of(str(folder), layer=1, precision="bf16"), ids, Runtime(batch_size=1, device="cpu"))
    compute(LayerStates.of(str(folder), layer=2, precision="bf16"), ids, Runtime(batch_size=1, device="cpu"))
    assert len(loads) == 1
    assert encoder.open("meta").device.type == "meta"
