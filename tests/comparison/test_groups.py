from __future__ import annotations

import math

import numpy as np
import pytest

from assay import compare, load, score
from assay.comparison.groups import group_differences
from assay.errors import UnknownNameError
from assay.measurement.segment_groups import Group, groups_by_label, groups_of
from assay.metrics import metric as metric_registry
from assay.types import Scorable
from tests.store.examples import testset as sample_testset

NAN = float("nan")
MEAN = Scorable.of_segments(
    np.array([[1.0, 2.0, 3.0, NAN, 5.0, 6.0], [1.0, 4.0, 1.0, 1.0, NAN, 0.0], [9.0] * 6]), ("a", "b", "c")
)
GROUPS = groups_by_label("topic", ("p", "q", "r", "s", "s", "r"))


def differences(**options):
    found = group_differences({"segment": MEAN}, "a", "b", GROUPS, metric="m", **options)
    return {group.group: (group.better_by, group.n) for group in found.groups}


def test_by_hand():
    """Topic s has no segment with both scores, r is the mean of 3 - 1 and 6 - 0."""
    found = differences()
    assert list(found) == ["topic:r", "topic:p", "topic:q", "topic:s"]
    assert found["topic:r"] == (4.0, 2)
    assert found["topic:p"] == (0.0, 1)
    assert found["topic:q"] == (-2.0, 1)
    assert math.isnan(found["topic:s"][0])


def test_undefined_differences_have_a_reason():
    *_, last = group_differences({"segment": MEAN}, "a", "b", GROUPS, metric="m").groups
    assert (last.n, last.reason) == (0, "no segment is scored for all systems")
    undefined = Scorable(MEAN.table, lambda sums: np.full(sums.shape[:-1], NAN), MEAN.mask, MEAN.systems)
    assert {g.reason for g in group_differences({"x": undefined}, "a", "b", GROUPS[:2], metric="m").groups} == {
        "the score is undefined"
    }


def test_lower_is_better():
    assert list(differences(higher_is_better=False)) == ["topic:q", "topic:p", "topic:r", "topic:s"]
    assert differences(higher_is_better=False)["topic:r"] == (-4.0, 2)


def test_small_groups():
    found = group_differences({"segment": MEAN}, "a", "b", GROUPS, metric="m", min_segments=2)
    assert {group.group for group in found.groups if group.is_small} == {"topic:p", "topic:q", "topic:s"}
    assert found.min_segments == 2


def test_equal_differences_keep_their_order():
    labels = groups_by_label("x", ("z", "y", "x", "w", "v", "u"))
    found = group_differences({"segment": MEAN}, "a", "a", labels, metric="m")
    assert [g.group for g in found.groups] == ["x:z", "x:y", "x:x", "x:v", "x:u", "x:w"]


def test_groupings_and_aggregations_stay_together():
    groups = [*GROUPS[:2], *groups_by_label("all", ("yes",) * 6)]
    found = group_differences({"one": MEAN, "two": MEAN}, "b", "a", groups, metric="m")
    assert [(g.group, g.aggregation) for g in found.groups] == [
        ("topic:q", "one"),
        ("topic:p", "one"),
        ("topic:q", "two"),
        ("topic:p", "two"),
        ("all:yes", "one"),
        ("all:yes", "two"),
    ]


def test_an_unknown_system():
    with pytest.raises(UnknownNameError, match="no system is called 'x'"):
        group_differences({"segment": MEAN}, "a", "x", GROUPS, metric="m")


@pytest.mark.parametrize("name", ["bleu", "ter"])
def test_the_sample_has_the_scores_that_score_gives(name):
    testset = sample_testset()
    first, second, *_ = testset.systems
    run = score(testset, name, by=["domain", "length"], resamples=0)[name]
    metric = metric_registry.create(name).prepare(testset)
    scorables = {
        "corpus": Scorable(run.statistics.table, metric.score, run.statistics.scored, testset.systems),
        "segment": Scorable.of_segments(np.stack(list(run.segments.values())), testset.systems),
    }
    groups = groups_of(testset, ["domain", "length"])
    found = group_differences(
        scorables, first, second, groups, metric=name, higher_is_better=metric.higher_is_better
    ).groups
    assert len(found) == len(run.groups) == 2 * len(groups)
    expected = {(scores.group, scores.aggregation): scores for scores in run.groups}
    for group in found:
        scores = expected[group.group, group.aggregation]
        assert (group.first_score, group.second_score) == (scores[first], scores[second])
        sign = 1 if metric.higher_is_better else -1
        assert group.better_by == sign * (scores[first] - scores[second])
        assert group.n == scores.estimates[first].n


def test_corpus_scores_leave_out_segments_that_a_system_lacks():
    testset = load(outputs={"a": ["x y", None, "z"], "b": ["x y", "q", None]}, references=["x y", "q", "z"])
    run = score(testset, "ter", resamples=0)["ter"]
    metric = metric_registry.create("ter").prepare(testset)
    corpus = Scorable(run.statistics.table, metric.score, run.statistics.scored, testset.systems)
    (group,) = group_differences({"corpus": corpus}, "a", "b", [Group("all", "1", np.arange(3))], metric="ter").groups
    assert (group.first_score, group.second_score, group.n) == (0.0, 0.0, 1)


def test_labels_may_have_colons():
    """A grouping is a field of the group, and not read back out of its name."""
    groups = groups_by_label("a:b", ("x:1", "y", "x:1", "y", "y", "y"))
    found = group_differences({"segment": MEAN}, "a", "b", groups, metric="m").groups
    assert {(group.grouping, group.label, group.group) for group in found} == {
        ("a:b", "x:1", "a:b:x:1"),
        ("a:b", "y", "a:b:y"),
    }


def test_lengths_stay_in_their_order_in_both_directions():
    texts = {"a": ["x", "yy", "zzz", "wwwww"], "b": ["x", "y", "zzz", "q"]}
    testset = load(outputs=texts, references=["x", "yy", "zzz", "wwwww"])
    (found,) = compare(testset, ["chrf"], baseline="b", by="length", agg="corpus", resamples=10).contrasts
    labels = ["1 character", "2 characters", "3–4 characters", "5 characters"]
    for each in (found, found.reversed()):
        assert [group.label for group in each.groups] == labels
