"""What the modules of all papers have in common."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import assay
from assay.charts import chart
from assay.errors import ConfigError, InputError
from assay.reproduction import PAPERS, reproduce
from tests.reproduction.rerun import needs_archives, rerun

PUBLIC = {"assay", "assay.results", "assay.runtime", "assay.reproduction.campaigns"}


@pytest.mark.parametrize("name", [*PAPERS, "campaigns"])
def test_only_public_names_are_imported(name):
    """The papers are examples of the public functions."""
    module = importlib.import_module(f"assay.reproduction.{name}")
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {each for each in imported if each.split(".")[0] == "assay"} <= PUBLIC
    private = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert private == set()


@pytest.mark.parametrize("paper", PAPERS)
def test_missing_data_is_an_error_that_names_the_folder(paper, tmp_path):
    with pytest.raises(InputError, match="contains no folder") as caught:
        reproduce(paper, data=tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_options():
    with pytest.raises(ConfigError, match="unknown paper 'tangle'"):
        reproduce("tangle")
    with pytest.raises(ConfigError, match="as_published has no effect on ebleu"):
        reproduce("ebleu", as_published=True)
    assert assay.reproduce is reproduce


@pytest.mark.slow
@needs_archives
@pytest.mark.parametrize("paper", PAPERS)
def test_what_every_paper_has(paper):
    result = rerun(paper)
    assert result.paper == paper
    assert result.recommendations
    for figure in result.figures.values():
        drawn = [result.results[name] for name in figure.results]
        assert chart.create(figure.chart).select(drawn) is not None, figure
    for each in result:
        assert each.verdict == "met" or each.reason, each.quantity
