from __future__ import annotations

from pathlib import Path

import pytest

from assay.files import user_folder


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"OWN": "/x", "XDG": "/y"}, "/x"),
        ({"OWN": "~/mine"}, "/home/me/mine"),
        ({"OWN": "", "XDG": "/y"}, "/y/assay"),
        ({"XDG": "relative"}, "/home/me/.cache/assay"),
        ({}, "/home/me/.cache/assay"),
    ],
)
def test_the_variable_or_the_xdg_folder(monkeypatch, variables, expected):
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert user_folder("OWN", "XDG", ".cache", "assay") == Path(expected)
