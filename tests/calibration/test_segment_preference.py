from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.isotonic import fit_isotonic
from assay.calibration.segment_files import JudgedFit, bundled_segments
from assay.calibration.segment_preference import (
    OutputPairs,
    answers,
    evaluations,
    fit_segments,
    population,
    probabilities,
    shown_threshold,
)
from assay.errors import InputError
from assay.logistic import sigmoid
from assay.types.runtime import Runtime

SLOPES = (0.8, 0.4)
TIES = 0.2
DRAWN = UnitResamples(200, 1, 0.95, Runtime())


def truth(differences: np.ndarray) -> np.ndarray:
    """The probability that people prefer the first output of those that they do not find alike."""
    return sigmoid(differences[:, : len(SLOPES)] @ np.array(SLOPES[: differences.shape[1]]))


def made(
    campaign: str = "one", lp: str = "en-de", *, seed: int = 1, documents: int = 400, metrics: int = 1
) -> OutputPairs:
    """Ten pairs a document, a fifth of them tied. Further metrics than two say nothing."""
    random = np.random.default_rng(seed)
    count = 10 * documents
    differences = random.normal(0, 2, (count, metrics))
    outcome = (random.random(count) < truth(differences)).astype(np.float64)
    outcome[random.random(count) < TIES] = 0.5
    place = np.arange(count)
    return OutputPairs(campaign, lp, "MQM", "mqm", differences, outcome, place // 2, place // 10, "document", count)


def expected(differences: np.ndarray) -> np.ndarray:
    """A tie is half a preference."""
    return (1 - TIES) * truth(differences) + TIES / 2


def test_probabilities_are_the_true_ones() -> None:
    fit = fit_segments([made(documents=3000)])
    asked = np.linspace(-4, 4, 41)[:, np.newaxis]
    found = probabilities(fit, asked)
    assert np.abs(found - expected(asked)).max() < 0.05
    assert (np.diff(found) >= 0).all()


def test_several_metrics_count_as_much_as_they_say() -> None:
    fit = fit_segments([made(documents=3000, metrics=3)])
    first, second, nothing = np.array(fit.weights) / np.array(fit.scales)
    assert first / second == pytest.approx(2, rel=0.15)
    assert nothing < 0.05 * first
    asked = np.random.default_rng(3).normal(0, 1.5, (300, 3))
    assert np.abs(probabilities(fit, asked) - expected(asked)).max() < 0.08


@pytest.mark.parametrize("metrics", [1, 3])
def test_outputs_in_the_other_order_have_exactly_the_complement(metrics: int) -> None:
    pairs = made(metrics=metrics)
    fit = fit_segments([pairs])
    there, back = (probabilities(fit, sign * pairs.differences) for sign in (1, -1))
    assert (there + back == 1).all()
    swapped = replace(pairs, differences=-pairs.differences, outcome=1 - pairs.outcome)
    other = fit_segments([swapped])
    assert other.y == pytest.approx(fit.y)
    assert probabilities(other, pairs.differences) == pytest.approx(there)
    assert probabilities(fit, np.zeros((1, metrics))).tolist() == [0.5]


def test_steps_of_single_pairs_are_the_isotonic_fit() -> None:
    size = np.arange(1.0, 51)
    outcome = (np.random.default_rng(5).random(50) < 0.8).astype(np.float64)
    pairs = replace(
        made(), differences=size[:, np.newaxis], outcome=outcome, segment=np.arange(50), document=np.arange(50)
    )
    fit = fit_segments([pairs])  # too few for more than one step
    assert fit.x == (0.0,)
    assert fit.y == pytest.approx((fit_isotonic(np.zeros(50), outcome).y[0],))


def test_a_metric_that_misleads_gives_no_answer() -> None:
    pairs = made()
    fit = fit_segments([replace(pairs, outcome=1 - pairs.outcome)])
    assert set(probabilities(fit, pairs.differences)) == {0.5}


def test_few_segments_are_refused() -> None:
    with pytest.raises(InputError, match="outputs of 10 segments, and at least 30 are needed"):
        fit_segments([made(documents=2)])


def test_held_out_answers_are_right_as_often_as_they_say() -> None:
    pairs = [made(name, seed=seed) for seed, name in enumerate(("one", "two", "three"))]
    (found,) = evaluations(pairs, ("m",), DRAWN)
    assert (found.by, found.n, found.units) == ("campaign", 12_000, 1200)
    assert [each.part for each in found.parts] == ["one", "two", "three"]
    for each in found.bins:
        error = math.sqrt(each.observed * (1 - each.observed) / each.n)
        assert abs(each.predicted - each.observed) < 4 * error
    coverages = [each.coverage for each in found.curve]
    assert coverages == sorted(coverages, reverse=True)
    for weaker, stronger in zip(found.curve, found.curve[1:], strict=False):
        error = math.sqrt(0.25 / stronger.n)
        assert stronger.accuracy.value > weaker.accuracy.value - 3 * error
        assert stronger.accuracy.low <= stronger.accuracy.value <= stronger.accuracy.high
    differences = np.concatenate([each.differences for each in pairs])
    best = float((expected(differences) * (1 - expected(differences))).mean())
    assert best < found.brier < best + 0.003 < 0.25
    ties = population(pairs).ties
    point = found.at(0.5)
    assert point is not None
    assert point.accuracy.value + point.opposite.value == pytest.approx(1 - ties / 2, abs=0.002)


def test_what_is_held_out() -> None:
    both = [made("one", "en-de"), made("two", "en-de", seed=2), made("two", "en-cs", seed=3)]
    assert [each.by for each in evaluations(both, ("m",), DRAWN)] == ["campaign", "language pair"]
    assert [each.by for each in evaluations(both[1:], ("m",), DRAWN)] == ["language pair"]
    (alone,) = evaluations(both[:1], ("m",), DRAWN)
    assert (alone.by, len(alone.parts)) == ("part of the documents", 5)
    assert sum(each.n for each in alone.parts) == alone.n
    assert alone == next(evaluations(both[:1], ("m",), DRAWN))


def test_each_metric_by_itself_stands_beside_all() -> None:
    pairs = [made(lp=lp, seed=seed, metrics=3) for seed, lp in enumerate(("en-de", "en-cs"))]
    (found,) = evaluations(pairs, ("a", "b", "c"), DRAWN)
    assert found.brier < found.brier_alone["a"] < found.brier_alone["b"] < found.brier_alone["c"]
    assert found.brier_alone["c"] == pytest.approx(0.25, abs=0.002)


def test_answers_need_a_bound_from_held_out_judgements() -> None:
    pairs = [made(name, seed=seed) for seed, name in enumerate(("one", "two", "three"))]
    (found,) = evaluations(pairs, ("m",), DRAWN)
    assert shown_threshold(found, 0.7) == (0.7, "")
    assert shown_threshold(found, 0.695) == (0.7, "")
    point = found.at(0.7)
    assert point is not None
    assert point.accuracy.low >= 0.7
    assert shown_threshold(found, 0.95)[1] == "no held-out pair of outputs has a probability of 95 %"


def test_no_answer_where_campaigns_contradict_each_other() -> None:
    opposite = made("two", seed=2)
    pairs = [made(), replace(opposite, outcome=1 - opposite.outcome)]
    (found,) = evaluations(pairs, ("m",), DRAWN)
    threshold, reason = shown_threshold(found, 0.6)
    assert math.isnan(threshold)
    assert reason == "held-out answers are not shown to be right in 60 %"
    assert found.brier > 0.25


def test_no_answer_from_few_documents() -> None:
    pairs = made(documents=80)
    (found,) = evaluations([replace(pairs, document=pairs.document // 20)], ("m",), DRAWN)
    threshold, reason = shown_threshold(found, 0.6)
    assert math.isnan(threshold)
    assert reason.endswith("no interval: 4 documents, fewer than 5")


def test_answers() -> None:
    fit = fit_segments([made(documents=3000)])
    first = np.array([[9.0, 5.0, 5.0, 1.0, math.nan, 99.0]])
    second = np.array([[5.0, 5.0, 5.1, 5.0, 5.0, 1.0]])
    found = list(answers(fit, ("m",), first, second, [1], 0.7))
    assert [each.answer for each in found] == ["first", "abstain", "abstain", "second", "no score", "outside"]
    assert found[0].probability + found[3].probability == 1
    assert [each.segment for each in found] == [1, 2, 3, 4, 5, 6]
    lower = list(answers(fit, ("m",), first, second, [-1], 0.7))
    assert [each.answer for each in lower][::3] == ["second", "first"]
    assert {each.answer for each in answers(fit, ("m",), first, second, [1], math.nan)} == {
        "abstain",
        "no score",
        "outside",
    }
    with pytest.raises(InputError, match="100 % of the segments differ more"):
        list(answers(fit, ("m",), 100 * first[:, :1], second[:, :1], [1], 0.7))


def test_fits_that_come_with_assay_are_as_written() -> None:
    found = bundled_segments()
    assert set(found) == {"bleu", "cer", "chrf", "chrf++"}
    for each in found.values():
        assert list(each.fit.x) == sorted(each.fit.x)
        assert list(each.fit.y) == sorted(each.fit.y)
        assert each.fit.x[0] == 0
        assert each.fit.y[0] >= 0.5
        assert [way.by for way in each.evaluations] == ["campaign", "language pair"]
        assert "DA-z" not in each.population.protocols
        assert JudgedFit.of(each.tree()).tree() == each.tree()


def test_the_page_says_what_the_fits_say() -> None:
    page = (Path(__file__).parents[2] / "docs" / "methods" / "prefer.md").read_text(encoding="utf-8")
    labels = {"chrf++": "chrF++", "chrf": "chrF", "bleu": "BLEU", "cer": "CER"}
    for name, each in bundled_segments().items():
        evaluation = each.evaluations[0]
        cells = [f"{evaluation.brier:.3f}"[1:]]
        for threshold in (0.55, 0.6):
            point = evaluation.at(threshold)
            assert point is not None
            right, coverage = point.accuracy, f"{100 * point.coverage:.1f} %"
            bounded = f"{100 * right.value:.1f} % [{100 * right.low:.1f}, {100 * right.high:.1f}]"
            cells += [coverage, bounded, f"{100 * point.opposite.value:.1f} %"]
        assert f"| {labels[name]} | {' | '.join(cells)} |" in page
        assert f"{each.population.drawn:,} pairs of outputs of {each.population.segments:,} segments" in page
        assert math.isnan(shown_threshold(evaluation, 0.7)[0])
