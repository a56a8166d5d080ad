from __future__ import annotations

from assay.human.comparisons import DrawnUnit
from assay.labels.intervals import interval_words
from assay.metaeval.intervals import interval_method
from assay.results import IntervalBasis


def test_every_method_once_with_its_resamples():
    fisher, segments = IntervalBasis("fisher", 0.95, 12), IntervalBasis("segments", 0.95, 12, 300, seed=1)
    words = "Fisher's z over systems; bootstrap over segments, 300 resamples"
    assert interval_words([fisher, segments, fisher]) == words


def test_every_method_and_every_unit_has_words():
    units = [interval_method.create(f"judgements:unit={unit}") for unit in DrawnUnit.__args__]
    for method in (*map(interval_method.create, interval_method.names()), *units):
        basis = IntervalBasis(method.label, 0.95, 12)
        assert interval_words([basis]) != basis.method
