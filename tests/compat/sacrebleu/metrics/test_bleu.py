"""BLEU: values, attributes, texts and signatures of sacreBLEU 2.6.0."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import sacrebleu as theirs
from sacrebleu.metrics import bleu as their_module

from assay.compat import sacrebleu as ours
from assay.compat.sacrebleu.errors import StatisticsError, UnknownChoiceError
from assay.compat.sacrebleu.metrics import bleu
from assay.errors import ConfigError, MissingExtraError, UnknownNameError
from tests.compat.sacrebleu.oracle import corpus, same_bleu
from tests.tokenizer_model import LINES, train


@pytest.mark.parametrize(
    ("smooth", "tokenize", "lowercase"),
    list(itertools.product(("exp", "floor", "add-k", "none"), ("13a", "intl", "char"), (False, True))),
)
def test_bleu(smooth, tokenize, lowercase):
    hypotheses, references = corpus(f"{smooth}/{tokenize}/{lowercase}")
    options = {"smooth_method": smooth, "tokenize": tokenize, "lowercase": lowercase}
    found, expected = ours.BLEU(**options), theirs.BLEU(**options, force=True)
    same_bleu(found.corpus_score(hypotheses, references), expected.corpus_score(hypotheses, references))
    assert str(found.get_signature()) == str(expected.get_signature())
    assert found.get_signature().format(short=True) == expected.get_signature().format(short=True)
    same_bleu(
        ours.BLEU(**options, effective_order=True).sentence_score(hypotheses[3], [r[3] for r in references]),
        theirs.BLEU(**options, effective_order=True).sentence_score(hypotheses[3], [r[3] for r in references]),
    )


def test_constants():
    assert list(ours.BLEU.TOKENIZERS) == list(theirs.BLEU.TOKENIZERS)
    for name in ("SMOOTH_DEFAULTS", "TOKENIZER_DEFAULT", "_TOKENIZER_MAP"):
        assert getattr(ours.BLEU, name) == getattr(theirs.BLEU, name)
    assert bleu.MAX_NGRAM_ORDER == their_module.MAX_NGRAM_ORDER
    for name in ours.BLEU.TOKENIZERS:
        assert bleu._get_tokenizer(name).__name__ == their_module._get_tokenizer(name).__name__


def test_target_language():
    assert ours.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    assert ours.BLEU(trg_lang="zh", tokenize="char").tokenizer_signature == "char"


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("lowercase", True), ("effective_order", True), ("smooth_method", "floor"), ("max_ngram_order", 2)],
)
def test_changed_attributes_count(attribute, value):
    metrics = ours.BLEU(), theirs.BLEU(force=True)
    for metric in metrics:
        setattr(metric, attribute, value)
    found, expected = (metric.corpus_score(["A b C"], [["a b d"]]) for metric in metrics)
    assert vars(found) == vars(expected)
    assert str(metrics[0].get_signature()) == str(metrics[1].get_signature())


def test_the_tokeniser_cannot_be_replaced():
    """It would have no effect."""
    with pytest.raises(AttributeError):
        ours.BLEU().tokenizer = str.split


def test_unknown_choices():
    for module in (ours, theirs):
        with pytest.raises(AssertionError):
            module.BLEU(smooth_method="x")
        with pytest.raises(AssertionError):
            module.BLEU.compute_bleu([1] * 4, [2] * 4, 4, 4, smooth_method="x")
        with pytest.raises(KeyError):
            module.BLEU(tokenize="x")
    with pytest.raises(UnknownChoiceError, match="unknown smooth_method 'flor'\ndid you mean 'floor'"):
        ours.BLEU(smooth_method="flor")
    with pytest.raises(UnknownNameError, match="unknown tokeniser '13b'\ndid you mean '13a'"):
        ours.BLEU(tokenize="13b")


@pytest.mark.parametrize("smooth", ["none", "floor", "add-k", "exp"])
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("of", [list, tuple, np.array])
def test_bleu_of_statistics(smooth, effective_order, of):
    cases = (
        ([9, 7, 5, 3], [10, 8, 6, 4]),
        ([6, 2, 0, 0], [6, 5, 4, 3]),
        ([2, 0, 0, 0], [2, 1, 0, 0]),
        ([0] * 4, [1] * 4),
    )
    for matches, ngrams in cases:
        given = {"smooth_method": smooth, "effective_order": effective_order, "sys_len": 10, "ref_len": 11}
        found = ours.BLEU.compute_bleu(of(matches), of(ngrams), **given)
        same_bleu(found, theirs.BLEU.compute_bleu(matches[:], ngrams[:], **given))


def test_statistics_stay_as_they_are():
    """sacreBLEU adds k to the lists it is given."""
    matches, ngrams = [3, 2, 1, 0], [4, 3, 2, 1]
    assert ours.BLEU.compute_bleu(matches, ngrams, 4, 4, smooth_method="add-k").counts == [3, 3, 2, 1]
    assert (matches, ngrams) == ([3, 2, 1, 0], [4, 3, 2, 1])


def test_statistics_for_each_order():
    with pytest.raises(StatisticsError, match="3 counts of matches and 4 of n-grams for 4 orders"):
        ours.BLEU.compute_bleu([3, 2, 1], [4, 3, 2, 1], 4, 4)
    for module in (ours, theirs):
        with pytest.raises(IndexError):
            module.BLEU.compute_bleu([3, 2, 1], [4, 3, 2, 1], 4, 4)


@pytest.mark.parametrize(
    ("name", "file"),
    [("spm", "sacrebleu_tokenizer_spm.model"), ("flores200", "flores200sacrebleuspm")],
)
@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # in sacreBLEU
def test_sentencepiece_with_the_model_at_hand(name, file, tmp_path, monkeypatch):
    for module in ("assay.compat.sacrebleu", "sacrebleu"):
        monkeypatch.setattr(f"{module}.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(MissingExtraError, match=f"no SentencePiece model for {name} at .*{file}"):
        ours.BLEU(tokenize=name)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / file).write_bytes(Path(train(tmp_path)).read_bytes())
    found, expected = ours.BLEU(tokenize=name), theirs.BLEU(tokenize=name)
    references = [LINES, LINES[::-1]]
    hypotheses = [line.replace("the", "a") + " " for line in LINES]
    assert vars(found.corpus_score(hypotheses, references)) == vars(expected.corpus_score(hypotheses, references))
    assert str(found.get_signature()) == str(expected.get_signature())


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"smooth_method": "floor", "smooth_value": -1}, ValueError, "smooth_value must be non-negative"),
        ({"smooth_method": "floor", "smooth_value": "x"}, TypeError, "smooth_value must be a number, not 'x'"),
        ({"max_ngram_order": 0}, ValueError, "max_ngram_order must be between 1 and 100, not 0"),
        ({"max_ngram_order": 101}, ValueError, "max_ngram_order must be between 1 and 100, not 101"),
        ({"max_ngram_order": "4"}, TypeError, "max_ngram_order must be an integer, not '4'"),
        ({"max_ngram_order": 4.0}, TypeError, r"max_ngram_order must be an integer, not 4\.0"),
    ],
)
def test_options_that_are_refused(options, error, message):
    ours.BLEU()  # an order of 4.0 is not the order 4 of a metric made before
    with pytest.raises(error, match=message) as raised:
        ours.BLEU(**options)
    assert isinstance(raised.value, ConfigError)
    metric = ours.BLEU()
    vars(metric).update(options)
    with pytest.raises(error, match=message):
        metric.sentence_score("a", ["a"])


def test_an_unknown_smoothing_method_after_the_constructor():
    metric = ours.BLEU()
    metric.smooth_method = "exq"
    with pytest.raises(ConfigError, match="unknown smooth_method 'exq'"):
        metric.sentence_score("a", ["a"])


def test_anything_may_be_true_or_false():
    for value in ([], "yes"):
        found, expected = (m.BLEU(lowercase=value, effective_order=value) for m in (ours, theirs))
        assert vars(found.sentence_score("A b", ["a c"])) == vars(expected.sentence_score("A b", ["a c"]))
