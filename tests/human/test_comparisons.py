from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from assay.errors import InputError
from assay.human.comparisons import comparisons_of, preferences_by_threshold
from assay.types import ScoreTable
from tests.human.judged import make_rankings, needs_archives, random_rankings, wmt_rankings


def slow_comparisons(rankings):
    """(ranking, better, worse) or (ranking, the two that tie), as a bag."""
    found = Counter()
    for row in range(len(rankings)):
        ranked = [(s, r) for s, r in zip(rankings.systems, rankings.ranks[row].tolist(), strict=True) if r]
        for (one, rank), (other, second) in combinations(ranked, 2):
            if rank == second:
                found[row, frozenset((one, other))] += 1
            else:
                found[row, (one, other) if rank < second else (other, one)] += 1
    return found


def as_bag(comparisons):
    found = Counter()
    for row, i, j, outcome in zip(
        comparisons.ranking, comparisons.first, comparisons.second, comparisons.outcome, strict=True
    ):
        one, other = comparisons.systems[i], comparisons.systems[j]
        found[int(row), ((one, other), frozenset((one, other)), (other, one))[outcome]] += 1
    return found


def test_as_the_slow_twin():
    for rankings in random_rankings(300):
        expected = slow_comparisons(rankings)
        if not expected:
            with pytest.raises(InputError, match="never compare two systems"):
                comparisons_of(rankings)
            continue
        found = comparisons_of(rankings)
        assert as_bag(found) == expected
        assert len(found) == expected.total()
        assert found.ties == sum(n for (_, pair), n in expected.items() if isinstance(pair, frozenset))
        assert (found.first < found.second).all()
        assert found.rankings == len(rankings)


def test_counts_by_hand():
    # a > b = c, then c > a, then a alone.
    found = comparisons_of(make_rankings([[1, 2, 2], [2, 0, 1], [1, 0, 0]]))
    wins, ties = found.wins()
    assert wins.tolist() == [[0, 1, 1], [0, 0, 0], [1, 0, 0]]
    assert ties.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert found.outcomes().sum() == len(found) == 4
    assert found.outcomes()[0, 2].tolist() == [1, 0, 1]


def test_weights_are_of_rankings():
    for rankings in random_rankings(60, seed=4):
        if not slow_comparisons(rankings):
            continue
        found = comparisons_of(rankings)
        weights = np.random.Generator(np.random.PCG64(1)).integers(0, 4, len(rankings)).astype(np.uint32)
        repeated = np.repeat(np.arange(len(rankings)), weights)
        expected = np.zeros_like(found.outcomes())
        for row in repeated:
            for i, j, outcome in zip(
                found.first[found.ranking == row],
                found.second[found.ranking == row],
                found.outcome[found.ranking == row],
                strict=True,
            ):
                expected[i, j, outcome] += 1
        assert found.outcomes(weights).tolist() == expected.tolist()
        assert found.outcomes(np.ones(len(rankings), np.uint32)).tolist() == found.outcomes().tolist()


def test_renaming_and_order_do_not_matter():
    for rankings in random_rankings(50, seed=5):
        if slow_comparisons(rankings):
            turned = rankings.take(rankings.systems[::-1])
            wins, ties = comparisons_of(rankings).wins()
            other_wins, other_ties = comparisons_of(turned).wins()
            assert other_wins[::-1, ::-1].tolist() == wins.tolist()
            assert other_ties[::-1, ::-1].tolist() == ties.tolist()


def test_preferences_as_the_slow_twin():
    random = np.random.Generator(np.random.PCG64(3))
    for _ in range(100):
        systems, segments = int(random.integers(1, 5)), int(random.integers(1, 8))
        values = random.integers(0, 11, (systems, segments)) * 10.0
        values[random.random(values.shape) < 0.2] = np.nan
        higher = bool(random.random() < 0.5)
        table = ScoreTable("da", "segment", tuple("abcd"[:systems]), values, protocol="DA", higher_is_better=higher)
        threshold = float(random.choice([0.0, 10.0, 25.0]))
        expected = Counter()
        for segment in range(segments):
            for i, j in combinations(range(systems), 2):
                gap = (values[i, segment] - values[j, segment]) * (1 if higher else -1)
                if gap != 0 and abs(gap) >= threshold:
                    expected[(segment, i, j) if gap > 0 else (segment, j, i)] += 1
        found = preferences_by_threshold(table, threshold)
        rows = zip(found.segment, found.ranks, strict=True)
        assert Counter((int(s), int((r == 1).argmax()), int((r == 2).argmax())) for s, r in rows) == expected
        assert ((found.ranks > 0).sum(axis=1) == 2).all()


def test_a_threshold_missed_by_rounding_is_reached():
    table = ScoreTable("da", "segment", ("a", "b"), np.array([[25.3, 25.3], [0.3, 0.31]]), protocol="DA")
    rounded = ScoreTable("da", "segment", ("a", "b"), np.array([[24.9999999], [0.0]]), protocol="DA")
    assert len(preferences_by_threshold(rounded)) == 1
    assert preferences_by_threshold(table).segment.tolist() == [0]
    assert preferences_by_threshold(table, 24.99).segment.tolist() == [0, 1]
    assert preferences_by_threshold(table).name == "da at least 25 apart"


@needs_archives
@pytest.mark.parametrize(("lp", "pairs"), [("cs-en", 85469), ("de-en", 128668), ("es-en", 67832), ("fr-en", 80741)])
def test_strict_pairs_of_wmt13(lp, pairs):
    """Table 4 of the paper of the WMT13 metrics task."""
    found = comparisons_of(wmt_rankings("wmt13", lp, "rr-pairs"))
    assert (len(found), found.ties) == (pairs, 0)
