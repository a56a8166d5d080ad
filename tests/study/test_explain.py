from __future__ import annotations

import dataclasses
import json
import math

import pytest

import assay
from assay.errors import ConfigError
from assay.labels.metrics import metric_label
from assay.reports import document
from assay.words.calibration import sentences
from tests.calibration.made_up import campaign


def test_the_bundled_calibration_answers():
    answer = assay.explain("bleu", 1.2, lp="de-en")
    assert 0.2 < answer.probability.value < 0.5
    assert answer.probability.low < answer.probability.value < answer.probability.high
    assert answer.population.group == "English"
    assert "wmt22" in answer.population.campaigns
    assert {each.metric for each in answer.equivalents} == {"chrf", "ter"}  # the others have other data
    assert {each.aggregation for each in answer.equivalents} == {"corpus"}
    assert assay.explain("bleu", -1.2, lp="de-en").probability == answer.probability


def test_a_group_without_a_curve():
    answer = assay.explain("bleu", 1.2, lp="en-iu")
    assert answer.population.group == "all"
    assert "there are no data of languages like the target of en-iu" in [*sentences(answer)][-1]
    assert "the target of en-fi is in no group of languages" in [*sentences(assay.explain("bleu", 1.2, lp="en-fi"))][-1]


@pytest.mark.parametrize(
    ("metric", "difference", "reason"),
    [
        ("meteor", 0.01, "the calibration 'wmt' does not cover meteor; assay calibrate fits one to your data"),
        ("bleu", 80.0, "80 is outside the observed differences of bleu (corpus), "),
        ("bleu:tok=intl", 1.0, "the calibration 'wmt' does not cover bleu:tok=intl; it has bleu"),
        ("COMET-22", 0.1, "the calibration 'wmt' does not cover COMET-22"),
    ],
)
def test_no_calibration(metric, difference, reason):
    answer = assay.explain(metric, difference)
    assert math.isnan(answer.probability.value)
    assert reason in answer.probability.reason
    assert next(sentences(answer)).startswith(f"{metric_label(metric)} {difference:g} (corpus): no calibration: ")


def test_no_calibration_of_an_aggregation_or_a_population():
    assert "has bleu with the aggregations" in assay.explain("bleu", 1, agg="stored").probability.reason
    esa = assay.explain("COMET", 1, protocol="ESA").probability.reason
    assert esa.startswith("no calibration: the calibration 'wmt' has COMET (stored) for DA/SQM; ")


def test_few_pairs_are_said_to_be_few():
    result = assay.calibrate(campaign(), metrics="bleu", min_segments=20)
    curve = result.curve("bleu", agg="corpus", protocol="DA/SQM")
    answer = assay.explain("bleu", float(curve.x[-1]), calibration=result)
    assert [*sentences(answer)][3] == "Fewer than 20 pairs of systems differed by this much or more."


def test_published_cut_offs_are_not_interpolated():
    """Lo et al. 2023, Table 2: BLEU reaches .5 at 1.2 and .8 at 5.5; Table 1: .56 at 2, .7 at 5, .91 at 10."""
    answer = assay.explain("bleu", 5.5, calibration="lo2023")
    assert math.isnan(answer.probability.value)
    assert (answer.probability.low, answer.probability.high) == (0.8, 0.91)
    assert answer.orientation == "absolute"
    assert {each.metric: each.difference for each in answer.equivalents}["COMET-20"] == 0.2
    below = assay.explain("BLEU", 1.0, calibration="lo2023")
    assert (below.probability.low, below.probability.high) == (0.0, 0.5)
    assert assay.explain("bleu", 3.6, lp="en-de", calibration="lo2023").probability.low == 0.8
    segment = assay.explain("bleu", 3.6, agg="segment", calibration="lo2023")
    assert "no calibration" in segment.probability.reason


def test_a_file_of_ones_own(tmp_path):
    campaigns = [campaign(lp, seed=k) for k, lp in enumerate(("de-en", "cs-en", "en-de"))]
    result = assay.calibrate(campaigns, metrics=("bleu",), min_segments=20)
    path = tmp_path / "curve.json"
    path.write_text(json.dumps(result.to_dict()), encoding="utf-8")
    curve = result.curve("bleu", agg="corpus", protocol="DA/SQM")
    middle = float(curve.x[len(curve.x) // 2])
    for calibration in (result, path, str(path)):
        answer = assay.explain("bleu", middle, calibration=calibration).probability
        assert (answer.value, answer.n) == (curve.probability(middle).value, curve.probability(middle).n)


def test_results_are_saved_and_opened(tmp_path):
    result = assay.calibrate([campaign()], metrics=("bleu",), min_segments=20)
    assay.save_result(result, tmp_path / "saved")
    assert assay.open_result(tmp_path / "saved").to_dict() == result.to_dict()
    answer = assay.explain("bleu", 1.0)
    assay.save_result(answer, tmp_path / "answer")
    assert assay.open_result(tmp_path / "answer").to_dict() == answer.to_dict()


@pytest.mark.parametrize(
    ("difference", "options", "message"),
    [
        (math.inf, {}, "difference must be a finite number"),
        (math.nan, {}, "difference must be a finite number"),
        (1.0, {"lp": "german"}, "'german' is not a language pair"),
        (1.0, {"agg": "median"}, "unknown aggregation 'median'"),
        (1.0, {"calibration": "wtm"}, "there is no calibration 'wtm'"),
        (1.0, {"domain": "newz"}, "unknown domain 'newz'"),
        (1.0, {"protocol": "MQN"}, "unknown protocol 'MQN'"),
        (1.0, {"calibration": ""}, "there is no calibration ''"),
        (1.0, {"calibration": "none"}, "there is no calibration 'none'"),
    ],
)
def test_bad_questions(difference, options, message):
    with pytest.raises(ConfigError, match=message):
        assay.explain("bleu", difference, **options)


def test_few_pairs_are_no_evidence():
    """Few pairs of systems are 40 BLEU apart: the answer says so, and an equivalent does not rest on a single pair."""
    answer = assay.explain("BLEU", 40.0)
    assert "Fewer than 20 pairs of systems differed by this much or more." in [*sentences(answer)]
    assert all(each.difference < 100 for each in answer.equivalents)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("bluee", "did you mean 'bleu'?"),
        ("comet22", "did you mean 'COMET-22'? It is in lo2023: calibration=\"lo2023\""),
    ],
)
def test_an_unknown_metric_is_an_error_and_a_known_one_has_no_calibration(name, meant):
    with pytest.raises(ConfigError, match=f"unknown metric '{name}'") as caught:
        assay.explain(name, 1.0)
    assert caught.value.hint == meant


def test_a_metric_that_was_judged_under_the_names_of_its_models():
    reason = assay.explain("xcomet", 0.02).probability.reason
    assert reason.endswith("does not cover xcomet; of published scores, it covers XCOMET-XL")


def test_where_to_find_a_metric_that_is_published():
    notes = [note.text for note in assay.explain("COMET-20", 0.05).notes]
    assert notes[-1] == 'lo2023 has cut-offs of COMET-20: calibration="lo2023"'
    assert len(assay.explain("bleu", 500).notes) == 1
    assert len(assay.explain("bleu", 1.2, agg="stored").notes) == 1  # the published ones are of corpus scores


def test_how_the_sign_of_a_metric_was_read_whose_lower_scores_are_better():
    notes = [note.text for note in assay.explain(["bleu", "ter"], [1, 1]).notes]
    assert notes[-1].startswith("ter +1 was read as: the first system is better, with the lower score; assay compare ")
    other = [note.text for note in assay.explain(["bleu", "ter"], [1, -1]).notes]
    assert other[-1].startswith("ter -1 was read as: the second system is better, with the lower score; ")
    assert not any("was read as" in note.text for note in assay.explain(["bleu", "chrf"], [1, 1]).notes)


def test_a_stored_metric_under_another_name_is_suggested():
    assert assay.explain(["bleu", "COMET-20"], [1, 0.05]).probability.reason == (
        "no calibration: 'wmt' has no pairs of systems with scores of COMET-20 (corpus); it has COMET"
    )


def test_how_many_judged_segments_have_an_answer():
    reason = assay.explain("bleu", 2, judged=600, lp="en-cs").probability.reason
    assert reason.endswith("(ESA); answers by ESA are for up to 500, which at least half of the pairs of systems have")
    by_domain = assay.explain("bleu", 2, judged=100, lp="en-cs", domain="social").probability.reason
    assert by_domain == "no calibration: 'wmt' has no samples of judged segments by domain"
    assert not math.isnan(assay.explain("bleu", 2, judged=500, lp="en-cs").probability.value)


def test_a_sign_is_not_dropped_in_silence():
    notes = [note.text for note in assay.explain("bleu", -1.2).notes]
    assert notes[-1] == "the answer is for 1.2: it is about the better-scored system, whichever that is"


@pytest.mark.parametrize(("calibration", "kind"), [(None, "None"), (3, "int")])
def test_what_a_calibration_may_be(calibration, kind):
    message = f"calibration must be a Calibration, a string or a path, not {kind}"
    with pytest.raises(ConfigError, match=message):
        assay.explain("bleu", 1.2, calibration=calibration)


@pytest.mark.parametrize("aggregation", ["corpus", "segment"])
@pytest.mark.parametrize("difference", [0.5, 1.2, 2.0, 3.7, 6.0])
def test_look_ups_are_symmetric(aggregation, difference):
    """From A to any difference of B, and back: the range of A has the difference that was asked for."""
    answer = assay.explain("bleu", difference, agg=aggregation)
    assert answer.equivalents
    for there in answer.equivalents:
        end = there.difference if math.isnan(there.up_to) else there.up_to  # the last step has no end
        for other in (there.difference, (there.difference + end) / 2):
            back = assay.explain(there.metric, other, agg=aggregation)
            (bleu,) = (each for each in back.equivalents if each.metric == "bleu")
            assert bleu.difference <= difference
            assert not bleu.up_to <= difference


@pytest.mark.parametrize(
    ("metric", "difference"), [("hlepor", 0.001), ("hlepor", 0.02), ("bleu", 0.3), ("bleu", 4.0), ("wer", 0.3)]
)
def test_what_means_the_same_has_the_same_answer(metric, difference):
    """In the ranges of the table, at both of their ends; `to below` is not part of a range."""
    answer = assay.explain(metric, difference, agg="corpus")
    (grid,) = (grid for section in document(answer).sections for grid in section.grids)
    for name, first, after in grid.rows:
        end = first.value if math.isnan(after.value) else after.value * (1 - 1e-9)
        for shown in (first.value, (first.value + end) / 2, end):
            found = assay.explain(name.text, shown, agg="corpus").probability.value
            assert found == pytest.approx(answer.probability.value, abs=0.05 + 1e-9), name


@pytest.mark.parametrize(("metric", "usual"), [("hlepor", "segment"), ("sentbleu", "segment"), ("bleu", "corpus")])
def test_the_aggregation_is_that_of_the_metric(metric, usual):
    assert assay.explain(metric, 0.1).aggregation == usual
    assert assay.explain(metric, 0.1, agg="bootstrap").aggregation == "bootstrap"
    assert assay.explain(metric, 0.1, calibration="lo2023").aggregation == "corpus"


def test_an_aggregation_that_the_calibration_does_not_have_is_not_the_default():
    result = assay.calibrate(campaign(), metrics="lepor", agg="corpus", min_segments=20)
    assert assay.explain("lepor", 0.01, calibration=result).aggregation == "corpus"


def test_the_signature_names_the_data_of_the_curve():
    """WMT20 has no texts to compute hLEPOR from, and TER into Chinese and Japanese was left out."""
    assert "|data:wmt21.news/cs-en+" in assay.explain("hlepor", 0.01, protocol="DA/SQM").signature
    bleu, ter = (assay.explain(name, 1.2, protocol="DA/SQM").signature for name in ("bleu", "ter"))
    assert "|data:wmt20/cs-en+" in ter
    assert ("+en-zh+" in bleu, "+en-zh+" in ter) == (True, False)
    assert "|test:paired-t|sides:one|alpha:0.05|" in ter


def test_equivalents_of_published_cut_offs_are_bands():
    """Lo et al. 2023, Tables 1 and 2: BLEU has .5 at 1.2, .56 at 2 and .7 at 5; COMET-20 .5 at .05 and .8 at .2."""

    def comet(difference):
        answer = assay.explain("bleu", difference, calibration="lo2023")
        (found,) = (each for each in answer.equivalents if each.metric == "COMET-20")
        return found.difference, found.up_to

    assert comet(1.2) == (0.05, 0.2)
    assert comet(3.0) == (0.05, 0.2)
    assert comet(20.0)[0] == 0.35
    assert math.isnan(comet(20.0)[1])


def test_the_signature_names_the_question_and_the_data():
    signature = assay.explain("bleu", 1.2, lp="de-en").signature
    assert signature.startswith("metric:bleu|agg:corpus|difference:1.2|lp:de-en|protocol:DA/SQM|calibration:wmt|")
    assert "|data:wmt20/cs-en+de-en+" in signature
    assert "|orientation:by-metric|" in signature


def test_stored_scores_with_the_name_of_a_metric():
    """A calibration of the stored BLEU has a single aggregation, which need not be named."""
    made = campaign()
    stored = next(table for table in made.metrics if table.name == "Stored")
    own = assay.calibrate(
        dataclasses.replace(made, scores=(*made.scores, dataclasses.replace(stored, name="BLEU"))),
        stored="BLEU",
        min_segments=20,
    )
    answer = assay.explain("BLEU", float(own.curves[0].x[0]), calibration=own)
    assert (answer.metric, answer.aggregation, answer.is_answered) == ("BLEU", "stored", True)
