from __future__ import annotations

import pytest

from assay.reproduction import reproduce, thresholds
from tests.reproduction.made_up import write_test_sets
from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun


@pytest.mark.slow
@needs_archives
def test_stored_values():
    found = numbers(rerun("thresholds"))
    for quantity, value in {
        "BLEU, cut-off at 0.8": 5.5405,
        "COMET-20, cut-off at 0.8": 0.19551,
        "BLEU, into Inuktitut, .8": 4.5307,
        "YiSi-1, into Inuktitut, .8": 0.02264,
        "BLEU on MQM, .8, ordered by the metric (1 pair differs so much)": 12.6393,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=1e-4), quantity
    assert rerun("thresholds").counts == {
        "met": 3, "differs": 1, "width met": 0, "width differs": 0, "other data": 47, "no number": 0, "no data": 86,
        "ours only": 8,
    }  # fmt: skip


def test_only_complete_data_are_compared():
    for each in on_made_up_data("thresholds"):
        assert (each.verdict in ("met", "differs")) == ("Inuktitut" in each.quantity and each.verdict != "no data")


def test_nothing_is_said_of_what_is_not_there(tmp_path):
    result = reproduce("thresholds", data=write_test_sets(tmp_path, "wmt22"))
    assert "BLEU needs" in result.recommendations[1].found
    assert "nan" not in result.recommendations[1].found
    assert numbers(result)["BLEU, into Inuktitut, .8"].verdict == "no data"


def test_tables_have_the_same_metrics():
    tables = (thresholds.TABLE_2, thresholds.TABLE_3, thresholds.TABLE_4, thresholds.TABLE_5)
    assert [set(table) for table in tables] == [set(thresholds.METRICS)] * 4
