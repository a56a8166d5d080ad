"""What the documents say is so."""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import Path

import pytest

from assay import ScoreTable, agree
from assay.agreement import statistic
from assay.cli import _run
from assay.compat.sacrebleu.command import run as run_compat
from assay.data.formats import form
from assay.metrics import metric
from assay.study.grouping import GROUPINGS
from assay.study.scoring import AGGREGATIONS
from assay.testing import check_metric
from assay.text import tokenizer
from tests import archives
from tests.documented import commands, prepare

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
    """The fenced blocks of a page in a language; "" for those without."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for marked, text in found if marked == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_run(page, monkeypatch):
    for registry in (metric, statistic):
        registry.names()
        monkeypatch.setattr(registry, "_types", dict(registry._types))
    for block in blocks(page, "python"):
        names: dict[str, object] = {}
        exec(compile(block, str(page), "exec"), names)  # noqa: S102
        if "Exact" in names:
            check_metric(names["Exact"]())
        if "Footrule" in names:
            pair = [ScoreTable(name, "system", "abcd", [[1.0], [2.0], [3.0], [4.0]]) for name in ("x", "y")]
            assert agree(*pair, "footrule").value == 1.0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_run(page, tmp_path, monkeypatch, capsys):
    """As they stand, in a folder that has the files they name; patterns are expanded as a shell does."""
    found = commands(page.read_text(encoding="utf-8"))
    if not found:
        return
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    assert _run(["data", "import", "wmt22.tar.xz"]) == 0
    for program, *arguments in found:
        expanded = [
            name
            for item in arguments
            for name in (sorted(map(str, Path().glob(item))) if "*" in item and item.startswith("out") else [item])
        ]
        run = _run if program == "assay" else run_compat
        code = run(expanded if program == "assay" else expanded[2:])
        assert code == 0, (page, arguments, capsys.readouterr().err)


def test_the_readme_shows_what_the_demo_prints(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert _run(["demo", "build/demo"]) == 0
    shown = blocks(ROOT / "README.md", "")[1].removesuffix("…\n").rstrip()
    assert capsys.readouterr().out.startswith(shown)
    assert len(shown) > 500


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
def test_the_page_on_robustness_shows_what_the_commands_print(monkeypatch, capsys):
    monkeypatch.chdir(archives.unpacked("wmt19").parent)
    shown = [block for block in blocks(ROOT / "docs/methods/robustness.md", "") if block.startswith("$ ")]
    assert len(shown) == 6
    for block in shown:
        line, _, expected = block.partition("\n")
        assert _run(shlex.split(line)[2:]) == 0
        assert capsys.readouterr().out == expected


def test_the_start_page_finds_the_number_it_looks_for(capsys):
    exec(blocks(ROOT / "docs" / "start.md", "python")[0], {})  # noqa: S102
    assert "chrf new corpus 82.3" in capsys.readouterr().out


def test_transposition_is_explained_as_documented(capsys):
    page = ROOT / "docs" / "differences.md"
    exec(blocks(page, "python")[0], {})  # noqa: S102
    assert capsys.readouterr().out == blocks(page, "")[0]


def test_every_metric_and_option_is_documented():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/methods").iterdir()}
    for name in metric.names():
        cls, _ = metric.type_of(name)
        page = pages[cls.name]
        assert f"`{name}`" in page
        for option in dataclasses.fields(cls):
            assert f"`{option.name}`" in page


def test_every_format_is_documented():
    page = (ROOT / "docs/data.md").read_text(encoding="utf-8")
    for name in form.names():
        assert f"`{name}`" in page


def test_every_tokeniser_aggregation_and_grouping_is_documented():
    methods = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/methods").iterdir()}
    for name in tokenizer.names():
        if not name.startswith("moses-"):  # one for each language
            assert f"`{name}`" in methods["tokenizers"]
    for name in (*AGGREGATIONS, *GROUPINGS):
        assert name in methods["aggregation"]
