from __future__ import annotations

import pytest

import assay
from assay.cli.group import _run
from tests.store.examples import example

pytestmark = pytest.mark.slow  # charts take long to draw


def test_saved_results_become_a_page(tmp_path, capsys):
    assay.save_result(example("score"), tmp_path / "run", texts=True, command=f"assay score {tmp_path}/x y")
    page = tmp_path / "report.html"
    arguments = ["report", str(tmp_path / "run"), "-o", str(page)]
    output = example("score").testset.outputs["alder"][0][:20]
    assert _run(arguments) == 0
    assert f"the report is in {page}" in capsys.readouterr().err
    assert output in page.read_text(encoding="utf-8")
    assert _run([*arguments, "--no-text", "--title", "T"]) == 0  # a report is replaced
    text = page.read_text(encoding="utf-8")
    assert output not in text
    assert "<title>T</title>" in text
    assert f"assay score …/{tmp_path.name}/x y" in text
    assert str(tmp_path) not in text
    page.write_text("mine", encoding="utf-8")
    assert _run(arguments) == 3
    assert _run([*arguments[:-1], "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert _run(["report", str(tmp_path / "nothing"), "-o", str(page)]) == 3


def test_every_command_writes_a_page_by_the_suffix(tmp_path, capsys):
    (tmp_path / "ref").write_text("the cat sat\na dog ran\n", encoding="utf-8")
    (tmp_path / "new").write_text("the cat sat\na hound ran\n", encoding="utf-8")
    (tmp_path / "base").write_text("a cat\na dog\n", encoding="utf-8")
    texts = ["--ref", str(tmp_path / "ref"), str(tmp_path / "base"), str(tmp_path / "new"), "--resamples", "5"]
    for verb in ("score", "compare"):
        page = tmp_path / f"{verb}.html"
        assert _run([verb, *texts, "-o", str(page)]) == 0
        assert "a hound ran" in page.read_text(encoding="utf-8")
        assert f"assay {verb} --ref" in page.read_text(encoding="utf-8")
        assert str(tmp_path) not in page.read_text(encoding="utf-8")
        assert _run([verb, *texts, "-o", str(page), "--no-text"]) == 0
        assert "hound" not in page.read_text(encoding="utf-8")
        assert _run([verb, *texts, "--no-text"]) == 2
        assert "--no-text has no effect without -o FILE.html" in capsys.readouterr().err
