from __future__ import annotations

from assay.reports import document
from assay.reports.table import Table
from tests.store.examples import example


def test_verdict_then_differences_then_clusters():
    found = example("compare")
    lines = Table().render(document(found)).splitlines()
    assert lines[0] == found.verdict[0]
    assert any(line.startswith("bleu corpus (n=130)") and "p (holm)" in line for line in lines)
    assert any(line.startswith("system") and "best in resamples" in line for line in lines)
    assert "p-values are corrected for the 3 pairs of this table" in lines
    assert lines[-1] == found.signature
