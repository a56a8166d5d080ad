from __future__ import annotations

from dataclasses import replace

from assay.reports import document
from assay.reports.table import Table
from tests.results.test_holdings import HOLDINGS


def test_a_row_per_language_pair():
    lines = Table().render(document(HOLDINGS)).splitlines()
    assert lines[0].split("  ")[0] == "test set"
    assert "  human by segment  " in lines[0]
    assert lines[0].endswith("  references  metrics by system")  # nobody has metrics by segment
    assert lines[1].split() == ["wmt", "en-de", "mqm", "da", "mqm:3", "rr:3", "2", "2", "2", "1", "1"]
    assert lines[2].split() == ["2", "1"]
    assert lines[-1] == "2 language pairs"


def test_large_numbers_have_separators():
    large = replace(next(iter(HOLDINGS)), segments=12_345, human_segment={"mqm": 6_789})
    lines = Table().render(document(replace(HOLDINGS, campaigns=(large,)))).splitlines()
    assert "  12,345  " in lines[1]
    assert "  mqm:6789  " in lines[1]
    assert lines[-1] == "1 language pair"
