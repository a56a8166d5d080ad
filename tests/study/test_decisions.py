from __future__ import annotations

import dataclasses

import pytest
from scipy.stats import ttest_rel

import assay
from assay.errors import ConfigError, InputError, UnknownNameError
from tests.calibration.made_up import campaign


def test_decisions_of_two_metrics():
    result = assay.decisions([campaign(), campaign("cs-en", seed=7)])
    assert [each.name for each in result] == ["bleu corpus", "chrf corpus"]
    bleu = result.metrics[0]
    assert bleu.pairs == 12 == sum(each.pairs for each in bleu.bins)
    rule = bleu.rules[0]
    assert rule.rule == "significant"
    assert rule.accepted + rule.rejected == 12
    assert result.overlaps[0].shared[0, 0] == rule.type_1 + rule.type_2
    assert result.settings["own_test"] == "randomisation"


def test_the_preset_of_mathur_2020():
    result = assay.decisions([campaign()], preset="mathur2020", exclude=("s0",))
    assert result.settings["test"] == "rank-sum"
    assert result.settings["own_test"] == "mathur2020"
    assert result.metrics[0].pairs == 3
    both = assay.decisions([campaign()], preset="mathur2020", test="paired-t")
    assert both.settings["test"] == "paired-t"


def test_a_pattern_need_not_match_in_every_language_pair():
    other = campaign("cs-en", seed=7, quality=(0.0, 1.0))
    result = assay.decisions([campaign(), other], exclude="s3")
    assert result.metrics[0].pairs == 3 + 1
    with pytest.raises(UnknownNameError, match="no system matches 'online-"):
        assay.decisions([campaign(), other], exclude="online-*")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"preset": "mathur"}, ConfigError, "unknown preset"),
        ({"own_test": "t"}, ConfigError, "unknown own_test 't'"),
        ({"agg": ("median",)}, ConfigError, "unknown aggregation"),
        ({"alpha": 0}, ConfigError, "alpha must be"),
        ({"gold": "none"}, InputError, "no pair of systems has both metric scores and enough human scores"),
        ({"bins": "0,3"}, ConfigError, "bins must be positive"),
        ({"bins": "x"}, ConfigError, "bins must be finite numbers"),
        ({"exclude": "*"}, InputError, "no pair of systems"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        assay.decisions([campaign()], **options)


def test_stored_scores_are_tested_by_their_segments():
    made = campaign()
    human, stored = made.scores
    segments = dataclasses.replace(human, name="Stored", protocol=None, references=("ref",))
    with_segments = dataclasses.replace(made, testset=None, scores=(human, stored, segments))
    (tested,) = assay.decisions(with_segments, stored="Stored")
    assert tested.bins[0].label == "not significant"
    first, second = human.values[3], human.values[0]
    p = ttest_rel(first, second).pvalue
    assert (p < 0.05) == (tested.rules[0].accepted > 0)
    (untested,) = assay.decisions(dataclasses.replace(made, testset=None), stored="Stored")
    assert untested.bins[0].label != "not significant"


def test_the_signature_names_data_metrics_and_bins():
    settings = assay.decisions([campaign()], metrics="bleu", bins="4,2").settings
    assert {name: settings[name] for name in ("data", "metrics", "agg", "bins")} == {
        "data": "wmt98/de-en",
        "metrics": "bleu",
        "agg": "corpus",
        "bins": "2+4",
    }
