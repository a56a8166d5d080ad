from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.results import Estimate, HeldOutPair, LearntFeature, LinearModel, TrainedOn, Training, TrainingEvaluation
from assay.words.training import training_verdict


def evaluation(by, level, gain, half, *, n=8):
    low, high = (math.nan, math.nan) if half is None else (gain - half, gain + half)
    beyond = Estimate(gain, n, low, high)
    return TrainingEvaluation(by, level, Estimate(0.6 + gain, n), Estimate(0.6, n), Estimate(0.55, n), beyond, beyond)


def training(evaluations, features=("chrf", "ter"), worse=1):
    model = LinearModel(*[(0.0,) * len(features)] * 3, (1.0,) * len(features), (1.0,) * len(features))
    held_out = tuple(
        HeldOutPair(each.by, "a", "a", f"en-{k}", 10, 0, "logistic l2=1", "chrf", 0.5 if k < worse else 0.7, *[0.6] * 5)
        for each in evaluations
        if each.level == "segment"
        for k in range(each.metric.n)
    )
    return Training(
        settings={"confidence": "0.95"},
        format=1,
        features=tuple(LearntFeature(name, 1.0, 0.1, 0.6, False) for name in features),
        model=model,
        wins="none",
        chosen="logistic l2=1",
        single="chrf",
        populations=(TrainedOn("a", "en-de", "mqm", "MQM", 5, 100, 90, 80, 0, "chrf"),),
        evaluations=tuple(evaluations),
        held_out=held_out,
    )


@pytest.mark.parametrize(
    ("outputs", "systems", "headline"),
    [
        (
            (0.02, 0.01),
            (0.03, 0.01),
            "This metric agrees with people on more preferences between outputs than its best single feature, chrf, by "
            "2.0 percentage points (test sets left out).",
        ),
        (
            (0.02, 0.01),
            (0.00, 0.01),
            "This metric agrees with people on more preferences between outputs than its best single feature, chrf, by "
            "2.0 percentage points (test sets left out); it is not shown to order systems better.",
        ),
        (
            (-0.02, 0.01),
            (0.03, 0.01),
            "This metric agrees with people on fewer preferences between outputs than its best single feature, chrf, "
            "by 2.0 percentage points (test sets left out): use that.",
        ),
        (
            (0.02, 0.03),
            (0.03, 0.01),
            "This metric is not shown to be better than its best single feature, chrf (test sets left out): use that.",
        ),
        (
            (0.02, None),
            (0.03, None),
            "This metric is not shown to be better than its best single feature, chrf (test sets left out): use that.",
        ),
    ],
)
def test_the_headline_says_what_is_shown(outputs, systems, headline):
    found = [evaluation("campaign", "segment", *outputs), evaluation("campaign", "system", *systems)]
    assert training_verdict(training(found)).text == headline


def test_other_test_sets_decide_if_there_are_any():
    found = [evaluation("campaign", "segment", 0.05, 0.01), evaluation("check", "segment", 0.0, 0.01)]
    said = training_verdict(training(found))
    assert said.text.endswith("(other test sets): use that.")
    assert "it agrees with people on 60.0 % of the preferences between outputs" in said.lede[0]
    assert any("On test sets left out in turn, it agrees with people on 65.0 %" in remark for remark in said.remarks)


def test_how_often_the_opposite_happened_is_said():
    found = [evaluation("campaign", "segment", 0.05, 0.01)]
    assert "was better on 1 of 8 language pairs (a en-0)." in " ".join(training_verdict(training(found)).lede)
    assert "was better on none of 8 language pairs." in " ".join(training_verdict(training(found, worse=0)).lede)


def test_a_weight_with_the_wrong_sign_is_said():
    found = training([evaluation("campaign", "segment", 0.05, 0.01)], features=("chrf", "ter#edits"))
    assert "Its score falls" not in " ".join(training_verdict(found).sentences)
    turned = replace(found, features=tuple(replace(each, weight=-1.0) for each in found.features))
    assert "Its score falls when chrf gets better and the other features stay the same: " in " ".join(
        training_verdict(turned).sentences
    )  # a column has no better side


def test_its_population_is_named():
    said = " ".join(training_verdict(training([evaluation("campaign", "segment", 0.05, 0.01)])).sentences)
    assert "It was trained on 80 of 90 preferences from 1 language pair of a (MQM)" in said
    assert "It says nothing of other kinds of text, languages and systems." in said
