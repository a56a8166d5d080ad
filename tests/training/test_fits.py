from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from assay.logistic import sigmoid
from assay.training.fits import MODELS, TrainingSet, fit_path, on_logit_scale


def training_set(*, outputs=400, pairs=2000, weights=(1.0, -0.5, 0.0)):
    random = np.random.default_rng(3)
    x = random.normal(size=(outputs, len(weights))) * (1.0, 5.0, 0.1) + (0.0, 100.0, 3.0)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    value = z @ weights
    first, second = random.integers(outputs, size=(2, pairs))
    first, second = first[first != second], second[first != second]
    wins = random.random(len(first)) < sigmoid(value[first] - value[second])
    better, worse = np.where(wins, first, second), np.where(wins, second, first)
    return TrainingSet(x, value + 0.1 * random.normal(size=outputs), better, worse, (0, 0, 0))


def test_logistic_regression_is_that_of_scikit_learn():
    training = training_set()
    z, _ = training.standardised()
    difference = z[training.better] - z[training.worse]
    for fitted in fit_path("logistic", training):
        penalty = float(fitted.setting.removeprefix("l2="))
        oracle = LogisticRegression(C=1 / (penalty * len(difference)), fit_intercept=False, tol=1e-10, max_iter=1000)
        oracle.fit(np.concatenate([difference, -difference]), np.repeat([1, 0], len(difference)))
        # twice the rows are twice the loss; the direction is what the fit finds, its length is on the scale of logits
        oracle.set_params(C=oracle.C / 2).fit(
            np.concatenate([difference, -difference]), np.repeat([1, 0], len(difference))
        )
        ours, theirs = np.array(fitted.model.weights), oracle.coef_[0]
        assert ours / np.linalg.norm(ours) == pytest.approx(theirs / np.linalg.norm(theirs), abs=1e-5)


def test_ridge_regression_is_that_of_scikit_learn():
    training = training_set()
    z, _ = training.standardised()
    value = training.value - training.value.mean()
    centred = TrainingSet(training.x, value, training.better, training.worse, training.directions)
    for fitted in fit_path("ridge", centred):
        penalty = float(fitted.setting.removeprefix("l2="))
        theirs = Ridge(alpha=penalty * len(z), fit_intercept=False, tol=1e-12).fit(z, value).coef_
        ours = np.array(fitted.model.weights)
        assert ours / np.linalg.norm(ours) == pytest.approx(theirs / np.linalg.norm(theirs), abs=1e-6)


@pytest.mark.parametrize("kind", MODELS)
def test_scores_are_logits(kind):
    """Within bands of predicted probability, so many preferences are for the predicted output."""
    training, new = training_set(outputs=600, pairs=6000), training_set(outputs=600, pairs=6000)
    fitted = list(fit_path(kind, training))[-1]
    scores = fitted.model(new.x)
    difference = scores[new.better] - scores[new.worse]
    predicted = sigmoid(np.abs(difference))
    for low in (0.5, 0.6, 0.7, 0.8):
        inside = (predicted >= low) & (predicted < low + 0.1)
        assert (difference[inside] > 0).mean() == pytest.approx(predicted[inside].mean(), abs=0.06)


@pytest.mark.parametrize("kind", MODELS)
def test_weights_are_the_true_ones(kind):
    model = list(fit_path(kind, training_set(pairs=8000)))[-1].model
    rows = np.array([[0.0, 100.0, 3.0], [1.0, 100.0, 3.0], [0.0, 105.0, 3.0]])
    base, first, second = model(rows)
    assert first - base == pytest.approx(1.0, abs=0.3)
    assert second - base == pytest.approx(-0.5, abs=0.3)


def test_a_model_that_runs_against_people_becomes_flat():
    training = training_set(weights=(1.0, 0.0, 0.0))
    model = list(fit_path("logistic", training))[-1].model
    assert not any(on_logit_scale(model.scaled(-1.0), training).weights)


def test_values_beyond_those_of_training_count_as_the_bound():
    model = list(fit_path("logistic", training_set()))[-1].model
    far, further = model(np.array([[50.0, 100.0, 3.0], [5000.0, 100.0, 3.0]]))
    assert far == further
