from __future__ import annotations

from assay.results import Estimate, Leaderboard, OverallStanding, Standing
from assay.words import verdict


def standing(system, rank, cluster=1, metric="bleu", lp="en-de"):
    return Standing(lp, metric, "corpus", system, Estimate(30.0 - rank, 10), rank, (1, 2), cluster)


def said(*standings, overall=()):
    metrics = dict.fromkeys(each.metric for each in standings)
    board = Leaderboard({}, (), {name: (f"{name}|v",) for name in metrics}, standings, overall)
    return verdict((board,)).sentences


def test_one_system_is_first_by_all_scores():
    scores = [standing(name, rank, rank, metric) for metric in ("bleu", "chrf") for rank, name in ((1, "a"), (2, "b"))]
    assert said(*scores) == ("a is first by both scores.", "The first cluster has 1 of 2 systems by BLEU and chrF.")
    assert said(*scores[:2])[0] == "a is first by BLEU."


def test_scores_may_put_different_systems_first():
    assert said(standing("a", 1), standing("b", 2), standing("b", 1, 1, "chrf"), standing("a", 2, 2, "chrf")) == (
        "No system is first by all scores.",
        "First: a by BLEU; b by chrF. The first cluster has both systems by BLEU; 1 of 2 systems by chrF.",
    )


def test_equal_scores_share_the_first_place():
    assert said(standing("a", 1), standing("b", 1))[0] == "a and b are first by BLEU."


def test_several_language_pairs_have_means_and_wins():
    found = [standing(name, rank, lp=lp) for lp in ("en-de", "en-cs") for rank, name in ((1, "a"), (2, "b"))]
    overall = (
        OverallStanding("bleu", "corpus", "a", Estimate(29.0, 2), 1, 2, 2),
        OverallStanding("bleu", "corpus", "b", Estimate(28.0, 2), 2, 0, 2),
    )
    assert said(*found, overall=overall) == (
        "a has the best mean by BLEU.",
        "Most often ahead: a on 2 of 2 language pairs by BLEU.",
    )


def test_nothing_is_said_of_means_that_are_undefined():
    found = [standing("a", 1), standing("b", 1, lp="en-cs")]
    overall = tuple(OverallStanding("bleu", "corpus", name, Estimate(float("nan"), 1), None, 1, 1) for name in "ab")
    assert said(*found, overall=overall)[0] == "No system is scored on all language pairs."
