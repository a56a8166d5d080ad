"""TER: values, attributes, texts and signatures of sacreBLEU 2.6.0."""

from __future__ import annotations

import itertools

import pytest
import sacrebleu as theirs

from assay.compat import sacrebleu as ours
from tests.compat.sacrebleu.oracle import corpus


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


@pytest.mark.parametrize("statistics", [(3, 4.5), (0, 0), (2, 0), (0, 3)])
def test_score_of_statistics(statistics):
    found, expected = (module.TER()._compute_score_from_stats(list(statistics)) for module in (ours, theirs))
    assert vars(found) == vars(expected)


def test_changed_attributes_count():
    """In sacreBLEU they change only the signature."""
    metric = ours.TER()
    metric.case_sensitive = True
    expected = theirs.TER(case_sensitive=True)
    assert vars(metric.corpus_score(["A b C"], [["a b d"]])) == vars(expected.corpus_score(["A b C"], [["a b d"]]))
    assert str(metric.get_signature()) == str(expected.get_signature())
