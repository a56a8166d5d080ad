"""Which result the verdict is about."""

from __future__ import annotations

import importlib

import pytest

import assay.results
from assay.cli.front_page import COMMANDS
from assay.words import _BUILDERS, verdict
from tests.store.examples import example


def test_comparisons_come_before_scores_and_systems_before_metrics():
    assert (
        " ahead of " in verdict([example("score"), example("compare")]).text
        or "shown" in verdict([example("score"), example("compare")]).text
    )
    assert verdict([example("meta"), example("rank ratings")]).text.startswith("People ")
    assert "has the highest" in verdict([example("robustness top"), example("meta")]).text


def test_results_without_a_verdict_have_no_headline():
    assert not verdict([example("metrics task")]).headline
    assert not verdict([]).headline


@pytest.mark.parametrize("name", _BUILDERS)
def test_what_the_headline_is_about_names_the_command_that_made_it(name):
    module, function = _BUILDERS[name].split(".")
    assert callable(getattr(importlib.import_module(f"assay.words.{module}"), function))
    assert getattr(assay.results, name).made_by in COMMANDS
