from __future__ import annotations

import math

import numpy as np

from assay.study.reliability import reliability
from assay.types import Campaign, ScoreTable
from tests.human.test_ranking import rankings, ratings


def test_rankings_have_kappas():
    found = reliability(rankings())
    assert set(found) == {"kappa between judges", "kappa within judges"}
    assert 0 < found["kappa between judges"].value < 1
    assert found["kappa within judges"].reason is None or math.isnan(found["kappa within judges"].value)


def test_ratings_have_correlations():
    found = reliability(ratings())
    assert set(found) == {
        "Pearson of two raters",
        "Spearman of two raters",
        "split-half reliability of segments",
        "split-half reliability of systems",
    }
    assert found["Pearson of two raters"].n == 1


def test_scores_use_the_single_raters_of_the_campaign():
    random = np.random.Generator(np.random.PCG64(3))
    truth = random.normal(size=(4, 50))
    names = tuple("abcd")
    raters = [
        ScoreTable(f"mqm-col{k}", "segment", names, truth + random.normal(size=(4, 50)), protocol="MQM")
        for k in (1, 2, 3)
    ]
    mean = ScoreTable("mqm", "segment", names, np.mean([t.values for t in raters], axis=0), protocol="MQM")
    other = ScoreTable("da-col1", "segment", names, truth, protocol="DA")
    campaign = Campaign("wmt", "en-de", 50, names, ("d",), None, (mean, *raters, other))
    found = reliability(campaign, gold="mqm", keep_references=True)
    assert found["Pearson of two raters"].n == 3
    assert 0.3 < found["Pearson of two raters"].value < 0.7
    assert found["split-half reliability of segments"].value > found["Pearson of two raters"].value
    assert reliability(campaign, gold="mqm-col2", keep_references=True).to_dict()["measures"] == list(found.rows())
    assert list(map(str, reliability(campaign, gold="mqm").notes)) == ["left out: d (a reference)"]
    assert reliability(mean)["Pearson of two raters"].reason == "the scores of individual raters are not stored"
