from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.calibration.effective_sample import independent_pairs
from assay.calibration.files import bundled
from assay.calibration.joint import JointModel, JointPairs, SingleErrors, best_fit, predict_left_out
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.validation import Drawing

DRAWING = Drawing(40, 1, 0.95)
KEYS = [("bleu", "corpus"), ("chrf", "corpus")]


def made_up(seed=0, *, noise=(1.0, 1.0), campaigns=3, lps=3, systems=8):
    """Systems of known quality: scores are quality and noise, and people see quality."""
    random = np.random.default_rng(seed)
    clusters = tuple((f"c{k}", f"x{j}-en") for k in range(campaigns) for j in range(lps))
    differences, first, second, numbers, cluster = [], [], [], [], []
    for place in range(len(clusters)):
        quality = random.normal(size=systems)
        scores = quality[:, np.newaxis] + random.normal(size=(systems, len(noise))) * np.array(noise)
        for i in range(systems):
            for j in range(i):
                differences.append(scores[i] - scores[j])
                seen = quality[i] - quality[j] + 0.3 * random.normal()
                first.append(float(seen > 0.5))
                second.append(float(seen < -0.5))
                numbers.append((place * systems + i, place * systems + j))
                cluster.append(place)
    count = len(first)
    return JointPairs(
        np.array(differences),
        np.array(first),
        np.array(second),
        np.full(count, ""),
        np.array(numbers),
        np.array(cluster),
        np.full(count, 300),
        np.full(len(clusters) * systems, 300),
        clusters,
    )


def every(pairs):
    """All rows."""
    return np.ones(len(pairs), dtype=np.bool_)


def validated(pairs, drawing=DRAWING, *, knows_kinds=False):
    """The errors of all scores together and of single ones."""
    singles = SingleErrors.of(pairs, knows_kinds=knows_kinds)
    return predict_left_out(pairs, knows_kinds=knows_kinds).validation(singles, every(pairs), drawing)


def test_two_scores_with_errors_of_their_own_predict_better_together():
    pairs = made_up()
    found = validated(pairs, Drawing(200, 1, 0.95))
    assert found.held_out == "campaign"
    assert found.brier["joint"] < min(found.alone) <= found.brier["single"] < found.brier["constant"]
    assert found.is_better
    many = validated(made_up(campaigns=6, lps=5), Drawing(200, 1, 0.95))
    assert many.difference.high < 0


def test_a_score_of_noise_adds_nothing():
    pairs = made_up(noise=(0.05, 30.0))
    fit = best_fit(pairs)
    assert fit.shares[0] > 0.9
    found = validated(pairs)
    assert found.alone[0] < found.alone[1] - 0.1
    assert found.brier["single"] == found.alone[0]
    assert abs(found.difference.value) < 0.002


@pytest.mark.parametrize("seed", range(4))
def test_a_noisy_copy_of_a_score_is_no_gain(seed):
    """Fits of the same kind differ by what the second score knows, which is nothing."""
    pairs = made_up(seed, noise=(0.5, 0.0))
    random = np.random.default_rng(seed)
    copied = pairs.differences[:, [0, 0]] + np.array([0.0, 2.0]) * random.normal(size=(len(pairs), 2))
    found = validated(replace(pairs, differences=copied))
    assert found.difference.value > -0.002
    assert found.brier["single"] == found.alone[0]


def test_errors_of_a_single_score_are_those_of_the_joint_fit_to_it():
    pairs = made_up()
    singles = SingleErrors.of(pairs)
    for score in (0, 1):
        alone = predict_left_out(pairs.of_score(score))
        np.testing.assert_array_equal(singles.each[score], alone.joint)
    best = np.flatnonzero((singles.each == singles.chosen).all(axis=1))
    assert len(best) <= 1  # or another one in each campaign
    assert np.isin(singles.chosen, singles.each).all()


def test_single_scores_know_the_kinds_if_the_joint_fit_does():
    pairs = made_up(noise=(0.5, 0.5))
    is_first = np.arange(len(pairs)) % 2 == 0
    kinds = np.where(is_first, "LLM-over-MT", "MT-over-LLM")
    mixed = replace(pairs, kinds=kinds, first=is_first.astype(float), second=1.0 - is_first)
    knowing, plain = (SingleErrors.of(mixed, knows_kinds=each).chosen.mean() for each in (True, False))
    assert knowing < plain / 2
    assert abs(validated(mixed, knows_kinds=True).difference.value) < 0.01


def test_the_answer_for_the_second_system_is_that_for_the_first_one_swapped():
    pairs = made_up()
    model = JointModel.of(pairs, best_fit(pairs), DRAWING)
    one, other = model.answer([1.0, 0.2], ""), model.answer([-1.0, -0.2], "")
    assert (one.is_first, other.is_first) == (True, False)
    assert one.probability.value == pytest.approx(other.probability.value)
    assert one.probability.low == pytest.approx(other.probability.low)
    assert one.opposite.value < one.probability.value


def test_bounds_are_no_narrower_than_those_of_pairs_without_a_system_in_common():
    pairs = made_up()
    model = JointModel.of(pairs, best_fit(pairs), DRAWING)
    exact = JointModel.of(pairs, best_fit(pairs), replace(DRAWING, resamples=0))
    for differences in ([0.3, 0.3], [1.0, -0.5], [2.0, 2.0]):
        wide, narrow = (each.answer(differences, "") for each in (model, exact))
        assert wide.probability.low <= narrow.probability.low <= wide.probability.value <= wide.probability.high
        assert narrow.probability.high <= wide.probability.high
        assert wide.near.independent <= wide.near.pairs
        assert wide.near.independent < independent_pairs(pairs.systems) + 1
        assert wide.probability.value <= wide.near.supported
        assert wide.probability.low + wide.opposite.high <= 1 + 1e-9 or wide.opposite.high == wide.opposite.value


def test_larger_differences_never_have_lower_probabilities():
    pairs = made_up()
    model = JointModel.of(pairs, best_fit(pairs), replace(DRAWING, resamples=0))
    found = [model.answer([x, 0.5], "").unbounded for x in np.linspace(0, 2, 9)]
    assert found == sorted(found)


@pytest.mark.parametrize("differences", [[50.0, 50.0], [-3.0, 3.0]])
def test_differences_unlike_all_observed_ones_have_no_answer(differences):
    """Too large, or of two scores that always agree."""
    pairs = made_up(noise=(0.1, 0.1))
    found = JointModel.of(pairs, best_fit(pairs), DRAWING).answer(differences, "")
    assert found == "no observed pair of systems has such differences together"


def test_scores_that_cancel_out_have_no_answer():
    pairs = made_up()
    same = replace(pairs, differences=pairs.differences[:, [0, 0]])
    found = JointModel.of(same, best_fit(same), DRAWING).answer([0.0, 0.0], "")
    assert found == "the scores cancel each other out"


def test_a_fit_can_know_which_system_is_a_language_model():
    """People prefer one kind whatever the scores say: on left-out campaigns, a fit that knows the kinds is better."""
    pairs = made_up(noise=(0.5, 0.5))
    is_first = np.arange(len(pairs)) % 2 == 0
    kinds = np.where(is_first, "LLM-over-MT", "MT-over-LLM")
    mixed = replace(pairs, kinds=kinds, first=np.where(is_first, 1.0, 0.0), second=np.where(is_first, 0.0, 1.0))
    plain, knowing = (predict_left_out(mixed, knows_kinds=each).joint.mean() for each in (False, True))
    assert knowing < plain / 2
    model = JointModel.of(mixed, best_fit(mixed, knows_kinds=True), DRAWING)
    assert model.answer([-0.2, -0.2], "LLM-over-MT").is_first
    assert not model.answer([0.2, 0.2], "MT-over-LLM").is_first


def test_left_out_campaigns():
    pairs = made_up()
    found = predict_left_out(pairs)
    assert [each.name for each in found.parts] == ["c0", "c1", "c2"]
    assert sum(each.pairs for each in found.bins) == len(pairs)
    for each in found.bins:
        assert abs(each.predicted - each.observed) < 0.2 or each.pairs < 20
    single = predict_left_out(made_up(campaigns=1))
    assert single.held_out == "language pair"
    assert predict_left_out(made_up(campaigns=1, lps=1)) is None


def test_pairs_need_all_scores():
    judged = [each for each in bundled(["bleu"], pairs_of=["bleu", "chrf", "COMET"]).pairs if each.protocol == "MQM"]
    keys = [*KEYS, ("COMET", "stored")]
    with_comet, without = (
        JointPairs.of([system_pairs_of(each, chosen) for each in judged], chosen, 0.05, None) for chosen in (keys, KEYS)
    )
    assert (len(with_comet), len(without)) == (150, 352)
    assert set(with_comet.lps) == {"wmt20", "wmt21.news", "wmt22"}
    nothing = JointPairs.of([], KEYS, 0.05, None)
    assert (len(nothing), nothing.differences.shape) == (0, (0, 2))


def test_fewer_judged_segments_show_fewer_preferences():
    judged = [each for each in bundled(["bleu"], pairs_of=["bleu", "chrf"]).pairs if each.protocol == "ESA"]
    members = [system_pairs_of(each, KEYS) for each in judged]
    whole, sampled = (JointPairs.of(members, KEYS, 0.05, size) for size in (None, 100))
    assert len(whole) == len(sampled) == 1042
    assert sampled.base_rate < whole.base_rate
