from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.stats import ttest_rel

from assay.calibration.metric_scores import MetricScores, StoredScores
from assay.calibration.options import PairOptions
from assay.types import ScoreTable
from assay.types.runtime import Runtime
from tests.calibration.made_up import campaign
from tests.calibration.test_options import OPTIONS


def test_stored_scores_are_tested_by_their_segments():
    random = np.random.Generator(np.random.PCG64(1))
    first, second = random.normal(size=(2, 20))
    second[3] = np.nan
    scores = StoredScores({"a": 1.0, "b": 0.0, "c": 0.5}, {"a": first, "b": second})
    both = ~np.isnan(second)
    p = scores.p_values([("a", "b"), ("a", "c")])
    assert p[0] == pytest.approx(ttest_rel(first[both], second[both]).pvalue)
    assert np.isnan(p[1])


def test_documented_scores_have_the_scale_of_the_metric():
    """WMT20 stores chrF from 0 to 1, and TER negated, so that higher is better."""
    made = campaign(name="wmt20")
    tables = [
        ScoreTable(name, "system", made.systems, np.array([[value]] * 4), references=("ref",))
        for name, value in (("chrF", 0.61), ("TER", -0.53), ("BLEU", 34.1), ("chrF++", 59.3))
    ]
    stored = dataclasses.replace(made, testset=None, scores=(*made.scores, *tables))
    options = PairOptions(**OPTIONS | {"metrics": ("bleu", "chrf", "ter", "chrf++")})
    values = MetricScores.of(stored, options, {}, Runtime()).values(None, options, Runtime())
    assert {key: scores["s0"] for key, scores in values.items()} == {
        ("bleu", "corpus"): 34.1,
        ("chrf", "corpus"): 61.0,
        ("ter", "corpus"): -53.0,
    }
    with_texts = dataclasses.replace(stored, testset=made.testset)
    assert not MetricScores.of(with_texts, options, {}, Runtime()).stored


@pytest.mark.parametrize(("lp", "is_left_out"), [("en-zh", True), ("en-ja", True), ("zh-en", False)])
def test_stored_ter_of_texts_without_spaces_is_left_out(lp, is_left_out):
    """Its words are whole sentences. BLEU has a tokeniser for them, and chrF needs none."""
    made = campaign(lp, name="wmt20")
    tables = [
        ScoreTable(name, "system", made.systems, np.arange(4.0)[:, np.newaxis], references=("ref",))
        for name in ("BLEU", "TER")
    ]
    stored = dataclasses.replace(made, testset=None, scores=(*made.scores, *tables))
    options = PairOptions(**OPTIONS | {"metrics": ("bleu", "ter")})
    scores = MetricScores.of(stored, options, {}, Runtime())
    assert (("ter", "corpus") in scores.stored) != is_left_out
    assert ("bleu", "corpus") in scores.stored
    text = "the stored TER is left out: it takes a sentence without spaces for one word"
    assert [note.text for note in scores.notes] == [text] * is_left_out
