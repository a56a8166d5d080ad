"""Adding a metric takes one file: nothing else is edited, and everything finds it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

import assay.metrics
from assay import load, score
from assay.cli import cli
from assay.metrics import metric
from assay.study.score import AGGREGATIONS
from assay.testing import check_metric

SOURCE = textwrap.dedent('''
    """Share of outputs that are exactly the reference."""

    from dataclasses import dataclass

    import numpy as np

    from assay.contracts import Metric
    from assay.metrics import metric


    @metric("exact")
    @dataclass(frozen=True)
    class Exact(Metric):
        """Per cent of outputs equal to a reference."""

        strip: bool = True

        @property
        def columns(self):
            return ("equal", "segments")

        def statistics(self, testset, runtime):
            def row(output, references):
                if output is None or all(r is None for r in references):
                    return (0, 0)
                return (int(any(output == r for r in references)), 1)

            rows = list(zip(*testset.references.values()))
            table = [[row(o, r) for o, r in zip(column, rows)] for column in testset.outputs.values()]
            return np.array(table, dtype=np.int64)

        def score(self, totals):
            with np.errstate(invalid="ignore"):
                return 100.0 * totals[..., 0] / totals[..., 1]
''')


@pytest.fixture
def dropped(tmp_path, monkeypatch):
    """One file in a folder that belongs to the package `assay.metrics`."""
    (tmp_path / "exact.py").write_text(SOURCE, encoding="utf-8")
    metric.names()  # read our own first, or they would be registered for this test only
    monkeypatch.setattr(assay.metrics, "__path__", [*assay.metrics.__path__, str(tmp_path)])
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    yield
    sys.modules.pop("assay.metrics.exact", None)


def test_it_is_found_scored_and_checked(dropped):
    check_metric(metric.create("exact"))
    testset = load(outputs={"x": ["a", "b", "c"]}, references=["a", "b", "d"])
    run = score(testset, ["exact:strip=no", "bleu"], agg=AGGREGATIONS, by="length")
    assert run["exact:strip=no"].corpus["x"] == pytest.approx(200 / 3)
    assert run["exact:strip=no"].segment_mean["x"] == pytest.approx(200 / 3)
    assert run["exact:strip=no"].bootstrap.estimate("x").high > 90


def test_the_command_line_finds_it(dropped, capsys):
    cli.main(["metrics", "list"], standalone_mode=False)
    assert "exact" in capsys.readouterr().out
    cli.main(["metrics", "show", "exact"], standalone_mode=False)
    assert "strip   yes" in capsys.readouterr().out


def test_another_distribution_can_bring_one(tmp_path):
    info = tmp_path / "exact-1.0.dist-info"
    info.mkdir()
    (tmp_path / "exact_plugin.py").write_text(SOURCE, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: exact\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[assay.metrics]\nexact = exact_plugin:Exact\n", encoding="utf-8")
    for side in ("ref", "out"):
        (tmp_path / side).write_text("a\nb\n", encoding="utf-8")
    command = [sys.executable, "-m", "assay", "score", "--ref", str(tmp_path / "ref"), str(tmp_path / "out")]
    done = subprocess.run(
        [*command, "-m", "exact", "--format", "json"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["scores"][0]["value"] == 100
