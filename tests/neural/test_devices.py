"""Names of devices."""

from __future__ import annotations

import pytest

from assay.errors import ConfigError
from assay.neural.libraries import find_device


def test_the_cpu_needs_no_library():
    assert find_device("cpu") == "cpu"


def test_devices(monkeypatch):
    pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    assert [find_device(name) for name in ("auto", "cuda", "cuda:1")] == ["cuda:0", "cuda:0", "cuda:1"]
    with pytest.raises(ConfigError, match="torch finds no device 'cuda:2'") as caught:
        find_device("cuda:2")
    assert caught.value.hint == 'device="auto" picks the best available device; available: cpu, cuda:0, cuda:1'
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert find_device("auto") == "cpu"
