from __future__ import annotations

import pytest

from assay.calibration.outcomes import ORIENTATIONS
from assay.labels.calibrations import opposite_words, outcome_words, preferred
from assay.results.calibration import AGREES, SIGNIFICANT


def test_every_orientation_has_words_of_its_own():
    assert len({outcome_words(SIGNIFICANT, name) for name in ORIENTATIONS} | {outcome_words(SIGNIFICANT, "other")}) == 4
    assert len({preferred(name) for name in ORIENTATIONS}) == 3


@pytest.mark.parametrize(
    ("outcome", "orientation", "words"),
    [
        (SIGNIFICANT, "absolute", "people significantly prefer either system"),
        (SIGNIFICANT, "by-human", "people's preference is significant"),
        (AGREES, "absolute", "people prefer the better-scored system, by however little"),
        ("metric p<0.05", "by-metric", "metric p<0.05"),
    ],
)
def test_outcomes_in_words(outcome, orientation, words):
    assert outcome_words(outcome, orientation) == words


def test_the_other_system_is_the_end_of_a_sentence_on_any_orientation():
    assert opposite_words("by-metric", "13 %") == ", and the worse-scored one in 13 %"
    assert opposite_words("absolute", "13 %") == "; they significantly preferred the worse-scored system in 13 %"
    assert opposite_words("by-metric", "") == ""
