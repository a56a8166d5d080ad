from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, InputError
from assay.metaeval.score_samples import Samples
from assay.types import ScoreTable
from assay.types.runtime import Runtime
from tests.study.test_correlate import campaign, correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_samples_are_sums_over_the_drawn_segments():
    each = campaign(4, segments=10)
    run = assay.score(each.select_texts(references=["refA"]), ["bleu"], resamples=0)
    table = run["bleu"].statistics.table
    for without in (False, True):
        drawn = Samples((6,), 30, without, "leave-out", 7)
        (sums,) = drawn.sums([table], 6, "made de-en", Runtime())
        reachable = {tuple(table[0, list(rows)].sum(axis=0)) for rows in itertools.combinations(range(10), 6)}
        assert all(tuple(row) in reachable for row in sums[0]) is without
        assert len({tuple(row) for row in sums[0]}) > 20
        (again,) = drawn.sums([table], 6, "made de-en", Runtime())
        (other,) = drawn.sums([table], 6, "made en-de", Runtime())
        assert np.array_equal(sums, again)
        assert not np.array_equal(sums, other)


def test_a_sample_of_all_segments_without_replacement_is_the_whole_test_set():
    sets = [campaign(k, segments=9, name=f"set{k}") for k in range(3)]
    result = assay.correlate(
        sets, metrics="bleu", sample_sizes=[9], samples=3, without_replacement=True, agg="corpus,segment"
    )
    (each,) = result
    assert each.samples[0].values == pytest.approx([each.pooled.value] * 3)


def notes_on_samples(result):
    return [(str(note.kind), note.text) for note in result.notes if "samples of" in note.text]


def test_small_language_pairs_are_left_out_used_whole_or_drawn_from():
    sets = [campaign(1, segments=6, name="small"), campaign(2, segments=30, name="large")]
    options = {"metrics": "bleu", "agg": "corpus,segment", "sample_sizes": [10], "samples": 5}
    left_out = assay.correlate(sets, **options)
    assert left_out.correlations[0].samples[0].n == 5
    assert notes_on_samples(left_out) == [
        ("excluded", "samples of 10 segments leave out language pairs that have fewer: small de-en (6)")
    ]
    whole = assay.correlate(sets, small_sets="whole", **options)
    assert notes_on_samples(whole) == [
        ("provenance", "samples of 10 segments are all segments of language pairs that have fewer: small de-en (6)")
    ]
    draw = assay.correlate(sets, small_sets="draw", **options)
    assert notes_on_samples(draw) == []
    assert [each.correlations[0].samples[0].n for each in (whole, draw)] == [10, 10]
    with pytest.raises(ConfigError, match="more segments than the test set"):
        assay.correlate(sets, small_sets="draw", without_replacement=True, **options)


def test_samples_that_are_too_large_for_all_have_no_value_and_a_reason():
    (each,) = assay.correlate(campaign(1), metrics="bleu", agg="corpus,segment", sample_sizes=[50], samples=3)
    (sampled,) = each.samples
    assert (sampled.n, sampled.undefined) == (0, 3)
    assert sampled.reason == "undefined in 3 of 3 samples: all language pairs have fewer segments"


def test_samples_without_replacement_that_are_the_whole_set_are_noted():
    options = {"metrics": "bleu", "agg": "corpus,segment", "sample_sizes": [12], "samples": 5}
    result = assay.correlate(campaign(1), without_replacement=True, **options)
    text = "all samples of 12 segments without replacement are the same for made de-en"
    assert notes_on_samples(result) == [("advice", text)]
    assert notes_on_samples(assay.correlate(campaign(1), **options)) == []


def test_scores_that_cannot_be_sampled_stay_whole_and_are_marked(result):
    assert result["x-bleu", "x-ter"].samples == ()
    both = result["bleu", "x-bleu"]
    assert both.unsampled == ("x-bleu",)
    assert result["bleu", "m-bleu"].unsampled == ()
    assert both.samples[0].mean < both.samples[1].mean < both.pooled.value


def partly(name, systems, rows):
    """Segment scores of some systems, NaN where `rows` says so."""
    values = np.random.default_rng(3).normal(size=(len(systems), 12))
    for row, segments in rows.items():
        values[row, segments] = np.nan
    return ScoreTable(name, "segment", systems, values)


OPTIONS = {"metrics": "chrf", "agg": "corpus,segment", "sample_sizes": [4], "samples": 6}


def test_a_score_that_lacks_systems_is_missing_for_these_only():
    for table in (
        partly("mine", ("s0", "s1", "s2", "s4"), {}),
        partly("mine", ("s0", "s1", "s2", "s3", "s4"), {3: slice(None)}),
    ):
        result = assay.correlate(campaign(1), external={"de-en": [table]}, **OPTIONS)
        assert np.isnan(result.scores["mine"]).tolist() == [False, False, False, True, False]
        assert [each.samples[0].n for each in (result["chrf", "mine"], result["chrf", "m-chrf"])] == [4, 5]
        assert result["chrf", "mine"].pooled.n == 4
        alone = assay.correlate(campaign(1), **OPTIONS)
        assert np.array_equal(result["chrf", "m-chrf"].samples[0].values, alone["chrf", "m-chrf"].samples[0].values)


def test_segments_that_excluded_systems_lack_are_used():
    table = partly("mine", ("s0", "s1", "s2", "s3", "s4"), {0: slice(3, None)})
    result = assay.correlate(campaign(1), external={"de-en": [table]}, **OPTIONS)
    text = "samples of 4 segments leave out language pairs that have fewer: made de-en (3 of 12 have all scores)"
    assert notes_on_samples(result) == [("excluded", text)]
    result = assay.correlate(campaign(1), external={"de-en": [table]}, exclude="s0", **OPTIONS)
    assert notes_on_samples(result) == []
    assert result["chrf", "mine"].samples[0].n == 4


def test_a_score_without_segment_scores_in_some_language_pairs():
    sets = [campaign(1), campaign(2, lp="en-de")]
    values = np.arange(5.0)[:, np.newaxis]
    tables = {
        "de-en": [partly("mine", ("s0", "s1", "s2", "s3", "s4"), {})],
        "en-de": [ScoreTable("mine", "system", ("s0", "s1", "s2", "s3", "s4"), values)],
    }
    result = assay.correlate(sets, external=tables, **OPTIONS)
    assert result["chrf", "mine"].unsampled == ("mine",)
    assert result["chrf", "mine"].samples[0].n == 10


STRATA = np.repeat([0, 1, 2, 3], [1, 3, 6, 10])


@pytest.mark.parametrize("without", [False, True])
def test_a_stratified_sample_has_the_share_of_every_group_and_draws_all_segments_alike(without):
    identity = np.eye(20)[np.newaxis]  # sums are the number of times that each segment was drawn
    drawn = Samples((7,), 4000, without, "leave-out", 7, "document")
    (sums,) = drawn.sums([identity], 7, "made de-en", Runtime(), STRATA)
    by_group = np.stack([sums[0][:, group == STRATA].sum(axis=1) for group in range(4)], axis=1)
    shares = np.bincount(STRATA) * 7 / 20
    assert (sums.sum(axis=-1) == 7).all()
    assert (np.abs(by_group - shares) < 1).all()
    assert by_group.mean(axis=0) == pytest.approx(shares, abs=0.05)
    assert sums[0].mean(axis=0) == pytest.approx(np.full(20, 7 / 20), abs=0.04)
    assert (sums.max() == 1) == without


def test_samples_are_stratified_by_what_the_test_set_knows():
    each = campaign(1, segments=12)
    labelled = replace(each, testset=replace(each.testset, domains=("news", "chat", None) * 4))
    options = {"metrics": "bleu,chrf", "agg": "corpus", "sample_sizes": [6], "samples": 5}
    result = assay.correlate(labelled, stratify="domain", **options)
    assert result.settings["stratify"] == "domain"
    assert result.correlations[0].samples != assay.correlate(labelled, **options).correlations[0].samples
    assert assay.correlate(each, stratify="length", **options).correlations[0].samples[0].n == 5
    with pytest.raises(InputError, match="made de-en: the domain of each segment is not known"):
        assay.correlate(each, stratify="domain", **options)
    with pytest.raises(ConfigError, match="stratify has no effect"):
        assay.correlate(labelled, metrics="bleu,chrf", agg="corpus", stratify="domain")
