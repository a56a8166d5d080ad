from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.study.rank import rank
from assay.study.rater_reliability import rater_reliability
from assay.types import Campaign, ScoreTable
from tests.human.test_ranking import rankings, ratings


def test_rankings_have_kappas():
    found = rater_reliability(rankings())
    assert set(found) == {"kappa between raters", "kappa within raters"}
    assert 0 < found["kappa between raters"].value < 1
    within = found["kappa within raters"]
    assert math.isnan(within.value)
    assert within.reason == "no two judgements compare the same two outputs"


def test_ratings_have_correlations():
    found = rater_reliability(ratings())
    assert set(found) == {
        "Pearson within pairs of raters",
        "Spearman within pairs of raters",
        "Pearson of two raters, all together",
        "split-half reliability of segments",
        "split-half reliability of systems",
    }
    assert found["Pearson within pairs of raters"].n == 1


def test_seed_and_confidence_are_those_of_the_halves():
    random = np.random.Generator(np.random.PCG64(3))
    truth = random.normal(size=(4, 50))
    raters = [
        ScoreTable(f"da-col{k}", "segment", tuple("abcd"), truth + random.normal(size=(4, 50)), protocol="DA-z")
        for k in range(1, 10)
    ]
    campaign = Campaign("wmt", "en-de", 50, tuple("abcd"), (), None, tuple(raters))
    plain = rater_reliability(campaign, gold="da-col1")
    half = "split-half reliability of segments"
    assert plain.signature == "halvings:100|seed:12345|confidence:0.95"
    assert rater_reliability(campaign, gold="da-col1", seed=7)[half].value != plain[half].value
    narrow = rater_reliability(campaign, gold="da-col1", confidence=0.5)
    assert plain[half].low < narrow[half].low < narrow[half].high < plain[half].high
    ranked = rank(campaign, gold="da-col1", reliability=True, seed=7, confidence=0.5, resamples=10).reliability
    assert ranked.to_dict() == rater_reliability(campaign, gold="da-col1", seed=7, confidence=0.5).to_dict()
    with pytest.raises(ConfigError, match="confidence must be"):
        rater_reliability(campaign, gold="da-col1", confidence=2)
    assert rater_reliability(rankings()).signature == ""


def test_scores_use_the_single_raters_of_the_campaign():
    random = np.random.Generator(np.random.PCG64(3))
    truth = random.normal(size=(4, 50))
    names = tuple("abcd")
    raters = [
        ScoreTable(f"mqm-col{k}", "segment", names, truth + random.normal(size=(4, 50)), protocol="MQM")
        for k in (1, 2, 3)
    ]
    mean = ScoreTable("mqm", "segment", names, np.mean([t.values for t in raters], axis=0), protocol="MQM")
    other = ScoreTable("da-col1", "segment", names, truth, protocol="DA-z")
    campaign = Campaign("wmt", "en-de", 50, names, ("d",), None, (mean, *raters, other))
    found = rater_reliability(campaign, gold="mqm", keep_references=True)
    assert found["Pearson within pairs of raters"].n == 3
    assert 0.3 < found["Pearson within pairs of raters"].value < 0.7
    assert found["split-half reliability of segments"].value > found["Pearson within pairs of raters"].value
    assert rater_reliability(campaign, gold="mqm-col2", keep_references=True).to_dict()["rows"] == list(found.rows())
    assert list(map(str, rater_reliability(campaign, gold="mqm").notes)) == ["left out: d (a reference)"]
    assert (
        rater_reliability(mean)["Pearson within pairs of raters"].reason
        == "the scores of individual raters are not stored"
    )


def test_kappa_counts_the_pairs_of_outputs_that_two_compared():
    """Five people ranked four systems on the same 60 segments, without ties, so that agreement by chance is 1/2."""
    found = rater_reliability(rankings())
    between, within = (found[name] for name in found)
    ranks = rankings().ranks.reshape(5, 60, 5)[:, :, :4]
    first, second = np.triu_indices(4, 1)
    is_better = ranks[:, :, first] < ranks[:, :, second]
    one, other = np.triu_indices(5, 1)
    agreed = is_better[one] == is_better[other]
    assert between.n == agreed.size == 10 * 60 * 6
    assert math.isclose(between.value, 2 * agreed.mean() - 1)
    assert math.isnan(within.value)
    assert (within.n, within.reason) == (0, "no two judgements compare the same two outputs")
