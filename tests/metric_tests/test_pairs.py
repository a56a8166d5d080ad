"""What a test leaves of all pairs of metrics."""

from __future__ import annotations

import numpy as np

from assay.agreement import statistic
from assay.metric_tests import metric_test
from tests.metric_tests.twins import made_up


def test_untested_pairs_are_counted_by_reason():
    cells = made_up(2, 3, 6, 1)
    cells.metrics[1] = 1.0
    pairs = metric_test.create("perm-systems").compare(statistic.create("pearson"), cells, level="system")
    assert pairs.untested == {"the agreement of a metric is undefined": 2}
    assert pairs.systems.tolist() == [6, 6, 6]
    assert np.isnan(pairs.p_values[0, 1])


def test_a_test_that_does_not_draw_has_no_rule_for_draws():
    pairs = metric_test.create("williams").compare(statistic.create("pearson"), made_up(2, 2, 6, 1), level="system")
    assert (pairs.p_rule, pairs.resamples, pairs.seed, pairs.draws) == (None, 0, None, None)
    assert pairs.is_exact[0, 1]
    assert pairs.smallest_p[0, 1] == 0
