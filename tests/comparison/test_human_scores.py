from __future__ import annotations

import math

import pytest

from assay.comparison.human_scores import human_scores
from assay.types import ScoreTable

NAN = math.nan


def table(level, *values, name="mqm", **options):
    return ScoreTable(name, level, ("a", "b", "c")[: len(values)], values, protocol="MQM", **options)


def test_scores_of_systems_go_before_scores_of_segments():
    found, notes = human_scores([table("segment", [1, 2], [3, 5]), table("system", [8], [9])], ("a", "b"))
    assert (found, notes) == ({"mqm": {"a": 8, "b": 9}}, ())


def test_single_raters_are_no_further_witnesses():
    """Of two waves and their mean, the mean is shown; waves alone are shown if nothing else is given."""
    waves = [table("segment", [k, 2], [3, 5], name=f"esa-human{k}", rater=f"human{k}") for k in (1, 2)]
    mean = table("segment", [1.5, 2], [3, 5], name="esa")
    assert human_scores([*waves, mean], ("a", "b"))[0].keys() == {"esa"}
    assert human_scores(waves, ("a", "b"))[0].keys() == {"esa-human1", "esa-human2"}


def test_segments_give_means_over_those_that_all_judged_systems_share():
    scored = table("segment", [1, 2, NAN], [3, 5, 7], [NAN, NAN, NAN])
    found, (note,) = human_scores([scored], ("a", "b", "c"))
    assert found == {"mqm": {"a": 1.5, "b": 4}}
    said = "human scores 'mqm' are means of 2 segments, those with a score of every system that was judged"
    assert note.text == said


def test_only_compared_systems_count():
    found, (note,) = human_scores([table("segment", [1, 2], [NAN, 5], [3, 4])], ("a", "c"))
    assert found == {"mqm": {"a": 1.5, "c": 3.5}}
    assert note.text == "human scores 'mqm' are means of 2 segments"


def test_systems_judged_on_different_segments_have_no_means():
    found, (note,) = human_scores([table("segment", [1, NAN], [NAN, 5])], ("a", "b"))
    assert found == {}
    assert "not shown: no segment has one of every system" in note.text


@pytest.mark.parametrize("level", ["system", "segment"])
def test_lower_scores_that_are_better_are_negated(level):
    found, _ = human_scores([table(level, [1], [3], higher_is_better=False)], ("a", "b"))
    assert found == {"mqm": {"a": -1, "b": -3}}
