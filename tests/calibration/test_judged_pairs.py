from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.calibration.files import bundled, parse_calibration
from assay.calibration.judged_pairs import system_pairs_of
from assay.calibration.outcomes import observe
from assay.errors import InputError
from assay.results.calibration import AGREES, SIGNIFICANT
from tests.calibration.made_up import campaign

KEY = ("bleu", "corpus")


@pytest.fixture(scope="module")
def calibration():
    """Of two language pairs, with samples."""
    campaigns = [campaign(lp, seed=k) for k, lp in enumerate(("de-en", "cs-en"))]
    return assay.calibrate(campaigns, "bleu,chrf", agg="corpus", min_segments=20, judged=[10, 30], resamples=10)


def test_pairs_come_back_from_a_file(calibration):
    again = parse_calibration(json.dumps(calibration.to_dict()), path="mine.json")
    assert [each.to_dict() for each in again.pairs] == [each.to_dict() for each in calibration.pairs]
    assert calibration.settings["judged"] == "10+30"
    (first, _) = again.pairs
    assert first.systems == ("s0", "s1", "s2", "s3")
    assert set(first.sampled) == {10, 30}
    assert min(first.scores["bleu"]["corpus"]) == 0


def test_curves_can_be_fitted_to_them_again(calibration):
    members = [system_pairs_of(each, [KEY]) for each in calibration.pairs]
    for outcome in (SIGNIFICANT, AGREES):
        curve = calibration.curve("bleu", outcome=outcome, protocol="DA/SQM")
        observed = observe(members, KEY, outcome, "by-metric", 0.05)
        assert len(observed) == curve.population.pairs
        assert observed.y.mean() == pytest.approx(curve.base_rate)
        assert observed.opposite.sum() == curve.opposite[0]


def test_the_bundled_pairs_are_those_of_the_bundled_curves():
    both = bundled(["chrf"], pairs_of=["chrf"])
    for protocol in ("DA/SQM", "MQM", "ESA"):
        members = [system_pairs_of(each, [("chrf", "corpus")]) for each in both.pairs if each.protocol == protocol]
        observed = observe(members, ("chrf", "corpus"), SIGNIFICANT, "by-metric", 0.05)
        curve = both.curve("chrf", agg="corpus", protocol=protocol)
        assert (len(observed), observed.lps) == (curve.population.pairs, dict(curve.population.lps))
        assert observed.y.mean() == pytest.approx(curve.base_rate)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": [[0, 9]]}, "pairs is not a list of whole numbers from 0 to 3"),
        ({"pairs": "none"}, "pairs is not a list"),
        ({"preference": [3] * 6}, "preference is not a list of whole numbers from -2 to 2"),
        ({"preference": [1.5] * 6}, "preference is not a list of whole numbers"),
        ({"segments": [40]}, "its lists have different lengths"),
        ({"scores": {"bleu": {"corpus": [1.0]}}}, "corpus is not a list of scores, one for each system"),
        ({"sampled": {"ten": []}}, "sampled.ten is not a number of segments"),
        ({"sampled": {"10": [[1, 99]] * 6}}, "sampled.10 is not a list of two numbers up to 20"),
        ({"sampled": {"10": [[1, 2]]}}, "its lists have different lengths"),
    ],
)
def test_damaged_pairs_are_refused(calibration, change, message):
    tree = calibration.to_dict()
    tree["pairs"][0] |= change
    with pytest.raises(InputError, match="the calibration is damaged") as caught:
        parse_calibration(json.dumps(tree), path="mine.json")
    assert message in str(caught.value)


def test_a_file_without_pairs_is_read(calibration):
    tree = calibration.to_dict()
    del tree["pairs"]
    assert parse_calibration(json.dumps(tree), path="old.json").pairs == ()


def test_systems_without_a_score_have_no_difference(calibration):
    (first, *_) = calibration.pairs
    scores = {"bleu": {"corpus": np.array([0.0, np.nan, 2.0, 3.0])}}
    from dataclasses import replace

    differences = system_pairs_of(replace(first, scores=scores), [KEY]).differences[KEY]
    assert np.isnan(differences).sum() == 3  # the pairs of s1
