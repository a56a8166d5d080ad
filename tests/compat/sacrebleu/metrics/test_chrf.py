"""chrF: values, attributes, texts and signatures of sacreBLEU 2.6.0."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
import sacrebleu as theirs

from assay.compat import sacrebleu as ours
from assay.errors import ConfigError
from tests.compat.sacrebleu.oracle import corpus

OPTIONS = list(itertools.product((0, 1, 2), (1, 2, 3), (False, True)))


@pytest.mark.parametrize(("word_order", "beta", "eps"), OPTIONS)
def test_chrf(word_order, beta, eps):
    hypotheses, references = corpus(f"chrf/{word_order}/{beta}/{eps}")
    options = {"word_order": word_order, "beta": beta, "eps_smoothing": eps}
    found, expected = ours.CHRF(**options), theirs.CHRF(**options)
    a, b = found.corpus_score(hypotheses, references), expected.corpus_score(hypotheses, references)
    assert str(a) == str(b)
    assert vars(a) == vars(b)
    assert str(found.get_signature()) == str(expected.get_signature())
    assert found.get_signature().format(short=True) == expected.get_signature().format(short=True)
    segment = hypotheses[0], [r[0] for r in references]
    assert str(found.sentence_score(*segment)) == str(expected.sentence_score(*segment))


def test_constants():
    for name in ("CHAR_ORDER", "WORD_ORDER", "BETA", "_PUNCTS"):
        assert getattr(ours.CHRF, name) == getattr(theirs.CHRF, name)


@pytest.mark.parametrize(
    ("attribute", "value"), [("lowercase", True), ("whitespace", True), ("beta", 3), ("eps_smoothing", True)]
)
def test_changed_attributes_count(attribute, value):
    metrics = ours.CHRF(), theirs.CHRF()
    for metric in metrics:
        setattr(metric, attribute, value)
    found, expected = (metric.corpus_score(["A b C"], [["a b d"]]) for metric in metrics)
    assert vars(found) == vars(expected)
    assert str(metrics[0].get_signature()) == str(metrics[1].get_signature())


@pytest.mark.parametrize(("word_order", "beta", "eps"), OPTIONS)
@pytest.mark.parametrize("statistics", [(3, 5, 1), (3.5, 0.25, 0.125), (3, 0, 0), (0, 0, 0), (4, 4, 0)])
def test_score_of_statistics(word_order, beta, eps, statistics):
    options = {"char_order": 1, "word_order": word_order, "beta": beta, "eps_smoothing": eps}
    rows = [*statistics, *(2, 1, 1) * word_order]
    assert ours.CHRF(**options)._compute_f_score(rows) == theirs.CHRF(**options)._compute_f_score(rows)


def test_parts():
    counters = [Counter(), Counter("aab"), Counter("abc"), Counter({"a": 0.5, "c": 1.5})]
    for a, b in itertools.product(counters, repeat=2):
        assert ours.CHRF._get_match_statistics(a, b) == theirs.CHRF._get_match_statistics(a, b)
    hypotheses, _ = corpus("parts")
    for text in (*hypotheses, "(hi) a,b .x. 'q' ! --"):
        assert ours.CHRF()._remove_punctuation(text) == theirs.CHRF()._remove_punctuation(text)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"beta": 0}, ValueError, "beta must be positive"),
        ({"beta": None}, TypeError, "beta must be a number, not None"),
        ({"char_order": 0}, ValueError, "must be non-negative and not both 0"),
        ({"word_order": -1}, ValueError, "must be non-negative and not both 0"),
        ({"word_order": 101}, ValueError, "must be at most 100"),
        ({"char_order": "6"}, TypeError, "char_order must be an integer, not '6'"),
        ({"word_order": 2.0}, TypeError, r"word_order must be an integer, not 2\.0"),
    ],
)
def test_options_that_are_refused(options, error, message):
    with pytest.raises(error, match=message) as raised:
        ours.CHRF(**options)
    assert isinstance(raised.value, ConfigError)


def test_anything_may_be_true_or_false():
    for value in ([], "yes"):
        found, expected = (m.CHRF(lowercase=value, whitespace=value, eps_smoothing=value) for m in (ours, theirs))
        assert vars(found.sentence_score("A b", ["a c"])) == vars(expected.sentence_score("A b", ["a c"]))
