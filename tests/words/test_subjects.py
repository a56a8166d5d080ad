from __future__ import annotations

from dataclasses import replace

import pytest

from assay.words.subjects import is_same, subject, subjects
from tests.charts.examples import calibration, decisions
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example


@pytest.mark.parametrize(
    ("result", "about"),
    [
        ("meta", "wmt99 de-en, en-zh"),
        ("rank ratings", "appraise"),
        ("rank pairs", "de-en, en-zh"),
    ],
)
def test_what_results_are_about(result, about):
    assert subject(example(result)) == about


def test_many_language_pairs_are_counted():
    assert subject(calibration()).endswith(", 6 language pairs")
    assert subject(decisions()).endswith(", 6 language pairs")


def test_of_several_results():
    made = comparison(compared("bleu", 1.2))
    named = replace(made, inputs=replace(made.inputs, name="wmt22"))
    other = replace(made, inputs=replace(made.inputs, lp="en-zh"))
    assert list(subjects([made, named, other])) == ["wmt22 en-de", "en-zh"]
    assert is_same("en-de", "wmt22 en-de")
    assert not is_same("en-de", "en-zh")
