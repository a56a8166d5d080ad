from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.calibration.explanation import Question, answer
from assay.calibration.files import bundled
from assay.calibration.judged_sizes import resized, same_pairs
from assay.words.calibration import sentences
from tests.calibration.made_up import campaign


@pytest.fixture(scope="module")
def wmt():
    """The bundled curves and pairs of BLEU."""
    return bundled(["bleu"], pairs_of=["bleu"])


def asked(wmt, judged, difference=2.0, lp="de-en", **options):
    """The answer for corpus BLEU."""
    return answer(Question("bleu", "corpus", difference, lp, judged=judged, **options), wmt, "wmt")


@pytest.mark.slow
def test_more_judged_segments_show_more(wmt):
    found = [asked(wmt, judged) for judged in (50, 100, 125, 150, 500, None)]
    values = [each.probability.value for each in found]
    assert values == sorted(values)
    assert values[0] < values[-1] / 2
    assert all(each.probability.low < each.probability.value < each.probability.high for each in found)
    assert all(each.population.group == "English" for each in found)
    assert found[2].population.segments == found[2].judged == 125


def test_answers_on_a_left_out_campaign_are_near_what_people_said(wmt):
    """Into English, each campaign as a whole is predicted within 7 points, from 100 to 500 judged segments."""
    for judged in (100, 200, 350, 500):
        for each in asked(wmt, judged).left_out:
            assert abs(each.predicted - each.observed) < 0.07
        check = asked(wmt, judged).check
        assert check is None or abs(check.predicted - check.observed) < 0.1


def test_the_curve_of_all_judgements_promises_too_much(wmt):
    """It says 34 %, and people prefer the better-scored system in a third of that if 100 segments are judged."""
    full, few = asked(wmt, None), asked(wmt, 100)
    assert few.probability.high < full.probability.value
    assert all(each.observed < full.base_rate for each in few.left_out)


def test_an_answer_says_how_many_segments_and_how_campaigns_differ(wmt):
    first, *others = sentences(asked(wmt, 150))
    assert first.startswith("BLEU 2 (corpus, de-en, if 150 segments of each system are judged): in WMT 2020–2022 ")
    text = " ".join(others)
    assert "people judged 150 segments per system (samples of what they judged)" in text
    assert "in so many of all its pairs of systems, whatever their difference: " in text
    assert " in wmt22 (30 % were predicted), " in text


@pytest.mark.parametrize(
    ("judged", "lp", "reason"),
    [
        (20, "de-en", "'wmt' has samples of 50 to 1,000 judged segments, not of 20"),
        (
            1001,
            "de-en",
            "'wmt' has samples of 50 to 1,000 judged segments, not of 1,001; answers by DA/SQM are for up to 700",
        ),
        (
            700,
            "en-de",
            "'wmt' has too few pairs of systems with 700 judged segments (ESA); answers by ESA are for up to 500",
        ),
    ],
)
def test_no_answer_outside_of_the_samples(wmt, judged, lp, reason):
    found = asked(wmt, judged, lp=lp)
    assert math.isnan(found.probability.value)
    assert reason in found.probability.reason


SIZES = (50, 75, 100, 120, 150, 200, 250, 300, 400, 450, 500)
DIFFERENCES = (0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lp", "options"),
    [
        ("de-en", {}),
        ("en-de", {}),
        ("en-cs", {"kinds": "MT-over-LLM"}),
        ("en-cs", {"kinds": "LLM"}),
        (None, {"protocol": "DA/SQM"}),
        (None, {"protocol": "MQM"}),
    ],
)
def test_an_answer_falls_neither_with_the_number_of_segments_nor_with_the_difference(wmt, lp, options):
    found = [[asked(wmt, size, difference, lp, **options) for difference in DIFFERENCES] for size in SIZES]
    values, low, high = (
        np.array([[getattr(each.probability, name) for each in row] for row in found])
        for name in ("value", "low", "high")
    )
    are_answered = ~np.isnan(values).any(axis=0)
    assert are_answered.sum() > 5
    for axis in (0, 1):
        assert (np.diff(values[:, are_answered], axis=axis) >= -1e-9).all()
        assert (np.diff(low[:, are_answered], axis=axis) >= -0.006).all()  # files keep points for half a per cent
        assert (np.diff(high[:, are_answered], axis=axis) >= -0.006).all()
    opposite = np.array([[each.opposite.value for each in row] for row in found])
    assert (np.diff(opposite[:, are_answered], axis=0) >= -1e-9).all()
    answered = [each for row in found for each in row if each.is_answered]
    assert len({(each.population.campaigns, each.population.pairs, each.population.group) for each in answered}) == 1


def test_all_numbers_of_segments_have_the_same_pairs_whose_shares_do_not_fall(wmt):
    pairs = same_pairs(wmt.pairs, (("bleu", "corpus"),))
    assert same_pairs(wmt.pairs, (("bleu", "corpus"),)) is pairs
    largest = {each.protocol: max(each.sampled) for each in pairs if each.sampled}
    assert largest == {"DA/SQM": 700, "MQM": 500, "ESA": 500}
    shifts = []
    for before, after in zip(wmt.pairs, pairs, strict=True):
        if after.sampled:
            sizes = sorted(after.sampled)
            counts = np.stack([after.sampled[size] for size in sizes])
            used = ~np.isnan(counts).any(axis=(0, 2))
            counts, drawn = counts[:, used], np.stack([before.sampled[size] for size in sizes])[:, used]
            assert (np.isnan(counts).any(axis=(0, 2)) == np.isnan(counts).all(axis=(0, 2))).all()
            assert (np.diff(counts, axis=0) >= -1e-9).all()
            assert counts.sum(axis=2).max() <= 20 + 1e-9
            shifts.append((counts - drawn).sum(axis=(1, 2)) / (20 * 2 * used.sum()))
    assert np.abs(np.concatenate(shifts)).max() < 0.03  # the order changes the share of a language pair by little


def test_calibrations_without_samples():
    own = assay.calibrate([campaign(lp, seed=k) for k, lp in enumerate(("de-en", "cs-en"))], "bleu", min_segments=20)
    unsampled = assay.explain("bleu", 5, calibration=own, judged=20).probability.reason
    assert unsampled.startswith("no calibration: 'own' has no samples of judged segments; assay calibrate with ")
    assert unsampled.endswith('judged="50,100,150" draws them')
    found = resized(bundled(["bleu"]), "bleu", "corpus", "all", 100, "wmt")
    assert found == "'wmt' has no pairs of systems; assay calibrate fits a calibration that has them"
    published = assay.explain("bleu", 5, calibration="lo2023", judged=100)
    assert published.probability.reason == "no calibration: 'lo2023' has no samples of judged segments"


def test_kinds_of_systems_have_answers_too(wmt):
    found = asked(wmt, 150, 7.0, "zh-en", kinds="MT-over-LLM")
    assert found.population.protocol == "ESA"
    assert {each.kinds for each in found.by_kinds} >= {"LLM", "MT-over-LLM"}
