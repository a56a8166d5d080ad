from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay.comparison.differences import ComparisonOptions, smallest_p
from assay.comparison.notes import MIN_UNITS, comparison_notes, dependence_notes
from assay.results import ComparedMetric, ComparedPair, Estimate, Outcome, Power
from assay.significance.corrections import corrected
from assay.types import NoteKind


def metric(p_values, n=2000, low=0.5, high=1.5):
    pairs = tuple(
        ComparedPair(
            f"s{k}",
            "base",
            Estimate(1.0, n, low, high),
            p,
            "randomisation",
            p,
            1,
            2,
            3,
            Power(0.5),
            Outcome.of(1.0, p, 0.05),
        )
        for k, p in enumerate(p_values)
    )
    return ComparedMetric("bleu", "corpus", True, "", {}, pairs)


def texts(p_values, unit="segment", *, n=2000, **options):
    return [note.text for note in comparison_notes([metric(p_values, n)], ComparisonOptions(**options), unit)]


def test_nothing_to_say():
    assert texts([0.001]) == []
    assert texts([0.001], n=100_000) == []


@pytest.mark.parametrize(
    ("correction", "pairs", "alpha", "needed"),
    [("none", 9, 0.05, 20), ("holm", 9, 0.05, 180), ("holm", 3, 0.05, 60), ("benjamini-hochberg", 9, 0.01, 100)],
)
def test_too_few_resamples_for_anything_to_be_significant(correction, pairs, alpha, needed):
    """The number that the note names is the smallest that suffices."""
    few = {"correction": correction, "alpha": alpha, "resamples": needed - 1, "confidence": 0.5}
    (text,) = texts([alpha] * pairs, **few)
    assert text.startswith(f"no difference can be significant: there are {needed - 1:,} resamples")
    assert text.endswith(f"at least {needed:,} resamples are needed")
    assert texts([alpha] * pairs, **few | {"resamples": needed}) == []
    smallest = [1 / (1 + resamples) for resamples in (needed - 1, needed)]
    first, second = (corrected([p] * pairs, correction).min() for p in smallest)
    assert first >= alpha > second


def test_how_many_more_resamples_were_needed():
    """Each number of pairs has its own note: others may have needed more."""

    def drawn(p_values, most):
        made = metric(p_values)
        return replace(made, pairs=tuple(replace(pair, resamples=most) for pair in made.pairs))

    options = ComparisonOptions(resamples=100, may_draw_more=True)
    metrics = [drawn([0.001] * 6, 400), drawn([0.001] * 6, 300), drawn([0.5] * 7, 100)]
    first, second = (note for note in comparison_notes(metrics, options, "segment") if "resamples" in note.text)
    assert (first.text, first.count) == (
        "100 resamples cannot show a difference after the correction for 6 pairs; where fewer than 10 of them reached "
        "the observed difference, the test drew more, up to 400",
        400,
    )
    assert (second.text, second.count) == (
        "100 resamples cannot show a difference after the correction for 7 pairs; no pair needed more, because at "
        "least 10 of them reached each observed difference",
        100,
    )
    assert list(comparison_notes([], options, "segment")) == []


def test_too_few_units_for_anything_to_be_significant():
    found = texts([0.2], "document", n=5, confidence=0.5)
    assert found[0] == (
        "no difference can be significant: 5 documents can be swapped in 32 ways, so that p is at least 0.062; "
        "at least 6 documents are needed"
    )
    assert texts([0.2], "document", n=6, confidence=0.5) == ["intervals from only 6 documents are too narrow"]
    assert smallest_p(ComparisonOptions(), 5) == 2 / 32
    assert smallest_p(ComparisonOptions(alternative="better"), 5) == 1 / 32
    assert smallest_p(ComparisonOptions(test="bootstrap"), 5) == 1 / 10_001
    assert smallest_p(ComparisonOptions(test="paired-t"), 5) == 0
    assert smallest_p(ComparisonOptions(), 10**6) == 1 / 10_001


def test_few_units_have_narrow_intervals():
    assert texts([0.01], n=MIN_UNITS) == []
    assert not any("too narrow" in text for text in texts([0.01], n=1))
    assert texts([0.01], n=MIN_UNITS - 1) == ["intervals from only 19 segments are too narrow"]


def test_p_values_and_intervals_are_compared_at_the_same_level():
    (text,) = texts([0.2, 0.01])
    assert text == (
        "the interval and the p-value disagree on whether the difference is zero; the verdict uses the p-value: "
        "s0 and base"
    )
    assert texts([0.2, 0.01], confidence=0.9) == []
    assert texts([0.2, 0.01], alternative="better") == []
    assert len(texts([0.2, 0.01], confidence=0.9, alpha=0.1)) == 1
    assert texts([math.nan]) == []


def test_koehns_test_is_not_recommended():
    (note,) = comparison_notes([metric([0.01])], ComparisonOptions(test="koehn"), "segment")
    assert note.kind == NoteKind.ADVICE


def test_segments_of_a_document_are_not_independent():
    first = np.repeat(np.random.Generator(np.random.PCG64(1)).normal(size=40), 5)
    segments = {"bleu": {"a": first, "b": np.zeros(200)}}
    documents = tuple(f"d{k // 5}" for k in range(200))

    def notes(documents=documents, **options):
        return [note.text for note in dependence_notes(segments, [("a", "b")], documents, ComparisonOptions(**options))]

    (text,) = notes()
    assert "with the 40 documents as units (unit='document')" in text.replace('"', "'")
    assert text.endswith("standard errors of mean differences are 2.2 times as large")  # √5
    assert "randomisation" in notes(test="signed-rank")[0]
    assert notes(compat="sacrebleu") == notes(documents=None) == []
    assert notes(tuple(map(str, range(200)))) == notes(("unknown",) * 200) == []
