from __future__ import annotations

import pytest

import assay
from assay.errors import ConfigError
from tests.store.examples import example

pytestmark = pytest.mark.slow  # charts take long to draw


def test_results_and_folders_become_one_page(tmp_path):
    assay.save_result(example("rank ratings"), tmp_path / "ranking", command="assay rank da.csv")
    text = assay.report(example("score"), tmp_path / "ranking", title="Both", output=tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == text
    assert "<title>Both</title>" in text
    assert 'id="scores"' in text
    assert 'id="people"' in text
    assert "assay rank da.csv" in text


def test_texts_can_be_left_out():
    output = example("score").testset.outputs["alder"][0]
    assert output[:20] in assay.report(example("score"))
    assert output[:20] not in assay.report(example("score"), texts=False)


def test_a_report_is_a_page(tmp_path):
    with pytest.raises(ConfigError, match="a report is an HTML page"):
        assay.report(example("rank ratings"), output=tmp_path / "x.pdf")
    assert not (tmp_path / "x.pdf").exists()


def test_errors_need_texts_to_be_marked_in():
    from tests.campaigns_with_metrics import campaign

    with pytest.raises(ConfigError, match="no texts are shown that errors could be marked in"):
        assay.report(example("rank ratings"), campaigns=[campaign()])


def test_wrong_arguments():
    with pytest.raises(ConfigError, match="no result was given"):
        assay.report()
    with pytest.raises(ConfigError, match="results must be a Result, a string or a path, not int"):
        assay.report(3)
