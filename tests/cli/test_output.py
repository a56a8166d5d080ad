from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli.output import select_renderer
from assay.errors import ConfigError
from assay.reports import renderer


@pytest.mark.parametrize("form", renderer.names())
def test_every_form_can_be_asked_for_by_name_and_by_suffix(form):
    target = Path(f"x{renderer.type_of(form)[0].suffixes[0]}")
    assert select_renderer(form, target).name == form
    assert select_renderer(None, target).name == form


def test_slips_are_told_before_any_work():
    with pytest.raises(ConfigError, match=r"no format has the suffix '.doc'"):
        select_renderer(None, Path("x.doc"))
    with pytest.raises(ConfigError, match="xlsx is not text and needs a file"):
        select_renderer("xlsx", None)
    assert select_renderer(None, None).name == "table"


def test_a_table_is_cut_to_the_terminal_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("COLUMNS", "70")
    assert select_renderer(None, None).width == 0
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert select_renderer(None, None).width == select_renderer("table", None).width == 70
    assert select_renderer(None, Path("x.txt")).width == 0
    monkeypatch.setattr("sys.stdout", None)
    assert select_renderer(None, None).width == 0
