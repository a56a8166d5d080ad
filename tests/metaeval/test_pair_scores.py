from __future__ import annotations

from dataclasses import replace

import pytest

from assay.human.outliers import OutlierRule
from assay.metaeval.gold import GoldOptions
from assay.metaeval.metric_tables import metric_tables
from assay.metaeval.pair_scores import PairMetrics, pair_scores
from assay.types import Note, NoteKind
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import campaign, human


def scores_of(given, level="system", **selection):
    chosen = given.select(**selection)
    return pair_scores(
        given,
        PairMetrics(chosen, metric_tables(given), (Note(NoteKind.MISSING, "few"),)),
        GoldOptions("da"),
        label="de-en",
        level=level,
        rule=OutlierRule(),
        runtime=Runtime(),
    )


def test_both_sides_have_the_selected_systems():
    found = scores_of(campaign(), exclude=["a"])
    assert found.pair.systems == ("b", "c", "d", "e", "far")
    assert found.pair.left_out == {"a": "excluded", "refA": "a reference", "refB": "a reference"}
    assert {table.systems for scores in (found.gold.by_level, *found.metrics) for table in scores.tables} == {
        found.pair.systems
    }
    assert found.pair.outliers.systems == ("far",)
    assert [str(note) for note in found.notes] == ["left out: a (excluded)", "left out: refA, refB (references)", "few"]


def test_metrics_without_segment_scores_are_noted():
    found = scores_of(campaign(), "segment")
    assert [metric.name for metric in found.metrics] == ["good-refA", "poor-src"]
    notes = {str(note): metrics for note, metrics in found.notes.items()}
    assert notes["metrics without segment scores are left out"] == ["fair-all", "good-refB"]


@pytest.mark.parametrize(
    ("given", "level", "reason"),
    [
        (campaign(scores=()), "system", "left out: it has no human scores 'da'"),
        (campaign(scores=(human(),)), "segment", "left out: it has no human segment scores 'da'"),
        (campaign(scores=(human(),)), "system", "left out: it has no system scores of metrics"),
    ],
)
def test_why_there_is_nothing(given, level, reason):
    found = scores_of(given, level)
    assert isinstance(found, Note)
    assert found.text.startswith(reason)


def test_metrics_and_people_with_other_systems_have_none_in_common():
    scored = [replace(table.take(["c", "d"]), name=table.name) for table in campaign().metrics]
    found = scores_of(campaign(scores=(human().take(["a", "b"]), *scored)))
    assert isinstance(found, Note)
    assert found.text == "left out: no system in common: metrics have c, d, 'da' has a, b"
