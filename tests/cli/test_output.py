from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli.output import _BINARY, _FORMATS, output_path, select_renderer
from assay.errors import ConfigError, InputError
from assay.reports import Document, renderer


def test_the_formats_are_those_of_the_registry():
    """They are written out because the help page must not import the renderers."""
    assert sorted(_FORMATS) == sorted(renderer.names())
    empty = Document(lambda: (), {}, lambda: (), dict)
    assert [form for form in _FORMATS if isinstance(renderer.create(form).render(empty), bytes)] == list(_BINARY)


@pytest.mark.parametrize("form", renderer.names())
def test_every_format_can_be_selected_by_name_and_by_suffix(form):
    target = Path(f"x{renderer.type_of(form)[0].suffixes[0]}")
    assert select_renderer(form, target).name == form
    assert select_renderer(None, target).name == form


def test_errors_are_raised_before_any_work():
    with pytest.raises(ConfigError, match=r"no output format has the suffix '.doc'"):
        select_renderer(None, Path("x.doc"))
    with pytest.raises(ConfigError, match="xlsx is a binary format and needs an output file"):
        select_renderer("xlsx", None)
    assert select_renderer(None, None).name == "table"


def test_where_output_goes(tmp_path):
    assert output_path(None) is output_path("-") is None
    assert output_path("./-") == Path("-")
    for target, message in ((str(tmp_path), "is a folder"), ("x.json/", "is the name of a folder")):
        with pytest.raises(InputError, match=message):
            output_path(target)
    with pytest.raises(ConfigError, match="empty"):
        output_path("")


def test_a_device_needs_no_suffix():
    assert select_renderer(None, Path("/dev/null")).name == "table"
    assert select_renderer("json", Path("/dev/null")).name == "json"


def test_a_table_is_cut_to_the_terminal_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("COLUMNS", "70")
    assert select_renderer(None, None).width == 0
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert select_renderer(None, None).width == select_renderer("table", None).width == 70
    assert select_renderer(None, Path("x.txt")).width == 0
    monkeypatch.setattr("sys.stdout", None)
    assert select_renderer(None, None).width == 0
