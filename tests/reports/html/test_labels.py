from __future__ import annotations

from assay.reports.html.labels import joined


def test_lists():
    assert [joined(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
