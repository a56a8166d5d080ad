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


def test_theme():
    assert "#e9ebee" in assay.charts.svg(assay.plot("scores", example("score"), theme="dark"))


def test_too_narrow():
    with pytest.raises(ConfigError, match="width must be at least 368, not 100"):
        assay.plot("scores", example("score"), width=100)
