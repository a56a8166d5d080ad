from __future__ import annotations

import pytest

from assay.reproduction import wmt13
from tests.reproduction.rerun import needs_archives, rerun


@pytest.mark.slow
@needs_archives
def test_all_values_of_the_mteval_metrics_come_out():
    met = {each.quantity for each in rerun("wmt13") if each.verdict == "met"}
    for metric in ("BLEU-MTEVAL", "BLEU-MTEVAL-INTL", "NIST-MTEVAL", "NIST-MTEVAL-INTL"):
        for lp in wmt13.DIRECTIONS:
            assert f"{metric}, {lp}" in met
    assert "SENTBLEU-MOSES, de-en" in met
    assert len(met) == 25


def test_the_tables_have_the_same_metrics():
    assert set(wmt13.TABLE_2) == set(wmt13.METRICS)
    assert set(wmt13.TABLE_4) == set(wmt13.SEGMENT_METRICS)
