from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.results import LeftOutFold
from assay.words import verdict
from assay.words.calibration import share
from assay.words.joint import joint_claim, joint_sentences


@pytest.fixture(scope="module")
def opposed():
    """chrF and COMET prefer different systems."""
    return assay.explain("chrf,COMET", [1.5, -0.02], lp="de-en")


def test_the_answer_comes_first_and_names_its_population(opposed):
    first, *others = joint_sentences(opposed)
    assert first.startswith(
        "chrF +1.5 and COMET stored -0.02 (de-en): all scores together put the first system ahead; in WMT 2020–2022 "
        "(DA/SQM), people significantly preferred the system that is ahead in "
    )
    assert ", and the other one in " in first
    assert others[0] == "chrF prefers the first system, but COMET stored prefers the second system."
    assert others[1].startswith("Weights: chrF 74 % and COMET stored 26 %. Brier scores on left-out campaigns, lower ")
    assert "is better: together 0.121, chrF alone 0.125 and COMET stored alone 0.122. The score that is " in others[1]
    assert others[1].endswith(", which may be chance.")
    assert verdict((opposed,)).sentences[0] == first
    assert not any("better-scored" in each for each in others)


def test_a_single_score_that_answers_says_why():
    found = assay.explain("bleu,chrf", [2.0, 1.0], lp="en-de")
    text = " ".join(joint_sentences(found))
    assert text.startswith(
        "BLEU +2 and chrF +1 (en-de): chrF, which answers alone because all scores together predict no better, puts "
        "the first system ahead; in WMT 2024–2025 (ESA), people significantly preferred the better-scored system in "
    )
    assert (
        "Brier scores on left-out campaigns (481 pairs of systems in 5 language pairs of wmt24, wmt25 (cs-uk, en-cs, "
        "en-is, en-ru, en-uk), ESA, target languages I (I: bn cs de fr ha hr is kk lt pl ru uk)), lower is better: "
        "together 0.128, BLEU alone 0.151 and chrF alone" in text
    )


def test_an_answer_of_one_of_several_scores_is_read_once():
    found = assay.explain("bleu,chrf", [2.0, 1.0], judged=150)
    text = " ".join(joint_sentences(found))
    assert text.count(share(found.probability)) == 1
    assert text.count("answers alone") == 1
    assert "by all judgements" in text


def test_a_score_that_has_all_the_weight_answers():
    found = assay.explain("chrf,COMET", [1.5, -0.02], lp="de-en")
    better = replace(found.validation, alone=(0.2, 0.2), brier={**found.validation.brier, "single": 0.2})
    weighted = tuple(replace(each, weight=weight) for each, weight in zip(found.scores, (1.0, 0.0), strict=True))
    claim = joint_claim(replace(found, scores=weighted, validation=better))
    assert claim.startswith("chrF, which answers alone because it has all the weight in a joint fit, puts the ")


def test_scores_that_do_not_tell():
    found = assay.explain("bleu,chrf", [1.2, -0.4], lp="en-de")
    assert found.is_undecided
    said = " ".join(joint_sentences(found))
    assert "better, puts the second system ahead, but too little to tell which system people prefer; in WMT" in said


def test_campaigns_that_were_predicted_far_off_are_named_first():
    found = replace(assay.explain("chrf,COMET", [1.5, -0.02], lp="de-en", judged=150), alone=None)
    folds = (LeftOutFold("wmt20", 0.5, 0.3, 40), LeftOutFold("wmt22", 0.4, 0.4, 40))
    _, *others = joint_sentences(replace(found, left_out=folds))
    assert others[0].endswith("difference: 30 % in wmt20 (50 % were predicted) and 40 % in wmt22 (40 %).")
    assert others[1].endswith(" the truth is inside its interval.")
    narrow = replace(found, probability=replace(found.probability, low=found.probability.value - 0.02), left_out=folds)
    _, *others = joint_sentences(narrow)
    assert others[1].endswith(" the truth is outside its interval.")
    assert sum("whatever their difference" in each for each in others) == 1
    _, *near = joint_sentences(replace(found, left_out=folds[1:]))
    assert "whatever their difference" not in near[0]
    assert "the truth is" not in " ".join(near)


def test_kinds_that_decide_are_named():
    """Both scores prefer the first system, but the second one is a language model."""
    found = assay.explain("bleu,nist", [3, 0.2], lp="en-cs", kinds="MT-over-LLM")
    assert found.preferred == "the second system"
    assert ": all scores and the kinds of the systems put the second system ahead" in next(joint_sentences(found))


def test_a_score_that_answers_alone_does_not_know_kinds_that_decided():
    found = assay.explain("bleu,chrf", [3, 3], lp="en-de", kinds="MT-over-LLM")
    assert found.preferred == "the first system"
    said = " ".join(joint_sentences(found))
    assert said.startswith(
        "In some language pairs, chrF misorders pairs of an MT system that scores better than an LLM"
    )
    assert "BLEU +3 and chrF +3 (en-de): chrF, which answers alone because " in said
    assert "Fits that know which of the two systems is a language model say so" in said
    assert " of these kinds" not in said


def test_no_answer_has_its_reason():
    (sentence,) = joint_sentences(assay.explain("bleu,chrf", [90, -80]))
    assert sentence == (
        "BLEU +90 and chrF -80: no calibration: no observed pair of systems has such differences together."
    )


def test_the_fit_misorders_kinds_of_systems():
    """Where the fit does not know the kinds, what people said of them comes first if it is often wrong."""
    found = assay.explain("bleu,ter", [7, 7], lp="en-cs", kinds="MT-over-LLM")
    first = next(joint_sentences(found))
    assert (" often misorders such pairs: " in first) == (found.misordered is not None)
    assert found.knows_kinds == ("The fit knows which of the two systems" in " ".join(joint_sentences(found)))
