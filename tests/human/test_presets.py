from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from assay import rank
from assay.errors import UnknownNameError
from assay.human.options import RankingOptions
from assay.human.preparation import prepare
from assay.human.presets import PRESETS, Preset, find_preset
from assay.human.scoring import segment_scores
from assay.study.load_campaign import load_campaign
from tests import archives
from tests.human.judged import needs_archives

# Means over all segments, by the organisers' filter of the file.
EN_HI = {
    "ONLINE-B": 92.2896,
    "Claude-3.5": 91.9360,
    "TranssionMT": 91.1414,
    "Gemini-1.5-Pro": 90.6936,
    "Unbabel-Tower70B": 90.4512,
    "GPT-4": 89.3670,
    "Llama3-70B": 89.2222,
    "IOL-Research": 88.3064,
    "refA": 87.8485,
    "Aya23": 83.7003,
    "IKUN-C": 73.8788,
}


def test_presets_by_name():
    assert find_preset("wmt24") is PRESETS["wmt24"]
    assert find_preset(None) == Preset()
    with pytest.raises(UnknownNameError, match="there is no preset 'wmt2'"):
        find_preset("wmt2")


@needs_archives
def test_esa_of_wmt24():
    (path,) = (archives.unpacked("formats") / "esa-wmt24").glob("*.en-hi.csv")
    campaign = load_campaign(path)
    pooled = rank(campaign, preset="wmt24", over_domains="pooled", keep_references=True, resamples=20)
    assert {ranked.system: round(ranked.score.value, 4) for ranked in pooled} == EN_HI
    assert {ranked.score.n for ranked in pooled} == {297}
    ranking = rank(campaign, preset="wmt24", by_domain=True, keep_references=True, resamples=20)
    assert set(ranking.by_domain) == {"news", "social", "speech", "literary"}
    for ranked in ranking:
        means = [by_system[ranked.system].value for by_system in ranking.by_domain.values()]
        assert ranked.score.value == pytest.approx(sum(means) / 4)
    assert [ranked.system for ranked in ranking][:3] == ["Claude-3.5", "TranssionMT", "Unbabel-Tower70B"]
    assert ranking.p_value("Claude-3.5", "IKUN-C") == ranking.p_value("IKUN-C", "Claude-3.5") < 1e-6
    assert ("TranssionMT", "ONLINE-B") in ranking.opposed
    assert "preset:wmt24" in ranking.signature
    check_p_values(ranking, campaign.judgements[0])


def check_p_values(ranking, ratings):
    """Two-sided signed-rank tests by domain, combined by Stouffer's method, all by SciPy."""
    table = segment_scores(prepare(ratings, RankingOptions(preset="wmt24")).judgements)
    scores = dict(zip(table.systems, table.values, strict=True))
    for one, other in combinations(table.systems, 2):
        difference = scores[one] - scores[other]
        p_values = []
        for domain in ranking.by_domain:
            own = difference[[name == domain for name in table.domains]]
            p_values.append(stats.wilcoxon(own[~np.isnan(own)], method="asymptotic").pvalue)
        expected = stats.combine_pvalues(p_values, method="stouffer").pvalue
        assert ranking.p_value(one, other) == pytest.approx(expected, abs=1e-12)
