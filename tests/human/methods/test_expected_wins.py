from __future__ import annotations

import math

import numpy as np
import pytest

from assay.aggregate.resample import Bootstrap
from assay.human.comparisons import comparisons_of
from assay.human.methods import method
from assay.human.methods.expected_wins import ExpectedWins
from assay.types.runtime import Runtime
from tests.human.judged import make_rankings, needs_archives, random_comparisons, random_rankings, wmt_rankings


def score(comparisons, resamples=0, seed=1, threads=1):
    return ExpectedWins().score(comparisons, resamples=resamples, seed=seed, runtime=Runtime(threads=threads))


def slow_expected_wins(comparisons, rankings=None):
    """One judgement after another; `rankings` repeats some of them."""
    rows = range(comparisons.rankings) if rankings is None else rankings
    won = {}
    for row in rows:
        for k in np.flatnonzero(comparisons.ranking == row):
            pair, outcome = (int(comparisons.first[k]), int(comparisons.second[k])), int(comparisons.outcome[k])
            if outcome != 1:
                winner, loser = pair if outcome == 0 else pair[::-1]
                won.setdefault((winner, loser), []).append(1)
                won.setdefault((loser, winner), []).append(0)
    found = []
    for system in range(len(comparisons.systems)):
        shares = [sum(games) / len(games) for (one, _), games in won.items() if one == system]
        found.append(sum(shares) / len(shares) if shares else math.nan)
    return found


def test_as_the_slow_twin():
    for comparisons in random_comparisons(200):
        assert score(comparisons).scores == pytest.approx(slow_expected_wins(comparisons), nan_ok=True)


def test_draws_are_of_whole_rankings():
    for comparisons in random_comparisons(15, seed=3):
        found = score(comparisons, resamples=5, seed=9)
        (weights,) = Bootstrap(5, None, 9).blocks(comparisons.rankings, runtime=Runtime(threads=1))
        for row, counts in zip(found.replicates.T, weights, strict=True):
            rankings = np.repeat(np.arange(comparisons.rankings), counts)
            assert row == pytest.approx(slow_expected_wins(comparisons, rankings), nan_ok=True)
        again = score(comparisons, resamples=5, seed=9, threads=3)
        assert again.replicates.tobytes() == found.replicates.tobytes()


def test_by_hand():
    # a beats b twice of three, ties with b, and beats c; b and c never met.
    comparisons = comparisons_of(make_rankings([[1, 2, 0], [1, 2, 0], [2, 1, 0], [1, 1, 0], [1, 0, 2]]))
    assert score(comparisons).scores == pytest.approx([(2 / 3 + 1) / 2, 1 / 3, 0])
    assert score(comparisons).replicates.shape == (3, 0)


def test_the_mean_is_a_half_where_all_met():
    for rankings in random_rankings(60, seed=5):
        if not (rankings.ranks > 0).any(axis=0).all() or not ((rankings.ranks > 0).sum(axis=1) > 1).any():
            continue
        comparisons = comparisons_of(rankings)
        wins, _ = comparisons.wins()
        if ((wins + wins.T)[~np.eye(len(wins), dtype=bool)] > 0).all():
            assert score(comparisons).scores.mean() == pytest.approx(0.5)


def test_undefined_where_nothing_was_won_or_lost():
    comparisons = comparisons_of(make_rankings([[1, 1, 0, 0], [0, 1, 2, 0]]))
    found = score(comparisons, resamples=20)
    assert found.scores == pytest.approx([math.nan, 1, 0, math.nan], nan_ok=True)
    assert np.isnan(found.replicates[[0, 3]]).all()
    assert np.isnan(score(comparisons_of(make_rankings([[1, 1]]))).scores).all()


def test_order_and_names_do_not_matter():
    for rankings in random_rankings(40, seed=6):
        if ((rankings.ranks > 0).sum(axis=1) > 1).any():
            turned = rankings.take(rankings.systems[::-1])
            found = score(comparisons_of(rankings), resamples=3)
            other = score(comparisons_of(turned), resamples=3)
            assert other.scores[::-1] == pytest.approx(found.scores, nan_ok=True)
            assert other.replicates[::-1] == pytest.approx(found.replicates, nan_ok=True)


def test_is_found_by_name():
    assert method.create("expected-wins") == ExpectedWins()
    assert method.names() == ["expected-wins", "trueskill", "wins"]


@needs_archives
@pytest.mark.parametrize(("lp", "best"), [("cs-en", 0.606), ("fr-en", 0.638)])
def test_the_best_of_wmt13(lp, best):
    found = score(comparisons_of(wmt_rankings("wmt13", lp, "rr-pairs"))).scores
    assert found.max() == pytest.approx(best, abs=0.0005)
    assert found.mean() == pytest.approx(0.5)
