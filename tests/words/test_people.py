from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.words.people import (
    first_by_people,
    given_scores,
    judged_pair,
    people_preference,
    people_sentence,
    ranking_for,
    ranking_headline,
    ranking_of,
    ranking_verdict,
)
from assay.words.statement import Name
from tests.store.examples import example


def ranking(*clusters):
    made = example("rank ratings")
    systems = tuple(replace(each, cluster=cluster) for each, cluster in zip(made.systems, clusters, strict=False))
    return replace(made, systems=systems, lp="en-de")


def test_who_is_first():
    names = [each.system for each in example("rank ratings").systems]
    assert ranking_headline(ranking(1, 2, 3)) == f"People put {names[0]} first in en-de"
    assert ranking_headline(ranking(1, 1, 2)) == (f"People put {names[0]} and {names[1]} in the first cluster in en-de")
    assert ranking_headline(ranking(1, 1, 1, 1)) == ("People put all 4 systems in one cluster in en-de")


def test_the_verdict_counts_what_it_rests_on():
    made = ranking(1, 1, 2)
    assert f"{made.judgement_count:,} ratings of 3 systems, in 2 clusters" in ranking_verdict(made).lede[0]
    one = replace(ranking(1, 1, 1), p_values=np.array([[np.nan, 0.2, 0.01], [0.8, np.nan, 0.2], [0.9, 0.8, np.nan]]))
    best = one.systems[0].system
    assert f"1 of the 2 others is shown to be worse than {best}" in " ".join(ranking_verdict(one).lede)
    assert "The tests of 3 pairs are not corrected" in ranking_verdict(one).lede[-1]


def test_what_people_said_of_two_systems():
    p_values = np.array([[np.nan, 0.2, 0.01], [0.8, np.nan, np.nan], [0.99, np.nan, np.nan]])
    made = replace(ranking(1, 1, 1), p_values=p_values)
    first, second, third = (each.system for each in made.systems)
    assert people_sentence(first, second, first, made) == ("People show no difference between them.",)
    assert people_preference(second, first, made) == "show no difference"
    assert people_preference(third, first, made) == f"put {first} first"
    assert people_sentence(first, third, first, made) == (
        "People who judged both put ",
        Name(first, "a"),
        " first, too.",
    )
    assert people_sentence(third, first, None, made)[1].text == first
    assert people_sentence(first, second, None, made, is_shown=False) == ("People show none, either.",)
    assert judged_pair(third, first, made) == 0.01
    assert people_sentence(second, third, second, made) is None, "not tested"
    assert people_sentence(first, "unjudged", first, made) is None
    assert people_sentence(first, second, first, None) is None


def test_rankings_of_other_language_pairs_say_nothing_about_systems_of_the_same_name():
    made = ranking(1, 1, 2)
    assert ranking_for([example("score"), made], "en-de") is made
    assert ranking_for([made], "zh-en") is None
    assert ranking_for([made], None) is None
    pairs = example("rank pairs")
    lp, one = next(iter(pairs.rankings.items()))
    assert ranking_for([pairs], lp) is one


def test_a_ranking_of_one_language_pair_is_found():
    assert ranking_of([example("score"), example("rank ratings")]) is example("rank ratings")
    assert ranking_of([example("rank pairs")]) is None
    assert ranking_of([]) is None


def test_another_system_that_people_put_first_is_named():
    made = ranking(1, 2, 2)
    first, second, third = (each.system for each in made.systems)
    assert first_by_people(second, third, made) == ([first], (f"People put {first} first.",))
    assert first_by_people(first, third, made) is None
    assert first_by_people(first, third, None) is None
    assert first_by_people("unjudged", "other", made) is None


def test_human_scores_in_the_data_stand_beside_what_metrics_say():
    human = {"mqm": {"a": -1.0, "b": -2.5}, "esa": {"a": 80.0, "b": 79.5}, "other": {"a": 1.0}}
    assert given_scores("a", "b", "a", human) == (
        "The human scores in the data put a ahead, too (1.50 mqm, 0.50 esa; not tested here)."
    )
    assert given_scores("a", "b", "b", human).startswith("The human scores in the data put a ahead, not b (")
    assert given_scores("a", "b", None, human).startswith("The human scores in the data put a ahead (")
    assert given_scores("a", "b", "a", {**human, "esa": {"a": 79.0, "b": 80.0}}) == (
        "The human scores in the data disagree: they put a ahead (1.50 mqm) and b ahead (1.00 esa), not tested here."
    )
    assert given_scores("a", "b", "a", {"mqm": {"a": 1.0}, "esa": {"a": 2.0, "b": 2.0}}) == ""
