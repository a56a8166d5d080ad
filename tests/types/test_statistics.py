from __future__ import annotations

import numpy as np
import pytest

from assay.errors import PluginError
from assay.types import Signature, Statistics

SIGNATURE = Signature("m", (("a", "1"),), "1", "corpus", version="0")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros((1, 2, 3), np.int64), "shape"),
        (np.zeros((1, 2, 1), np.float32), "float32"),
        (np.array([[[1.0], [np.nan]]]), "'k' of system 'x', segment 2 is not finite"),
        (np.ones((1, 2, 1), np.int64), "unscored cell are not zero"),
    ],
)
def test_what_statistics_refuse(table, message):
    with pytest.raises(PluginError, match=message):
        Statistics(("x",), ("k",), table, np.array([[True, not message.startswith("unscored")]]), SIGNATURE)


def test_statistics_are_read_only():
    statistics = Statistics(("x",), ("k",), np.ones((1, 1, 1)), np.ones((1, 1), bool), SIGNATURE)
    with pytest.raises(ValueError, match="read-only"):
        statistics.table[0, 0, 0] = 2


def test_a_table_that_is_computed_when_it_is_read():
    calls = []

    def compute():
        calls.append(1)
        return np.ones((1, 2, 1))

    def scored():
        return np.ones((1, 2), dtype=np.bool_)

    statistics = Statistics.later(("s",), ("value",), compute, scored, SIGNATURE)
    assert statistics.scored is statistics.scored
    with pytest.raises(ValueError, match="read-only"):
        statistics.scored[0] = False
    assert repr(statistics) == "Statistics(1 system, 2 segments, 1 column: value)"
    assert not calls
    assert statistics.table.shape == statistics.table.shape == (1, 2, 1)
    assert len(calls) == 1
    with pytest.raises(ValueError, match="read-only"):
        statistics.table[0] = 2
    with pytest.raises(AttributeError):
        _ = statistics.absent
    later = Statistics.later(("s",), ("value", "other"), compute, scored, SIGNATURE)
    with pytest.raises(PluginError, match="expected"):
        _ = later.table
