from __future__ import annotations

import math

import numpy as np
import pytest

from assay import load
from assay.comparison.differences import ComparisonOptions
from assay.comparison.metrics import MetricComparer
from assay.errors import InputError
from assay.measurement import measure
from assay.runtime import Runtime
from tests.store import examples

RUNTIME = Runtime(threads=1)


def compared(options=None, **changes):
    values = {"pairs": [("birch", "alder")], "correction": "none", "delta": None, "documents": None}
    comparer = MetricComparer(
        options=options or ComparisonOptions(resamples=400), has_all_pairs=False, **values | changes
    )
    measured = measure(examples.testset(), ["bleu"], RUNTIME).metrics["bleu"]
    return next(comparer.compare(measured, ["corpus"], RUNTIME))


def test_what_could_have_been_shown():
    pair = compared(delta=2.0).pairs[0]
    error = pair.difference.standard_error
    assert pair.detectable == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    assert pair.needed == math.ceil(130 * (pair.detectable / 2.0) ** 2)
    one_sided = compared(ComparisonOptions(alternative="better", resamples=400)).pairs[0]
    assert one_sided.detectable == pytest.approx((1.644854 + 0.841621) * error, rel=1e-5)
    assert one_sided.comparison.test == "randomisation, better"


def test_documents_are_units():
    found = compared(documents=tuple(f"d{i // 13}" for i in range(130)))
    assert found.pairs[0].difference.n == 10
    assert found.pairs[0].difference.value == pytest.approx(compared().pairs[0].difference.value)


def test_clusters_are_systems_not_shown_to_differ():
    pairs = [("alder", "birch"), ("alder", "cedar"), ("birch", "cedar")]
    comparer = MetricComparer(pairs, ComparisonOptions(resamples=100, alpha=1e-9), "none", None, None, True)
    measured = measure(examples.testset(), ["bleu"], RUNTIME).metrics["bleu"]
    (found,) = comparer.compare(measured, ["corpus"], RUNTIME)
    assert set(found.clusters.values()) == {1}
    assert np.allclose(found.rank_shares.sum(axis=0), 1)


def test_nothing_in_common():
    texts = load(outputs={"a": ["x", None], "b": [None, "x"]}, references=["x", "x"])
    measured = measure(texts, ["bleu"], RUNTIME).metrics["bleu"]
    comparer = MetricComparer([("a", "b")], ComparisonOptions(), "none", None, None, False)
    with pytest.raises(InputError, match="no segment was scored for all systems"):
        list(comparer.compare(measured, ["corpus"], RUNTIME))
