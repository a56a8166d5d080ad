from __future__ import annotations

import math
from dataclasses import replace

import pytest

import assay
from assay.calibration.explanation import Question, answer
from assay.calibration.files import bundled, published
from assay.calibration.joint_explanation import JointQuestion, answer_jointly
from assay.errors import ConfigError
from assay.results import ALL, Calibration, Caution, SignedScore
from assay.words.joint import joint_sentences
from tests.calibration.made_up import campaign

METRICS = ("bleu", "chrf", "ter", "COMET")


@pytest.fixture(scope="module")
def wmt():
    """The bundled calibration of some metrics."""
    return bundled(METRICS, pairs_of=METRICS)


def asked(calibration, scores, lp=None, **options):
    """The answer for differences by metric."""
    signed = tuple(SignedScore(name, "stored" if name == "COMET" else "corpus", x) for name, x in scores.items())
    return answer_jointly(JointQuestion(signed, lp, **options), calibration, "wmt")


def test_scores_that_disagree_have_one_answer(wmt):
    """chrF alone would promise a preference for the first system, and COMET for the second."""
    found = asked(wmt, {"chrf": 1.0, "COMET": -0.02}, "de-en")
    assert found.is_opposed
    assert (found.answers, found.preferred) == ("joint", "the first system")
    assert 0 < found.opposite.value < found.probability.value < 0.6
    assert found.probability.low < found.probability.value < found.probability.high
    assert found.population.protocol == "DA/SQM"
    assert sum(each.weight for each in found.scores) == pytest.approx(1)
    brier = found.validation.brier
    assert brier["joint"] < min(found.validation.alone) <= brier["single"] < brier["constant"]


def test_swapped_systems_have_the_same_answer(wmt):
    one, other = (asked(wmt, {"bleu": sign * 2.0, "chrf": sign * 0.5}, "de-en") for sign in (1, -1))
    assert (one.preferred, other.preferred) == ("the first system", "the second system")
    assert str(one.probability) == str(other.probability)


def test_the_best_score_answers_if_the_scores_do_not_predict_better_together(wmt):
    found = asked(wmt, {"bleu": 2.0, "chrf": -0.5}, protocol="DA/SQM")
    assert found.validation.brier["joint"] >= min(found.validation.alone)
    assert not found.validation.is_better
    assert (found.answers, found.preferred) == ("chrf/corpus", "the second system")
    assert found.single.metric == "chrf"
    alone = assay.explain("chrf", 0.5, protocol="DA/SQM", calibration=wmt)
    assert str(found.probability) == str(alone.probability)
    assert str(found.opposite) == str(alone.opposite)


def test_populations_are_those_of_single_scores(wmt):
    assert asked(wmt, {"bleu": 2.0, "chrf": 1.0}, "en-cs").population.protocol == "ESA"
    english = asked(wmt, {"chrf": 1.0, "COMET": 0.02}, "de-en")
    assert english.answers == "joint"
    assert (english.population.protocol, english.population.group) == ("DA/SQM", ALL)
    assert Caution.POOLED in english.cautions
    assert asked(wmt, {"bleu": 2.0, "chrf": 1.0}, "en-ja").population.protocol == "ESA"
    assert asked(wmt, {"bleu": 2.0, "COMET": 0.1}, "en-ja").population.protocol == "DA/SQM"  # ESA has no COMET
    assert asked(wmt, {"bleu": 2.0, "chrf": 1.0}, protocol="MQM").population.protocol == "MQM"
    assert "target languages written without spaces" in asked(wmt, {"bleu": 2.0, "ter": 1.0}, "en-ja").gap


@pytest.mark.slow
def test_a_fit_that_knows_the_kinds_answers_for_an_mt_system_and_a_language_model(wmt):
    """Of 182 such pairs, people order those with the MT system ahead by BLEU and NIST often the other way."""
    wmt = bundled(("bleu", "nist"), pairs_of=("bleu", "nist"))
    scores = {"bleu": 3.0, "nist": 0.2}
    unknown = asked(wmt, scores, "en-cs")
    mt_first, llm_first = (asked(wmt, scores, "en-cs", kinds=kinds) for kinds in ("MT-over-LLM", "LLM-over-MT"))
    assert mt_first.knows_kinds
    assert llm_first.knows_kinds
    assert llm_first.preferred == unknown.preferred == "the first system"
    assert unknown.probability.value < llm_first.probability.value
    assert mt_first.misordered is None
    assert Caution.ALL_KINDS not in mt_first.cautions
    assert mt_first.answers == llm_first.answers == "joint"
    assert mt_first.validation.population.kinds == "mixed"
    assert {each.kinds for each in mt_first.by_kinds} == {"LLM", "MT-over-LLM", "LLM-over-MT"}
    assert (mt_first.preferred, mt_first.answered_kinds) == ("the second system", "LLM-over-MT")


@pytest.mark.parametrize(
    ("scores", "lp", "options"),
    [
        ({"bleu": 3.0, "chrf": 3.0}, "en-de", {"kinds": "MT-over-LLM"}),
        ({"bleu": 3.0, "chrf": -3.0}, "en-de", {"kinds": "MT-over-LLM"}),
        ({"bleu": 1.2, "chrf": -0.4}, "en-de", {}),
        ({"bleu": 2.0, "chrf": 1.0}, None, {"judged": 150}),
        ({"bleu": 2.0, "chrf": -0.5}, None, {"protocol": "DA/SQM"}),
    ],
)
def test_a_score_that_answers_alone_says_what_it_says_alone(wmt, scores, lp, options):
    found = asked(wmt, scores, lp, **options)
    assert found.answers == "chrf/corpus"
    about = Question("chrf", "corpus", abs(scores["chrf"]), lp, **options)
    if scores["chrf"] < 0 and "kinds" in options:
        about = replace(about, kinds="LLM-over-MT")
    alone = answer(about, wmt, "wmt")
    assert found.alone.tree() == alone.tree()
    assert (str(found.probability), str(found.opposite)) == (str(alone.probability), str(alone.opposite))
    assert (found.population, found.language_pairs) == (alone.population, alone.language_pairs)
    assert {name: found.settings[name] for name in ("data", "protocol")} == {
        name: alone.settings[name] for name in ("data", "protocol")
    }
    assert not found.knows_kinds


def test_brier_scores_name_the_pairs_that_they_are_of(wmt):
    found = asked(wmt, {"bleu": 1.2, "chrf": -0.4}, "en-de")
    assert found.validation.population.group == "I"
    assert found.validation.population.pairs == found.validation.pairs < found.population.pairs
    said = " ".join(joint_sentences(found))
    assert "Brier scores on left-out campaigns (481 pairs of systems in 5 language pairs of wmt24, wmt25" in said
    judged = asked(wmt, {"bleu": 2.0, "chrf": 1.0}, judged=150)
    assert judged.population.campaigns == ("wmt24",)
    assert judged.validation.population.campaigns == ("wmt24", "wmt25")
    assert ", ESA, by all judgements), lower is better" in " ".join(joint_sentences(judged))


def test_a_single_score_that_answers_is_the_best_one(wmt):
    """It is the best of several fits of one kind, and the weights of the joint fit stay known."""
    found = asked(wmt, {"bleu": 2.0, "chrf": 1.0, "ter": 3.0}, "en-cs")
    assert found.validation.alone.index(min(found.validation.alone)) == 1
    assert found.answers == "chrf/corpus"
    assert sum(each.weight for each in found.scores) == pytest.approx(1)


def test_equal_chances_name_no_winner(wmt):
    near, far = (asked(wmt, {"bleu": 3 * x, "chrf": x}, "en-cs") for x in (0.2, 4.0))
    assert near.is_undecided
    assert not far.is_undecided


def test_the_best_score_may_be_equal_for_both_systems(wmt):
    found = asked(wmt, {"bleu": 1.2, "chrf": 0.0}, "en-cs")
    assert not found.is_answered
    assert found.gap.startswith(
        "chrf (corpus) predicts best of these scores, and it has no answer: the scores are equal"
    )


@pytest.mark.slow
def test_bounds_hold_on_left_out_campaigns(wmt):
    """Of all bins of left-out pairs, none is much farther from its prediction than people and systems vary."""
    for lp, protocol in (("de-en", "DA/SQM"), (None, "DA/SQM"), (None, "ESA")):
        for x in (0.5, 1.5, 3.0, 5.0):
            found = asked(wmt, {"bleu": x, "chrf": x / 2}, lp, protocol=protocol)
            if found.check is not None:
                assert abs(found.check.predicted - found.check.observed) < 0.2
                assert found.check.opposite < found.check.observed


@pytest.mark.slow
def test_judged_segments(wmt):
    values = [
        asked(wmt, {"bleu": 3.0, "chrf": 2.0}, "de-en", judged=judged).probability.value for judged in (100, 200, 500)
    ]
    assert values == sorted(values)
    assert values[0] < values[-1]
    found = asked(wmt, {"bleu": 3.0, "chrf": 2.0}, "de-en", judged=150)
    assert [each.name for each in found.left_out] == ["wmt20", "wmt21.news", "wmt22"]
    assert all(abs(each.predicted - each.observed) < 0.08 for each in found.left_out)
    assert found.settings["judged"] == "150"


@pytest.mark.parametrize(
    ("scores", "options", "reason"),
    [
        ({"bleu": 0.0, "chrf": 0.0}, {}, "all scores are equal, so that none prefers a system"),
        ({"bleu": 90.0, "chrf": 80.0}, {}, "no observed pair of systems has such differences together"),
        ({"bleu": 1.0, "chrf": -12.0}, {}, "no observed pair of systems has such differences together"),
        ({"bleu": 1.0, "meteor": 0.1}, {}, "'wmt' has no pairs of systems with scores of meteor (corpus)"),
        (
            {"bleu": 1.0, "COMET-20": 0.1},
            {},
            "'wmt' has no pairs of systems with scores of COMET-20 (corpus); it has COMET",
        ),
        (
            {"bleu": 1.0, "chrf": 1.0},
            {"domain": "news"},
            "the pairs of systems of 'wmt' are of whole test sets, not of domains; ask for one metric at a time",
        ),
        ({"bleu": 1.0, "chrf": 1.0}, {"judged": 9}, "'wmt' has samples of 50 to 1,000 judged segments, not of 9"),
        (
            {"bleu": 1.0, "COMET": 0.1},
            {"protocol": "ESA"},
            "'wmt' has no two language pairs with all of these scores (ESA)",
        ),
    ],
)
def test_no_answer(wmt, scores, options, reason):
    found = asked(wmt, scores, **options)
    assert math.isnan(found.probability.value)
    assert found.gap == reason
    assert found.preferred == found.answers == ""


def test_calibrations_that_cannot_answer(wmt):
    scores = {"bleu": 1.0, "chrf": 1.0}
    assert asked(published(), scores).gap == "'wmt' has cut-offs of single metrics"
    assert asked(Calibration(wmt.settings, wmt.curves), scores).gap.startswith("'wmt' has no pairs of systems; ")
    absolute = Calibration({**wmt.settings, "orientation": "absolute"}, wmt.curves, wmt.pairs)
    assert asked(absolute, scores).gap.startswith("'wmt' does not count which system people prefer")


def test_questions_are_checked():
    score = SignedScore("bleu", "corpus", 1.0)
    with pytest.raises(ConfigError, match="bleu corpus was given twice"):
        JointQuestion((score, score))
    with pytest.raises(ConfigError, match="not a language pair"):
        JointQuestion((score,), "german")
    assert JointQuestion((score,)).kinds == ALL


@pytest.mark.slow
def test_a_calibration_of_ones_own():
    campaigns = [
        campaign(lp, name, seed=k, quality=(0.0, 0.2, 0.4, 0.8, 1.2, 1.6, 2.0))
        for k, (lp, name) in enumerate((lp, name) for name in ("wmt97", "wmt98") for lp in ("de-en", "cs-en", "fr-en"))
    ]
    own = assay.calibrate(campaigns, "bleu,chrf", agg="corpus", min_segments=20, resamples=20, judged=[10, 30])
    found = assay.explain("bleu,chrf", [5.0, 4.0], calibration=own)
    assert found.source == "own"
    assert found.validation.held_out == "campaign"
    assert 0 <= found.probability.low < found.probability.value < found.probability.high <= 1
    assert assay.explain("bleu,chrf", [5.0, 4.0], calibration=own, judged=20).probability.value < 1
