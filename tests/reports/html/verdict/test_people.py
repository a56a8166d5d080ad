from __future__ import annotations

from dataclasses import replace

from assay.reports.html.verdict.people import people_sentence, ranking_headline, ranking_of, ranking_verdict
from tests.store.examples import example


def ranking(*clusters):
    made = example("rank ratings")
    systems = tuple(replace(each, cluster=cluster) for each, cluster in zip(made.systems, clusters, strict=False))
    return replace(made, systems=systems, lp="en-de")


def test_who_is_first():
    names = [each.system for each in example("rank ratings").systems]
    assert ranking_headline(ranking(1, 2, 3)) == f"People put {names[0]} first in en-de"
    assert ranking_headline(ranking(1, 1, 2)) == (
        f"People show no difference between {names[0]} and {names[1]}, which share first place in en-de"
    )
    assert ranking_headline(ranking(1, 1, 1, 1)) == (
        "People show no difference between 4 systems, which share first place in en-de"
    )


def test_the_verdict_counts_what_it_rests_on():
    made = ranking(1, 1, 2)
    assert f"{made.judgement_count:,} ratings of 3 systems, in 2 clusters" in ranking_verdict(made).lede[0]


def test_what_people_said_of_two_systems():
    made = ranking(1, 1, 2)
    first, second, third = (each.system for each in made.systems)
    assert people_sentence(first, second, first, made) == ("People show no difference between them.",)
    assert people_sentence(first, third, first, made) == ("The people who judged both agree.",)
    assert people_sentence(third, first, None, made)[1].text == first
    assert people_sentence(first, "unjudged", first, made) is None
    assert people_sentence(first, second, first, None) is None


def test_a_ranking_of_one_language_pair_is_found():
    assert ranking_of([example("score"), example("rank ratings")]) is example("rank ratings")
    assert ranking_of([example("rank pairs")]) is None
    assert ranking_of([]) is None
