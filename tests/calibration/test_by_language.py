from __future__ import annotations

import numpy as np
import pytest

from assay.calibration.by_language import JudgedMembers, mt_systems, near, own_language, shares_by_language
from assay.results import JudgedPairs, WrongWay
from assay.results.calibration import Step
from assay.types.language_codes import languages_of

KEY = ("m", "corpus")
STEP = Step(0.5, 1.0, 3.0, 40, 10, 20)


def judged(lp, preference, differences, campaign="wmt25", names=None):
    """Pairs of systems without one in common; the first one is better by the metric."""
    count = len(differences)
    systems = tuple(names or (f"{side}{k}" for k in range(count) for side in "ab"))
    scores = np.zeros(2 * count)
    scores[::2] = differences
    return JudgedPairs(
        campaign,
        lp,
        "esa",
        "ESA",
        systems,
        np.full(2 * count, 300),
        np.arange(2 * count).reshape(-1, 2),
        np.full(count, 300),
        np.array(preference),
        {"m": {"corpus": scores}},
    )


REVERSED = judged("en-ar_EG", [2] * 4 + [-2] * 16 + [0] * 4, np.linspace(1.0, 2.9, 24))
USUAL = judged("en-de", [2] * 20 + [-2] * 4, np.linspace(1.0, 2.9, 24))


def own(lp, *pairs, difference=2.0):
    return own_language(JudgedMembers(pairs, KEY, "ESA"), lp, difference, STEP, 50.0, 0.025)


def test_languages_without_script_and_region():
    assert languages_of("en-ar_EG") == languages_of("eng_Latn-ara_Arab") == ("en", "ar")


def test_the_language_pair_that_was_asked_for():
    found = own("en-ar", REVERSED, USUAL)
    assert (found.lps, found.is_pair, found.pairs) == (("en-ar_EG",), True, 24)
    assert (found.probability.value, found.opposite.value) == (pytest.approx(4 / 24), pytest.approx(16 / 24))
    assert found.probability.low < 4 / 24 < found.probability.high < 0.5
    assert (found.start, found.end) == (1.0, 2.9)
    usual = own("en-de", REVERSED, USUAL)
    assert found.contradicts(usual.probability, usual.opposite) is WrongWay.REVERSED
    assert usual.contradicts(usual.probability, usual.opposite) is None
    assert usual.contradicts(found.probability, usual.opposite) is WrongWay.OTHER_SHARE


def test_other_language_pairs_with_its_target_language():
    found = own("ja-ar", REVERSED, USUAL)
    assert (found.lps, found.is_pair) == (("en-ar_EG",), False)
    assert own("en-fi", REVERSED, USUAL) is None


def test_pairs_with_about_this_difference_if_the_step_has_too_few():
    """The step is from 1 to 3: of 24 pairs, 3 are on it, and all are between half of 6 and twice as much."""
    wide = judged("en-ar", [2] * 24, np.concatenate([[1.0, 1.5, 2.9], np.linspace(3.0, 12.0, 21)]))
    found = own("en-ar", wide, difference=6.0)
    assert (found.pairs, found.start, found.end) == (21, 3.0, 12.0)
    few = judged("en-ar", [2] * 19, np.linspace(1.0, 2.9, 19))
    assert own("en-ar", few) is None


def test_shares_of_language_pairs_with_enough_pairs():
    few = judged("en-is", [2] * 4, np.full(4, 1.5))
    observed = JudgedMembers((REVERSED, USUAL, few), KEY, "ESA").observed()
    first, last = shares_by_language(observed, near(observed, STEP, 50.0))
    assert (first.lp, first.pairs, first.opposite) == ("en-de", 24, pytest.approx(4 / 24))
    assert (last.campaign, last.lp, last.share) == ("wmt25", "en-ar_EG", pytest.approx(4 / 24))


def test_the_last_step_has_the_largest_difference():
    observed = JudgedMembers((judged("en-de", [2, 2], [1.0, 3.0]),), KEY, "ESA").observed()
    assert near(observed, STEP, 50.0).tolist() == [0]
    assert near(observed, STEP, 3.0).tolist() == [0, 1]


def test_mt_systems_of_pairs_with_a_language_model():
    names = ("GPT-4.1", "NLLB", "Claude-4", "ONLINE-B", "GPT-4.1x", "Claude-4x", "NLLB", "Qwen3")
    pairs = judged("en-is_IS", [2, 2, 2, 2], [1.0, 2.0, 3.0, 4.0], names=names)
    found = mt_systems(JudgedMembers((pairs,), KEY, "ESA", "LLM-over-MT"))
    assert [(each.name, each.lp, each.pairs) for each in found] == [
        ("NLLB", "en-is_IS", 1),
        ("ONLINE-B", "en-is_IS", 1),
    ]
