from __future__ import annotations

import json

import pytest

from assay.cli import _run
from assay.sample import write


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("sample"))[0]
    return ["--ref", str(folder / "refA.de"), *map(str, sorted((folder / "systems").iterdir())[:2])]


def test_two_systems(files, capsys):
    assert _run(["compare", *files, "-m", "bleu", "--resamples", "200", "--delta", "1"]) == 0
    out = capsys.readouterr().out
    assert "birch" in out.splitlines()[0]
    assert "needed" in out


def test_json(files, capsys):
    options = ["--agg", "corpus", "--resamples", "100", "--format", "json", "--baseline", "birch"]
    assert _run(["compare", *files, *options]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert (tree["baseline"], [m["metric"] for m in tree["metrics"]]) == ("birch", ["bleu", "chrf"])


def test_wrong_names(files, capsys):
    assert _run(["compare", *files, "-m", "bleu", "--resamples", "50", "--fail-if", "bleu.delta < 9"]) == 5
    assert "holds for" in capsys.readouterr().err
    assert _run(["compare", *files, "--test", "boot"]) == 2
    assert "unknown test 'boot'" in capsys.readouterr().err
    assert _run(["compare", *files[:3]]) == 3
    assert "at least two systems" in capsys.readouterr().err
