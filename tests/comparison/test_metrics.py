from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay import ScoreTable, compare, load
from assay.comparison.differences import ComparisonOptions
from assay.comparison.metrics import MetricComparer
from assay.errors import InputError
from assay.measurement import measure
from assay.types.runtime import Runtime
from tests.store import examples

RUNTIME = Runtime(threads=1)


def compared(options=None, **changes):
    values = {"pairs": [("birch", "alder")], "documents": None, "all_pairs": False}
    comparer = MetricComparer(options=options or ComparisonOptions(resamples=400), **values | changes)
    measured = measure(examples.testset(), ["bleu"], RUNTIME).metrics["bleu"]
    return next(comparer.compare(measured, ["corpus"], RUNTIME))


def test_what_could_have_been_shown():
    pair = compared(ComparisonOptions(resamples=400, delta=2.0)).pairs[0]
    error = pair.difference.standard_error
    assert pair.power.detectable == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    assert pair.power.needed == math.ceil(130 * (pair.power.detectable / 2.0) ** 2)
    one_sided = compared(ComparisonOptions(alternative="better", resamples=400)).pairs[0]
    assert one_sided.power.detectable == pytest.approx((1.644854 + 0.841621) * error, rel=1e-5)
    assert one_sided.test == "randomisation, better"


def test_documents_are_units():
    found = compared(documents=tuple(f"d{i // 13}" for i in range(130)))
    assert found.pairs[0].difference.n == 10
    assert found.pairs[0].difference.value == pytest.approx(compared().pairs[0].difference.value)


def test_clusters_are_systems_not_shown_to_differ():
    pairs = [("alder", "birch"), ("alder", "cedar"), ("birch", "cedar")]
    comparer = MetricComparer(pairs, ComparisonOptions(resamples=100, alpha=1e-9), None, True)
    measured = measure(examples.testset(), ["bleu"], RUNTIME).metrics["bleu"]
    (found,) = comparer.compare(measured, ["corpus"], RUNTIME)
    assert set(found.clusters.values()) == {1}
    assert np.allclose(found.rank_shares.sum(axis=0), 1)


def test_nothing_in_common():
    texts = load(outputs={"a": ["x", None], "b": [None, "x"]}, references=["x", "x"])
    measured = measure(texts, ["bleu"], RUNTIME).metrics["bleu"]
    comparer = MetricComparer([("a", "b")], ComparisonOptions(), None, False)
    with pytest.raises(InputError, match="no segment was scored for all systems"):
        list(comparer.compare(measured, ["corpus"], RUNTIME))


def test_n_is_the_number_of_units_with_a_value():
    texts = load(outputs={name: ["x"] * 4 for name in "abc"}, references=["x"] * 4)
    values = np.array([[1, 2, np.nan, 4], [1, 2, np.nan, 5], [1, 2, 3, 5]])
    table = ScoreTable("mine", "segment", ("a", "b", "c"), values)
    measured = measure(texts, [table], RUNTIME).metrics["mine"]
    measured = replace(measured, statistics=replace(measured.statistics, scored=np.ones((3, 4), dtype=bool)))
    comparer = MetricComparer([("a", "c"), ("b", "a")], ComparisonOptions(resamples=50), None, False)
    (found,) = comparer.compare(measured, ["segment"], RUNTIME)
    assert [pair.difference.n for pair in found.pairs] == [3, 3]
    assert [estimate.n for estimate in found.scores.values()] == [3, 3, 4]


def test_rank_ranges_are_those_of_rankings():
    """They come from the resamples themselves, so that tails are cut as in `assay rank`."""
    found = compare(examples.testset(), "bleu", agg="corpus", all_pairs=True, resamples=50).metrics[0]
    assert list(found.rank_ranges) == list(found.scores)
    shares = found.rank_shares.cumsum(axis=1)
    for row, (low, high) in zip(shares, found.rank_ranges.values(), strict=True):
        assert 1 <= low <= high <= len(shares)
        assert row[low - 1] >= 3 / 50 - 1e-9  # the tails are cut off after two of 50 resamples
        assert row[high - 1] >= 1 - 3 / 50 - 1e-9


def test_scores_of_a_system_with_another_name():
    texts = load(outputs={"base": ["x", "y"], "new": ["x", "y"]}, references=["x", "x"])
    table = ScoreTable("comet", "segment", ("base", "newer"), np.ones((2, 2)), origin="comet.tsv")
    measured = measure(texts, [table], RUNTIME).metrics["comet"]
    comparer = MetricComparer([("new", "base")], ComparisonOptions(), None, False)
    with pytest.raises(InputError, match=r"comet.tsv: comet: no segment was scored for all systems") as caught:
        list(comparer.compare(measured, ["corpus"], RUNTIME))
    assert "no scores of new, but of newer" in str(caught.value.hint)
