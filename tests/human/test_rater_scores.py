from __future__ import annotations

import numpy as np

from assay.human.rater_scores import rater_scores_of_ratings, rater_scores_of_tables
from assay.types import ScoreTable
from tests.human.judged import make_ratings


def random_rows(seed, raters=6, count=80):
    random = np.random.Generator(np.random.PCG64(seed))
    numbers = random.integers(0, (raters, 3, 10), (count, 3)).tolist()
    return [(f"r{r}", "abc"[s], i, float(random.integers(0, 100))) for r, s, i in numbers]


def test_overlaps_as_the_slow_twin():
    for seed in range(20):
        ratings = make_ratings(random_rows(seed))
        scores = rater_scores_of_ratings(ratings)
        by_rater = [
            {c: v for r, c, v in zip(scores.rater, scores.cell, scores.score, strict=True) if r == rater}
            for rater in range(scores.raters)
        ]
        expected = sorted(
            sorted((by_rater[a][cell], by_rater[b][cell]) for cell in by_rater[a] if cell in by_rater[b])
            for a in range(scores.raters)
            for b in range(a + 1, scores.raters)
            if set(by_rater[a]) & set(by_rater[b])
        )
        found = [
            sorted(zip(own[mask].tolist(), other[mask].tolist(), strict=True))
            for overlap in scores.overlaps()
            for own, other, mask in zip(overlap.own, overlap.other, overlap.mask, strict=True)
        ]
        assert sorted(found) == expected


def test_a_rater_who_rated_again_has_one_score():
    scores = rater_scores_of_ratings(make_ratings([("x", "a", 0, 1.0), ("x", "a", 0, 4.0), ("x", "a", 1, 2.0)]))
    assert scores.score.tolist() == [2.5, 2.0]


def test_halves():
    scores = rater_scores_of_ratings(make_ratings([("x", "a", 0, 1.0), ("y", "a", 0, 3.0), ("y", "b", 0, 5.0)]))
    (means,) = scores.halvings(iter([np.array([False, True])]))
    assert means.tolist()[1] == [3.0, 5.0]
    assert means[0, 0] == 1.0
    assert np.isnan(means[0, 1])
    assert scores.system.tolist() == [0, 1]


def test_tables_of_other_sizes_have_other_segments():
    tables = [ScoreTable(f"t{n}", "segment", ("a",), np.ones((1, n)), protocol="DA") for n in (2, 3)]
    scores = rater_scores_of_tables(tables)
    assert (scores.raters, len(set(scores.cell.tolist()))) == (2, 5)
    assert list(scores.overlaps()) == []
    assert rater_scores_of_tables([]).raters == 0
