from __future__ import annotations

import json

import pytest

from assay.cli.group import _run

REFERENCE = "The cat sat on the mat.\nA dog ran away.\nIt rained all day long.\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.en").write_text(REFERENCE)
    (tmp_path / "base.en").write_text(REFERENCE.replace("\n", " "))
    (tmp_path / "new.en").write_text("A cat sat on a\nmat. It rained")
    return tmp_path


def call(capsys, *arguments):
    code = _run([*arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_one_output_to_standard_output(files, capsys):
    code, out, _ = call(capsys, "align", "--ref", "ref.en", "base.en")
    assert (code, out) == (0, REFERENCE)


def test_several_outputs_to_a_folder(files, capsys):
    arguments = ("align", "--ref", "ref.en", "base.en", "other=new.en", "-o", "aligned", "--report", "align.tsv")
    code, out, err = call(capsys, *arguments)
    assert code == 0, err
    assert (files / "aligned" / "base.en").read_text() == REFERENCE
    assert (files / "aligned" / "other.en").read_text() == "A cat sat on a mat.\n\nIt rained\n"
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("base", "other"))] == ["base", "other"]
    rows = (files / "align.tsv").read_text().splitlines()
    assert rows[0].split("\t") == ["system", "segment", "reference_words", "words", "edits", "doubtful"]
    assert len(rows) == 1 + 2 * 3
    code, _, err = call(capsys, *arguments)
    assert code == 3
    assert "already exists" in err
    assert call(capsys, *arguments, "--force")[0] == 0


def test_the_report_has_every_form(files, capsys):
    code, out, err = call(capsys, "align", "--ref", "ref.en", "new.en", "--report", "align.json")
    assert (code, out) == (0, "A cat sat on a mat.\n\nIt rained\n"), err
    assert json.loads((files / "align.json").read_text())["outputs"][0]["lines"][1] == ""


def test_what_is_refused(files, capsys):
    code, _, err = call(capsys, "align", "--ref", "ref.en", "base.en", "new.en")
    assert code == 2
    assert "several outputs need --output" in err
    code, _, err = call(capsys, "align", "--ref", "ref.en", "base.en", "-o", ".")
    assert code == 3
    assert "is an input and will not be replaced" in err
    assert (files / "base.en").read_text() == REFERENCE.replace("\n", " ")
    (files / "short.en").write_text("cat")
    code, _, err = call(capsys, "align", "--ref", "ref.en", "short.en")
    assert code == 3
    assert "too short to be aligned" in err
