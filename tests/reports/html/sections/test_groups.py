from __future__ import annotations

from assay import compare
from tests.reports.html.sections.built import built
from tests.store import examples
from tests.store.examples import example


def test_scores_by_group_have_a_column_for_each_system():
    section, content = built("groups", example("score"))["groups"]
    assert section.heading == "Scores by part of the test set"
    assert {"domain:news", *example("score").systems} <= set(content.cells)


def test_differences_by_group_are_preferred():
    found = compare(examples.testset(), ["bleu"], by="domain", resamples=10)
    section, content = built("groups", example("score"), found)["groups"]
    assert section.heading == "Where do they differ?"
    assert "better by" in content.cells


def test_nothing_without_groups():
    assert built("groups", example("compare")) == {}
