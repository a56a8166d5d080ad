from __future__ import annotations

import dataclasses

import pytest
from scipy.stats import ttest_rel

import assay
from assay.errors import ConfigError, InputError, UnknownNameError
from tests.calibration.made_up import campaign

FEW = {"min_segments": 20}


def test_decisions_of_two_metrics():
    result = assay.decisions([campaign(), campaign("cs-en", seed=7)], **FEW)
    assert [each.name for each in result] == ["bleu corpus", "chrf corpus"]
    bleu = result.metrics[0]
    assert bleu.pairs == 12 == sum(each.pairs for each in bleu.bins)
    rule = bleu.rules[0]
    assert rule.rule == "significant"
    assert rule.accepted + rule.rejected == 12
    assert result.overlaps[0].shared[0, 0] == rule.type_1 + rule.type_2
    assert result.settings["own_test"] == "randomisation"
    assert bleu.own_tests == ("randomisation",)


def test_people_are_tested_as_in_calibrate():
    """Scores of the same segments are paired; only the preset compares them as two samples, as its paper does."""
    result = assay.decisions(campaign(), "bleu", **FEW)
    assert result.settings["test"] == assay.calibrate(campaign(), "bleu", **FEW).settings["test"] == "paired-t"
    with pytest.raises(InputError, match="enough human scores") as caught:
        assay.decisions(campaign(), "bleu")
    assert "no two systems have 250 segments of wmt-z in common" in caught.value.hint


def test_the_preset_of_mathur_2020():
    result = assay.decisions([campaign()], preset="mathur2020", exclude=("s0",))
    assert result.settings["test"] == "rank-sum"
    assert result.settings["own_test"] == "mathur2020"
    assert result.metrics[0].pairs == 3
    assert result.settings["min_segments"] == "2"
    assert [each.own_tests for each in result] == [("bootstrap",), ("paired-t",)]
    both = assay.decisions([campaign()], preset="mathur2020", test="paired-t")
    assert both.settings["test"] == "paired-t"


def test_a_pattern_need_not_match_in_every_language_pair():
    other = campaign("cs-en", seed=7, quality=(0.0, 1.0))
    result = assay.decisions([campaign(), other], exclude="s3", **FEW)
    assert result.metrics[0].pairs == 3 + 1
    with pytest.raises(UnknownNameError, match="no system matches 'online-"):
        assay.decisions([campaign(), other], exclude="online-*", **FEW)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"preset": "mathur"}, ConfigError, "unknown preset"),
        ({"own_test": "t"}, ConfigError, "unknown own_test 't'"),
        ({"agg": ("median",)}, ConfigError, "unknown aggregation"),
        ({"alpha": 0}, ConfigError, "alpha must be"),
        ({"gold": "wmt-y"}, UnknownNameError, "no human scores of segments are called 'wmt-y'"),
        ({"stored": "COMET*"}, UnknownNameError, "no stored scores match 'COMET\\*'"),
        ({"bins": "0,3"}, ConfigError, "bins must be positive"),
        ({"bins": "x"}, ConfigError, "bins must be finite numbers"),
        ({"exclude": "*"}, InputError, "no pair of systems"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        assay.decisions([campaign()], **FEW, **options)


def test_stored_scores_are_tested_by_their_segments():
    made = campaign()
    human, stored = made.scores
    segments = dataclasses.replace(human, name="Stored", protocol=None, references=("ref",))
    with_segments = dataclasses.replace(made, testset=None, scores=(human, stored, segments))
    (tested,) = assay.decisions(with_segments, stored="Stored", **FEW)
    assert tested.bins[0].label == "not significant"
    assert tested.own_tests == ("paired-t",)
    first, second = human.values[3], human.values[0]
    p = ttest_rel(first, second).pvalue
    assert (p < 0.05) == (tested.rules[0].accepted > 0)
    (untested,) = assay.decisions(dataclasses.replace(made, testset=None), stored="Stored", **FEW)
    assert untested.bins[0].label != "not significant"
    assert untested.own_tests == ()


def test_the_signature_has_the_tests_that_were_made():
    made = campaign()
    human, stored = made.scores
    segments = dataclasses.replace(human, name="Stored", protocol=None, references=("ref",))
    made = dataclasses.replace(made, scores=(human, stored, segments))
    both = assay.decisions(made, "bleu", stored="Stored", **FEW).settings
    assert (both["own_test"], both["stored_test"]) == ("randomisation", "paired-t")
    only = assay.decisions(made, stored="Stored", **FEW)
    assert [each.name for each in only] == ["Stored stored"]
    assert "own_test" not in only.settings
    assert only.settings["stored_test"] == "paired-t"
    assert only.settings["version"] == assay.__version__


def test_the_signature_names_data_metrics_and_bins():
    settings = assay.decisions([campaign()], metrics="bleu", bins="4,2", **FEW).settings
    assert {name: settings[name] for name in ("data", "metrics", "agg", "bins")} == {
        "data": "wmt98/de-en",
        "metrics": "bleu",
        "agg": "corpus",
        "bins": "2+4",
    }
