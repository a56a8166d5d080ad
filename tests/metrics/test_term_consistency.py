"""TERM-CONSISTENCY: the usual translation of each term, and terms that do not count."""

from __future__ import annotations

import dataclasses
import math

import pytest

import assay
from assay.errors import InputError
from assay.metrics import metric, term_consistency
from assay.testing import check_metric

LIST = "bank\tBank|Institut\nrate\tSatz|Rate|Kurs\nonce\teinmal|mal\nonly\tnur\n"
SOURCES = ["The bank and the rate.", "A bank, once: rate.", "Banks. Bank. Only.", "Rate only"]
OUTPUTS = {
    "same": ["Bank Satz", "Bank einmal Satz", "Bank nur", "Satz nur"],
    "mixed": ["Bank Satz", "Institut mal Rate", "Bank nur", "Satz"],
    "twice": ["Bank Satz", "Bank a", "b", "c"],
    "nothing": ["a", "b", "c", "d"],
}


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "terms.tsv").write_text(LIST)
    return f"term-consistency:list={tmp_path}/terms.tsv"


@pytest.fixture
def testset():
    return assay.load(sources=SOURCES, outputs=OUTPUTS, lp="en-de")


def test_values(spec, testset):
    found = assay.score(testset, spec, resamples=0)[spec].corpus
    # mixed: Bank twice and Institut once, Satz twice and Rate once; twice: Bank twice, Satz once, which does not count
    values = [found.estimate(name).value for name in testset.systems]
    assert values[:3] == pytest.approx([100, 100 * 4 / 6, 100])
    assert math.isnan(values[3])
    assert found.estimate("nothing").reason == "no term with several listed translations occurs twice in the output"


def test_terms_that_count(spec, testset):
    made = metric.create(spec).prepare(testset)
    assert made.columns == ("bank → bank", "bank → institut", "rate → satz", "rate → rate", "rate → kurs")
    assert set(made.resources) == {"list", "terms"}


def test_no_such_terms(spec, testset):
    texts = {name: column[:1] for name, column in OUTPUTS.items()}
    few = assay.load(sources=["Once only"], outputs=texts, lp="en-de")
    made = metric.create(spec).prepare(few)
    assert (made.columns, set(made.resources)) == (("none",), {"list"})
    with pytest.warns(assay.AssayWarning, match="occurs twice in the output"):
        assert math.isnan(assay.score(few, spec, resamples=0)[spec].corpus.estimate("same").value)


def test_a_document_in_a_line(spec):
    document = assay.load(sources=[" ".join(SOURCES)], outputs={"x": [" ".join(OUTPUTS["mixed"])]}, lp="en-de")
    assert assay.score(document, spec, resamples=0)[spec].segments["x"].tolist() == pytest.approx([100 * 4 / 6])


def test_too_many_translations(spec, testset, monkeypatch):
    monkeypatch.setattr(term_consistency, "_MAX_COLUMNS", 4)
    with pytest.raises(InputError, match="5 translations of terms of the sources; at most 4 fit"):
        metric.create(spec).prepare(testset)


@pytest.mark.slow
def test_the_contract(spec, testset):
    check_metric(metric.create(spec), dataclasses.replace(testset, references={"ref": OUTPUTS["same"]}))


def test_a_corpus_score_has_no_interval(tmp_path):
    """Resamples have segments twice, which agree with themselves: all of them are above the value."""
    (tmp_path / "terms.tsv").write_text("".join(f"t{i}\tt{i}a|t{i}b\n" for i in range(12)))
    sources = [f"t{i % 12}" for i in range(24)]
    outputs = {"x": [f"t{i % 12}{'ab'[i // 12]}" for i in range(24)]}
    testset = assay.load(sources=sources, outputs=outputs, lp="en-de")
    spec = f"term-consistency:list={tmp_path}/terms.tsv"
    result = assay.score(testset, spec, resamples=50)
    estimate = result[spec].corpus.estimate("x")
    assert (estimate.value, math.isnan(estimate.low), math.isnan(estimate.standard_error)) == (50, True, True)
    assert "agrees with itself" in estimate.reason
