from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay.study.agreeing import agree
from assay.study.gold import Look
from assay.study.meta import evaluate_metrics
from assay.study.yardsticks import random_metric, second_opinions
from assay.types import Rankings
from tests.study.campaigns_with_metrics import SYSTEMS, campaign, human, metric

SOME = SYSTEMS[:6]


def opinions(scores, gold, **options):
    judged = campaign(scores=scores)
    look = Look(gold, **options)
    return {entry.label: (entry, other) for entry, other in second_opinions(judged, look, SOME, look.at(judged, SOME))}


def test_other_judgements_are_a_second_opinion():
    names = ("wmt-raw", "wmt-z", "mqm", "mqm-col1", "wmt-appraise", "wmt-appraise-z")
    scores = tuple(human(name=name) for name in names)
    assert list(opinions(scores, "wmt-z")) == ["people: mqm", "people: mqm-col1", "people: wmt-appraise"]
    assert list(opinions(scores, "mqm")) == ["people: wmt-appraise", "people: wmt-raw", "people: wmt-z"]


def test_a_rater_against_the_others():
    raters = [human("segment", name=f"mqm-col{i}", seed=i) for i in (1, 2, 3)]
    found = opinions((*raters, human("segment", name="mqm")), "mqm")
    assert list(found) == [f"people: mqm-col{i}, against the others" for i in (1, 2, 3)]
    entry, others = found["people: mqm-col2, against the others"]
    np.testing.assert_array_equal(entry.tables["segment"].values, raters[1].take(SOME).values)
    expected = (raters[0].take(SOME).values + raters[2].take(SOME).values) / 2
    np.testing.assert_allclose(others.tables["segment"].values, expected)
    found = opinions(tuple(raters), "mqm-col1")
    assert list(found) == ["people: mqm-col2", "people: mqm-col3"]


@pytest.mark.parametrize("name", ["mqm.rater{}", "mqm-col{}", "mqm-rater{}", "mqm-human{}"])
def test_raters_go_by_several_names(name):
    raters = tuple(human("segment", name=name.format(i), seed=i) for i in (1, 2))
    all_names = (*raters, human("segment", name="mqm"), human("segment", name="mqm.merged"))
    assert list(opinions(all_names, "mqm")) == [f"people: {each.name}, against the others" for each in raters]
    assert list(opinions(raters, raters[0].name)) == [f"people: {raters[1].name}"]


def test_raters_too_are_compared_with_clusters():
    """Every row of a table is compared with people seen in the same way."""
    raters = [human("segment", name=f"mqm-col{i}", seed=i) for i in (1, 2, 3)]
    scores = (*raters, human("segment", name="mqm"))
    _, others = opinions(scores, "mqm", seen_as="clusters", test="paired-t")["people: mqm-col2, against the others"]
    table = others.tables["system"]
    assert list(others.tables) == ["system"]
    assert set(table.values.ravel()) <= {1, 2, 3, 4, 5, 6}
    assert not table.higher_is_better


def test_a_random_metric_knows_nothing():
    table = evaluate_metrics([campaign()], level="segment", statistics=["pearson", "acc23"], chance=400)
    for measure in table.measures:
        value = table["random metric"].averages[measure]
        assert value.value == pytest.approx(0.0 if measure.statistic == "pearson" else 0.5, abs=0.03)
        (found,) = (a for c, a in table["random metric"].agreements.items() if c.measure == measure)
        assert 0 < found.estimate.standard_error < 0.4
    assert not evaluate_metrics([campaign()], chance=0).yardsticks


def test_it_is_there_for_every_kind_of_judgement():
    gold = Look("da").at(campaign(), SOME)
    assert {level: table.values.shape for level, table in random_metric(gold, 6, SOME).items()} == {
        "system": (6, 1),
        "segment": (6, 6),
    }
    assert list(random_metric(gold_without_segments(), 0, SOME)) == ["system"]
    ranks = np.tile(np.arange(1, 7), (6, 1))
    rankings = Rankings("rr", SOME, ("j",), np.zeros(6), np.arange(6), ranks)
    judged = campaign(scores=(metric("good", 0.1, level="segment"),), judgements=(rankings,))
    for level in ("system", "segment"):
        table = evaluate_metrics([judged], level=level, outliers="keep")
        assert [row.metric for row in table.yardsticks] == ["random metric"]


def gold_without_segments():
    return Look("da").at(campaign(scores=(human(),)), SOME)


def test_people_are_held_to_the_same_questions():
    scores = (human("segment"), human("segment", name="mqm", seed=4), metric("good", 0.3, level="segment"))
    table = evaluate_metrics([campaign(scores=scores)], gold="da", statistics=["spa", "pearson"], outliers="keep")
    row = table["people: mqm"]
    taken = [dataclasses.replace(scores[i].take(SOME)) for i in (1, 0)]
    for column, found in row.agreements.items():
        expected = agree(*taken, column.measure.statistic, level="system", outliers="keep")
        assert found.value == expected.value


def test_it_is_as_wide_as_what_was_judged():
    """A test set without texts counts no segments, but scores that are brought along may be by segment."""
    rankings = Rankings("rr", SOME, ("j",), np.zeros(6), np.arange(6), np.tile(np.arange(1, 7), (6, 1)))
    judged = campaign(scores=(), judgements=(rankings,), segments=0, testset=None)
    brought = {"de-en": [metric("mine", 0.1, level="segment")]}
    table = evaluate_metrics([judged], level="segment", outliers="keep", brought=brought)
    assert [row.metric for row in (*table, *table.yardsticks)] == ["mine", "random metric"]
