from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.calibration import files
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.labels.metrics import metric_label
from assay.reports import document
from assay.reports.table import Table
from assay.types import ScoreTable
from assay.words import verdict
from assay.words.calibration import cautions as cautions_of
from tests.calibration.made_up import campaign
from tests.human.judged import needs_archives, wmt

OPTIONS = {"resamples": 50}


def said(result):
    """The verdict, one sentence or answer a line."""
    return "\n".join(verdict((result,)).sentences)


@pytest.fixture(scope="module")
def testset():
    """Systems of one reference, from bad to good."""
    return campaign("de-en", quality=(0.5, 0.6, 0.8)).testset


def test_the_same_answer_as_explain(testset):
    result = assay.compare(testset, "bleu,ter", **OPTIONS)
    for metric in result.metrics:
        for pair in metric.pairs:
            difference = pair.difference.value
            answer = assay.explain(metric.metric, difference, lp="de-en", agg=metric.aggregation)
            assert str(pair.noticed) == str(answer.probability)
    assert result.settings["calibration"] == "wmt"
    pair = result.metric("bleu").pairs[0]
    tree = result.to_dict()
    assert tree["rows"][0]["noticed"] == (None if math.isnan(pair.noticed.value) else pair.noticed.value)


def test_what_is_said(testset):
    result = assay.compare(testset, "bleu,bleu:tok=intl", agg="corpus", baseline="s0", **OPTIONS)
    text = said(result)
    assert "BLEU: seen in " in text
    assert "(calibration wmt)." in text
    assert "BLEU:tok=intl: no calibration: the calibration 'wmt' does not cover bleu:tok=intl" in text
    claim = "people significantly preferred the better-scored system in"
    assert text.count(f"in WMT 2020–2022 (DA/SQM), {claim}") == 2
    assert text.count(f"Where each campaign was predicted from the others, {claim}") == 2
    table = Table().render(document(result))
    assert "noticed if real, %" in table


def test_metrics_that_disagree(testset):
    reverse = ScoreTable(
        "other",
        "segment",
        testset.systems,
        -np.arange(3.0)[:, np.newaxis] * np.ones(len(testset)),
        higher_is_better=True,
    )
    result = assay.compare(testset, ["bleu", reverse], agg="segment", **OPTIONS)
    text = said(result)
    assert (
        "s1 and s0: BLEU segment mean prefers s1, but other segment mean prefers s0. The scores do not say which "
        "system people would prefer."
    ) in text
    assert "people significantly preferred" not in text
    bleu = result.metrics[0]
    assert all(math.isnan(pair.noticed.value) for pair in bleu.pairs)
    assert {pair.noticed.reason for pair in bleu.pairs} == {"no calibration: the metrics prefer different systems"}
    assert {pair.noticed.reason for pair in result.metrics[1].pairs} == {
        "no calibration: calibrations are for metrics that are computed here, not for scores from elsewhere"
    }


def test_scores_of_ones_own_are_not_those_of_the_calibration(testset):
    values = np.arange(3.0)[:, np.newaxis] * np.ones(len(testset))
    result = assay.compare(testset, ScoreTable("bleu", "segment", testset.systems, values), **OPTIONS)
    assert all(math.isnan(pair.noticed.value) for pair in result.pairs)


def test_several_references_have_no_calibration(testset):
    reference = testset.references["ref"]
    two = assay.load(outputs=dict(testset.outputs), references={"a": reference, "b": reference}, lp="de-en")
    result = assay.compare(two, "bleu", agg="corpus", **OPTIONS)
    assert "Would people notice? No calibration. Calibrations are for one reference, not 2." in said(result)
    (_, notice) = verdict((result,)).brief
    assert notice == "Would people notice? No calibration. Calibrations are for one reference, not 2."


def test_scores_that_used_annotations_have_no_calibration(testset):
    """The bundled curves of hjerson are of first letters."""
    columns = {**testset.outputs, **testset.references}
    annotated = replace(testset, annotations={"tokens": columns, "lemma": columns})
    result = assay.compare(annotated, "hjerson:base=lemma", agg="corpus", **OPTIONS)
    reason = "the bundled calibration is for scores without the annotations used here (lemma, tokens)"
    assert f"Would people notice? No calibration. T{reason[1:]}." in said(result)
    letters = assay.compare(testset, "hjerson", agg="corpus", **OPTIONS)
    assert "is for scores without" not in said(letters)


@pytest.mark.warns("count once for each")
def test_other_calibrations(testset, tmp_path):
    published = assay.compare(testset, "bleu", agg="corpus", calibration="lo2023", **OPTIONS)
    assert "people significantly preferred either system in " in said(published)
    own = assay.calibrate([campaign(seed=k) for k in range(3)], metrics="bleu", min_segments=20)
    result = assay.compare(testset, "bleu", agg="corpus", calibration=own, **OPTIONS)
    assert result.settings["calibration"] == "own"
    none = assay.compare(testset, "bleu", agg="corpus", calibration="none", **OPTIONS)
    assert "people" not in said(none)
    assert none.pairs[0].noticed is None
    assert none.to_dict()["rows"][0]["noticed"] is None
    assert not any("noticed" in name for name in document(none).columns)
    with pytest.raises(ConfigError, match="there is no calibration 'wmr'"):
        assay.compare(testset, "bleu", calibration="wmr", **OPTIONS)
    with pytest.raises(InputError, match="cannot read the calibration"):
        assay.compare(testset, "bleu", calibration=tmp_path / "none.json", **OPTIONS)


def test_many_pairs_have_a_column_and_no_sentences():
    many = campaign("de-en", quality=(0.5, 0.52, 0.54, 0.56)).testset
    result = assay.compare(many, "bleu", agg="corpus", all_pairs=True, **OPTIONS)
    assert len(result.pairs) == 6
    assert " and s0:" not in said(result)


def test_all_scores_together_answer_as_in_explain(testset):
    result = assay.compare(testset, "bleu,chrf", agg="corpus", baseline="s0", **OPTIONS)
    assert [(each.first, each.second) for each in result.joint] == [("s1", "s0"), ("s2", "s0")]
    for joint in result.joint:
        differences = [metric.pair(joint.first, joint.second).difference.value for metric in result.metrics]
        answer = assay.explain("bleu,chrf", differences, lp="de-en", agg="corpus")
        assert str(joint.probability) == str(answer.probability)
        assert joint.preferred in ("", joint.first)
    tree = result.to_dict()
    assert tree["joint"][0]["scores"][0]["difference"] == result.joint[0].scores[0].difference
    assert result.joint_of("s0", "s2") is result.joint[1]


def test_one_score_has_no_joint_answer(testset):
    assert assay.compare(testset, "bleu", agg="corpus", **OPTIONS).joint == ()
    assert assay.compare(testset, "bleu,bleu:tok=intl", agg="corpus", **OPTIONS).joint == ()
    assert assay.compare(testset, "bleu,chrf", agg="corpus", calibration="none", **OPTIONS).joint == ()
    assert assay.compare(testset, "bleu,chrf", agg="corpus", calibration="lo2023", **OPTIONS).joint == ()


def test_metrics_that_disagree_answer_together():
    """The one has wrong forms and the other the wrong order, in a few segments: BLEU and chrF disagree on which is
    better."""
    right = [f"the small cats were sleeping in the warm sun on day {k}" for k in range(60)]
    forms = [text.replace("cats", "cat").replace("sleeping", "sleep") for text in right[:12]] + right[12:]
    order = ["were the small sleeping cats the warm in sun on day " + str(k) for k in range(8)] + right[8:]
    texts = assay.load(outputs={"forms": forms, "order": order}, references=right, lp="en-cs")
    result = assay.compare(texts, "bleu,chrf", agg="corpus", **OPTIONS)
    (joint,) = result.joint
    assert joint.is_opposed
    assert result.pairs[0].explanation.is_opposed
    why = "answers alone because all scores together predict no better"
    assert f"hrF, which {why}, puts {joint.preferred} ahead" in said(result)
    assert "all scores together: Brier scores on left-out " in said(result)
    (_, notice) = verdict((result,)).brief
    assert "prefers order, but" in notice or "prefers forms, but" in notice


def test_planned_judgements(testset):
    few, usual = (
        assay.compare(testset, "bleu", agg="corpus", baseline="s0", judged=judged, **OPTIONS) for judged in (100, None)
    )
    assert few.pairs[0].noticed.value < usual.pairs[0].noticed.value
    assert few.settings["judged"] == "100"
    assert "judged" not in usual.settings
    assert "if 100 segments of each system are judged" in said(few)
    assert "noticed if real (100 judged), %" in Table().render(document(few))
    assert "noticed if real, %" in Table().render(document(usual))


def test_planned_judgements_are_said_of_all_scores_together(testset):
    two = assay.compare(testset, "bleu,chrf", agg="corpus", baseline="s0", judged=100, **OPTIONS)
    (_, notice) = verdict((two,)).brief
    assert notice.count("if 100 segments of each system are judged") == 1


def test_each_metric_answers_for_its_own_population():
    """The bundled curve of segment means of a group of target languages predicts better than that of all."""
    texts = campaign().testset
    german = assay.load(outputs=dict(texts.outputs), references=texts.references["ref"], lp="en-de")
    both = assay.compare(german, "bleu", **OPTIONS)
    corpus = assay.compare(german, "bleu", agg="corpus", **OPTIONS)
    assert [str(pair.noticed) for pair in both.metrics[0].pairs] == [str(pair.noticed) for pair in corpus.pairs]
    warning = "The shares of different scores rest on different pairs of systems and cannot be compared."
    assert warning not in said(corpus)
    two = assay.load(
        outputs={name: texts.outputs[name] for name in ("s1", "s0")}, references=texts.references["ref"], lp="en-de"
    )
    assert warning in said(assay.compare(two, "bleu", **OPTIONS))
    text = said(both)
    seen = [sentence for sentence in text.splitlines() if "seen in" in sentence and "all scores" not in sentence]
    assert ["in 11 language pairs of wmt24, wmt25" in sentence for sentence in seen] == [True, False]
    assert ["ESA, target languages I" in sentence for sentence in seen] == [False, True]
    assert "in WMT 2024–2025 (ESA), people" in text
    assert " Where each campaign was predicted from the others, people significantly preferred the " in text


@pytest.mark.warns("count once for each")
def test_the_cautions_of_explain(testset):
    """The calibration is of few pairs of systems, and compare says so in the words of explain."""
    own = assay.calibrate([campaign(seed=k) for k in range(3)], metrics="bleu,chrf", min_segments=20)
    result = assay.compare(testset, "bleu,chrf", agg="corpus", calibration=own, **OPTIONS)
    text = said(result)
    answers = {
        (metric_label(metric.metric), pair.first): assay.explain(
            metric.metric, pair.difference.value, lp="de-en", calibration=own
        )
        for metric in result.metrics
        for pair in metric.pairs
    }
    cautions = {(*key, caution) for key, answer in answers.items() for caution in cautions_of(answer)}
    assert cautions
    for name, first, caution in cautions:
        (line,) = (line for line in text.splitlines() if line.endswith(caution[1:]))
        assert name in line
        assert f"({first} and s0)" in line or first not in line


def test_all_languages_are_a_caution():
    texts = campaign().testset
    finnish = assay.load(outputs=dict(texts.outputs), references=texts.references["ref"], lp="en-fi")
    text = said(assay.compare(finnish, "bleu", **OPTIONS))
    reason = "the target of en-fi is in no group of languages"
    assert f": this answer pools all languages: {reason}." in text


def test_identical_outputs_have_no_better_one(testset):
    same = assay.load(outputs={"a": testset.outputs["s1"], "b": testset.outputs["s1"]}, references=testset.references)
    result = assay.compare(same, "bleu", agg="corpus", **OPTIONS)
    assert "Would people notice? No calibration. The scores are equal, " in said(result)


def test_only_the_curves_of_the_compared_metrics_are_read(testset):
    files._bundled_part.cache_clear()
    assay.compare(testset, "bleu", agg="corpus", **OPTIONS)
    assert files._bundled_part.cache_info().currsize == 1


@needs_archives
def test_a_pair_of_wmt24_that_people_order_the_other_way():
    """BLEU and chrF put ONLINE-B far ahead of GPT-4; people significantly prefer GPT-4, as the organisers test."""
    judged = wmt("wmt24", "en-zh")
    texts = judged.select_texts(systems=("GPT-4", "ONLINE-B"))
    result = assay.compare(texts, "bleu,chrf", agg="corpus", baseline="ONLINE-B", **OPTIONS)
    scores = {metric.metric: metric.pairs[0] for metric in result.metrics}
    assert scores["bleu"].difference.value < -7
    for name in ("bleu", "chrf"):
        assert scores[name].noticed.low < scores[name].noticed.value < 0.9
    (_, notice) = verdict((result,)).brief
    assert notice.startswith(
        "Would people notice? The calibration was fitted to the judgements of this campaign, too: "
    )
    ranking = assay.rank(judged, preset="wmt24")
    assert ranking.systems[0].system == "GPT-4"
    assert ranking.p_value("GPT-4", "ONLINE-B") < 0.05


def compared(first, second, **options):
    """Two systems, the first one better, under these names."""
    texts = campaign(quality=(0.5, 0.6, 0.8)).testset
    outputs = {second: texts.outputs["s1"], first: texts.outputs["s2"]}
    made = assay.load(outputs=outputs, references=texts.references["ref"], lp="en-de")
    return assay.compare(made, "bleu", agg="corpus", **OPTIONS, **options)


def test_common_mt_systems_are_known():
    (pair,) = compared("DeepL", "GPT-4o").pairs
    assert (pair.explanation.kinds, pair.explanation.unknown) in {("MT-over-LLM", ()), ("LLM-over-MT", ())}


def test_a_system_of_an_unknown_kind_is_said_or_stated():
    result = compared("mine", "GPT-4o")
    assert result.pairs[0].explanation.kinds == "all"
    text = "It is not known whether mine is a language model or only translates"
    assert text in said(result)
    stated = compared("mine", "GPT-4o", system_kinds=("mine=MT",))
    assert "-over-" in stated.pairs[0].explanation.kinds
    assert text not in said(stated)
    assert stated.settings["system_kinds"] == "mine=MT"
    assert text not in said(compared("mine", "theirs"))  # nothing is known of either, as of most files


def test_stated_kinds_are_checked():
    with pytest.raises(ConfigError, match="'mine=XY' states no kind of a system"):
        compared("mine", "GPT-4o", system_kinds=("mine=XY",))
    with pytest.raises(UnknownNameError, match="there is no system 'mien'"):
        compared("mine", "GPT-4o", system_kinds=("mien=MT",))


def test_a_column_of_different_data_says_so():
    """As `test_each_metric_answers_for_its_own_population`: the scores answer from different pairs of systems."""
    texts = campaign().testset
    two = {name: texts.outputs[name] for name in ("s1", "s0")}
    german = assay.load(outputs=two, references=texts.references["ref"], lp="en-de")
    table = Table().render(document(assay.compare(german, "bleu", **OPTIONS)))
    assert "noticed if real: rows are of different data and cannot be compared. BLEU: WMT 2024–2025 (ESA), " in table
    corpus = Table().render(document(assay.compare(german, "bleu", agg="corpus", **OPTIONS)))
    assert "rows are of different data" not in corpus
