from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import trueskill

import assay
from assay import _core
from assay.errors import ConfigError
from assay.human.comparisons import comparisons_of
from assay.human.methods import method
from assay.human.methods.expected_wins import ExpectedWins
from assay.human.methods.trueskill import TrueSkill
from assay.types.runtime import Runtime
from tests.human.judged import (
    WMT15,
    WMT16,
    make_rankings,
    needs_archives,
    official_trueskill,
    random_comparisons,
    wmt_rankings,
)

WIN, TIE, LOSS = range(3)


def oracle_paths(outcomes, matches, settings):
    """The means of two systems after every sequence of so many outcomes, by the package `trueskill`."""
    beta = settings.sigma * matches / settings.beta_divisor
    environment = trueskill.TrueSkill(
        mu=0, sigma=settings.sigma, beta=beta, tau=0, draw_probability=settings.draw_rate, backend="scipy"
    )

    def play(first, second, outcome):
        if outcome == LOSS:
            return trueskill.rate_1vs1(second, first, env=environment)[::-1]
        return trueskill.rate_1vs1(first, second, drawn=outcome == TIE, env=environment)

    beliefs = {(): (environment.create_rating(), environment.create_rating())}
    for _ in range(matches):
        beliefs = {(*path, outcome): play(*pair, outcome) for path, pair in beliefs.items() for outcome in outcomes}
    return np.array([[first.mu, second.mu] for first, second in beliefs.values()])


def two_systems(outcomes):
    counts = np.zeros((2, 2, 3), np.int64)
    for outcome in outcomes:
        counts[0, 1, outcome] += 1
    return counts


def play(outcomes, settings, runs, seed=1):
    margin = trueskill.TrueSkill(backend="scipy").ppf((settings.draw_rate + 1) / 2) * math.sqrt(2)
    return _core.trueskill(two_systems(outcomes), settings.sigma, settings.beta_divisor, margin, False, runs, seed, 1)


SETTINGS = [
    TrueSkill(),
    TrueSkill(sigma=25 / 3, beta_divisor=4, draw_rate=0.1),
    TrueSkill(sigma=0.1, beta_divisor=100, draw_rate=0.5),
    TrueSkill(sigma=2, beta_divisor=2, draw_rate=0.01),
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("outcome", [WIN, TIE, LOSS])
def test_one_outcome_as_the_package(settings, outcome):
    """A match more than judgements is played, as the organisers did."""
    for judgements in (1, 2, 5):
        (expected,) = oracle_paths([outcome], judgements + 1, settings)
        (found,) = play([outcome] * judgements, settings, 1)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS)
def test_mixed_outcomes_as_the_package(settings):
    """A win, a tie and a loss, drawn four times: each run is one of 81 ways, and all are equally likely."""
    expected = oracle_paths([WIN, TIE, LOSS], 4, settings)
    found = play([WIN, TIE, LOSS], settings, 4000)
    distance = np.abs(found[:, np.newaxis, :] - expected).max(axis=2)
    assert distance.min(axis=1).max() < 1e-9 * settings.sigma
    distinct = np.abs(expected[:, np.newaxis, :] - expected).max(axis=2) < 1e-8 * settings.sigma
    seen = np.bincount(distance.argmin(axis=1), minlength=81)
    for path in range(81):  # ways that end alike are counted together
        share = distinct[path].sum() / 81
        assert abs(seen[distinct[path]].sum() - 4000 * share) < 5 * math.sqrt(4000 * share * (1 - share))


def test_the_better_of_two():
    comparisons = comparisons_of(make_rankings([[1, 2]] * 9 + [[2, 1]]))
    found = TrueSkill().score(comparisons, resamples=100, seed=1, runtime=Runtime(threads=1))
    assert found.scores[0] > 0.1 > -0.1 > found.scores[1]
    assert found.scores == pytest.approx(found.replicates.mean(axis=1))


def test_threads_and_draws_do_not_matter():
    for comparisons in random_comparisons(10, seed=11):
        found = TrueSkill().score(comparisons, resamples=20, seed=5, runtime=Runtime(threads=1))
        assert (
            TrueSkill().score(comparisons, resamples=20, seed=5, runtime=Runtime(threads=4)).replicates.tobytes()
            == found.replicates.tobytes()
        )
        fewer = TrueSkill().score(comparisons, resamples=7, seed=5, runtime=Runtime(threads=1))
        assert fewer.replicates.tobytes() == found.replicates[:, :7].tobytes()
        assert not np.array_equal(
            TrueSkill().score(comparisons, resamples=20, seed=6, runtime=Runtime(threads=1)).replicates,
            found.replicates,
        )
        none = TrueSkill().score(comparisons, resamples=0, seed=5, runtime=Runtime(threads=1))
        assert none.replicates.shape == (len(comparisons.systems), 0)
        assert none.scores.tobytes() == found.replicates[:, 0].tobytes()


def test_a_system_that_nobody_met_has_no_score():
    found = TrueSkill().score(
        comparisons_of(make_rankings([[1, 0, 2], [2, 0, 1]])), resamples=5, seed=1, runtime=Runtime(threads=1)
    )
    assert np.isnan(found.scores).tolist() == [False, True, False]
    assert np.isnan(found.replicates[1]).all()


def test_a_draw_without_a_system_does_not_count_for_it():
    rankings = make_rankings([[1, 2, 0]] * 5 + [[1, 0, 2]])
    found = TrueSkill().score(comparisons_of(rankings), resamples=200, seed=1, runtime=Runtime(threads=1))
    missing = np.isnan(found.replicates[2])
    assert 0.2 < missing.mean() < 0.5  # (5/6)^6 = .335
    assert found.scores[2] == pytest.approx(found.replicates[2, ~missing].mean())
    assert found.scores[2] < 0
    whole = TrueSkill(resample=False).score(comparisons_of(rankings), resamples=20, seed=1, runtime=Runtime(threads=1))
    assert not np.isnan(whole.replicates).any()


def test_only_ties():
    found = TrueSkill().score(
        comparisons_of(make_rankings([[1, 1, 1]] * 10)), resamples=10, seed=1, runtime=Runtime(threads=1)
    )
    assert found.replicates == pytest.approx(np.zeros((3, 10)))


def test_far_apart_and_certain():
    """Skills far apart, hardly any noise: no opponent is near, tails run out of digits; still a number, and soon."""
    comparisons = comparisons_of(make_rankings([[1, 2, 3, 4]] * 20 + [[4, 3, 2, 1], [1, 1, 1, 1]]))
    for settings in (TrueSkill(sigma=1e4), TrueSkill(beta_divisor=1e9), TrueSkill(sigma=100, beta_divisor=1e6)):
        found = settings.score(comparisons, resamples=10, seed=1, runtime=Runtime(threads=1))
        assert np.isfinite(found.replicates).all()
        assert found.scores[0] > found.scores[3]


@pytest.mark.parametrize(
    "options", ["sigma=0", "sigma=-1", "beta_divisor=0", "draw_rate=0", "draw_rate=1", "sigma=nan"]
)
def test_bad_options_are_refused(options):
    with pytest.raises(ConfigError):
        method.create(f"trueskill:{options}")


def boundaries(clusters):
    """The places after which a new cluster begins."""
    return {place for place in range(1, len(clusters)) if clusters[place] != clusters[place - 1]}


@needs_archives
def test_official_scores():
    """Pearson with the organisers' scores, and closer to them than expected wins are."""
    ours, others = [], []
    for name, pairs, settings in (("wmt15", WMT15, TrueSkill(resample=False)), ("wmt16", WMT16, TrueSkill())):
        for lp in pairs:
            comparisons = comparisons_of(wmt_rankings(name, lp))
            official = official_trueskill(name, lp)
            assert set(official) == set(comparisons.systems)
            scores = [official[system][0] for system in comparisons.systems]
            for ranker, found in ((settings, ours), (ExpectedWins(), others)):
                scored = ranker.score(
                    comparisons, resamples=30 if ranker is settings else 0, seed=12345, runtime=Runtime(threads=1)
                )
                found.append(np.corrcoef(scored.scores, scores)[0, 1])
    assert len(ours) == 22
    assert min(ours) > 0.985
    assert np.mean(ours) > 0.999 > np.mean(others)


@needs_archives
@pytest.mark.parametrize(
    ("name", "lp"),
    [
        *itertools.product(["wmt16"], ["de-en", "ro-en", "en-ro", "tr-en", "en-tr"]),
        ("wmt15", "fr-en"),
        ("wmt15", "fi-en"),
    ],
)
def test_official_clusters(name, lp):
    spec = "trueskill:resample=no" if name == "wmt15" else "trueskill"
    found = assay.rank(wmt_rankings(name, lp), method=spec, resamples=300, runtime=Runtime(threads=1))
    official = official_trueskill(name, lp)
    assert {ranked.system for ranked in found} == set(official)
    differing = boundaries([ranked.cluster for ranked in found]) ^ boundaries(
        [cluster for _, cluster in official.values()]
    )
    assert len(differing) <= 1
