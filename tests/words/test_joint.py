from __future__ import annotations

import pytest

import assay
from assay.words import verdict
from assay.words.joint import joint_sentences


@pytest.fixture(scope="module")
def opposed():
    """BLEU and chrF prefer different systems."""
    return assay.explain("bleu,chrf", [1.2, -0.8], lp="en-cs")


def test_the_answer_comes_first_and_names_its_population(opposed):
    first, *others = joint_sentences(opposed)
    assert first.startswith(
        "BLEU +1.2 and chrF -0.8 (en-cs): all scores together put the second system ahead; in WMT 2024–2025 (ESA), "
        "people significantly preferred the system that is ahead in "
    )
    assert ", and the other one in " in first
    assert others[0] == "BLEU prefers the first system, but chrF prefers the second system."
    assert others[1].startswith("Typical differences count BLEU ")
    assert "the Brier score of all scores together was 0." in others[1]
    assert verdict((opposed,)).sentences[0] == first


def test_a_single_score_that_answers_says_why():
    found = assay.explain("bleu,chrf,COMET", [2.0, 1.0, 0.05], lp="de-en", protocol="DA/SQM")
    text = " ".join(joint_sentences(found))
    if found.alone is None:
        pytest.fail("the scores predict better together now: choose others")
    assert "answers alone, because the scores do not predict better together." in text
    assert "COMET 0.05 (stored, de-en): in WMT 2020–2022 (DA/SQM)" in text


def test_no_answer_has_its_reason():
    (sentence,) = joint_sentences(assay.explain("bleu,chrf", [90, -80]))
    assert sentence == (
        "BLEU +90 and chrF -80: no calibration: no observed pair of systems has such differences together."
    )


def test_the_fit_misorders_kinds_of_systems():
    """Where the fit does not know the kinds, what people said of them comes first if it is often wrong."""
    found = assay.explain("bleu,ter", [7, 7], lp="en-cs", kinds="MT-over-LLM")
    first = next(joint_sentences(found))
    assert first.startswith("A joint fit of") == (found.misordered is not None)
    assert found.knows_kinds == ("The fit knows which of the two systems" in " ".join(joint_sentences(found)))
