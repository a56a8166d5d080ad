from __future__ import annotations

import json

import pytest

from assay.cli.group import _run
from assay.sample import write


@pytest.fixture
def place(tmp_path, monkeypatch):
    write(tmp_path / "sample")
    monkeypatch.chdir(tmp_path / "sample" / "en-de")
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))


def call(capsys, *arguments):
    code = _run(["leaderboard", "--resamples", "500", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_files(place, capsys):
    files = [f"systems/{name}.de" for name in ("elm", "alder", "birch")]
    code, out, err = call(capsys, "--ref", "refA.de", *files, "-m", "chrf", "--exclude", "b*")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["1", "alder"], ["2", "elm"]]
    assert "left out: birch (excluded)" in err


def test_data(place, capsys):
    code, out, _ = call(capsys, "--data", "texts.tsv", "--ref", "refA", "-m", "chrf,ter", "--format", "json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert len(rows) == 14
    assert [row["rank"] for row in rows] == [*range(1, 8), *range(1, 8)]


def test_files_beside_a_test_set_are_refused(place, capsys):
    code, _, err = call(capsys, "--data", "texts.tsv", "systems/elm.de")
    assert code == 2
    assert "--data cannot be combined with text files" in err


def test_tables_after_the_first_need_the_option_too(place, capsys):
    code, _, err = call(capsys, "--data", "texts.tsv", "more.tsv", "last.tsv")
    assert code == 2
    assert "repeat it for each: --data texts.tsv --data more.tsv --data last.tsv\n" in err
    code, _, err = call(capsys, "--data", "systems")
    assert (code, "give each of them: systems/alder.de, systems/birch.de and " in err) == (3, True)


def test_a_single_system_is_no_leaderboard(place, capsys):
    code, _, err = call(capsys, "--ref", "refA.de", "systems/elm.de")
    assert code == 2
    assert "a leaderboard needs at least two systems" in err
