from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay.human.options import RankingOptions
from assay.human.outliers import OutlierRule
from assay.metaeval.baselines import random_metric, second_opinions
from assay.metaeval.gold import GoldOptions
from assay.metaeval.pair_scores import PairMetrics, pair_scores
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.study.agree import agree
from assay.study.meta import meta
from assay.types import Rankings
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import SYSTEMS, campaign, human, metric

SOME = SYSTEMS[:6]


def scores_of(judged, gold, **options):
    selection = judged.select(systems=SOME)
    mine = (ScoresByLevel("mine", system=metric("mine", 1.0)),)
    gold_options = GoldOptions(gold, **options)
    others = {"label": "de-en", "level": "system", "rule": OutlierRule(), "runtime": Runtime()}
    return pair_scores(judged, PairMetrics(selection, mine, ()), gold_options, **others)


def opinions(scores, gold, **options):
    found = second_opinions(scores_of(campaign(scores=scores), gold, **options), Runtime())
    return {opinion.name: (opinion, other) for opinion, other in found}


def test_other_judgements_are_a_second_opinion():
    names = ("wmt-raw", "wmt-z", "mqm", "mqm-col1", "wmt-appraise", "wmt-appraise-z")
    scores = tuple(human(name=name) for name in names)
    assert list(opinions(scores, "wmt-z")) == ["human: mqm", "human: mqm-col1", "human: wmt-appraise"]
    assert list(opinions(scores, "mqm")) == ["human: wmt-appraise", "human: wmt-raw", "human: wmt-z"]
    assert list(opinions((human(name="mqm"), human(name="esa-GPT4")), "mqm")) == ["language model: esa-GPT4"]


def test_a_rater_against_the_others():
    raters = [human("segment", name=f"mqm-col{i}", seed=i) for i in (1, 2, 3)]
    found = opinions((*raters, human("segment", name="mqm")), "mqm")
    assert list(found) == [f"human: mqm-col{i} against the other raters" for i in (1, 2, 3)]
    entry, others = found["human: mqm-col2 against the other raters"]
    np.testing.assert_array_equal(entry.segment.values, raters[1].take(SOME).values)
    expected = (raters[0].take(SOME).values + raters[2].take(SOME).values) / 2
    np.testing.assert_allclose(others.by_level.segment.values, expected)
    found = opinions(tuple(raters), "mqm-col1")
    assert list(found) == ["human: mqm-col2", "human: mqm-col3"]


@pytest.mark.parametrize("name", ["mqm.rater{}", "mqm-col{}", "mqm-rater{}", "mqm-human{}"])
def test_raters_go_by_several_names(name):
    raters = tuple(human("segment", name=name.format(i), seed=i) for i in (1, 2))
    all_names = (*raters, human("segment", name="mqm"), human("segment", name="mqm.merged"))
    assert list(opinions(all_names, "mqm")) == [f"human: {raters[0].name} against {raters[1].name}"]
    assert list(opinions(raters, raters[0].name)) == [f"human: {raters[1].name}"]


def test_raters_too_are_compared_with_clusters():
    """Every row of a table is compared with people seen in the same way."""
    raters = [human("segment", name=f"mqm-col{i}", seed=i) for i in (1, 2, 3)]
    tables = (*raters, human("segment", name="mqm"))
    scores = tuple(dataclasses.replace(table, values=table.values - 100, protocol="MQM") for table in tables)
    _, others = opinions(scores, "mqm", view="clusters", ranking=RankingOptions(test="paired-t"))[
        "human: mqm-col2 against the other raters"
    ]
    (table,) = others.by_level.tables
    assert table.level == "system"
    assert set(table.values.ravel()) <= {1, 2, 3, 4, 5, 6}
    assert not table.higher_is_better


def test_a_random_metric_knows_nothing():
    table = meta([campaign()], level="segment", statistics=["pearson", "acc23"], random_metrics=400)
    for measure in table.measures:
        value = table["random metric"].averages[measure]
        assert value.value == pytest.approx(0.0 if measure.statistic == "pearson" else 0.5, abs=0.03)
        (found,) = (a for c, a in table["random metric"].agreements.items() if c.measure == measure)
        assert 0 < found.estimate.standard_deviation < 0.4
    assert not meta([campaign()], random_metrics=0).baselines


def test_it_is_there_for_every_kind_of_judgement():
    assert [table.values.shape for table in random_metric(scores_of(campaign(), "da")).tables] == [(6, 1), (6, 6)]
    without_segments = campaign(scores=(human(),), segments=0, testset=None)
    assert random_metric(scores_of(without_segments, "da")).segment is None
    ranks = np.tile(np.arange(1, 7), (6, 1))
    rankings = Rankings("rr", SOME, ("j",), np.zeros(6), np.arange(6), ranks)
    judged = campaign(scores=(metric("good", 0.1, level="segment"),), judgements=(rankings,))
    for level in ("system", "segment"):
        table = meta([judged], level=level, outliers="keep")
        assert [row.metric for row in table.baselines] == ["random metric"]


def test_people_are_held_to_the_same_questions():
    scores = (human("segment"), human("segment", name="mqm", seed=4), metric("good", 0.3, level="segment"))
    table = meta([campaign(scores=scores)], gold="da", statistics=["spa", "pearson"], outliers="keep")
    row = table["human: mqm"]
    taken = [dataclasses.replace(scores[i].take(SOME)) for i in (1, 0)]
    for column, found in row.agreements.items():
        expected = agree(*taken, column.measure.statistic, level="system", outliers="keep")
        assert found.value == expected.value


def test_it_is_as_wide_as_what_was_judged():
    """A test set without texts counts no segments, but external scores may be by segment."""
    rankings = Rankings("rr", SOME, ("j",), np.zeros(6), np.arange(6), np.tile(np.arange(1, 7), (6, 1)))
    judged = campaign(scores=(), judgements=(rankings,), segments=0, testset=None)
    external = {"de-en": [metric("mine", 0.1, level="segment")]}
    table = meta([judged], level="segment", outliers="keep", external=external)
    assert [row.metric for row in (*table, *table.baselines)] == ["mine", "random metric"]


def test_two_raters_are_compared_once():
    """Rater 1 against rater 2 and rater 2 against rater 1 are the same numbers."""
    raters = [human("segment", name=f"da-human{i}", seed=i) for i in (1, 2)]
    judged = campaign(scores=(*raters, human("segment"), metric("mine", 1.0)))
    table = meta(judged, gold="da", outliers="keep", resamples=0)
    rows = [row.metric for row in table.baselines]
    assert rows == ["human: da-human1 against da-human2", "random metric"]
    one, two = (table.take(SOME) for table in raters)
    assert table.baselines[0].average.value == agree(one, two, "pearson", level="system").value
    assert agree(two, one, "pearson", level="system").value == pytest.approx(table.baselines[0].average.value)
