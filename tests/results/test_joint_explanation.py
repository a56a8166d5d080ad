from __future__ import annotations

import math

import pytest

import assay
from assay.results import Estimate, JointExplanation, JointValidation, NearPairs, SignedScore
from assay.results.joint_explanation import swapped_kinds

SCORES = (SignedScore("bleu", "corpus", 1.2), SignedScore("chrf", "segment", -0.4))


def test_without_an_answer():
    found = JointExplanation(scores=SCORES, probability=Estimate(math.nan, 0, reason="no calibration: x"), source="wmt")
    assert found.is_opposed
    assert not found.is_answered
    (row,) = found.rows()
    assert (row["scores"], row["differences"]) == ("bleu/corpus chrf/segment", "1.2 -0.4")
    assert (row["probability"], row["answers"], row["reason"]) == (None, None, "no calibration: x")
    assert repr(found) == "JointExplanation(bleu +1.2, chrf -0.4: nan; wmt)"


def test_rows_and_tree():
    found = JointExplanation(
        scores=SCORES,
        preferred="the first system",
        probability=Estimate(0.5, 30, 0.4, 0.6),
        validation=JointValidation("campaign", {"joint": 0.1, "single": 0.2}, Estimate(-0.1, 9, -0.2, -0.05), 9),
        near=NearPairs(30, 8),
        source="wmt",
    )
    (row,) = found.rows()
    assert (row["answers"], row["brier_joint"], row["brier_difference_high"]) == ("joint", 0.1, -0.05)
    assert found.near.supported == pytest.approx(0.9)
    assert found.validation.is_better
    assert found.to_dict()["scores"][0] == {
        "metric": "bleu",
        "aggregation": "corpus",
        "difference": 1.2,
        "weight": None,
    }


def test_kinds_named_from_the_other_side():
    assert swapped_kinds("MT-over-LLM") == "LLM-over-MT"
    assert swapped_kinds("LLM") == "LLM"


def test_answers_are_saved_and_opened(tmp_path):
    found = assay.explain("bleu,chrf", [1.2, -0.4], lp="en-cs")
    assay.save_result(found, tmp_path / "answer")
    assert assay.open_result(tmp_path / "answer").to_dict() == found.to_dict()
