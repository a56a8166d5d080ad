"""A page without texts has none of them, in any part of it."""

from __future__ import annotations

import pytest

import assay
from assay.reports.page.report import without_texts
from tests.reports.page.built import page_text
from tests.store.examples import example

pytestmark = pytest.mark.slow  # charts take long to draw

SECRET = "Zebrafink"  # noqa: S105 - a word of a confidential text
REFERENCES = [f"{SECRET} one two three four five", "six seven eight nine ten"]
OUTPUTS = {"new": [f"{SECRET} one two three four", "six seven eight"], "base": ["one two", f"{SECRET} eight nine ten"]}


@pytest.fixture(scope="module")
def results():
    testset = assay.load(references=REFERENCES, outputs=OUTPUTS, sources=[f"{SECRET} a", "b"])
    run = assay.score(testset, ["bleu", "chrf"], resamples=10)
    comparison = assay.compare(testset, ["bleu"], examples=2, ngrams=5, words=True, resamples=10)
    return run, comparison


def test_texts_are_shown_unless_they_are_left_out(results):
    assert SECRET in page_text(*results)
    assert SECRET.lower() not in page_text(*results, texts=False).lower()


def test_the_results_lose_their_texts_only(results):
    run, comparison = map(without_texts, results)
    assert run.rows().__next__() == results[0].rows().__next__()
    assert run.systems == ("new", "base")
    assert [type(each).__name__ for each in comparison.contrasts] == ["WordGroups"]
    assert without_texts(example("meta")) is example("meta")
