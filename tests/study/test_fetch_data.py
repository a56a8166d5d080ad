from __future__ import annotations

import pytest

from assay import fetch_data
from assay.errors import FetchError, UnknownNameError


def test_offline(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    monkeypatch.setenv("ASSAY_OFFLINE", "1")
    with pytest.raises(FetchError, match="ASSAY_OFFLINE is set"):
        fetch_data("mt-metrics-eval-v2")
    with pytest.raises(UnknownNameError):
        fetch_data(["mt-metrics-eval-v3"])
    assert fetch_data([]) == ()
