"""Every metric that takes a tokeniser takes all of them."""

from __future__ import annotations

import dataclasses
import importlib.util

import numpy as np
import pytest

from assay import Signature, load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.bleu import Bleu
from assay.metrics.tokenized import TokenizedMetric
from assay.metrics.yisi_srl import YisiSrl
from assay.text import make_tokenizer
from assay.types.runtime import Runtime
from tests import tokenizer_model
from tests.metrics import made_up_vectors

METRICS = (
    *("bleu", "bleu-mteval", "bleu-moses", "sentbleu", "simpbleu", "simpbleu-recall", "nist"),
    *("wer", "wer-moses", "per", "per-moses", "cder", "cder-moses", "ter-moses", "character"),
    *("yisi-0", "ebleu", "bertscore", "lepor", "nlepor", "hlepor", "hjerson", "meteor"),
)
NEEDED_VECTORS = ("ebleu", "bertscore")
TOKENIZERS = (
    *("13a", "intl", "zh", "char", "none", "space", "mteval", "mteval-intl", "mteval-intl-split"),
    *("moses-de", "moses-en-aggressive", "ja-mecab", "ko-mecab", "jieba", "newmm", "spm"),
)
NEEDED = {
    "moses-de": "sacremoses",
    "moses-en-aggressive": "sacremoses",
    "ja-mecab": "MeCab",
    "ko-mecab": "mecab_ko",
    "jieba": "jieba",
    "newmm": "pythainlp",
}
DIGESTS = {
    "moses-de": "moses",
    "moses-en-aggressive": "moses",
    "ja-mecab": "mecab",
    "ko-mecab": "mecab",
    "jieba": "jieba",
    "newmm": "newmm",
    "spm": "model",
}
FITTED = ("information", "idf", "vectors", "words")  # resources of metrics
REFERENCES = ["The cat, e.g. this one, sat.", "今日はいい天気ですね。", "오늘 날씨가 좋네요.", "z. B. 3.5 Mio.", None]
OUTPUTS = ["the cat, e.g. this one sat", "今日は天気がいいです。", "오늘은 날씨가 좋습니다.", "z.B. 3.5 Mio", "a"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tokenizer_model.train(tmp_path_factory.mktemp("spm"))


@pytest.fixture
def vectors(request, tmp_path_factory):
    """An option for the metrics that need vectors: any words will do, since those without count as well."""
    if request.getfixturevalue("name") not in NEEDED_VECTORS:
        return ""
    path = tmp_path_factory.mktemp("vectors") / "words.vec"
    words = ("the", "cat", "Mio", "天", "▁", "t")
    return f",vectors={made_up_vectors.write(path, made_up_vectors.of_words(words))}"


@pytest.fixture
def tok(request):
    """The spec of a tokeniser; skips without its package."""
    if request.param == "spm":
        return f"spm:{request.getfixturevalue('model')}"
    if request.param in NEEDED and importlib.util.find_spec(NEEDED[request.param]) is None:
        pytest.skip(f"{NEEDED[request.param]} is not installed")
    return request.param


def test_every_tokenised_metric_is_in_the_table():
    """YiSi with roles takes the words of a layer."""
    tokenized = (m for m in map(metric.create, metric.names()) if isinstance(m, TokenizedMetric))
    assert {type(metric.create(name)) for name in METRICS} == {type(m) for m in tokenized if not isinstance(m, YisiSrl)}


@pytest.mark.filterwarnings("ignore:.*(have no vector in|unknown target language):assay.AssayWarning")
@pytest.mark.parametrize("tok", TOKENIZERS, indirect=True)
@pytest.mark.parametrize("name", METRICS)
def test_all_metrics_take_all_tokenisers(name, tok, vectors):
    """The statistics are those of text that was tokenised before, and the signature can be read back."""
    spec = f"{name}:tok={tok}{vectors}"
    testset = load(outputs={"x": OUTPUTS, "y": OUTPUTS[::-1]}, references=REFERENCES)
    run = score(testset, spec, resamples=0)
    run = run[next(iter(run))]
    signature = Signature.parse(str(run.signature))
    assert signature == run.signature
    assert f"|tok:{tok}|" in str(signature)
    digest = DIGESTS.get(tok.partition(":")[0])
    assert [key for key, _ in signature.resources if key not in FITTED] == ([digest] if digest else [])
    assert np.isfinite(run.corpus["x"])
    again = metric.create(signature.spec)
    assert again.prepare(testset) == metric.create(spec).prepare(testset)


@pytest.mark.parametrize("tok", [t for t in TOKENIZERS if t not in ("mteval-intl", "mteval-intl-split")], indirect=True)
@pytest.mark.parametrize("name", METRICS)
def test_the_tokens_are_those_of_the_tokeniser(name, tok, vectors):
    """Text with its tokens joined by spaces, scored with tok=space, has the same statistics."""
    testset = load(outputs={"x": OUTPUTS[:-1]}, references=REFERENCES[:-1])
    lowercase = {"case_sensitive": True} if name == "ter-moses" else {"lowercase": False}
    measured = dataclasses.replace(metric.create(f"{name}:tok={tok}{vectors}"), **lowercase)
    spaced = dataclasses.replace(metric.create(f"{name}:tok=space{vectors}"), **lowercase)
    change, core = make_tokenizer(tok).reader(lowercase=False)
    if name.endswith("-moses") and tok == "none" and not name.startswith("bleu"):
        core = "space"  # Moses' scorers split only at U+0020

    def tokenised(column):
        return tuple(" ".join(_tokens(change(text) if change else text, core)) for text in column)

    pretokenised = dataclasses.replace(
        testset,
        outputs={"x": tokenised(testset.outputs["x"])},
        references={"ref": tokenised(testset.references["ref"])},
    )
    tables = [m.prepare(t).statistics(t, Runtime(threads=1)) for m, t in ((measured, testset), (spaced, pretokenised))]
    np.testing.assert_array_equal(*tables)


def _tokens(text, core):
    from assay import _core

    return _core.tokenize(text, core)


def test_two_specs_of_one_tokeniser_make_one_metric(model):
    assert Bleu(tok="moses-en:language=de") == Bleu(tok="moses-de") == metric.create("bleu:tok=moses-en:language=de")
    aggressive = metric.create("bleu:tok=(moses-en:language=de,aggressive=yes),lowercase=yes")
    assert aggressive == Bleu(tok="moses-de-aggressive", lowercase=True)
    assert metric.create(f"spbleu:{model}") == metric.create(f"bleu:tok=spm:model={model}") == Bleu(tok=f"spm:{model}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("wer:tok=13b", "unknown tokeniser '13b'\ndid you mean '13a'?"),
        ("nist:tok=auto", "unknown tokeniser 'auto'"),
        ("bleu:tok=13a:x", "'x' in '13a:x' is not an option\nwrite options as name=value"),
        ("bleu:tok=spm:modle=x", "tokeniser 'spm' has no option 'modle'\ndid you mean 'model'?"),
        ("bleu:tok=(moses-en:language=de", "unclosed parenthesis in 'bleu:tok=(moses-en:language=de'"),
        ("ter:tok=13a", "'ter:tok=13a': tok=13a requires flavour=moses; flavour=tercom has its own tokeniser"),
    ],
)
def test_wrong_tokenisers(spec, message):
    with pytest.raises(ConfigError) as caught:
        metric.create(spec)
    assert str(caught.value).startswith(message)
