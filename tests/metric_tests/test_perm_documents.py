from __future__ import annotations

import math

import numpy as np
import pytest

from assay.metric_tests import create_test
from assay.metric_tests.pairs import MetricPairs
from assay.metric_tests.perm_documents import PermDocuments
from assay.types import FloatArray

BETTER, WORSE = (np.array([[value, 1.0]] * 5) for value in (0.9, 0.1))
"""Sums of five documents: what was right, and of how many."""


def share(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1])


def compared(*tables: FloatArray, shared: int = 5, resamples: int = 2000, stream: str = "en-de") -> MetricPairs:
    return PermDocuments(resamples=resamples).compare_sums(
        tuple(f"m{k}" for k in range(len(tables))),
        lambda i, j: (tables[i], tables[j], shared),
        share,
        values=np.array([float(share(table.sum(axis=0))) for table in tables]),
        systems=np.full(len(tables), 3),
        n=np.full(len(tables), 5),
        stream=stream,
    )


def test_p_by_enumeration() -> None:
    """Of the 32 swaps of five documents, one has a difference as high, and all have one at least as low."""
    found = compared(BETTER, WORSE)
    assert found.differences[0, 1] == pytest.approx(0.8)
    assert found.p_values[0, 1] == pytest.approx(1 / 32, abs=0.01)
    assert found.p_values[1, 0] == 1
    assert found.differences[1, 0] == -found.differences[0, 1]


def test_equal_metrics_do_not_differ() -> None:
    found = compared(BETTER, BETTER)
    assert found.differences[0, 1] == 0
    assert found.p_values[0, 1] == found.p_values[1, 0] == 1


def test_all_pairs_swap_the_same_documents_of_a_language_pair() -> None:
    three = compared(BETTER, WORSE, WORSE)
    assert np.array_equal(three.draws[:, 0, 1], three.draws[:, 0, 2])
    assert np.array_equal(three.draws[:, 0, 1], -three.draws[:, 1, 0])
    other = compared(BETTER, WORSE, stream="en-cs")
    assert not np.array_equal(three.draws[:, 0, 1], other.draws[:, 0, 1])
    assert np.array_equal(compared(BETTER, WORSE).draws, compared(BETTER, WORSE).draws, equal_nan=True)


def test_no_p_value_without_common_outputs_or_a_value() -> None:
    found = compared(BETTER, WORSE, shared=0)
    assert math.isnan(found.p_values[0, 1])
    assert found.reasons == (("m0", "m1", "no output in common"),)
    with np.errstate(invalid="ignore"):
        found = compared(BETTER, np.zeros((5, 2)))
    assert found.reasons == (("m0", "m1", "the agreement of a metric is undefined"),)


def test_it_is_for_errors_in_the_text() -> None:
    assert isinstance(create_test("default", "perm-documents", 1), PermDocuments)
    assert PermDocuments.levels == ("span",)
