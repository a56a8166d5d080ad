from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.metrics import metric
from assay.types import Note, NoteKind, ScoreTable
from tests.training.made_up import campaign, register, several


@pytest.fixture(autouse=True)
def _features(monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    register()


def train(*campaigns, features=("truth", "noise"), **options):
    return assay.train(campaigns, list(features), resamples=0, **options)


def notes(training):
    return [str(note) for note in training.notes]


def reason(made, **options):
    with pytest.raises(InputError) as caught:
        train(made, **options)
    return caught.value.hint


def with_scores(made, change):
    (table,) = made.scores
    return replace(made, scores=(change(table),))


def test_files_that_were_not_read_are_named():
    unread = Note(NoteKind.SKIPPED, "not read, unlike the other files", "b/en-de.mqm.seg.score", severity="warning")
    damaged = replace(campaign("damaged"), scores=(), notes=(unread,))
    found = notes(train(*several(2), damaged))
    assert "b/en-de.mqm.seg.score: not read, unlike the other files" in found
    assert "left out: damaged en-de (no judgements of segments)" in found


def test_metric_scores_that_were_not_read_are_not_mentioned():
    made = campaign()
    stored = ScoreTable("bleu", "segment", made.systems, made.scores[0].values, origin="x.seg.score")
    unread = Note(NoteKind.UNREAD, "a column was not read", "x.seg.score")
    assert notes(train(replace(made, scores=(*made.scores, stored), notes=(unread,)))) == []


@pytest.mark.warns("without an output")
def test_judged_systems_without_an_output_are_named():
    made = campaign()
    names = ("zz", *made.systems[1:])
    renamed = with_scores(replace(made, systems=(*made.systems, "zz")), lambda table: replace(table, systems=names))
    (found,) = notes(train(renamed))
    assert found == (
        "human, one en-de: judgements of systems without an output are left out: zz (are they s0, which nobody judged?)"
    )
    assert train(made).notes == ()


def test_why_nothing_was_preferred():
    values = np.full((5, 60), 3.0)
    other = ScoreTable("mqm-col1", "segment", tuple(f"s{k}" for k in range(5)), -values, protocol="MQM", rater="col1")
    equal = with_scores(campaign(), lambda table: replace(table, values=values))
    said = "'human': no two outputs of a segment were judged differently"
    assert reason(equal) == f"left out: one en-de ({said})"
    assert reason(replace(equal, scores=(*equal.scores, other))) == (
        f'left out: one en-de ({said}; there are others: gold="mqm-col1")'
    )
    missing = with_scores(campaign(), lambda table: replace(table, values=np.full((5, 60), np.nan)))
    assert reason(missing) == "left out: one en-de (all 300 scores 'human' are missing)"


def test_empty_references_are_the_reason():
    made = campaign()
    texts = made.testset
    empty = assay.load(outputs=dict(texts.outputs), references={"refA": [""] * 60}, sources=list(texts.sources))
    assert reason(replace(made, testset=empty, references=("refA",)), features=("chrf",)) == (
        "left out: one en-de (all 60 lines of the reference 'refA' are empty)"
    )


def test_what_has_no_name_is_called_by_its_file():
    made = campaign()
    nameless = replace(
        with_scores(made, lambda table: replace(table, origin="mqm.seg.score")), name="", lp="", testset=None
    )
    assert reason(nameless) == "left out: mqm.seg.score (no texts)"


@pytest.mark.warns("fewer than 20 for each")
def test_few_preferences_are_a_warning():
    (found,) = notes(train(campaign(systems=2, segments=30)))
    assert found.startswith("30 preferences for 2 features, fewer than 20 for each: the weights may be chance (learn")
    assert notes(train(campaign(systems=2, segments=60))) == []


def test_judgements_that_no_feature_agrees_with_are_named():
    """A fifth of the preferences is of nothing that the features measure."""
    random = [campaign(f"crowd{k}", seed=k, noise_of_people=50.0) for k in (1, 2)]
    (found,) = notes(train(*several(6), *random))
    assert found.startswith("no feature agrees with people on more than 5")
    assert "% of the preferences of crowd1 en-de, crowd2 en-de (DA-z; chance: 50 %), which are 25 % of" in found
    assert found.endswith("(to learn from other judgements, name them: gold)")
