from __future__ import annotations

from dataclasses import replace

import pytest

from assay.charts import drawable
from assay.charts.outcomes import observed_pairs, select_decisions
from assay.errors import ConfigError
from tests.charts.examples import decisions
from tests.store.examples import example


def test_selection():
    result = decisions()
    assert select_decisions([result], "", "", "") == (result, result.metrics[0])
    assert select_decisions([result], "chrf", "corpus", "DA/SQM")[1].metric == "chrf"
    assert select_decisions([example("score")], "", "", "") is None
    with pytest.raises(ConfigError, match="no decisions by 'ter'"):
        select_decisions([result], "ter", "", "")


def test_all_pairs_are_observed():
    for decided in decisions():
        observed = observed_pairs(decided)
        assert observed.shape == (decided.pairs, 4)
        assert (observed[:, 3] == 1).sum() == sum(each.better for each in decided.bins)
        assert (observed[:, 3] == -1).sum() == sum(each.worse for each in decided.bins)


def test_results_without_the_pairs_have_no_chart():
    bare = tuple(
        replace(decided, bins=tuple(replace(each, observed=None) for each in decided.bins))
        for decided in decisions().metrics
    )
    assert {"p-values", "human-differences"}.isdisjoint(drawable(replace(decisions(), metrics=bare)))
