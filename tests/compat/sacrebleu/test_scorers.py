"""The metric objects: values, attributes, texts and signatures of sacreBLEU 2.6.0."""

from __future__ import annotations

import itertools

import pytest
import sacrebleu as theirs

from assay.compat import sacrebleu as ours
from assay.compat.sacrebleu.scorers import sentence_scores
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError
from tests.compat.sacrebleu.oracle import corpus, same_bleu


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


@pytest.mark.parametrize(("word_order", "beta", "eps"), list(itertools.product((0, 1, 2), (2, 3), (False, True))))
def test_chrf(word_order, beta, eps):
    hypotheses, references = corpus(f"chrf/{word_order}/{beta}/{eps}")
    options = {"word_order": word_order, "beta": beta, "eps_smoothing": eps}
    found, expected = ours.CHRF(**options), theirs.CHRF(**options)
    a, b = found.corpus_score(hypotheses, references), expected.corpus_score(hypotheses, references)
    assert str(a) == str(b)
    assert a.score == pytest.approx(b.score, abs=1e-9)
    assert str(found.get_signature()) == str(expected.get_signature())
    assert found.get_signature().format(short=True) == expected.get_signature().format(short=True)
    segment = hypotheses[0], [r[0] for r in references]
    assert str(found.sentence_score(*segment)) == str(expected.sentence_score(*segment))


@pytest.mark.parametrize("options", list(itertools.product((False, True), repeat=4)))
def test_ter(options):
    hypotheses, references = corpus(f"ter/{options}", 20)
    options = dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), options, strict=True))
    found, expected = ours.TER(**options), theirs.TER(**options)
    a, b = found.corpus_score(hypotheses, references), expected.corpus_score(hypotheses, references)
    assert (str(a), a.num_edits) == (str(b), b.num_edits)
    assert (a.score, a.ref_length) == (pytest.approx(b.score, abs=1e-9), pytest.approx(b.ref_length, abs=1e-9))
    assert str(found.get_signature()) == str(expected.get_signature())
    assert found.get_signature().format(short=True) == expected.get_signature().format(short=True)


@pytest.mark.parametrize(
    "scorer", [ours.BLEU(effective_order=True), ours.CHRF(word_order=2), ours.TER()], ids=["BLEU", "CHRF", "TER"]
)
def test_all_segments_at_once(scorer):
    hypotheses, references = corpus("segments")
    one_by_one = [scorer.sentence_score(h, refs) for h, *refs in zip(hypotheses, *references, strict=True)]
    assert sentence_scores(scorer, hypotheses, references) == one_by_one


def test_confidence():
    """The same resamples; sums are exact here and single precision there, so the last digits may differ."""
    hypotheses, references = corpus("confidence", 120)
    for name in ("BLEU", "CHRF", "TER"):
        found, expected = getattr(ours, name)(), getattr(theirs, name)()
        a = found.corpus_score(hypotheses, references, n_bootstrap=200)
        b = expected.corpus_score(hypotheses, references, n_bootstrap=200)
        assert str(a) == str(b)
        assert a.mean == pytest.approx(b._mean, abs=1e-4)
        assert a.interval == pytest.approx(b._ci, abs=1e-4)
        assert str(found.get_signature()) == str(expected.get_signature())
        signature = str(expected.get_signature())
        assert a.format(signature=signature, is_json=True) == b.format(signature=signature, is_json=True)
        assert a.format(width=1, score_only=True) == b.format(width=1, score_only=True)


def test_cached_and_varying_references():
    hypotheses, references = corpus("cached")
    references[1][3] = references[0][5] = None
    found, expected = ours.BLEU(references=references), theirs.BLEU(references=references, force=True)
    same_bleu(found.corpus_score(hypotheses, None), expected.corpus_score(hypotheses, None))
    assert str(found.get_signature()) == str(expected.get_signature())
    assert "nrefs:var" in str(found.get_signature())


def test_target_language():
    assert ours.BLEU(trg_lang="zh").metric.tok == "zh"
    assert ours.BLEU(trg_lang="zh", tokenize="char").metric.tok == "char"


@pytest.mark.parametrize(
    ("hypotheses", "references", "error"),
    [
        (["a", "b", "c"], [["a"], ["b"], ["c"]], AlignmentError),
        (["a", "b", "c"], [["a"]], AlignmentError),
        (["a", "b"], [["a", "b"], ["a"]], AlignmentError),
        (["a", "b"], ["a", "b"], InputError),
        ("ab", [["a", "b"]], InputError),
        (["a"], None, ConfigError),
        (["a"], [], ConfigError),
        ([], [[]], EmptyInputError),
    ],
)
def test_lengths_that_sacrebleu_would_truncate_are_an_error(hypotheses, references, error):
    with pytest.raises(error):
        ours.BLEU().corpus_score(hypotheses, references)


@pytest.mark.parametrize("smooth", ["none", "floor", "add-k", "exp"])
@pytest.mark.parametrize("effective_order", [False, True])
def test_bleu_of_statistics(smooth, effective_order):
    for matches, ngrams in (([9, 7, 5, 3], [10, 8, 6, 4]), ([6, 2, 0, 0], [6, 5, 4, 3]), ([2, 0, 0, 0], [2, 1, 0, 0])):
        given = {"smooth_method": smooth, "effective_order": effective_order, "sys_len": 10, "ref_len": 11}
        found = ours.BLEU.compute_bleu(matches, ngrams, **given)
        same_bleu(found, theirs.BLEU.compute_bleu(matches[:], ngrams[:], **given))


def test_statistics_for_each_order():
    with pytest.raises(AlignmentError, match="3 counts of matches and 4 of n-grams for 4 orders"):
        ours.BLEU.compute_bleu([3, 2, 1], [4, 3, 2, 1], 4, 4)


@pytest.mark.parametrize("seed", ["x", "-1", "1.5"])
def test_a_seed_is_an_integer(monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    with pytest.raises(ConfigError, match=f"SACREBLEU_SEED is '{seed}'"):
        ours.BLEU().corpus_score(["a"], [["a"]], n_bootstrap=10)


def test_single_segments_are_checked_too():
    with pytest.raises(InputError):
        ours.BLEU().sentence_score("a", "a")
    with pytest.raises(ConfigError, match="there is no signature before the first score"):
        ours.BLEU().get_signature()
