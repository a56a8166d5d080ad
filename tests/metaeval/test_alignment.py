from __future__ import annotations

import numpy as np
import pytest

from assay.errors import AlignmentError, ConfigError, InputError, UnknownNameError
from assay.metaeval.alignment import align, map_cells, system_means
from assay.types import ScoreTable

NAN = np.nan


def metric(values, systems=("b", "a", "c"), level="segment", **changes):
    return ScoreTable("m", level, systems, np.array(values, float), **changes)


def people(values, systems=("a", "b", "c"), level="segment", **changes):
    return ScoreTable("h", level, systems, np.array(values, float), protocol="DA-z", **changes)


def test_both_sides_see_the_same_cells_in_the_order_of_names():
    paired = align(metric([[1, 2, NAN], [4, 5, 6], [7, 8, 9]]), people([[1, NAN, 3], [4, 5, 6], [7, 8, 9]]))
    assert (paired.level, paired.systems, paired.segments) == ("segment", ("a", "b", "c"), 3)
    assert paired.cells.mask.tolist() == [[True, False, True], [True, True, False], [True, True, True]]
    assert paired.cells.metric.tolist() == [[4, 0, 6], [1, 2, 0], [7, 8, 9]]
    assert paired.cells.human.tolist() == [[1, 0, 3], [4, 5, 0], [7, 8, 9]]


def test_means_are_over_the_cells_that_both_have():
    """mt-metrics-eval's issue 4: a metric over all segments against people over the judged ones."""
    paired = align(
        metric([[1, 2, 30], [4, 5, 60]], ("a", "b")), people([[1, 3, NAN], [4, 6, NAN]], ("a", "b")), level="system"
    )
    assert paired.cells.metric.tolist() == [[1.5], [4.5]]
    assert paired.cells.human.tolist() == [[2.0], [5.0]]
    assert (paired.segments, paired.source) == (2, "means over the segments that both scored")


def test_uneven_means_are_noted():
    paired = align(metric([[1, 2], [4, 5]], ("a", "b")), people([[1, 3], [4, NAN]], ("a", "b")), level="system")
    assert paired.cells.metric.tolist() == [[1.5], [4.0]]
    assert "different segments" in paired.notes[-1].text


def test_tables_by_system_are_taken_as_they_are():
    by_system = people([[1], [2], [3]], level="system")
    both = align(metric([[1], [2], [3]], level="system"), by_system)
    assert (both.level, both.source, both.segments) == ("system", "system scores of both", 0)
    mixed = align(metric([[1, 3], [2, NAN], [NAN, NAN]]), by_system)
    assert mixed.source == "means over segments of the metric, system scores of the human scores"
    assert (mixed.systems, mixed.segments) == (("a", "b"), 2)
    assert mixed.cells.metric.tolist() == [[2.0], [2.0]]
    assert mixed.excluded == {"c": "no metric score"}


def test_lower_may_be_better():
    table = metric([[1, 2]], ("a",), higher_is_better=False)
    assert align(table, people([[3, 4]], ("a",))).cells.metric.tolist() == [[-1, -2]]
    assert system_means(people([[3, 5]], ("a",), higher_is_better=False)) == {"a": -4.0}


def test_everyone_who_is_left_out_has_a_reason():
    table = metric(
        np.ones((5, 2)) * [[1], [2], [3], [4], [NAN]], ("a", "b", "refA", "strange", "mute"), references=("refA",)
    )
    human = people([[1, NAN], [NAN, NAN], [3, 3], [4, 4], [5, 5]], ("a", "b", "refA", "mute", "odd"))
    paired = align(table, human, exclude=("od*",))
    assert paired.systems == ("a",)
    assert paired.excluded == {
        "odd": "excluded",
        "refA": "used as a reference by the metric",
        "b": "no human score",
        "strange": "no human score",
        "mute": "no metric score",
    }
    asked = {*paired.systems, *(name for name, why in paired.excluded.items() if why != "excluded")}
    assert asked == {"a", "b", "refA", "strange", "mute"}
    apart = align(metric([[1, NAN]], ("a",)), people([[NAN, 1]], ("a",)))
    assert (apart.systems, apart.excluded) == ((), {"a": "no segment scored by both"})


def test_groups():
    paired = align(metric([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), people([[1, NAN, 3], [4, NAN, 6], [7, NAN, 9]]))
    assert paired.batch("none").mask.shape == (1, 9)
    assert paired.batch("item").metric.tolist() == [[4, 1, 7], [6, 3, 9]]
    assert paired.batch("system").metric.tolist() == [[4, 0, 6], [1, 0, 3], [7, 0, 9]]
    assert paired.batch("system").sizes.tolist() == [2, 2, 2]
    fewer = paired.without(("a",), "why not")
    assert (fewer.systems, fewer.excluded, fewer.segments) == (("b", "c"), {"a": "why not"}, 2)
    assert map_cells(paired.cells, lambda part: part[:1]).mask.shape == (1, 3)


def test_what_does_not_belong_together():
    with pytest.raises(AlignmentError, match="'m' has 2 scores per system, 'h' has 3"):
        align(metric([[1, 2]], ("a",)), people([[1, 2, 3]], ("a",)))
    with pytest.raises(AlignmentError, match="'m' has scores of named segments, but 'h' of numbered ones"):
        align(metric([[1, 2]], ("a",), items=("x", "y")), people([[1, 2]], ("a",)))
    assert align(metric([[1, 2]], ("a",), items=("x", "y")), people([[1, 2]], ("a",), items=("x", "y"))).segments == 2
    with pytest.raises(InputError, match="has system scores, not segment scores"):
        align(metric([[1]], ("a",), level="system"), people([[1]], ("a",)), level="segment")
    with pytest.raises(InputError, match="has domain scores"):
        align(metric([[1]], ("a",), level="domain", items=("news",)), people([[1]], ("a",)))
    with pytest.raises(InputError, match="has domain scores"):
        system_means(people([[1]], ("a",), level="domain", items=("news",)))
    with pytest.raises(ConfigError, match="unknown level 'word'"):
        align(metric([[1]], ("a",)), people([[1]], ("a",)), level="word")
    with pytest.raises(UnknownNameError, match="no system matches 'x'"):
        align(metric([[1]], ("a",)), people([[1]], ("a",)), systems=("x",))


def test_named_segments_are_matched_by_name():
    scores = metric([[1, 2, 3], [4, 5, 6]], ("a", "b"), items=("x", "y", "z"))
    judged = people([[10, 30, 50, NAN], [60, 40, 70, NAN]], ("a", "b"), items=("z", "x", "w", "v"))
    paired = align(scores, judged)
    assert paired.cells.metric.tolist() == [[3, 1], [6, 4]]
    assert paired.cells.human.tolist() == [[10, 30], [60, 40]]
    (note,) = paired.notes
    assert (str(note), note.count) == ("the metric has no scores for 1 of 3 segments with human scores", 1)
    means = align(scores, judged, level="system")
    assert means.cells.human.ravel().tolist() == [20, 50]
    with pytest.raises(AlignmentError, match="no segment of 'm' has the name of one of 'h'"):
        align(scores, people([[1]], ("a",), items=("q",)))


def test_means_of_domain_means():
    scores = metric([[1, 2, 6], [4, 5, 7]], ("a", "b"))
    judged = people([[1, 3, 8], [2, NAN, 4]], ("a", "b"), domains=("news", "news", "chat"))
    paired = align(scores, judged, level="system", averages_domains=True)
    assert paired.cells.metric.ravel().tolist() == [3.75, 5.5]
    assert paired.cells.human.ravel().tolist() == [5, 3]
    assert paired.source == "means of domain means over the segments that both scored"
    assert system_means(judged, averages_domains=True) == {"a": 5, "b": 3}
    assert system_means(judged) == {"a": 4, "b": 3}
    with pytest.raises(InputError, match="'h' has no domains"):
        system_means(people([[1, 2, 3]], ("a",)), averages_domains=True)
    with pytest.raises(InputError, match="'h': 1 scored segment without a domain"):
        system_means(people([[1, NAN, 3]], ("a",), domains=("news", "", "")), averages_domains=True)


def test_notes():
    scores = metric([[1, 2], [4, 5], [7, 8]], ("a", "b", "c"))
    paired = align(scores, people([[1, 3], [4, NAN], [5, 6]]), level="system")
    assert [str(note) for note in paired.without(["c"], "far").notes] == [
        "left out: c (far)",
        "system scores: means over the segments that both scored",
        "systems are averaged over different segments: some scores are missing",
    ]
    assert align(metric([[1, 2]], ("a",)), people([[1, 3]], ("a",))).notes == ()


def test_segments_are_those_of_the_systems_that_are_left():
    """People judged the reference on all three segments, and the others on two."""
    scores = metric(np.ones((3, 3)), ("a", "b", "ref"), references=("ref",))
    human = people([[1, 2, NAN], [3, NAN, NAN], [4, 5, 6]], ("a", "b", "ref"))
    for level in ("system", "segment"):
        paired = align(scores, human, level=level)
        assert (paired.systems, paired.segments) == (("a", "b"), 2)
        assert paired.without(["a"], "far").segments == 1
    notes = align(scores, human, level="system").without(["a"], "far").notes
    assert not any("different segments" in note.text for note in notes)


def test_one_side_by_itself_may_be_uneven_too():
    paired = align(metric([[1, 2], [4, NAN], [7, 8]]), people([[1], [2], [3]], level="system"))
    assert (paired.segments, len(paired.notes)) == (2, 2)


def test_what_is_equal_has_equal_means():
    """Sums of tenths depend on their order, and n times .1 divided by n is not .1: neither makes a difference."""
    random = np.random.default_rng(1)
    human = people([random.permutation([0.1, 0.2, 0.3, 0.4, 0.7]) for _ in range(6)], tuple("abcdef"))
    assert len(set(system_means(human).values())) == 1
    assert len(set(system_means(people([[0, 0, 1], [-3, -1, 5], [0.5, 0.25, 0.25]])).values())) == 1
    constant = metric(np.full((40, 40), 0.1), tuple(f"s{k:02}" for k in range(40)))
    uneven = np.where(np.tri(40, dtype=bool), 1.0, NAN)
    paired = align(constant, people(uneven, constant.systems), level="system")
    assert set(paired.cells.metric.ravel()) == {0.1}
