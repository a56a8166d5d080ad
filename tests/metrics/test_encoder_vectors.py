"""Tokens and vectors of an encoder in eBLEU, YiSi and BERTScore."""

from __future__ import annotations

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.encoder_vectors import EncoderVectors
from assay.metrics.token_vectors import open_token_vectors
from assay.types import NoteKind, as_column
from assay.types.runtime import Runtime
from tests.encoders.made_up_encoder import MadeUpEncoder


@pytest.fixture
def encoder(tmp_path, monkeypatch):
    """An encoder in the resource folder under the name `made-up`."""
    made = MadeUpEncoder()
    (tmp_path / "made-up").mkdir()
    (tmp_path / "made-up" / "weights").write_text(str(tmp_path))  # of its own: networks stay in memory
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    for module in ("assay.metrics.encoder_vectors", "assay.encoders.layer_states"):
        monkeypatch.setattr(f"{module}.open_encoder", lambda *_, **__: made)
    return made


def opened(spec, **options):
    return open_token_vectors(spec, tok="13a", **{"lowercase": False, **options})


def columns(*texts):
    return tuple(map(as_column, texts))


@pytest.mark.usefixtures("encoder")
def test_a_folder_is_an_encoder():
    vectors = opened("made-up")
    assert isinstance(vectors, EncoderVectors)
    assert (vectors.name, vectors.layer, vectors.is_contextual) == ("made-up", 2, True)
    assert vectors.spec == "made-up:layer=2,unit=pieces,precision=fp32"
    assert opened("made-up:layer=1", unit="words").spec == "made-up:layer=1,unit=words,precision=fp32"
    assert (
        opened("made-up:unit=pieces,precision=bf16", unit="words").spec == "made-up:layer=2,unit=pieces,precision=bf16"
    )
    assert opened("made-up").special_tokens == frozenset()
    assert opened("made-up", keeps_special_tokens=True).special_tokens == {"<s>", "</s>"}


def test_every_text_is_encoded_once(encoder):
    embedded = opened("made-up").embed(columns(["abcd", None, "ef"], ["ef", "", "abcd"]), Runtime())
    assert embedded.texts.words == ["ab", "cd", "e", "f"]
    assert [rows.tolist() for rows in embedded.texts.rows] == [[0, 1, 2, 3], [2, 3, 0, 1]]
    assert [starts.tolist() for starts in embedded.texts.starts] == [[0, 2, 2, 4], [0, 2, 2, 4]]
    assert [present.tolist() for present in embedded.texts.present] == [[True, False, True], [True, True, True]]
    assert embedded.vectors[:, 1].tolist() == [4, 4, 4, 4]  # special tokens are part of the context
    assert encoder.batches == [[4, 4, 2]]


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("unit", ["pieces", "words"])
@pytest.mark.parametrize("keeps", [False, True])
def test_tokens_alone_are_those_with_vectors(unit, keeps):
    texts = columns(["abcd ef", "", None], ["ef ef", "x", "y"])
    vectors = opened("made-up", unit=unit, keeps_special_tokens=keeps)
    alone, embedded = vectors.tokenize(texts), vectors.embed(texts, Runtime())
    assert alone.words == embedded.texts.words
    for one, other in zip((*alone.rows, *alone.starts), (*embedded.texts.rows, *embedded.texts.starts), strict=True):
        np.testing.assert_array_equal(one, other)
    words = ["abcd", "ef"] if unit == "words" else ["ab", "cd", "e", "f"]
    assert alone.words[: len(words) + 2 * keeps] == (["<s>", *words, "</s>"] if keeps else words)
    assert ("<s>" in alone.words) == keeps


@pytest.mark.usefixtures("encoder")
def test_lower_case():
    assert opened("made-up", lowercase=True).tokenize(columns(["AB ab"])).words == ["a", "b", "a", "b"]


@pytest.mark.usefixtures("encoder")
def test_states_are_cached(encoder, tmp_path):
    texts = columns(["abcd", "ef"])
    for layer in (2, 2, 1):
        opened(f"made-up:layer={layer}").embed(texts, Runtime(cache=tmp_path / "cache"))
    assert len(encoder.batches) == 2


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("made-up:layer=3", "the encoder made-up has 2 layers, there is no layer 3"),
        ("made-up:layer=last", "expected an integer"),
        ("made-up:layer=-1", "expected an integer"),
        ("made-up:unit=letters", "unit"),
        ("made-up:precision=int8", "precision"),
        ("made-up:pooling=max", "the encoder 'made-up' has no option 'pooling'"),
        ("made-up:2", "the encoder 'made-up' has no option '2'"),
    ],
)
def test_wrong_options(spec, message):
    with pytest.raises(ConfigError, match=message):
        _ = opened(spec).layer


def test_word_vectors_have_no_options(tmp_path):
    (tmp_path / "words.vec").write_text("1 2\na 1 2\n")
    with pytest.raises(ConfigError, match="word vectors have no options"):
        opened(f"{tmp_path / 'words.vec'}:layer=1")


def test_a_path_may_have_a_colon(tmp_path):
    (tmp_path / "a:b.vec").write_text("1 2\na 1 2\n")
    assert opened(str(tmp_path / "a:b.vec")).embed(columns(["a"]), Runtime()).vectors.tolist() == [[1, 2]]


@pytest.mark.filterwarnings("ignore:.*(compared with the source):assay.AssayWarning")
@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize(
    ("spec", "unit"), [("bertscore", "pieces"), ("yisi-1", "pieces"), ("yisi-2", "pieces"), ("ebleu", "words")]
)
def test_signatures_name_everything(spec, unit):
    testset = load(outputs={"x": ["ab cd"]}, references=["ab ef"], sources=["cd"], lp="de-ja")
    run = score(testset, f"{spec}:vectors=made-up", resamples=0)
    (scored,) = (run[name] for name in run)
    signature = str(scored.signature)
    assert f"vectors:(made-up:layer=2,unit={unit},precision=fp32)" in signature
    assert "vectors.digest:sha256-" in signature
    assert "tok:" not in signature  # the encoder's own, also for Japanese
    options = "layer=1,unit=pieces"
    explicit = metric.create(f"{spec}:vectors=(made-up:{options})").prepare(testset)
    assert explicit.vectors == f"made-up:{options},precision=fp32"
    assert explicit.prepare(testset) == explicit
    assert metric.create(metric.spec(explicit)) == explicit


@pytest.mark.usefixtures("encoder")
def test_a_tokeniser_of_words_has_no_effect():
    testset = load(outputs={"x": ["ab cd"]}, references=["ab ef"])
    with pytest.raises(ConfigError, match="tok=intl has no effect: the encoder made-up has its own tokeniser"):
        score(testset, "bertscore:vectors=made-up,tok=intl")


@pytest.mark.usefixtures("encoder")
@pytest.mark.warns("longer than|compared with the source|are unknown to")
def test_notes_count_texts_that_are_truncated_and_unknown_tokens():
    long = "a b c d e f g h"
    testset = load(outputs={"x": [long, "a ? b", "c"], "y": [long, "a", "c"]}, references=["a", "b", long])
    notes = {note.kind: note for note in score(testset, "bertscore:vectors=made-up", resamples=0).notes}
    truncated, unknown = notes[NoteKind.CHANGED], notes[NoteKind.MISSING]
    assert (truncated.count, truncated.severity, truncated.where) == (3, "warning", "bertscore")
    expected = "3 texts longer than the 8 tokens that made-up reads, first in line 3 of reference 'ref'"
    assert truncated.text == f"{expected}; the rest is ignored"
    assert (unknown.count, unknown.severity) == (1, "note")
    assert unknown.text == "1 of 26 tokens (3.8 %) are unknown to made-up"  # without those of start and end
    sources = load(outputs={"x": ["a ?"]}, sources=["? b c"])
    texts = [note.text for note in score(sources, "yisi-2:vectors=made-up", resamples=0).notes]
    assert "1 of 3 tokens of the source (33.3 %) are unknown to made-up" in texts
    assert "1 of 2 tokens of the outputs (50.0 %) are unknown to made-up" in texts


def test_scores_do_not_depend_on_blocks(encoder, monkeypatch):
    testset = load(
        outputs={name: [f"{name}b cd {i}" for i in range(9)] for name in "xyz"},
        references={"one": [f"xb ef {i}" for i in range(9)], "two": ["cd"] * 9},
    )
    for spec in ("bertscore", "yisi-1", "ebleu"):
        made = metric.create(f"{spec}:vectors=made-up").prepare(testset)
        whole = made.statistics(testset, Runtime(threads=1))
        with monkeypatch.context() as patch:
            patch.setattr("assay.metrics.vector_metric._BLOCK_TEXTS", 10)
            encoder.batches.clear()
            np.testing.assert_array_equal(made.statistics(testset, Runtime(threads=1)), whole)
        assert len(encoder.batches) == 5  # two segments of five columns at a time


@pytest.mark.usefixtures("encoder")
def test_tolerance_is_that_of_the_precision():
    assert metric.create("yisi-0").tolerance == 0
    exact, rough = (metric.create(f"bertscore:vectors=made-up:precision={p}").tolerance for p in ("fp32", "bf16"))
    assert 0 < exact < rough
