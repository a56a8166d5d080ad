"""Corpus scores, means of segment scores and human scores go through the same tests."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from assay import _core, load
from assay.errors import AlignmentError, ConfigError
from assay.metrics import metric as metric_registry
from assay.sample import generate
from assay.significance import test as registry
from assay.significance.randomisation import Randomisation
from assay.types import Scorable, ScoreTable
from assay.types.runtime import Runtime

ONE_THREAD = Runtime(threads=1)
every_test = pytest.mark.parametrize("name", registry.names())


@pytest.fixture(scope="module")
def testset():
    campaign = generate("de")
    outputs = {name: campaign.output(name) for name in ("alder", "elm", "willow")}
    return load(outputs=outputs, references=campaign.references, lp="en-de")


def corpus(testset, spec):
    metric = metric_registry.create(spec).prepare(testset)
    return Scorable(
        metric.statistics(testset, ONE_THREAD), metric.score, testset.scorable(metric.needs), testset.systems
    )


def segment_means(testset, spec):
    metric = metric_registry.create(spec).prepare(testset)
    values = metric.segment_form.score(metric.statistics(testset, ONE_THREAD))
    return Scorable.of_segments(values, testset.systems)


def human():
    random = np.random.Generator(np.random.PCG64(4))
    values = random.normal(size=(3, 60)) + np.array([[0.6], [0.0], [0.0]])
    values[random.random(values.shape) < 0.2] = np.nan
    table = ScoreTable("da", "segment", ("x", "y", "z"), values, protocol="DA-z")
    return Scorable.of_segments(table.oriented, table.systems)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "nist"])
def test_corpus_scores_by_randomisation(testset, spec):
    scorable = corpus(testset, spec)
    scores = dict(zip(scorable.systems, scorable.values(ONE_THREAD).tolist(), strict=True))
    test = Randomisation(resamples=200)
    for first, second in (("alder", "elm"), ("alder", "willow")):
        forth = test.compare(scorable.system(first), scorable.system(second))
        back = test.compare(scorable.system(second), scorable.system(first))
        assert (forth.first, forth.second, forth.test) == (first, second, "randomisation:resamples=200")
        assert forth.difference.value == scores[first] - scores[second] == -back.difference.value
        assert forth.n == 130
        assert 0 < forth.p <= 1
        assert forth.p + back.p >= 1
        assert (forth.p < back.p) == (forth.difference.value > 0)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "nist"])
def test_the_corpus_score_of_a_copy_is_not_better(testset, spec):
    original = corpus(testset, spec).system("alder")
    comparison = Randomisation().compare(original, dataclasses.replace(original, systems=("copy",)))
    assert (comparison.difference.value, comparison.p, comparison.reason) == (0.0, 1.0, None)


@pytest.mark.parametrize("spec", ["bleu", "nist"])
def test_corpus_scores_as_swapping_one_by_one(testset, spec):
    scorable = corpus(testset, spec)
    first, second = scorable.system("alder"), scorable.system("elm")
    observed = float(first.values(ONE_THREAD)[0] - second.values(ONE_THREAD)[0])
    at_least = 0
    for coins in _core.swap_weights(0, 50, 130, 7, 1):
        swap = coins[:, np.newaxis] == 1
        one = np.where(swap, second.table[0], first.table[0]).sum(axis=0)
        other = np.where(swap, first.table[0], second.table[0]).sum(axis=0)
        at_least += first.score(one) - second.score(other) >= observed - 1e-9
    assert Randomisation(resamples=50, seed=7).compare(first, second).p == (1 + at_least) / 51


def test_a_mean_as_any_other_score():
    """The general way and the short way for means count the same resamples."""
    scores = human()
    general = dataclasses.replace(scores, is_mean=False)
    for first, second in (("x", "y"), ("y", "x"), ("y", "z")):
        short = Randomisation().compare(scores.system(first), scores.system(second))
        assert Randomisation().compare(general.system(first), general.system(second)) == short


@every_test
@pytest.mark.parametrize("kind", ["segment means", "human scores"])
def test_means_by_every_test(testset, name, kind):
    scorable = segment_means(testset, "bleu") if kind == "segment means" else human()
    test = registry.create(name)
    systems = [scorable.system(system) for system in scorable.systems]
    for first in systems:
        assert test.compare(first, first).p == 1
    for first, second in itertools.pairwise(systems):
        forth, back = test.compare(first, second), test.compare(second, first)
        common = first.mask & second.mask
        used = (common, common) if test.is_paired else (first.mask, second.mask)
        assert forth.n == common.sum() if test.is_paired else used[0].sum() + used[1].sum()
        means = [s.table[..., 0][mask].mean() for s, mask in zip((first, second), used, strict=True)]
        assert forth.difference.value == pytest.approx(means[0] - means[1], abs=1e-12)
        assert forth.difference.value == -back.difference.value
        assert 0 < forth.p <= 1
        assert forth.p + back.p >= 1 - 1e-12 or name == "bootstrap-either"  # the lower one of two in either direction


@every_test
def test_corpus_scores_are_no_sample(testset, name):
    scorable = corpus(testset, "bleu")
    if name != "randomisation":
        with pytest.raises(ConfigError, match=f"{name} compares values of segments") as caught:
            registry.create(name).compare(scorable.system("alder"), scorable.system("elm"))
        assert "randomisation" in caught.value.hint


def test_scores_that_do_not_belong_together_are_refused(testset):
    scorable = corpus(testset, "bleu")
    alder = scorable.system("alder")
    with pytest.raises(AlignmentError, match="single systems, not 3 at once"):
        Randomisation().compare(scorable, alder)
    with pytest.raises(AlignmentError, match="has 130 segments and 'willow' has 5"):
        Randomisation().compare(alder, scorable.system("willow").take(np.arange(5)))
    with pytest.raises(AlignmentError, match="not scored by the same metric"):
        Randomisation().compare(alder, corpus(testset, "chrf").system("elm"))
    with pytest.raises(AlignmentError, match="'alder' and 'elm' are not scored by the same metric"):
        Randomisation().compare(alder, corpus(testset, "bleu:tok=char").system("elm"))


def test_equal_metrics_are_the_same_metric(testset):
    first, second = corpus(testset, "bleu"), corpus(testset, "bleu")
    test = Randomisation(resamples=50)
    assert test.compare(first.system("alder"), second.system("elm")) == test.compare(
        first.system("alder"), first.system("elm")
    )


@every_test
def test_masked_cells_change_neither_difference_nor_p_value(name):
    mask = np.random.Generator(np.random.PCG64(8)).random((2, 40)) < 0.8
    values = np.random.Generator(np.random.PCG64(9)).normal(size=(2, 40))
    expected = Scorable.of_segments(np.where(mask, values, np.nan), ("x", "y"))
    table = np.stack([values, np.ones((2, 40))], axis=-1)
    found = Scorable(table, expected.score, mask, ("x", "y"), is_mean=True)
    test = registry.create(name)
    comparison = test.compare(found.system("x"), found.system("y"))
    assert comparison == test.compare(expected.system("x"), expected.system("y"))
    rows = mask.all(axis=0) & mask if test.is_paired else mask
    difference = values[0, rows[0]].mean() - values[1, rows[1]].mean()
    assert comparison.difference.value == pytest.approx(difference)


def test_undefined_scores_have_a_reason():
    table = np.array([[[1, 2], [2, 0]], [[0, 1], [0, -1]]])
    scorable = Scorable(table, _ratio, np.ones((2, 2), bool), ("x", "y"))
    comparison = Randomisation().compare(scorable.system("x"), scorable.system("y"))
    assert math.isnan(comparison.p)
    assert math.isnan(comparison.difference.value)
    assert comparison.reason == "a score is undefined"


def _ratio(sums):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[..., 1] == 0, np.nan, sums[..., 0] / sums[..., 1])
