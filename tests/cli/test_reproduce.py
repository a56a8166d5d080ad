from __future__ import annotations

import json

import pytest

import assay.cli.reproduce
from assay.cli.group import _run
from assay.cli.reproduce import command
from assay.reproduction import PAPERS
from tests.results.test_reproduction import reproduction


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(assay.cli.reproduce, "reproduce", lambda paper, **options: reproduction())
    return tmp_path


def test_the_table(place, capsys):
    assert _run(["reproduce", "ebleu", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["met"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("target", ["new", "new/"])
def test_a_folder_gets_all_files(place, capsys, target):
    assert _run(["reproduce", "ebleu", "-o", target]) == 0
    assert "2 " in capsys.readouterr().out
    assert (place / "new" / "made-up.md").exists()
    assert (place / "new" / "figure-1.svg").exists()


@pytest.mark.slow
def test_a_folder_with_a_dot_in_its_name(place, capsys):
    assert _run(["reproduce", "ebleu", "-o", "paper.v2"]) == 0
    assert (place / "paper.v2" / "made-up.md").exists()
    assert "paper.v2: 7 files; made-up.md lists them" in capsys.readouterr().err


@pytest.mark.slow
def test_files_of_a_folder_are_replaced_only_with_force(place, capsys):
    (place / "mine").mkdir()
    (place / "mine" / "top.json").write_text("mine", encoding="utf-8")
    assert _run(["reproduce", "ebleu", "-o", "mine"]) == 3
    assert "mine: contains files" in capsys.readouterr().err
    assert (place / "mine" / "top.json").read_text(encoding="utf-8") == "mine"
    assert _run(["reproduce", "ebleu", "-o", "mine", "--force"]) == 0
    assert (place / "mine" / "top.json").read_text(encoding="utf-8") != "mine"


def test_the_papers_are_those_of_the_package():
    (argument,) = (each for each in command.params if each.name == "paper")
    assert tuple(argument.type.choices) == tuple(PAPERS)


@pytest.mark.slow
def test_a_page(place, capsys):
    assert _run(["reproduce", "ebleu", "-o", "paper.html"]) == 0
    text = (place / "paper.html").read_text(encoding="utf-8")
    assert "What do we get, where the paper has a number?" in text
    assert "<svg" in text


def test_no_file_is_written_among_the_data(place, capsys):
    (place / "wmt").mkdir()
    assert _run(["reproduce", "ebleu", "--data", "wmt", "-o", "wmt/out"]) == 3
    assert "which is an input" in capsys.readouterr().err


def test_errors(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    assert _run(["reproduce", "ebleu"]) == 3
    assert "contains no folder wmt22" in capsys.readouterr().err
    assert _run(["reproduce", "ebleu", "--as-published"]) == 2
    assert "--as-published has no effect on ebleu" in capsys.readouterr().err
    assert _run(["reproduce", "wmt13", "-m", "bleu"]) == 2
    assert "--metrics has no effect on wmt13" in capsys.readouterr().err
    assert _run(["reproduce", "ebleu", "--annotations", str(tmp_path)]) == 2
    assert "--annotations has no effect on ebleu" in capsys.readouterr().err
    assert _run(["reproduce", "nothing"]) == 2


def test_papers_are_guessed_by_their_authors(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["reproduce", "lo2023"]) == 2
    assert "unknown paper 'lo2023'; did you mean thresholds (Lo et al. 2023," in capsys.readouterr().err
    assert _run(["reproduce"]) == 2
    assert "Choose one of tangled (Mathur et al. 2020, Tangled up in BLEU); thresholds" in capsys.readouterr().err
