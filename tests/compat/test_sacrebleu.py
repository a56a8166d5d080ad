"""The same script, one import line changed: values, attributes, texts and signatures of sacreBLEU 2.6.0."""

from __future__ import annotations

import itertools
import random

import pytest
import sacrebleu as theirs

from assay.compat import sacrebleu as ours
from assay.errors import AlignmentError, ConfigError, InputError
from tests.oddtext import SEED, odd_pair

PUBLISHED_REFERENCES = [["The dog bit the man.", "It was not unexpected.", "The man bit him first."]]
HYPOTHESES = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]


def corpus(name, size=40, references=2):
    rng = random.Random(f"{SEED}/compat/{name}")
    drawn = [odd_pair(rng, references) for _ in range(size)]
    return [output for output, _ in drawn], [[refs[k] for _, refs in drawn] for k in range(references)]


def same_bleu(found, expected):
    assert str(found) == str(expected)
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "prec_str", "name"):
        value = getattr(expected, name)
        assert getattr(found, name) == (value if isinstance(value, str) else pytest.approx(value, abs=1e-9))


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
        ours.sentence_bleu(hypotheses[3], [r[3] for r in references], **options),
        theirs.sentence_bleu(hypotheses[3], [r[3] for r in references], **options),
    )
    same_bleu(
        ours.corpus_bleu(hypotheses, references, **options), theirs.corpus_bleu(hypotheses, references, **options)
    )


def test_no_match_and_raw():
    same_bleu(ours.corpus_bleu(["a b"], [["c d"]]), theirs.corpus_bleu(["a b"], [["c d"]]))
    same_bleu(ours.corpus_bleu([""], [["c d"]]), theirs.corpus_bleu([""], [["c d"]]))
    same_bleu(ours.raw_corpus_bleu(["a b c"], [["a b d"]]), theirs.raw_corpus_bleu(["a b c"], [["a b d"]]))


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
    for name in ("corpus_chrf", "sentence_chrf"):
        arguments = (hypotheses, references) if name[0] == "c" else (hypotheses[0], [r[0] for r in references])
        assert str(getattr(ours, name)(*arguments, **options)) == str(getattr(theirs, name)(*arguments, **options))


def test_published_values():
    """Of sacreBLEU's own tests: tokenisers on one pair."""
    same_bleu(ours.corpus_bleu(HYPOTHESES, PUBLISHED_REFERENCES), theirs.corpus_bleu(HYPOTHESES, PUBLISHED_REFERENCES))


def test_confidence():
    """The same draws; sums are exact here and single precision there, so the last digits may differ."""
    hypotheses, references = corpus("confidence", 120)
    for name in ("BLEU", "CHRF"):
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
    ],
)
def test_what_sacrebleu_would_cut_silently_is_refused(hypotheses, references, error):
    with pytest.raises(error):
        ours.BLEU().corpus_score(hypotheses, references)


def test_single_segments_are_checked_too():
    with pytest.raises(InputError):
        ours.sentence_bleu("a", "a")
    with pytest.raises(ConfigError, match="not known yet"):
        ours.BLEU().get_signature()
