from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from scipy.stats import beta

import assay
from assay.calibration.files import parse_calibration
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.types import ScoreTable
from tests.calibration.made_up import campaign
from tests.human.judged import needs_archives, wmt

LPS = ("de-en", "cs-en", "en-de", "zh-en", "en-ja")


def campaigns(**changes):
    return [campaign(lp, seed=k, **changes) for k, lp in enumerate(LPS)]


def test_curves_of_all_populations():
    result = assay.calibrate(campaigns(domains=True), min_segments=20, by_domain=True, resamples=50)
    labels = {curve.population.label for curve in result if curve.outcome == "significant"}
    assert labels == {
        "DA/SQM",
        "DA/SQM, into English",
        "DA/SQM, target languages I",
        "DA/SQM, target languages II",
        "DA/SQM, news",
        "DA/SQM, social",
    }
    curve = result.curve("bleu", agg="corpus", protocol="DA/SQM")
    assert curve.population.pairs == 5 * 6
    assert curve.population.language_pairs == 5
    assert (curve.population.segments, curve.population.judgements) == (40, 40)
    assert (np.diff(curve.x) > 0).all()
    assert (np.diff(curve.y) >= 0).all()
    assert curve.cutoffs[0.5].low <= curve.cutoffs[0.5].value <= curve.cutoffs[0.5].high
    assert curve.validation.held_out == "language pair"
    assert curve.validation.brier["isotonic"] < curve.validation.brier["constant"]
    news = result.curve("bleu", agg="corpus", protocol="DA/SQM", domain="news")
    assert news.population.judgements == 20


def test_fewer_than_five_language_pairs_have_an_exact_interval():
    result = assay.calibrate(campaigns()[:2], metrics=("chrf",), min_segments=20)
    curve = result.curve("chrf", agg="corpus", protocol="DA/SQM")
    x = float(curve.x[-1])
    step, found = curve.step(x), curve.probability(x)
    hits = step.probability * step.independent
    assert found.low == pytest.approx(beta.ppf(0.025, hits, step.independent - hits + 1))
    assert found.value <= (step.independent + 1) / (step.independent + 2)


def test_curves_are_checked_on_campaigns_that_they_are_not_fitted_to():
    later = campaign("de-en", name="wmt99", seed=9)
    result = assay.calibrate(campaigns(), metrics=("chrf",), min_segments=20, check=[later])
    curve = result.curve("chrf", agg="corpus", protocol="DA/SQM")
    assert curve.check.held_out == "WMT 2099 (DA/SQM)"
    assert 0 < curve.check.pairs <= 6
    assert result.settings["check"] == "wmt99/de-en"
    assert read_back(result).curve("chrf", agg="corpus", protocol="DA/SQM").check == curve.check
    answer = assay.explain("chrf", float(curve.x[len(curve.x) // 2]), calibration=result)
    assert answer.checked_on == "WMT 2099 (DA/SQM)"
    unjudged = dataclasses.replace(later, scores=(), judgements=())
    with pytest.raises((InputError, UnknownNameError), match=r"^check: "):
        assay.calibrate(campaigns(), metrics=("chrf",), min_segments=20, check=[unjudged])
    with pytest.raises(ConfigError, match="curves that are fitted to wmt98 de-en cannot be checked on it"):
        assay.calibrate(campaigns(), metrics=("chrf",), min_segments=20, check=campaigns()[:1])


def read_back(result):
    return parse_calibration(json.dumps(result.to_dict()), path="it")


def test_campaigns_are_held_out():
    result = assay.calibrate([campaign(), campaign(name="wmt99", seed=8)], metrics=("chrf",), min_segments=20)
    assert result.curves[0].validation.held_out == "campaign"


def test_stored_scores_and_the_own_test():
    result = assay.calibrate(
        campaigns(), metrics=("bleu",), agg=("segment",), stored=("Sto*",), own_test="randomisation", min_segments=20
    )
    assert {(curve.metric, curve.aggregation) for curve in result} == {("bleu", "segment"), ("Stored", "stored")}
    only = assay.calibrate(campaigns(), stored="Sto*", min_segments=20, resamples=0)
    assert only.metrics == ("Stored",)
    with pytest.raises(UnknownNameError, match="no stored scores match 'Stored-2'") as caught:
        assay.calibrate(campaigns(), metrics="bleu", stored="Stored-2", min_segments=20)
    assert caught.value.hint == "did you mean 'Stored'?"
    with pytest.raises(UnknownNameError, match="no human scores of segments are called 'wmt-y'") as caught:
        assay.calibrate(campaigns(), gold="wmt-y", min_segments=20)
    assert caught.value.hint == "did you mean 'wmt-z'?"
    assert result.curve("bleu", agg="segment", outcome="metric p<0.05", protocol="DA/SQM").base_rate > 0.3


def test_beyond_the_data_there_is_no_calibration():
    result = assay.calibrate(campaigns(), metrics=("bleu",), min_segments=20, resamples=0)
    curve = result.curve("bleu", agg="corpus", protocol="DA/SQM")
    beyond = curve.probability(float(curve.x[-1]) + 1)
    assert math.isnan(beyond.value)
    assert " is outside the observed differences of bleu (corpus), " in beyond.reason
    assert curve.cutoffs[0.5].n == sum(curve.support[curve.x == curve.cutoffs[0.5].value])
    unreached = [c for c in curve.cutoffs.values() if math.isnan(c.value)]
    assert all("the highest probability is" in cutoff.reason for cutoff in unreached)


def test_the_same_on_any_number_of_threads():
    one, two = (
        assay.calibrate(campaigns(), min_segments=20, runtime=assay.Runtime(threads=threads)).to_dict()
        for threads in (1, 2)
    )
    assert one == two


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orientation": "sideways"}, "unknown orientation"),
        ({"agg": ("median",)}, "unknown aggregation"),
        ({"own_test": "t"}, "unknown own_test"),
        ({"alpha": 1.5}, "alpha must be between 0 and 1"),
        ({"confidence": 0.0}, "confidence must be between 0 and 1"),
        ({"min_segments": 1}, "min_segments must be"),
        ({"resamples": -1}, "resamples must be"),
        ({"at": (math.inf,)}, "at must be finite numbers, not inf"),
        ({"at": "2,x"}, "at must be finite numbers, not 'x'"),
        ({"metrics": ()}, "no metric was given"),
        ({"test": "t"}, "unknown test"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ConfigError, match=message):
        assay.calibrate(campaigns(), **options)


def test_too_few_segments():
    with pytest.raises(InputError, match="no pair of systems has both metric scores and enough human scores") as caught:
        assay.calibrate(campaigns())
    assert "no two systems have 250 segments of wmt-z in common" in caught.value.hint


def test_probabilities_at_differences():
    result = assay.calibrate(campaigns(), metrics="bleu", agg="corpus", min_segments=20, at="1,2,500")
    curve = result.curve("bleu", agg="corpus", protocol="DA/SQM")
    assert list(curve.at) == [1.0, 2.0, 500.0]
    assert curve.at[2.0] == curve.probability(2.0)
    assert "no calibration" in curve.at[500.0].reason
    rows = [row for row in result.rows() if row["given"] == "difference" and row["outcome"] == "significant"]
    assert rows[1]["difference"] == 2.0
    assert rows[1]["probability"] == curve.at[2.0].value


def test_stored_scores_join_only_where_they_are_documented_as_the_metric():
    systems = [f"s{k}" for k in range(4)]
    bleu = ScoreTable("BLEU", "system", tuple(systems), np.arange(4.0)[:, np.newaxis], references=("ref",))

    def without_texts(name):
        made = campaign(name=name)
        return dataclasses.replace(made, testset=None, scores=(*made.scores, bleu))

    joined = assay.calibrate([campaign(), without_texts("wmt20")], metrics="bleu,wer", min_segments=20)
    assert joined.curve("bleu", agg="corpus", protocol="DA/SQM").population.campaigns == ("wmt20", "wmt98")
    assert joined.curve("bleu", agg="segment", protocol="DA/SQM").population.campaigns == ("wmt98",)
    assert joined.curve("wer", agg="corpus", protocol="DA/SQM").population.campaigns == ("wmt98",)
    other = assay.calibrate([campaign(), without_texts("wmt97")], metrics="bleu", min_segments=20)
    assert other.curve("bleu", agg="corpus", protocol="DA/SQM").population.campaigns == ("wmt98",)
    assert str(other.notes[0]) == "left out: wmt97 de-en (no texts and no stored scores of these metrics)"


@needs_archives
def test_the_inuktitut_column_of_lo_2023():
    """Table 3, target Inuktitut at .8: BLEU 4.5, chrF 6.2 (here 6.1), COMET-20 .05, YiSi-1 .023."""
    result = assay.calibrate(
        [wmt("wmt20", "en-iu")], metrics=(), stored=("BLEU", "chrF", "COMET", "YiSi-1"), orientation="absolute"
    )
    cutoffs = {
        metric: result.curve(metric, agg="stored", protocol="DA/SQM", group="Inuktitut").cutoffs[0.8].value
        for metric in ("BLEU", "chrF", "COMET", "YiSi-1")
    }
    assert round(cutoffs["BLEU"], 1) == 4.5
    assert 100 * cutoffs["chrF"] == pytest.approx(6.2, abs=0.15)
    assert round(cutoffs["COMET"], 2) == 0.05
    assert round(cutoffs["YiSi-1"], 3) == 0.023


def test_the_unit_of_the_human_test_is_in_the_signature():
    made = campaigns()
    found = assay.calibrate(made, metrics=("bleu",), agg=("corpus",), min_segments=20)
    assert (found.settings["test"], found.settings["unit"]) == ("paired-t", "segment")
    documents = tuple(f"d{k // 4}" for k in range(40))
    known = [dataclasses.replace(each, testset=dataclasses.replace(each.testset, documents=documents)) for each in made]
    found = assay.calibrate(known, metrics=("bleu",), agg=("corpus",), min_segments=20, unit="document")
    assert (found.settings["test"], found.settings["unit"]) == ("randomisation", "document")
