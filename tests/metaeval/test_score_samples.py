from __future__ import annotations

import itertools

import numpy as np
import pytest

import assay
from assay.errors import ConfigError
from assay.metaeval.score_samples import Samples
from assay.runtime import Runtime
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


def test_small_test_sets_are_left_out_used_whole_or_drawn_from():
    sets = [campaign(1, segments=6, name="small"), campaign(2, segments=30, name="large")]
    options = {"metrics": "bleu", "agg": "corpus,segment", "sample_sizes": [10], "samples": 5}
    left_out = assay.correlate(sets, **options)
    assert left_out.correlations[0].samples[0].n == 5
    assert [note.text for note in left_out.notes if "samples" in note.text] == [
        "left out of samples of 10 segments, because they have fewer: small de-en"
    ]
    for rule in ("whole", "draw"):
        assert assay.correlate(sets, small_sets=rule, **options).correlations[0].samples[0].n == 10
    with pytest.raises(ConfigError, match="more segments than the test set"):
        assay.correlate(sets, small_sets="draw", without_replacement=True, **options)


def test_samples_use_the_bootstrap_scores_of_the_whole_test_set(result):
    both = result["x-bleu", "x-ter"]
    assert all(sampled.values == pytest.approx(both.pooled.value) for sampled in both.samples)
    spread = [result["bleu", "x-bleu"].samples[k].mean for k in (0, 1)]
    assert spread[0] < spread[1] < result["bleu", "x-bleu"].pooled.value
