from __future__ import annotations

import numpy as np
import pytest

from assay.metrics import metric
from assay.metrics.feature_values import FeatureSet
from assay.training.examples import collect_examples, text_digests
from assay.training.held_out import (
    Learner,
    _inner_folds,
    accuracy,
    folds,
    rank_means,
    shuffled_losses,
    system_accuracy,
    without_texts,
)
from assay.types.runtime import Runtime
from tests.training.made_up import campaign, register


@pytest.fixture(autouse=True)
def _features(monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    register()


def examples_of(made, features=("truth", "noise")):
    return collect_examples(
        made,
        FeatureSet.of(features),
        gold=(),
        learn="preferences",
        exclude=(),
        keep_references=False,
        max_preferences=500,
        seed=1,
        runtime=Runtime(),
    )


def one_year():
    """Two test sets: the first has the same sources in two language pairs."""
    same = [campaign("a", lp, seed=k, sources="a") for k, lp in enumerate(("en-de", "en-cs"))]
    return [examples_of(each) for each in (*same, campaign("b", "en-de", seed=3), campaign("c", "en-fr", seed=4))]


@pytest.mark.parametrize("by", ["campaign", "language"])
def test_what_is_trained_on_shares_no_text_with_what_is_left_out(by):
    for fold in folds(one_year(), by):
        name, train, held_out, left_out = fold.name, fold.training, fold.held_out, fold.shared
        assert not np.isin(text_digests(train), text_digests(held_out)).any()
        keys = {(each.campaign, each.lp) for each in held_out}
        assert not keys & {(each.campaign, each.lp) for each in train}
        if by == "language":
            assert name not in {each.language for each in train}
            assert (left_out > 0) == (name in ("de", "cs"))
        else:
            assert (name, left_out) in (("a", 0), ("b", 0), ("c", 0))


def test_parts_to_choose_on_share_no_text():
    for examples in (one_year(), one_year()[:2], one_year()[:1]):
        found = list(_inner_folds(examples))
        assert len(found) in (3, 5)
        for train, held_out in found:
            assert not np.isin(text_digests(train), text_digests(held_out)).any()


def test_all_share_their_texts():
    same = [examples_of(campaign("a", lp, sources="a")) for lp in ("en-de", "en-cs")]
    assert [(len(fold.training), fold.shared > 0) for fold in folds(same, "language")] == [(0, True)] * 2
    assert without_texts(same[:1], same[1:]) == []


def test_accuracy_counts_ties_half():
    each = examples_of(campaign(noise_of_people=0.0))
    assert accuracy(each.x[:, 0], each) == 1
    assert accuracy(-each.x[:, 0], each) == 0
    assert accuracy(np.zeros(len(each.x)), each) == 0.5
    assert system_accuracy(each.x[:, 0], each) == 1
    assert system_accuracy(np.zeros(len(each.x)), each) == 0.5


def test_ranks_are_those_of_a_slow_twin():
    each = examples_of(campaign(systems=4, segments=10))
    each.x[:, 1] = np.round(each.x[:, 1])  # with ties
    expected = np.zeros(len(each.x))
    for row in range(len(each.x)):
        others = np.flatnonzero(each.segment == each.segment[row])
        for number in (0, 1):
            values, own = each.x[others, number], each.x[row, number]
            expected[row] += ((values < own).sum() + 0.5 * (values == own).sum()) / len(others) / 2
    assert rank_means(each, (1, 1)) == pytest.approx(expected)


def test_a_feature_that_belongs_elsewhere_loses_what_it_contributed():
    each = examples_of(campaign())
    chosen = Learner(("logistic",), (1, 1)).learn([each])
    losses = shuffled_losses(chosen, each, np.random.default_rng(1))
    assert losses[0] > 0.25
    assert abs(losses[1]) < 0.05


def test_wins_order_the_outputs_of_a_segment_as_scores_do():
    each = examples_of(campaign())
    plain, soft = (Learner(("logistic",), (1, 1), wins).learn([each]) for wins in ("none", "soft"))
    assert accuracy(plain.scores(each), each) == accuracy(soft.scores(each), each)
