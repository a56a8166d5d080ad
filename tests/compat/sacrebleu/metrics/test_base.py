"""Scores, signatures and what all metrics share: values, attributes and texts of sacreBLEU 2.6.0."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
import sacrebleu as theirs
from sacrebleu.metrics import base as their_base
from sacrebleu.metrics.bleu import BLEUScore as TheirBLEUScore
from sacrebleu.metrics.chrf import CHRFScore as TheirCHRFScore

from assay.compat import sacrebleu as ours
from assay.compat.sacrebleu.errors import NoReferencesError, NoScoreError, NoSegmentsError, TextError
from assay.compat.sacrebleu.metrics import base
from assay.compat.sacrebleu.metrics.bleu import BLEUScore
from assay.compat.sacrebleu.metrics.chrf import CHRFScore
from assay.errors import AlignmentError, AssayError, ConfigError, PluginError
from tests.compat.sacrebleu.oracle import corpus, same_bits

SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
STATISTICS = [3, 1], [4, 3], [75.0, 33.333], 0.9, 4, 5
NAMES = ("BLEU", "CHRF", "TER")


def pairs(mean=None, interval=None):
    """The same scores, ours and theirs."""
    found = [BLEUScore(45.678, *STATISTICS), CHRFScore(61.05, 6, 2, 2), base.Score("x", 1.5)]
    expected = [TheirBLEUScore(45.678, *STATISTICS), TheirCHRFScore(61.05, 6, 2, 2), their_base.Score("x", 1.5)]
    for score in found + expected if mean is not None else ():
        score._mean, score._ci = mean, interval
    return list(zip(found, expected, strict=True))


@pytest.mark.parametrize("confidence", [(), (44.44, 3.21), (0.0, 0.0)])
@pytest.mark.parametrize("width", [0, 1, 2, 7])
@pytest.mark.parametrize("score_only", [False, True])
@pytest.mark.parametrize("as_json", [False, True])
def test_the_same_text(confidence, width, score_only, as_json):
    for found, expected in pairs(*confidence):
        arguments = width, score_only, SIGNATURE, as_json
        assert found.format(*arguments) == expected.format(*arguments)
        assert (str(found), repr(found)) == (str(expected), repr(expected))
        assert vars(found) == vars(expected)


def test_json_without_a_signature():
    """sacreBLEU raises ValueError."""
    for found, _ in pairs():
        assert set(json.loads(found.format(is_json=True))) <= {"name", "score", "signature", "verbose_score"}


def test_results_can_be_changed_and_stored():
    for found, _ in pairs():
        found.score = 7.0
        assert pickle.loads(pickle.dumps(found)).score == 7.0


def test_interval_of_scores():
    for (found, expected), module in zip(pairs()[:1] * 2, (base, their_base), strict=True):
        score = found if module is base else expected
        score.estimate_ci([module.Score("BLEU", 40 + k / 7) for k in range(100)])
    assert (found._mean, found._ci) == (expected._mean, expected._ci)


def test_signature_of_options():
    found, expected = (m.Signature({"num_refs": 2, "n_bootstrap": 100, "seed": "5"}) for m in (base, their_base))
    for signature in (found, expected):
        for key in ("test", "lang", "origlang", "subset", "ar"):
            signature.update(key, key.upper())
    assert (str(found), repr(found), found.format(short=True)) == (
        *(str(expected), repr(expected)),
        expected.format(short=True),
    )
    assert found.info == expected.info


@pytest.mark.parametrize("name", NAMES)
def test_signature_has_its_items(name):
    hypotheses, references = corpus(f"info/{name}", 5)
    signatures = []
    for module in (ours, theirs):
        metric = getattr(module, name)()
        metric.corpus_score(hypotheses, references, n_bootstrap=3)
        signatures.append(metric.get_signature())
    assert signatures[0].info == signatures[1].info
    assert signatures[0]._abbr == signatures[1]._abbr


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("references", [None, [["a"], ["b"]]])
def test_the_attributes_of_sacrebleu(name, references):
    found, expected = (getattr(module, name)(references=references) for module in (ours, theirs))
    for metric in (found, expected):
        metric.sentence_score("a b", ["a b", "c"])
    attributes = vars(expected).keys() - {"_ref_cache", "_force", "tokenizer"}
    assert {key: getattr(found, key) for key in attributes} == {key: getattr(expected, key) for key in attributes}


@pytest.mark.parametrize("name", NAMES)
def test_statistics_of_segments(name):
    hypotheses, references = corpus(f"statistics/{name}")
    references[1][3] = None
    found, expected = getattr(ours, name)(), getattr(theirs, name)()
    rows = found._extract_corpus_statistics(hypotheses, references)
    assert rows == expected._extract_corpus_statistics(hypotheses, references)
    assert vars(found._aggregate_and_compute(rows)) == vars(expected._aggregate_and_compute(rows))
    for row in rows:
        assert vars(found._compute_score_from_stats(row)) == vars(expected._compute_score_from_stats(row[:]))
    assert found._cache_references(references) == expected._cache_references(references)
    for text in hypotheses:
        assert found._preprocess_segment(text) == expected._preprocess_segment(text)


@pytest.mark.parametrize("name", NAMES)
def test_one_segment_is_scored_like_a_corpus_of_one(name):
    hypotheses, references = corpus(f"segments/{name}")
    found, expected = getattr(ours, name)(), getattr(theirs, name)()
    for hypothesis, *of_segment in zip(hypotheses, *references, strict=True):
        score = vars(found.sentence_score(hypothesis, of_segment))
        assert score == vars(found.corpus_score([hypothesis], [[text] for text in of_segment]))
        assert score == vars(expected.sentence_score(hypothesis, of_segment))


@same_bits
def test_confidence():
    """The same resamples, to the last bit."""
    hypotheses, references = corpus("confidence", 120)
    for name in NAMES:
        found, expected = getattr(ours, name)(), getattr(theirs, name)()
        a = found.corpus_score(hypotheses, references, n_bootstrap=200)
        b = expected.corpus_score(hypotheses, references, n_bootstrap=200)
        assert str(a) == str(b)
        assert (a._mean, a._ci) == (b._mean, b._ci)
        signature = str(expected.get_signature())
        assert str(found.get_signature()) == signature
        assert a.format(signature=signature, is_json=True) == b.format(signature=signature, is_json=True)
        assert a.format(width=1, score_only=True) == b.format(width=1, score_only=True)


def test_cached_and_varying_references():
    hypotheses, references = corpus("cached")
    references[1][3] = references[0][5] = None
    found, expected = ours.BLEU(references=references), theirs.BLEU(references=references, force=True)
    assert str(found.get_signature()) == str(expected.get_signature())  # before any score
    assert vars(found.corpus_score(hypotheses, None)) == vars(expected.corpus_score(hypotheses, None))
    assert "nrefs:var" in str(found.get_signature())
    assert found.num_refs == expected.num_refs == -1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "like_theirs"),
    [
        ([None], [["a"]], TextError, TypeError),
        (["a", None], [["a", "b"]], TextError, TypeError),
        ([3], [["a"]], TextError, TypeError),
        (["a"], [[3]], TextError, TypeError),
        (["a"], None, NoReferencesError, RuntimeError),
        (["a"], [], NoReferencesError, IndexError),
        ([], [[]], NoSegmentsError, IndexError),
        ({"a"}, [["a"]], TextError, TypeError),
        ({"a": 1}, [["a"]], TextError, TypeError),
        (["a"], [{"a": None}], TextError, TypeError),
        (["a"], {"x": ["a"]}, TextError, TypeError),
        (["a"], 3, TextError, TypeError),
        # sacreBLEU's error depends on the metric
        (["a"], [[None]], TextError, TypeError),
        # accepted by sacreBLEU, which cuts the longer list, or takes a string for a list of its characters
        (["a", "b", "c"], [["a"], ["b"], ["c"]], AlignmentError, Exception),
        (["a", "b", "c"], [["a"]], AlignmentError, Exception),
        (["a", "b"], [["a", "b"], ["a"]], AlignmentError, Exception),
        (["a", "b"], ["a", "b"], TextError, Exception),
        ("ab", [["a", "b"]], TextError, Exception),
        (["a"], "a", TextError, Exception),
    ],
)
def test_errors_are_also_those_of_sacrebleu(name, hypotheses, references, error, like_theirs):
    with pytest.raises(error) as raised:
        getattr(ours, name)().corpus_score(hypotheses, references)
    assert isinstance(raised.value, like_theirs)
    assert isinstance(raised.value, AssayError)
    if like_theirs is not Exception and references != [[None]]:
        with pytest.raises(like_theirs):
            getattr(theirs, name)().corpus_score(hypotheses, references)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("hypothesis", "references", "error"),
    [
        (None, ["a"], TypeError),
        (["a"], ["a"], TypeError),
        ("a", "a", TypeError),
        ("a", {"a"}, TypeError),
        ("a", 3, TypeError),
        ("a", [3], TypeError),
        ("a", [None], TypeError),
        ("a", [], IndexError),
    ],
)
def test_errors_of_one_segment(name, hypothesis, references, error):
    with pytest.raises(error) as raised:
        getattr(ours, name)().sentence_score(hypothesis, references)
    assert isinstance(raised.value, AssayError)


@pytest.mark.parametrize("name", NAMES)
def test_no_signature_before_a_score(name):
    for module in (ours, theirs):
        with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
            getattr(module, name)().get_signature()
    with pytest.raises(NoScoreError, match="there is no signature before the first score"):
        getattr(ours, name)().get_signature()


@pytest.mark.parametrize("seed", ["x", "-1", "1.5"])
def test_a_seed_is_an_integer(monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    with pytest.raises(ConfigError, match=f"SACREBLEU_SEED is '{seed}'"):
        ours.BLEU().corpus_score(["a"], [["a"]], n_bootstrap=10)


@pytest.mark.parametrize("name", sorted(base._DONE_BY_THE_CORE))
def test_overridden_methods_would_be_ignored(name):
    with pytest.raises(PluginError, match=rf"Mine\.{name} would be ignored"):
        type("Mine", (ours.CHRF,), {name: lambda self, *arguments: []})


def test_flags_in_signatures_are_yes_or_no():
    for flag in (1, 0, None, np.True_):
        found, expected = ours.BLEU(effective_order=flag), theirs.BLEU(effective_order=flag)
        chrf, same = ours.CHRF(whitespace=flag), theirs.CHRF(whitespace=flag)
        for metric in (found, expected, chrf, same):
            metric.corpus_score(["a b"], [["a b"]])
        assert found.get_signature().info["eff"] == expected.get_signature().info["eff"]
        assert chrf.get_signature().info["space"] == same.get_signature().info["space"]


def test_subclasses_with_other_attributes():
    assert issubclass(type("Named", (ours.CHRF,), {"label": "mine"}), base.Metric)
