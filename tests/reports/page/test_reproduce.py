from __future__ import annotations

from assay.version import __version__
from tests.reports.page.built import built
from tests.store.examples import example


def test_everything_that_repeats_and_cites_a_result():
    run = example("score")
    _, content = built("behind.reproduce", run, example("compare"), commands=("assay score --ref 'a b'",))["reproduce"]
    assert "assay score --ref 'a b'" in content.text
    assert str(run["bleu"].corpus.signature) in content.text
    assert run.record.fingerprint in content.text
    assert __version__ in content.text
    assert r"\begin{tabular}" in content.text
    assert "@inproceedings{papineni-etal-2002-bleu," in content.text
    assert "LaTeX: scores" in content.text
    assert "LaTeX: comparison of systems" in content.text
    assert "SystemComparison" not in content.text
    targets = {attributes["data-copy"] for attributes in content.having("button")}
    assert targets == {attributes["id"] for attributes in content.having("pre")}
    assert all(attributes["aria-label"].startswith("Copy: ") for attributes in content.having("button"))


def test_a_metrics_task_is_named_by_its_title():
    task = example("metrics task")
    _, content = built("behind.reproduce", task)["reproduce"]
    assert f"LaTeX: {task.title[:1].lower()}{task.title[1:]}" in content.text


def test_a_leaderboard_has_the_signatures_of_its_scores():
    board = example("leaderboard")
    _, content = built("behind.reproduce", board)["reproduce"]
    signatures = [line for lines in board.signatures.values() for line in lines]
    assert all(line in content.text for line in (*signatures, board.signature))
