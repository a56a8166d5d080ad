from __future__ import annotations

import numpy as np
import pytest

from assay import rank
from assay.errors import ConfigError
from assay.types import Campaign, Rankings, ScoreTable

SYSTEMS = ("good", "poor", "refA")


@pytest.fixture(scope="module")
def campaign():
    random = np.random.Generator(np.random.PCG64(1))
    quality = np.array([[1.0], [0.0], [2.0]])
    raters = [
        ScoreTable(f"mqm-col{k}", "segment", SYSTEMS, quality + random.normal(size=(3, 80)), protocol="MQM")
        for k in (1, 2)
    ]
    mean = ScoreTable("mqm", "segment", SYSTEMS, np.mean([t.values for t in raters], axis=0), protocol="MQM")
    ranks = np.array([[1, 2, 0], [1, 2, 1], [2, 1, 1]] * 20, np.int8)
    rankings = Rankings("rr", SYSTEMS, ("j", "k"), np.arange(60) % 2, np.arange(60) // 2, ranks)
    return Campaign("wmt", "en-de", 80, SYSTEMS, ("refA",), None, (mean, *raters), (rankings,))


def test_a_campaign_is_ranked_by_its_gold(campaign):
    ranking = rank(campaign, gold="mqm", resamples=50)
    assert [ranked.system for ranked in ranking] == ["good", "poor"]
    assert list(map(str, ranking.notes)) == ["left out: refA (a reference)"]
    assert ranking.settings["test"] == "randomisation"
    assert ranking.agreement is None
    assert rank(campaign, gold="rr", resamples=50).settings["method"] == "expected-wins"


def test_as_the_judgements_alone(campaign):
    table = campaign.find("mqm", "segment")
    alone = rank(table.take(("good", "poor")), resamples=50)
    assert alone.to_dict() == rank(campaign, gold="mqm", resamples=50).to_dict() | {"notes": []}
    assert len(rank(table, resamples=10)) == 3
    assert len(rank(campaign, gold="mqm", keep_references=True, resamples=10)) == 3
    assert [ranked.system for ranked in rank(table, systems=("p*",), resamples=10)] == ["poor"]


def test_agreement_on_request(campaign):
    agreement = rank(campaign, gold="mqm", resamples=10, agreement=True).agreement
    assert agreement is not None
    assert agreement["Pearson of two raters"].n == 1
    assert "kappa between judges" in rank(campaign, gold="rr", resamples=10, agreement=True).agreement


def test_options_reach_the_ranking(campaign):
    ranking = rank(campaign, gold="rr", method="wins:ties=share", alpha=0.1, correction="holm", resamples=10, seed=3)
    assert ranking.signature == ("method:wins:ties=share|correction:holm|alpha:0.1|resamples:10|seed:3|confidence:0.95")
    with pytest.raises(ConfigError, match="alpha must be between"):
        rank(campaign, gold="rr", alpha=0)
