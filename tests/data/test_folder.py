from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.folder import data_folder


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"ASSAY_HOME": "/x", "XDG_DATA_HOME": "/y"}, "/x"),
        ({"XDG_DATA_HOME": "/y"}, "/y/assay"),
        ({"XDG_DATA_HOME": "relative"}, "/home/me/.local/share/assay"),  # the XDG rules say: ignore it
        ({}, "/home/me/.local/share/assay"),
        ({"ASSAY_HOME": "~/mine"}, "/home/me/mine"),
    ],
)
def test_where_data_lives(monkeypatch, variables, expected):
    for name in ("ASSAY_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert data_folder() == Path(expected)
