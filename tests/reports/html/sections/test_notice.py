from __future__ import annotations

import math

from assay.results import Estimate
from tests.reports.html.comparisons import compared, comparison
from tests.reports.html.sections.built import built


def test_answers_of_a_calibration_are_quoted_with_their_population():
    answered = comparison(
        compared("bleu", 1.2, noticed=Estimate(0.5, 9)), calibrated=("In 50 % of pairs.", "bleu: seen in 9 pairs.")
    )
    _, content = built("notice", answered)["notice"]
    assert "bleu: seen in 9 pairs." in content.text
    assert "BLEU, 1.2: people significantly prefer the better-scored system in 50 of 100 comparisons" in content.text


def test_without_an_answer_there_is_no_section():
    unanswered = compared("bleu", 1.2, noticed=Estimate(math.nan, 0, reason="no calibration: x"))
    assert built("notice", comparison(unanswered, calibrated=("bleu: no calibration: x.",))) == {}
    assert built("notice", comparison(compared("bleu", 1.2))) == {}
