"""The functions of sacreBLEU 2.6.0: the same calls, the same values and texts."""

from __future__ import annotations

import inspect
import itertools

import pytest
import sacrebleu as theirs

from assay.compat import sacrebleu as ours
from assay.errors import InputError
from tests.compat.sacrebleu.oracle import corpus, same_bleu


@pytest.mark.parametrize(
    ("smooth", "tokenize", "lowercase"),
    list(itertools.product(("exp", "floor", "add-k", "none"), ("13a", "none"), (False, True))),
)
def test_bleu(smooth, tokenize, lowercase):
    hypotheses, references = corpus(f"functions/{smooth}/{tokenize}/{lowercase}")
    segment = hypotheses[3], [r[3] for r in references]
    options = {"smooth_method": smooth, "tokenize": tokenize, "lowercase": lowercase}
    same_bleu(
        ours.corpus_bleu(hypotheses, references, **options), theirs.corpus_bleu(hypotheses, references, **options)
    )
    same_bleu(ours.sentence_bleu(*segment, **options), theirs.sentence_bleu(*segment, **options))


@pytest.mark.parametrize(("word_order", "beta", "eps"), list(itertools.product((0, 2), (2, 3), (False, True))))
def test_chrf(word_order, beta, eps):
    hypotheses, references = corpus(f"functions/chrf/{word_order}/{beta}/{eps}")
    options = {"word_order": word_order, "beta": beta, "eps_smoothing": eps, "remove_whitespace": not eps}
    segment = hypotheses[0], [r[0] for r in references]
    found, expected = (
        ours.corpus_chrf(hypotheses, references, **options),
        theirs.corpus_chrf(hypotheses, references, **options),
    )
    assert (str(found), found.score) == (str(expected), pytest.approx(expected.score, abs=1e-9))
    assert str(ours.sentence_chrf(*segment, **options)) == str(theirs.sentence_chrf(*segment, **options))


@pytest.mark.parametrize("options", list(itertools.product((False, True), repeat=4)))
def test_ter(options):
    hypotheses, references = corpus(f"functions/ter/{options}", 20)
    options = dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), options, strict=True))
    segment = hypotheses[0], [r[0] for r in references]
    found, expected = (m.corpus_ter(hypotheses, references, **options) for m in (ours, theirs))
    assert (str(found), found.score) == (str(expected), pytest.approx(expected.score, abs=1e-9))
    assert (found.num_edits, found.ref_length) == (expected.num_edits, pytest.approx(expected.ref_length))
    assert str(ours.sentence_ter(*segment, **options)) == str(theirs.sentence_ter(*segment, **options))


def test_no_match_and_raw():
    same_bleu(ours.corpus_bleu(["a b"], [["c d"]]), theirs.corpus_bleu(["a b"], [["c d"]]))
    same_bleu(ours.corpus_bleu([""], [["c d"]]), theirs.corpus_bleu([""], [["c d"]]))
    same_bleu(ours.raw_corpus_bleu(["a b c"], [["a b d"]]), theirs.raw_corpus_bleu(["a b c"], [["a b d"]]))


@pytest.mark.parametrize(
    "name",
    [
        *("corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu"),
        *("sentence_bleu", "sentence_chrf", "sentence_ter"),
    ],
)
def test_the_same_arguments(name):
    signatures = [inspect.signature(getattr(module, name)) for module in (ours, theirs)]
    found, expected = ({p.name: p.default for p in s.parameters.values()} for s in signatures)
    assert found == expected


def test_single_segments_are_checked():
    with pytest.raises(InputError):
        ours.sentence_bleu("a", "a")
