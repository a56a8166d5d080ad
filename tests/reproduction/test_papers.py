"""What all papers have in common."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import math
from pathlib import Path

import pytest

import assay
from assay.charts import chart
from assay.errors import ConfigError, InputError
from assay.reports import document, renderer
from assay.reproduction import PAPERS, reproduce
from assay.results.reproduction import UNAVAILABLE
from assay.types import NoteKind
from tests.reproduction.made_up import write_test_sets
from tests.reproduction.rerun import made_up_folder, needs_archives, on_made_up_data, rerun

PUBLIC = (
    "assay",
    "assay.results",
    "assay.types.runtime",
    "assay.types",
    "assay.reproduction.campaigns",
    "assay.reproduction.wmt13_metrics",
    "assay.reproduction.wmt13_preparations",
)
"""Modules whose public names the papers may use."""
PUBLISHED = {"tangled": 44, "thresholds": 137, "aggregation": 39, "wmt13": 658, "ebleu": 33}
"""How many numbers and claims each paper has; those of the last four are in its tables."""
OPTIONS = {"aggregation": {"as_published": True}}
"""As in the tests of the paper, so that it is run once."""


def private_names(source):
    """What a module uses of Assay that is not public."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("assay."))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "assay":
            public = importlib.import_module(node.module).__all__ if node.module in PUBLIC else ()
            yield from (f"{node.module}.{name.name}" for name in node.names if name.name not in public)
        if isinstance(node, ast.Attribute):
            if node.attr.startswith("_"):
                yield node.attr
            if isinstance(node.value, ast.Name) and node.value.id == "assay" and node.attr not in assay.__all__:
                yield f"assay.{node.attr}"


@pytest.mark.parametrize("name", [*PAPERS, "campaigns", "wmt13_metrics", "wmt13_preparations"])
def test_only_public_names_are_used(name):
    """The papers are examples of the public functions."""
    module = importlib.import_module(f"assay.reproduction.{name}")
    found = set(private_names(Path(inspect.getfile(module)).read_text(encoding="utf-8")))
    assert found <= {"assay.errors.installing", "assay.lazily.numpy"}  # of messages, and numpy for quick help pages


@pytest.mark.parametrize(
    "line",
    [
        "from assay import _core",
        "from assay.results import reproduction as _r",
        "from assay.results.meta import MetaEvaluation",
        "from assay.metaeval import alignment",
        "import assay.reports",
        "import assay\nassay.reports_of",
        "x._private",
    ],
)
def test_private_names_are_noticed(line):
    assert list(private_names(line))


@pytest.mark.parametrize("paper", PAPERS)
def test_missing_data_is_an_error_that_names_the_folder(paper, tmp_path):
    message = "not the folder of a test set" if paper == "aggregation" else "contains no folder"
    with pytest.raises(InputError, match=message) as caught:
        reproduce(paper, data=tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_options():
    with pytest.raises(ConfigError, match="unknown paper 'tangle'"):
        reproduce("tangle")
    for options in ({"as_published": True}, {"metrics": ["bleu"]}, {"test_sets": ["wmt22"]}):
        with pytest.raises(ConfigError, match="has no effect on ebleu"):
            reproduce("ebleu", **options)
    assert assay.reproduce is reproduce


def check(result, paper):
    """What holds on any data."""
    assert result.paper == paper
    assert result.recommendations
    assert result.published == PUBLISHED[paper]
    assert result.tables.keys() <= result.results.keys()
    for name, figure in result.figures.items():
        assert chart.create(figure.chart).select(result.drawn(name)) is not None, figure
    for each in result:
        assert each.verdict in ("met", "width met") or each.reason, each.quantity
        is_missing = math.isnan(each.ours.value) and each.needs != "nothing"
        assert is_missing == (each.verdict in UNAVAILABLE) or each.verdict == "ours only"
    json.dumps(result.to_dict(), allow_nan=False)
    assert " nan" not in renderer.create("table").render(document(result))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_runs_on_made_up_data(paper):
    check(on_made_up_data(paper), paper)


@pytest.mark.parametrize("paper", PAPERS)
def test_notes_of_the_results_are_not_lost(paper):
    result = on_made_up_data(paper)
    assert {note for each in result.results.values() for note in each.notes} <= set(result.notes)


@pytest.mark.parametrize(
    ("paper", "test_sets", "lps"),
    [
        ("tangled", ["wmt19"], ["de-cs"]),
        ("tangled", ["wmt19"], ["de-en", "en-ru"]),
        ("thresholds", ["wmt22"], ["cs-en"]),
        ("aggregation", ["wmt22"], ["cs-en"]),
        ("wmt13", ["wmt13"], ["fr-en"]),
        ("ebleu", ["wmt22"], ["zh-en"]),
    ],
)
def test_a_part_of_the_data_gives_a_part_of_the_numbers(tmp_path, paper, test_sets, lps):
    write_test_sets(tmp_path, *test_sets)
    for path in sorted(tmp_path.rglob("*"), reverse=True):  # files before their folders
        if path.is_file() and not any(lp in str(path.relative_to(tmp_path)) for lp in lps):
            path.unlink()
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    result = reproduce(paper, data=tmp_path)
    check(result, paper)
    is_missing = set(PAPERS[paper].test_sets) > set(test_sets) or paper == "aggregation"
    noted = [note.text for note in result.notes if note.kind is NoteKind.MISSING and note.text.startswith("not in")]
    assert bool(noted) == is_missing
    assert all("assay data fetch mt-metrics-eval-v2" in text for text in noted)


def test_a_folder_that_is_not_one(tmp_path):
    for data, message in ((tmp_path / "no", "no such folder"), (Path(__file__), "is not a folder")):
        with pytest.raises(InputError, match=message):
            reproduce("ebleu", data=data)
    with pytest.raises(InputError, match="contains no folder wmt22") as caught:
        reproduce("ebleu", data=made_up_folder() / "wmt22")
    assert "this is the test set itself" in caught.value.hint


@pytest.mark.slow
@needs_archives
@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_runs_on_the_archives(paper):
    check(rerun(paper, **OPTIONS.get(paper, {})), paper)
