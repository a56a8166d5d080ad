from __future__ import annotations

import math

from assay.reports import document
from assay.reports.table import Table
from assay.results import Estimate, Reliability
from tests.results.test_reliability import RELIABILITY


def test_a_row_per_measure_and_the_reasons():
    header, first, second, third, reason = Table().render(document(RELIABILITY)).splitlines()
    assert header.split() == ["reliability", "of", "raters,", "da", "value", "n", "n_unit"]
    assert first.split()[-5:] == ["0.500", "40", "pairs", "of", "judgements"]
    assert second.endswith("  0.800 [0.700, 0.900]  10")
    assert third.split()[-2:] == ["–", "0"]
    assert reason == "kappa within raters: nobody judged anything twice"


def test_one_reason_takes_one_line():
    undefined = dict.fromkeys(RELIABILITY, Estimate(math.nan, 0, reason="not stored"))
    lines = Table().render(document(Reliability("da", undefined))).splitlines()
    assert lines == ["reliability of raters, da", "not stored"]
