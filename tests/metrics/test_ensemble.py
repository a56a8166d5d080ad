"""Ensembles: weights, directions, standardised scores, undefined values, lists of metrics, and models."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import assay
from assay.errors import ConfigError
from assay.metrics import metric
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.learned.official import official

OUTPUTS = {"x": ["a b c d", "c d", "3 e f g", ""], "y": ["a b", "x d", "z 4", "u"]}
BLEU = "bleu:tok=intl,smooth=floor"


@pytest.fixture
def testset():
    references = {"r": ["a b c d", "c e", "e f 3", "u v"]}
    return assay.load(sources=["s", "t", "3 u", "v"], outputs=OUTPUTS, references=references, lp="en-de")


def segments(testset, spec):
    result = assay.score(testset, spec, resamples=0)[spec]
    return np.array([result.segments[name] for name in testset.systems])


def test_a_weighted_mean_with_directions(testset):
    chrf, ter, bleu = (segments(testset, spec) for spec in ("chrf", "ter", BLEU))
    found = segments(testset, f"ensemble:metrics=(chrf+ter+{BLEU}),weights=1+2+0.5")
    np.testing.assert_allclose(found, (chrf - 2 * ter + 0.5 * bleu) / 3.5, rtol=1e-12)
    np.testing.assert_allclose(segments(testset, "ensemble:metrics=chrf+ter"), (chrf - ter) / 2, rtol=1e-12)


def test_lower_is_better_if_it_is_for_all(testset):
    spec = "ensemble:metrics=ter+wer"
    np.testing.assert_allclose(segments(testset, spec), (segments(testset, "ter") + segments(testset, "wer")) / 2)
    assert not metric.create(spec).higher_is_better
    assert not metric.create(f"{spec},scale=z").higher_is_better
    assert metric.create("ensemble:metrics=ter+chrf").higher_is_better


def test_standardised_over_the_run(testset):
    values = [segments(testset, "chrf"), -segments(testset, "ter")]
    expected = sum((each - each.mean()) / each.std() for each in values) / 2
    np.testing.assert_allclose(segments(testset, "ensemble:metrics=chrf+ter,scale=z"), expected, atol=1e-8)
    lower = [segments(testset, "ter"), segments(testset, "wer")]
    expected = sum((each - each.mean()) / each.std() for each in lower) / 2
    np.testing.assert_allclose(segments(testset, "ensemble:metrics=ter+wer,scale=z"), expected, atol=1e-8)


def test_the_constants_of_a_run_can_be_given(testset):
    prepared = metric.create("ensemble:metrics=chrf+ter,scale=z").prepare(testset)
    (note,) = prepared.advice(testset)
    assert "standardised over all outputs of this run (2 systems)" in note.text
    constants = note.hint.rpartition(" ")[2]
    assert constants == f"mean={prepared.mean},sd={prepared.sd}"
    one = testset.with_systems(["x"])
    given = metric.create(f"ensemble:metrics=chrf+ter,scale=z,{constants}").prepare(one)
    assert list(given.advice(one)) == []
    np.testing.assert_array_equal(given.statistics(one, Runtime()), prepared.statistics(testset, Runtime())[:1])


def test_scores_that_are_all_equal(testset):
    same = dataclasses.replace(testset, outputs={"x": testset.references["r"]})
    with pytest.warns(assay.AssayWarning, match="all scores of one of its metrics are equal"):
        assert np.isnan(segments(same, "ensemble:metrics=chrf+ter,scale=z")).all()


def test_undefined_if_a_metric_is(testset):
    found = segments(testset, "ensemble:metrics=chrf+markup")
    np.testing.assert_array_equal(np.isnan(found), [[True, True, False, True]] * 2)
    assert metric.create("ensemble:metrics=chrf+markup").undefined == "one of its metrics is undefined"
    assert found[0, 2] == pytest.approx((segments(testset, "chrf")[0, 2] + 100) / 2)


def test_needs_and_signature(testset):
    made = metric.create("ensemble:metrics=chrf+markup")
    assert made.needs == {"reference", "source"}
    signature = str(
        assay.score(testset, "ensemble:metrics=chrf+ter,scale=z", resamples=0)[
            "ensemble:metrics=chrf+ter,scale=z"
        ].signature
    )
    assert "members:chrf:char_order=6" in signature
    assert "|sd:" in signature


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("chrf+ter", ["chrf", "ter"]),
        ("chrf+++ter", ["chrf++", "ter"]),
        ("ter+chrf++", ["ter", "chrf++"]),
        ("chrf+++chrf", ["chrf++", "chrf"]),
        (f"({BLEU}+chrf)", [BLEU, "chrf"]),
        (f"(({BLEU})+(markup:items=tags+numbers))", [BLEU, "markup:items=tags+numbers"]),
        ("(lexical+(ensemble:metrics=(chrf+ter),weights=1+2))", ["lexical", "ensemble:metrics=chrf+ter,weights=1+2"]),
    ],
)
def test_lists_of_metrics(text, members):
    made = metric.create(f"ensemble:metrics={text},weights={'+'.join('12'[: len(members)])}")
    assert [metric.create(spec) for spec in members] == list(made._given.metrics)
    assert metric.create(metric.spec(made)) == made


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("chrf+chrf", "the ensemble has the metric 'chrf' twice"),
        ("chrf+chrf:word_order=0", "the ensemble has the metric 'chrf(:word_order=0)?' twice"),
        ("chrf+foo", "unknown metric 'foo'"),
        ("chrf#x+ter", "'chrf#x' is a column, not a metric"),
        ("lexical:wins=soft+ter", "'lexical:wins=soft' depends on the other systems"),
        ("(chrf+(ter)", "is not a list of metrics"),
        ("+chrf", "is not a list of metrics"),
        ("chrf+ter,weights=1", "weights=1: expected 2 numbers, one for each metric"),
        ("chrf+ter,weights=1+x", r"weights=1\+x: expected 2 numbers"),
        ("chrf+ter,weights=1+inf", "expected 2 numbers"),
        ("chrf+ter,weights=1+0", "a weight must be above 0"),
        ("chrf+ter,mean=1+2,sd=1+2", "mean and sd are of standardised scores"),
        ("chrf+ter,scale=z,mean=1+2", "give both mean and sd"),
        ("chrf+ter,scale=z,mean=1+2,sd=1+0", "a standard deviation must be above 0"),
        ("chrf+ter,scale=z,mean=1,sd=1+2", "mean=1: expected 2 numbers"),
        ("chrf+ter,scale=rank", "scale"),
        ("chrf+ter,members=x", "members cannot be chosen"),
    ],
)
def test_faulty_options(options, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(f"ensemble:metrics={options}")


def test_without_metrics(testset):
    with pytest.raises(ConfigError, match="an ensemble needs metrics"):
        assay.score(testset, "ensemble")


def test_a_metric_from_a_file(tmp_path, testset, monkeypatch):
    monkeypatch.setattr(metric, "_types", dict(metric._types))  # the file registers its function
    (tmp_path / "cost.py").write_text(
        "def cost(output, reference):\n    return abs(len(output) - len(reference))\ncost.higher_is_better = False\n"
    )
    monkeypatch.chdir(tmp_path)
    found = segments(testset, "ensemble:metrics=./cost.py:cost+chrf")
    cost = np.array([[0, 0, 2, 3], [4, 0, 2, 2]])
    np.testing.assert_allclose(found, (segments(testset, "chrf") - cost) / 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", ["chrf+ter", "ter+wer", "chrf+ter,scale=z", "lexical+chrf++,weights=1+2,scale=z,mean=0+50,sd=1+20"]
)
def test_the_contract(options):
    check_metric(metric.create(f"ensemble:metrics={options}"))


@pytest.mark.filterwarnings("ignore::assay.AssayWarning")  # of the texts, some of which are odd
def test_two_models():
    """What Unbabel's ensembles of COMET checkpoints are: a weighted mean of their segment scores."""
    first, second = official("comet"), official("cometkiwi")
    testset, runtime = first.testset, Runtime(device="cpu")
    spec = f"ensemble:metrics=comet:{first.model}+cometkiwi:{second.model},weights=1+3"
    run = assay.score(
        testset, [f"comet:{first.model}", f"cometkiwi:{second.model}", spec], resamples=0, runtime=runtime
    )
    one, two, both = (run[name].segments["x"] for name in run)
    np.testing.assert_allclose(both, (one + 3 * two) / 4, atol=1e-6)
    signature = str(run[spec].signature)
    assert all(f"{name}:" in signature for name in ("comet", "cometkiwi"))
    assert math.isfinite(run[spec].headline["x"])
    made = metric.create(spec)
    assert 0 < made.tolerance <= 2e-4
    with pytest.raises(ConfigError, match=r"scale=z cannot take mean and sd from this run for .*, which runs a model"):
        metric.create(f"{spec},scale=z").prepare(testset)
    given = f"{spec},scale=z,mean=0.5+0.1,sd=0.1+0.2"
    scaled = assay.score(testset, given, resamples=0, runtime=runtime)[given].segments["x"]
    np.testing.assert_allclose(scaled, ((one - 0.5) / 0.1 + 3 * (two - 0.1) / 0.2) / 4, atol=1e-4)
