from __future__ import annotations

from assay.results.usual import usual


def test_the_most_common_count():
    assert usual([14, 10, 14]) == 14
    assert usual([14, 10]) == 14  # the highest of several
    assert usual([]) == 0
