from __future__ import annotations

import pytest

from assay.reports import document, renderer
from tests.study.test_correlate import correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_a_grid_of_all_scores_and_one_of_samples(result):
    (section,) = document(result).sections
    scores, samples = section.grids
    assert [column.title for column in scores.columns][2:] == ["pooled", "n", "mean", "test sets", "lowest", ""]
    assert [column.title for column in samples.columns] == ["on 20 samples of", "", "1", "5"]
    assert len(scores.rows) == len(samples.rows) == len(result)


def test_as_text(result):
    text = renderer.create("table").render(document(result))
    each = result["bleu", "m-bleu"]
    line = next(line for line in text.splitlines() if line.split()[:2] == ["bleu", "m-bleu"])
    assert f"{each.pooled.value:.3f} [{each.pooled.low:.3f}, {each.pooled.high:.3f}]" in line
    assert line.endswith(each.lowest[0])
