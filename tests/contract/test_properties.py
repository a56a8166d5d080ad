"""What holds for any texts: additivity, order, identity, concatenation, and the identity behind the aggregations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import load, score
from assay.metrics import metric
from assay.types import totals
from assay.types.runtime import Runtime

SPECS = (
    *("bleu", "bleu:tok=intl,smooth=add-k", "bleu:tok=zh", "bleu-mteval-intl", "bleu-moses", "sentbleu"),
    *("chrf", "chrf++", "chrf:eps_smoothing=yes", "simpbleu", "simpbleu-recall"),
)
text = st.text(alphabet=st.sampled_from("ab c.,-1 2中é\u3000😀&<"), max_size=30)
rows = st.lists(st.tuples(text, text, text, text), min_size=2, max_size=12)

pytestmark = pytest.mark.parametrize("spec", SPECS)


def loaded(table):
    first, second, reference_a, reference_b = zip(*table, strict=True)
    return load(outputs={"x": first, "y": second}, references={"A": reference_a, "B": reference_b})


def statistics(spec, table):
    return np.array(metric.create(spec).statistics(loaded(table), runtime=Runtime(threads=1)))


@given(rows, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_permutation_of_segments_and_systems(spec, table, random):
    order = list(range(len(table)))
    random.shuffle(order)
    shuffled = [table[i] for i in order]
    np.testing.assert_array_equal(statistics(spec, shuffled), statistics(spec, table)[:, order])
    swapped = [(second, first, a, b) for first, second, a, b in table]
    np.testing.assert_array_equal(statistics(spec, swapped), statistics(spec, table)[::-1])


@given(rows, rows)
@settings(max_examples=60, deadline=None)
def test_concatenation_adds_statistics(spec, first, second):
    joined, parts = statistics(spec, first + second), (statistics(spec, first), statistics(spec, second))
    np.testing.assert_array_equal(joined, np.concatenate(parts, axis=1))
    total = totals(joined, runtime=Runtime(threads=1))
    np.testing.assert_array_equal(total, sum(totals(part, runtime=Runtime(threads=1)) for part in parts))


@pytest.mark.filterwarnings("ignore:nothing was scored:assay.AssayWarning")  # of texts without words
@given(rows)
@settings(max_examples=60, deadline=None)
def test_duplicating_the_corpus_changes_no_score(spec, table):
    once = score(loaded(table), spec, resamples=0, agg="corpus,segment")[spec]
    twice = score(loaded(table + table), spec, resamples=0, agg="corpus,segment")[spec]
    if spec.startswith("chrf"):  # what BLEU's smoothing adds to the sums weighs less in a larger corpus
        assert once.corpus["x"] == pytest.approx(twice.corpus["x"], abs=1e-9)
    assert once.segment_mean["x"] == pytest.approx(twice.segment_mean["x"], abs=1e-9, nan_ok=True)


@given(rows)
@settings(max_examples=60, deadline=None)
def test_identity_is_best_and_scores_are_in_range(spec, table):
    # where there is nothing to match, mteval smooths all the same and SIMPBLEU is undefined
    perfect = [(a, second, a, a) for _, second, a, _ in table if a.strip() or not spec.startswith(("bleu-m", "simp"))]
    if not perfect:
        return
    run = score(loaded(perfect), spec, resamples=0, agg="corpus,segment")[spec]
    for scores in (run.corpus, run.segment_mean):
        assert 0 <= scores["y"] <= 100
        assert 0 <= scores["x"] <= 100
    assert (run.segments["x"] >= run.segments["y"] - 1e-9).all()
    assert run.segment_mean["x"] >= run.segment_mean["y"] - 1e-9
