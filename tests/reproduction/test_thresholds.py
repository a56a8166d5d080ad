from __future__ import annotations

import pytest

from assay.reproduction import thresholds
from tests.reproduction.rerun import needs_archives, numbers


@pytest.mark.slow
@needs_archives
def test_stored_values():
    found = numbers("thresholds")
    for quantity, value in {
        "BLEU, cut-off at 0.8": 5.5405,
        "COMET-20, cut-off at 0.8": 0.19551,
        "BLEU into Inuktitut, .8": 4.5307,
        "COMET-20 into Inuktitut, .8": 0.04925,
        "YiSi-1 into Inuktitut, .8": 0.02264,
        "BLEU on MQM, .8, ordered by the metric": 12.6393,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=1e-4), quantity
    for metric in ("BLEU", "COMET-20", "YiSi-1"):
        assert found[f"{metric} into Inuktitut, .8"].verdict == "met"
    assert found["chrF into Inuktitut, .8"].reason == thresholds.CHRF_2020


def test_groups_and_domains_are_those_of_the_tables():
    assert set(thresholds.TABLE_3) == set(thresholds.TABLE_2) == set(thresholds.METRICS)
    assert {len(each) for each in (*thresholds.TABLE_3.values(), *thresholds.TABLE_4.values())} == {4}
