"""The documentation is true: its links, commands, code, names and numbers."""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from assay import ScoreTable, agree, charts
from assay.agreement import statistic
from assay.cli.group import _run
from assay.compat.sacrebleu.command import run as run_compat
from assay.data import text_files
from assay.data.archives import limits
from assay.data.formats import data_format
from assay.data.tables import collectors, fields, numbers, rating_records
from assay.measurement.segment_groups import GROUPINGS
from assay.metaeval.tasks import reader
from assay.metrics import from_function, metric
from assay.significance import test as significance_test
from assay.study.score import AGGREGATIONS
from assay.testing import check_metric
from assay.text import tokenizer
from assay.types import testset
from assay.types.judgements import MAX_RANK
from scripts import distinct_texts
from scripts.notebook import GUIDES
from tests import archives
from tests.documented import commands, prepare

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = [page for page in PAGES if page not in GUIDES]  # tests/test_notebook.py runs the guides


def blocks(page, language):
    """The fenced blocks of a page in a language; "" for those without."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for marked, text in found if marked == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.fixture
def without_sacrebleu():
    """Forget sacreBLEU during a test that gives its name to another module."""

    def imported():
        return {name for name in sys.modules if name.partition(".")[0] == "sacrebleu"}

    before = {name: sys.modules.pop(name) for name in imported()}
    yield
    for name in imported():
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def own_registries(monkeypatch):
    """Forget the metrics, statistics and others that a page adds."""
    for registry in (metric, statistic, data_format, significance_test, charts.chart):
        registry.names()
        monkeypatch.setattr(registry, "_types", dict(registry._types))


@pytest.mark.usefixtures("without_sacrebleu", "own_registries")
@pytest.mark.parametrize("page", REFERENCE, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_run(page):
    for block in blocks(page, "python"):
        names: dict[str, object] = {}
        exec(compile(block, str(page), "exec"), names)  # noqa: S102
        if "Exact" in names:
            check_metric(names["Exact"]())
        if "overlap" in names:
            check_metric(from_function(names["overlap"]))
        if "Footrule" in names:
            pair = [ScoreTable(name, "system", "abcd", [[1.0], [2.0], [3.0], [4.0]]) for name in ("x", "y")]
            assert agree(*pair, "footrule").value == 1.0


def test_files_named_in_the_guide_for_contributors_exist():
    named = re.findall(r"`((?:src|docs|cpp|tests)/[\w./-]+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(named) > 15
    for name in named:
        assert (ROOT / name).exists(), name


@pytest.mark.slow
@pytest.mark.usefixtures("own_registries")
@pytest.mark.parametrize("page", REFERENCE, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_run(page, tmp_path, monkeypatch, capsys):
    """As they stand, in a folder that has the files they name; patterns are expanded as a shell does."""
    found = commands(page.read_text(encoding="utf-8"))
    if not found:
        return
    if page.stem == "meteor":
        pytest.importorskip("Stemmer")
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    assert _run(["data", "import", "wmt22.tar.xz"]) == 0
    for program, *arguments in found:
        expanded = [
            name
            for item in arguments
            for name in (sorted(map(str, Path().glob(item))) if re.match(r"(out|systems).*\*", item) else [item])
        ]
        run = _run if program == "assay" else run_compat
        code = run(expanded if program == "assay" else expanded[2:])
        assert code == 0, (page, arguments, capsys.readouterr().err)


def test_the_first_steps_show_what_the_demo_prints(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert _run(["demo", "build/demo"]) == 0
    shown = blocks(ROOT / "docs" / "start.md", "")[0].removesuffix("…\n").rstrip()
    assert capsys.readouterr().out.startswith(shown)
    assert len(shown) > 500


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
def test_the_page_on_robustness_shows_what_the_commands_print(monkeypatch, capsys):
    monkeypatch.chdir(archives.unpacked("wmt19").parent)
    shown = [block for block in blocks(ROOT / "docs/methods/robustness.md", "") if block.startswith("$ ")]
    assert len(shown) == 7
    archives.unpacked("wmt22")
    for block in shown:
        line, _, expected = block.partition("\n")
        assert _run(shlex.split(line)[2:]) == 0
        assert capsys.readouterr().out == expected


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
def test_the_page_on_learned_metrics_counts_the_texts_of_wmt22():
    page = (ROOT / "docs/methods/learned-metrics.md").read_text(encoding="utf-8")
    assert "\n".join(distinct_texts.table()) in page


def test_the_start_page_finds_the_number_it_looks_for(capsys):
    exec(blocks(ROOT / "docs" / "start.md", "python")[0], {})  # noqa: S102
    assert "chrf new corpus 82.3" in capsys.readouterr().out


def test_transposition_is_explained_as_documented(capsys):
    page = ROOT / "docs" / "differences.md"
    exec(blocks(page, "python")[0], {})  # noqa: S102
    assert capsys.readouterr().out == blocks(page, "")[0]


@pytest.mark.usefixtures("without_sacrebleu")
def test_an_alias_of_sacrebleu_works_as_documented(capsys):
    page = ROOT / "docs" / "guide" / "from-sacrebleu.md"
    exec(blocks(page, "python")[1], {})  # noqa: S102
    assert capsys.readouterr().out == blocks(page, "")[0]


def test_every_metric_and_option_is_documented():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/methods").iterdir()}
    for name in metric.names():
        cls, _ = metric.type_of(name)
        page = next(pages[base.name] for base in cls.__mro__ if getattr(base, "name", None) in pages)
        assert f"`{name}`" in page
        for option in dataclasses.fields(cls):
            assert not option.compare or f"`{option.name}`" in page


def test_every_task_and_key_is_documented():
    page = (ROOT / "docs/guide/metrics-task.md").read_text(encoding="utf-8")
    for name in (*reader.shipped_tasks(), *reader._PAIR, *reader._COMPONENT, *reader._TABLE):
        assert f"`{name}`" in page, name
    for name in reader._TASK:
        assert any(f"`{form}`" in page for form in (name, f"[{name}]", f"[[{name}]]")), name


def test_every_format_is_documented():
    page = (ROOT / "docs/data.md").read_text(encoding="utf-8")
    for name in data_format.names():
        assert f"`{name}`" in page


def test_every_tokeniser_aggregation_and_grouping_is_documented():
    methods = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/methods").iterdir()}
    for name in tokenizer.names():
        if not name.startswith(("meteor-", "moses-")):  # one for each language
            assert f"`{name}`" in methods["tokenizers"]
    for name in (*AGGREGATIONS, *GROUPINGS):
        assert name in methods["aggregation"]


def test_every_chart_and_option_is_documented():
    text = (ROOT / "docs/guide/figures.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(" `"): line for line in text.splitlines() if line.startswith("| `")}
    assert sorted(rows) == charts.chart.names()
    for name, row in rows.items():
        options = [field.name for field in dataclasses.fields(charts.chart.type_of(name)[0])]
        assert row.split("|")[3].strip() == ", ".join(f"`{option}`" for option in options), name


def test_limits_are_those_of_the_code():
    page = (ROOT / "docs/data.md").read_text(encoding="utf-8").partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (.+) \| (.+) \|$", page, re.M))
    archive = limits.Limits()
    assert rating_records._MAX_SEGMENT == 10**9
    assert [bool(numbers._INDEX.fullmatch("9" * digits)) for digits in (9, 10)] == [True, False]
    assert {what: limit for what, limit in rows.items() if what != "what"} == {
        "a text or table in `.gz`": (
            f"{text_files._MAX_RATIO} times the size of the file when unpacked, "
            f"or {text_files._FREE_BYTES >> 20} MiB if that is more"
        ),
        "a score": f"±{numbers.LARGEST:g}",
        "a table with many gaps": (
            f"{collectors._MAX_EMPTY_SHARE} cells for each value in it, "
            f"or {collectors._MAX_EMPTY_CELLS:,} cells if that is more"
        ),
        "the number of a segment": f"{rating_records._MAX_SEGMENT - 1:,}",
        "systems in rankings": f"{collectors._MAX_RANKED:,}; ranks from 1 to {MAX_RANK}",
        "the name of a system, reference or metric": f"{testset._MAX_NAME_BYTES} bytes",
        "a field of CSV": f"{fields.MAX_FIELD:,} characters",
        "an archive": (
            f"{archive.members:,} files and folders, {archive.total_bytes >> 30} GiB, and {archive.ratio} times its "
            f"size when unpacked, or {archive.free_bytes >> 20} MiB if that is more"
        ),
        "a name in an archive": (
            f"{limits._MAX_NAME_BYTES} bytes, a path {archive.path_bytes:,} bytes and {archive.depth} levels"
        ),
    }
    assert f"at most {collectors._SPARSE**2:,} segments or if at least one segment in {collectors._SPARSE} has" in page


ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def resolve(name):
    """The module, class or function with a dotted name."""
    module, _, rest = name.partition(".")
    value = importlib.import_module(module)
    for part in rest.split("."):
        if not hasattr(value, part):
            importlib.import_module(f"{value.__name__}.{part}")
        value = getattr(value, part)
    return value


def test_names_on_the_page_on_architecture_exist():
    names = re.findall(r"\bassay(?:\.\w+)+", ARCHITECTURE)
    assert len(names) > 15
    for name in names:
        resolve(name)
    with pytest.raises(ModuleNotFoundError):
        resolve("assay.study.nothing")


def test_rows_on_the_page_on_architecture_are_those_of_the_import_contract():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    rows = re.findall(r"^\| (`.+?) \|", ARCHITECTURE, re.M)
    assert [row.replace("`", "").split(" · ") for row in rows] == [re.split(r" [|:] ", layer) for layer in layers]


@pytest.mark.slow
def test_the_walk_on_the_page_on_architecture_is_true(tmp_path):
    """The command passes through every function in the list."""
    prepare(tmp_path)
    line = f"score --ref {tmp_path}/refA.de {tmp_path}/out.de"
    tracer = [sys.executable, "scripts/trace_call_path.py", "--json", "--command", line]
    done = subprocess.run(tracer, cwd=ROOT, capture_output=True, text=True, check=True)
    called = {function["name"] for function in json.loads(done.stdout)["functions"]}
    section = ARCHITECTURE.partition("## A walk")[2]
    functions = [name for name in re.findall(r"\bassay(?:\.\w+)+", section) if not isinstance(resolve(name), type)]
    walk = {name for name in functions if not name.startswith("assay._core.")}
    assert len(walk) > 10
    assert walk - called == set()
