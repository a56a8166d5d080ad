"""Adding takes one file, as CONTRIBUTING.md says: its examples are put into the package, and everything finds them.

That of a column is in `tests/reports/test_added_column.py`, in all forms.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from assay import agree, agreement, charts, compare, load, metrics, plot, read, score, significance
from assay.cli import cli
from assay.cli.help import Command
from assay.cli.options import verb_options
from assay.data import formats
from assay.errors import ConfigError
from assay.study.score import AGGREGATIONS
from assay.testing import check_metric
from assay.types import ScoreTable
from tests.contributing import example, example_module


@pytest.fixture
def add(tmp_path, monkeypatch):
    """Add a file with an example to a package, whose registry it names, until the test ends."""
    added = []

    def put(package, registry, name):
        registry.names()  # read our own first, or they would be registered for this test only
        (tmp_path / f"{name}.py").write_text(example(f'("{name}")'), encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
        monkeypatch.setattr(registry, "_types", dict(registry._types))
        added.append(f"{package.__name__}.{name}")
        importlib.invalidate_caches()

    yield put
    for module in added:
        sys.modules.pop(module, None)


def test_a_metric(add, capsys):
    add(metrics, metrics.metric, "exact")
    check_metric(metrics.metric.create("exact"))
    testset = load(outputs={"x": ["a", "B", "c"]}, references=["a", "b", "d"])
    run = score(testset, ["exact:ignore_case=yes", "bleu"], agg=AGGREGATIONS, by="length")
    assert run["exact:ignore_case=yes"].corpus["x"] == pytest.approx(200 / 3)
    assert run["exact:ignore_case=yes"].segment_mean["x"] == pytest.approx(200 / 3)
    assert run["exact:ignore_case=yes"].bootstrap.estimate("x").high > 90
    cli.main(["metrics", "list"], standalone_mode=False)
    assert "exact" in capsys.readouterr().out
    cli.main(["metrics", "show", "exact"], standalone_mode=False)
    assert "ignore_case" in capsys.readouterr().out


def test_a_statistic(add):
    add(agreement, agreement.statistic, "footrule")
    human = ScoreTable("human", "system", ("a", "b", "c"), [[1.0], [2.0], [3.0]])
    for values, footrule in (([[1.0], [2.0], [3.0]], 1.0), ([[3.0], [2.0], [1.0]], -0.5)):
        found = agree(ScoreTable("mine", "system", ("a", "b", "c"), values), human, statistic="footrule")
        assert found.value == pytest.approx(footrule)


def test_an_input_format(add, tmp_path):
    add(formats, formats.data_format, "bars")
    (tmp_path / "elm.bars").write_text("ein Haus ||| das Haus\nja ||| ja\n", encoding="utf-8")
    (campaign,) = read(tmp_path / "elm.bars")
    assert campaign.testset.references["ref"] == ("das Haus", "ja")
    assert campaign.testset.outputs["elm"] == ("ein Haus", "ja")


def test_a_significance_test(add):
    add(significance, significance.test, "sign")
    testset = load(outputs={"a": ["x y z", "u v", "k l"], "b": ["x", "v", "l k m"]}, references=["x y z", "u v", "k l"])
    compared = compare(testset, "chrf", agg="segment", test="sign", resamples=100)
    assert compared.metric("chrf").pairs[0].p == pytest.approx(0.25)  # 2 · 0.5³


def test_a_chart(add):
    add(charts, charts.chart, "lengths")
    run = score(load(outputs={"a": ["x y z", "u v"], "b": ["x", "v"]}, references=["x y z", "u v"]), "chrf")
    drawn = plot("lengths", run).to_dict()
    (rows,) = drawn["datasets"].values()
    assert {row["system"]: row["words"] for row in rows} == {"a": 2.5, "b": 1.0}


@pytest.fixture
def shout(tmp_path):
    return example_module("def shout(", tmp_path).shout


def test_an_option_of_a_function(shout):
    assert shout("no") == "no no"
    assert inspect.signature(shout).parameters["times"].default == 2
    assert "times : int, default 2\n    How often." in shout.__doc__
    with pytest.raises(ConfigError, match="times must be an integer, not 'x'"):
        shout("no", times="x")


def test_an_option_of_a_command(shout):
    @click.command("shout", cls=Command, verb=shout)
    @click.argument("text")
    @verb_options(shout)
    def command(text, **options):
        click.echo(shout(text, **options))

    runner = CliRunner()
    assert runner.invoke(command, ["no", "--times", "3"]).output == "no no no\n"
    assert "'x' is not a valid integer" in runner.invoke(command, ["no", "--times", "x"]).output
    assert "Volume:\n  --times N  How often.  [default: 2]\n" in runner.invoke(command, ["--help"]).output


def test_another_distribution_can_bring_one(tmp_path):
    info = tmp_path / "exact-1.0.dist-info"
    info.mkdir()
    (tmp_path / "exact_plugin.py").write_text(example('("exact")'), encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: exact\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[assay.metrics]\nexact = exact_plugin:Exact\n", encoding="utf-8")
    for side in ("ref", "out"):
        (tmp_path / side).write_text("a\nb\n", encoding="utf-8")
    command = [sys.executable, "-m", "assay", "score", "--ref", str(tmp_path / "ref"), str(tmp_path / "out")]
    done = subprocess.run(
        [*command, "-m", "exact", "--format", "json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["rows"][0]["value"] == 100
