from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.study.agree import agree
from tests.metaeval.intervals.enumeration import tables


def test_documents():
    metric, human = tables(systems=5, segments=6, documents=("x", "y", "x", "z", "z", "y"))
    for options in ({"grouping": "item"}, {"level": "system"}, {"grouping": "none"}):
        found = agree(metric, human, "pearson", ci="documents", resamples=50, outliers="keep", **options)
        assert (found.estimate.basis.method, found.estimate.basis.n) == ("documents", 3)
        assert found.interval[0] < found.interval[1]
    each_its_own = [replace(table, documents=tuple("abcdef")) for table in (metric, human)]
    one, other = (agree(*each_its_own, grouping="item", ci=ci, resamples=50) for ci in ("documents", "segments"))
    np.testing.assert_array_equal(one.replicates, other.replicates)
    bare = agree(*tables(), grouping="item", ci="documents")
    assert bare.reason == "no interval: the segments have no documents"
    gap = [replace(table, documents=("x", "", "x", "z", "z", "y")) for table in (metric, human)]
    assert agree(*gap, grouping="item", ci="documents").reason == "no interval: some segments have no document"
