from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.human.options import RankingOptions, check_effect
from assay.significance.randomisation import Randomisation
from assay.significance.rank_sum import RankSum
from assay.types import ErrorSpan, ScoreTable
from tests.human.judged import make_rankings, make_ratings

SCORES = ScoreTable("da", "segment", ("a", "b"), np.ones((2, 3)), protocol="DA")
RATINGS = make_ratings([("x", "a", 0, 50.0)])
ERRORS = make_ratings([("x", "a", 0, math.nan)], protocol="MQM", errors=((ErrorSpan("style", "minor"),),))
RANKINGS = make_rankings([[1, 2]])


@pytest.mark.parametrize(
    ("judgements", "refused"),
    [
        (SCORES, {"weights": "wmt23", "standardise": "sample", "quality": 0.1, "threshold": 5.0}),
        (RATINGS, {"weights": "wmt23", "threshold": 5.0}),
        (ERRORS, {"standardise": "sample", "threshold": 5.0}),
        (
            RANKINGS,
            {
                "weights": "wmt23",
                "standardise": "sample",
                "quality": 0.1,
                "threshold": 5.0,
                "test": "rank-sum",
                "over_domains": "mean",
                "by_domain": True,
                "preset": "wmt24",
            },
        ),
    ],
)
def test_options_without_an_effect_are_refused(judgements, refused):
    options = {
        "weights": "wmt23",
        "standardise": "sample",
        "quality": 0.1,
        "threshold": 5.0,
        "test": "rank-sum",
        "over_domains": "mean",
        "by_domain": True,
        "preset": "wmt24",
        "alpha": 0.1,
        "correction": "holm",
        "resamples": 10,
        "seed": 1,
        "confidence": 0.9,
    }
    for name, value in options.items():
        if name in refused:
            with pytest.raises(ConfigError, match=f"{name} has no effect on '{judgements.name}'") as caught:
                check_effect(judgements, RankingOptions(**{name: value}))
            assert caught.value.hint
        else:
            check_effect(judgements, RankingOptions(**{name: value}))


def test_a_method_for_rankings_changes_what_has_an_effect():
    check_effect(SCORES, RankingOptions(method="wins", threshold=5.0))
    with pytest.raises(ConfigError, match="test has no effect"):
        check_effect(SCORES, RankingOptions(method="wins", test="rank-sum"))


def test_zero_is_a_value_too():
    with pytest.raises(ConfigError, match="threshold has no effect"):
        check_effect(SCORES, RankingOptions(threshold=0.0))


def test_without_resamples_nothing_is_random():
    for name in ("seed", "confidence"):
        options = {"resamples": 0, name: 1 if name == "seed" else 0.9}
        with pytest.raises(ConfigError, match=f"{name} has no effect"):
            check_effect(SCORES, RankingOptions(**options))
    check_effect(RANKINGS, RankingOptions(method="trueskill:resample=no", resamples=0, seed=1))
    with pytest.raises(ConfigError, match="confidence has no effect"):  # one run, without an interval
        check_effect(RANKINGS, RankingOptions(method="trueskill", resamples=0, confidence=0.9))


def test_a_test_that_draws_uses_seed_and_resamples():
    mqm = ScoreTable("mqm", "segment", ("a", "b"), -np.ones((2, 3)), protocol="MQM")
    assert RankingOptions().test_of("MQM") == Randomisation(1000, 12345)
    assert RankingOptions(resamples=5000, seed=3).test_of("MQM") == Randomisation(5000, 3)
    assert RankingOptions(resamples=0, seed=3).test_of("MQM") == Randomisation(1000, 3)
    own = RankingOptions(resamples=5000, seed=3, test="randomisation:resamples=20,seed=1")
    assert own.test_of("DA") == Randomisation(20, 1)
    assert RankingOptions(seed=3).test_of("DA") == RankSum()
    check_effect(mqm, RankingOptions(resamples=0, seed=3))
    with pytest.raises(ConfigError, match="seed has no effect on 'mqm'"):
        check_effect(mqm, RankingOptions(resamples=0, seed=3, test="randomisation:seed=1"))
    with pytest.raises(ConfigError, match="confidence has no effect on 'mqm'"):
        check_effect(mqm, RankingOptions(resamples=0, confidence=0.9))


@pytest.mark.parametrize("name", ["alpha", "confidence", "quality", "threshold", "resamples", "seed"])
@pytest.mark.parametrize("value", ["x", -1, math.nan, True])
def test_numbers_are_checked_where_they_are_held(name, value):
    with pytest.raises(ConfigError, match=f"{name} must be"):
        RankingOptions(**{name: value})


@pytest.mark.parametrize("name", ["alpha", "correction", "standardise", "resamples"])
def test_none_is_no_value(name):
    with pytest.raises(ConfigError, match=name):
        RankingOptions(**{name: None})


def test_wrong_values():
    with pytest.raises(ConfigError, match="unknown preset 'wmt42'"):
        RankingOptions(preset="wmt42")
    with pytest.raises(ConfigError, match="unknown over_domains 'max'"):
        RankingOptions(over_domains="max")
    assert RankingOptions(alpha=0.1).settings == {
        "correction": "none",
        "alpha": "0.1",
        "resamples": "1000",
        "seed": "12345",
        "confidence": "0.95",
    }
