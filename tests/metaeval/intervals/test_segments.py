from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.study.agree import agree
from tests.metaeval.intervals.enumeration import all_resamples, check_enumerated, tables


@pytest.mark.parametrize(
    ("spec", "grouping"),
    [("kendall", "item"), ("pearson", "item"), ("acc-star", "item"), ("pearson", "none"), ("pearson", "system")],
)
def test_segments_by_enumeration_of_all_resamples(spec, grouping):
    metric, human = tables()
    found = agree(metric, human, spec, grouping=grouping, ci="segments", resamples=20_000, outliers="keep")
    counts, probabilities = all_resamples(3)
    values = []
    for row in counts:
        columns = np.repeat(np.arange(3), row)
        drawn = [replace(table, values=table.values[:, columns]) for table in (metric, human)]
        values.append(agree(*drawn, spec, grouping=grouping, resamples=0, outliers="keep").value)
    is_defined = ~np.isnan(values)
    if not is_defined.all():  # a segment three times: every system is constant
        assert found.estimate.basis.resamples_undefined == pytest.approx(20_000 / 9, rel=0.05)
        found = replace(found, replicates=found.replicates[~np.isnan(found.replicates)])
    share = probabilities[is_defined] / probabilities[is_defined].sum()
    check_enumerated(found, np.array(values)[is_defined], share)


def test_nothing_long_is_computed_unasked():
    metric, human = tables(systems=10, segments=1500)
    found = agree(metric, human, "kendall", grouping="none", outliers="keep")
    assert found.reason.startswith("no interval: every resample would be computed anew")
    assert np.isnan(found.interval).all()
    assert agree(metric, human, "kendall", grouping="none", resamples=2, outliers="keep").estimate.basis.resamples == 2
    assert agree(metric, human, "pearson", grouping="none", outliers="keep").reason is None
