from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.reports import document, renderer
from assay.types import ScoreTable
from tests.study.test_correlate import campaign, correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_a_grid_of_all_scores_and_one_of_samples(result):
    (section,) = document(result).sections
    scores, samples = section.grids
    assert [column.title for column in scores.columns][2:] == ["pooled", "n", "mean", "language pairs", "lowest", ""]
    assert [column.title for column in samples.columns] == ["on 20 samples of", "", "1", "5"]
    assert len(scores.rows) == len(result) == 15
    assert len(samples.rows) == 14  # two bootstrap scores have no value on samples
    names = {row[k].text for row in samples.rows for k in (0, 1)}
    assert names == {"bleu", "m-bleu", "ter", "m-ter", "x-bleu (whole)", "x-ter (whole)"}


def test_as_text(result):
    text = renderer.create("table").render(document(result))
    each = result["bleu", "m-bleu"]
    line = next(line for line in text.splitlines() if line.split()[:2] == ["bleu", "m-bleu"])
    assert f"{each.pooled.value:.3f} [{each.pooled.low:.3f}, {each.pooled.high:.3f}]" in line
    assert f"{each.mean.value:.3f} [{each.mean.low:.3f}, {each.mean.high:.3f}]" in line
    assert line.endswith(each.lowest[0])
    assert "mean over the samples [the middle 95 % of them]" in text
    assert "§" not in text


def test_values_over_fewer_systems_are_marked():
    some = ScoreTable("some", "segment", ("s0", "s1", "s2"), np.random.default_rng(1).normal(size=(3, 12)))
    sets = [campaign(1), campaign(2, segments=30, lp="en-de")]
    options = {"metrics": "chrf", "agg": "corpus,segment", "sample_sizes": [20], "samples": 3}
    text = renderer.create("table").render(document(assay.correlate(sets, external={"de-en": [some]}, **options)))
    lines = [line for line in text.splitlines() if line.startswith("chrf")]
    assert [("some" in line, "§" in line) for line in lines[:2]] == [(False, False), (True, True)]
    assert "§: over fewer systems than other values" in text
    assert "(5)" in lines[2]
    assert "(n): number of systems, where it differs from the table above" in text
