from __future__ import annotations

import pytest

import assay
from assay.errors import ConfigError
from tests.store.examples import example


def test_of_results_and_of_folders(tmp_path):
    assay.save_result(example("score"), tmp_path / "run")
    from_folder = assay.plot("scores:metric=chrf", tmp_path / "run", width=368)
    assert assay.charts.svg(from_folder) == assay.charts.svg(
        assay.plot("scores:metric=chrf", example("score"), width=368)
    )


def test_a_figure_is_written_by_its_suffix(tmp_path):
    assay.plot("scores", example("score"), output=tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text(encoding="utf-8").startswith("<svg")
    with pytest.raises(ConfigError, match="unknown suffix of a figure"):
        assay.plot("scores", example("score"), output=tmp_path / "x.gif")


def test_what_is_not_drawn_is_an_error():
    with pytest.raises(ConfigError, match="a chart shows one Run, and there are several"):
        assay.plot("scores", example("score"), example("score"))
    with pytest.raises(ConfigError, match="the result has no 'nope'"):
        assay.plot("robustness:metrics=nope", example("robustness top"))
    with pytest.raises(ConfigError, match="the result has no 'nope'"):
        assay.plot("subsamples:metrics=nope", example("robustness subsamples"))
    with pytest.raises(ConfigError, match="limit of the chart 'metric-ranking' must be at least 1"):
        assay.plot("metric-ranking:limit=0", example("meta"))
    with pytest.raises(ConfigError, match="there is no human ranking of 'xx-yy'"):
        assay.plot("differences:lp=xx-yy", example("compare"))
    with pytest.raises(ConfigError, match="width must be"):
        assay.plot("scores", example("score"), width="wide")


def test_theme():
    assert "#e9ebee" in assay.charts.svg(assay.plot("scores", example("score"), theme="dark"))


def test_too_narrow():
    with pytest.raises(ConfigError, match="width must be at least 368, not 100"):
        assay.plot("scores", example("score"), width=100)
