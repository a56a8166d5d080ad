from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.stats import ttest_rel

from assay.calibration.options import PairOptions
from assay.calibration.system_pairs import collect_pairs, data_setting, score_keys
from assay.errors import ConfigError, InputError
from assay.types import NoteKind, ScoreTable
from assay.types.runtime import Runtime
from tests.calibration.made_up import campaign
from tests.calibration.test_options import OPTIONS


def collect(*campaigns, **changes):
    options = PairOptions(**OPTIONS | {"min_segments": 20, **changes})
    return collect_pairs(campaigns, options, Runtime())


def test_pairs_that_count_twice_are_said_to():
    """WMT22 zh-en was judged with DA, and with DA and SQM."""
    made = campaign()
    again = dataclasses.replace(made.human[0], name="again", protocol="DA+SQM-z")
    pairs, notes = collect(dataclasses.replace(made, scores=(*made.scores, again)))
    assert sum(map(len, pairs)) == 12
    (note,) = (note for note in notes if note.kind is NoteKind.DUPLICATE)
    text = (
        "6 pairs of systems count once for each of wmt-z and again, which have the same verdict on 6 of them: the "
        'numbers mix both (gold="wmt-z" takes only one, and leaves out language pairs without it)'
    )
    assert (note.text, note.where, note.count, note.severity) == (text, "wmt98 de-en, DA/SQM", 6, "warning")


def test_verdicts_that_contradict_each_other_are_counted():
    made = campaign()
    negated = dataclasses.replace(
        made.human[0], name="again", protocol="DA+SQM-z", values=-made.human[0].values, systems=made.human[0].systems
    )
    pairs, notes = collect(dataclasses.replace(made, scores=(*made.scores, negated)))
    (note,) = (note for note in notes if note.kind is NoteKind.DUPLICATE)
    undecided = int((pairs[0].p_values >= 0.05).all(axis=1).sum())
    assert undecided < 6
    assert f"which have the same verdict on {undecided} of them" in note.text


def test_differences_and_tests():
    made = campaign()
    ((pairs,), notes) = collect(made)
    human = made.human[0].values
    assert notes == []
    assert pairs.systems[0] == ("s0", "s1")
    assert pairs.human[0] == pytest.approx(human[0].mean() - human[1].mean())
    assert pairs.p_values[0, 0] == pytest.approx(ttest_rel(human[0], human[1], alternative="greater").pvalue)
    assert pairs.judged == dict.fromkeys(made.systems, 40)


def test_a_domain_has_its_own_segments():
    whole, *domains = collect(campaign(domains=True), by_domain=True)[0]
    assert [each.domain for each in domains] == ["social", "news"]
    assert domains[0].segments.tolist() == [20] * 6
    assert not np.array_equal(whole.differences["bleu", "corpus"], domains[0].differences["bleu", "corpus"])


def test_all_aggregations_of_a_metric_stand_together():
    pairs, _ = collect(campaign(), metrics=("chrf", "bleu"), agg=("segment", "corpus"), stored=("Sto*",))
    assert score_keys(pairs) == [
        ("chrf", "corpus"),
        ("chrf", "segment"),
        ("bleu", "corpus"),
        ("bleu", "segment"),
        ("Stored", "stored"),
    ]


def test_reasons_are_said_once():
    _, notes = collect(campaign(), campaign("cs-en", gold="other"), campaign("ru-en", gold="other"), gold="wmt-z")
    (note,) = (note for note in notes if note.kind is NoteKind.EXCLUDED)
    text = "left out: wmt98 cs-en, wmt98 ru-en (no human scores of segments called wmt-z; available: other)"
    assert (str(note), note.count) == (text, 2)


def test_the_order_of_campaigns_does_not_matter():
    campaigns = [
        campaign(lp, name, seed=k) for k, (name, lp) in enumerate((("b", "de-en"), ("a", "de-en"), ("a", "cs-en")))
    ]
    pairs, _ = collect(*campaigns)
    assert [(each.campaign, each.lp) for each in pairs] == [("a", "cs-en"), ("a", "de-en"), ("b", "de-en")]
    assert data_setting(pairs) == "a/cs-en+de-en,b/de-en"


def test_pairs_without_a_score_are_counted():
    made = campaign()
    human, stored = made.scores
    partly = dataclasses.replace(made, scores=(human, stored.take(("s0", "s1", "s2"))))
    notes = collect(partly, metrics=(), stored=("Stored",))[1]
    assert str(notes[0]) == "Stored stored: left out: 3 pairs of systems without a score of both"


def test_segment_scores_count_where_there_are_no_system_scores():
    """Their means over the segments that are scored for all systems, also by domain."""
    made = campaign(domains=True)
    values = made.human[0].values.copy()
    values[1, 3] = np.nan
    only = ScoreTable("Only", "segment", made.systems, values, references=("ref",))
    whole, social, _ = collect(
        dataclasses.replace(made, scores=(*made.human, only)), metrics=(), stored=("On*",), by_domain=True
    )[0]
    key = ("Only", "stored-segment")
    assert list(whole.differences) == [key]
    common = np.delete(values, 3, axis=1)
    assert whole.differences[key][0] == pytest.approx(common[0].mean() - common[1].mean())
    assert social.differences[key][0] == pytest.approx(values[0, ::2].mean() - values[1, ::2].mean())


def test_differences_of_rounded_scores_are_equal():
    """5.3 - 4.1 and 2.3 - 1.1 differ by rounding errors."""
    made = campaign()
    values = np.array([[5.3], [4.1], [2.3], [1.1]])
    stored = ScoreTable("Stored", "system", made.systems, values, references=("ref",))
    ((pairs,), _) = collect(dataclasses.replace(made, scores=(*made.human, stored)), metrics=(), stored=("Stored",))
    differences = dict(zip(pairs.systems, pairs.differences["Stored", "stored"], strict=True))
    assert values[0] - values[1] != values[2] - values[3]
    assert differences["s0", "s1"] == differences["s2", "s3"]


def in_documents(size):
    """A campaign whose systems differ by document: all segments of a document have the same human score."""
    made = campaign()
    count = 40 // size
    documents = tuple(f"d{k // size}" for k in range(40))
    random = np.random.Generator(np.random.PCG64(8))
    values = np.repeat(0.4 * np.arange(4)[:, np.newaxis] + random.normal(size=(4, count)), size, axis=1)
    testset = dataclasses.replace(made.testset, documents=documents)
    table = dataclasses.replace(made.human[0], values=values)
    return dataclasses.replace(made, testset=testset, scores=(table, *made.scores[1:]))


def test_documents_as_units_are_swapped_as_a_whole():
    """Four documents can be swapped in 16 ways, so no p-value is below 1/16, whatever a test of segments says."""
    made = in_documents(10)
    ((by_segment,), _) = collect(made)
    ((by_document,), _) = collect(made, unit="document", test="randomisation")
    assert (by_segment.p_values.min(axis=1) < 0.01).any()
    assert by_document.p_values.min() >= 1 / 16 - 0.01
    assert by_document.human == pytest.approx(by_segment.human)


def test_documents_that_are_not_known_are_said():
    with pytest.raises(InputError) as caught:
        collect(campaign(), unit="document", test="randomisation")
    assert "the documents of wmt-z are not known" in caught.value.hint


def test_tests_and_samples_of_segments_are_none_of_documents():
    with pytest.raises(ConfigError, match="paired-t compares segments, not documents"):
        collect(campaign(), unit="document")
    with pytest.raises(ConfigError, match="samples of judged segments are of single segments"):
        collect(campaign(), unit="document", test="randomisation", judged=(20,))
