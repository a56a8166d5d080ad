from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay import compare, load, open_result, save_result, score
from assay.reports.page.scored_texts import scored_texts

TESTSET = load(
    outputs={"low": ["x y z", "b"], "high": ["a b c d", "b"], "mid": ["a b c x", "b"]}, references=["a b c d", "b"]
)


@pytest.fixture(scope="module")
def run():
    return score(TESTSET, ["chrf"], resamples=0)


@pytest.fixture(scope="module")
def comparison():
    return compare(TESTSET, ["ter", "chrf"], resamples=10)


def test_the_best_two_systems_of_a_run_are_shown_first(run):
    (scored,) = scored_texts([run])
    assert scored.pair == ("high", "mid")
    lower_is_better = score(TESTSET, ["ter"], resamples=0)
    assert scored_texts([lower_is_better])[0].pair == ("high", "mid")


def test_a_single_system_has_no_rival():
    (scored,) = scored_texts([score(TESTSET.with_systems(["mid"]), ["chrf"], resamples=0)])
    assert scored.pair == ("mid",)


def test_the_pair_of_a_comparison_comes_before_the_best_two_of_a_run(run, comparison):
    (scored,) = scored_texts([run, comparison])
    assert scored.pair == ("high", "low")  # with the baseline, as in the verdict
    assert list(scored.metrics) == ["ter", "chrf"]
    assert not scored.metrics["ter"].higher_is_better
    np.testing.assert_array_equal(scored.metrics["chrf"].segments["mid"], run["chrf"].segments["mid"])


def test_a_saved_result_takes_the_texts_of_another(run, comparison, tmp_path):
    save_result(run, tmp_path / "run")
    (scored,) = scored_texts([open_result(tmp_path / "run"), comparison])
    assert scored.testset is not None
    (without,) = scored_texts([open_result(tmp_path / "run")])
    assert without.testset is None
    assert without.segments == 2


def test_other_texts_are_shown_apart(run):
    others = load(outputs={"low": ["x"], "high": ["a"]}, references=["a"])
    assert len(scored_texts([run, score(others, ["chrf"], resamples=0), "something else"])) == 2


def test_a_comparison_of_some_systems_belongs_to_the_scores_of_all():
    outputs = {name: ["the cat sat", f"a {name} ran"] for name in ("dog", "hound", "cat")}
    everything = load(outputs=outputs, references=["the cat sat", "a dog ran"])
    two = load(outputs={name: outputs[name] for name in ("hound", "cat")}, references=["the cat sat", "a dog ran"])
    run, comparison = score(everything, ["chrf"], resamples=0), compare(two, ["chrf"], resamples=5)
    (shown,) = scored_texts([run, replace(comparison, inputs=two.record)])
    assert shown.inputs.systems == ("dog", "hound", "cat")
    assert set(shown.pair) == {"hound", "cat"}
    assert set(shown.metrics["chrf"].segments) == {"dog", "hound", "cat"}
    assert len(scored_texts([replace(run, inputs=everything.record), comparison])) == 2  # with the texts at hand
    other = load(outputs=outputs, references=["the cat sat", "another text"])
    assert len(scored_texts([run, compare(other, ["chrf"], resamples=5)])) == 2
