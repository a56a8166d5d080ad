"""NIST by hand; tests/oracle compares it with mteval and NLTK."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

from assay import load, score
from assay.metrics.nist import Nist
from assay.types.runtime import Runtime


def nist(outputs, *references, spec="nist"):
    columns = {f"r{k}": reference for k, reference in enumerate(references)}
    return score(load(outputs={"x": outputs}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


def test_by_hand():
    """Of eight words, four are a and two b. Two of four a are followed by b: one bit; both b by a: none."""
    found = nist(["a b a"], ["a b a c a b a d"])
    assert found.statistics.table[0, 0].tolist() == [3, 8, 1 + 2 + 1, 1 + 0, 0, 0, 0, 3, 2, 1, 0, 0]
    penalty = math.exp(math.log(0.5) * (math.log(3 / 8) / math.log(1.5)) ** 2)
    assert found.corpus["x"] == pytest.approx((4 / 3 + 1 / 2) * penalty, abs=1e-12)


@pytest.mark.parametrize(("output", "penalty"), [("a b", 0.5), ("a b c d", 1.0), ("", 0.0)])
def test_two_thirds_of_the_length_lose_half(output, penalty):
    weights = Nist(tok="space").prepare(load(outputs={"x": ["a"]}, references=["a b c"]))
    totals = weights.statistics(load(outputs={"x": [output]}, references=["a b c"]), runtime=Runtime(threads=1))
    unpenalised = (totals[..., 2:7] / np.maximum(totals[..., 7:], 1)).sum()
    assert weights.score(totals).item() == pytest.approx(unpenalised * penalty)


def test_a_history_of_zero_is_none_for_mteval():
    """ "0 x" carries log2(words / 1) bits instead of log2(1 / 1); in "y 0 x" the history is "y 0" and counts."""
    reference = ["0 x a b c d e f"]
    quirk = nist(["0 x"], reference).statistics.table[0, 0]
    plain = nist(["0 x"], reference, spec="nist:zero_history=no").statistics.table[0, 0]
    assert (quirk[3], plain[3]) == (3.0, 0.0)
    assert quirk[2] == plain[2] == 6.0


def test_weights_are_of_the_whole_test_set_and_kept():
    testset = load(outputs={"x": ["a b", "a c"]}, references=["a b", "a c"])
    fitted = Nist().prepare(testset)
    part = testset.take([1])
    np.testing.assert_array_equal(
        fitted.statistics(part, runtime=Runtime(threads=1)),
        fitted.statistics(testset, runtime=Runtime(threads=1))[:, 1:],
    )
    assert not np.array_equal(
        Nist().prepare(part).statistics(part, runtime=Runtime(threads=1)),
        fitted.statistics(part, runtime=Runtime(threads=1)),
    )
    assert fitted == Nist()
    assert copy.deepcopy(fitted).weights is fitted.weights


def test_the_digest_is_of_the_references():
    def digest(references, outputs=("x", "y")):
        return Nist().prepare(load(outputs={"s": list(outputs)}, references=list(references))).resources["information"]

    assert digest(["a b", "c d"]) == digest(["c d", "a b"]) == digest(["a b", "c d"], ["z", "z"])
    assert digest(["a b", "c d"]) != digest(["a b", "c e"])
    assert "information.digest:" in str(nist(["a"], ["a"]).signature)


def test_ngrams_that_no_weight_was_fitted_for_carry_nothing():
    fitted = Nist().prepare(load(outputs={"x": ["a"]}, references=["a b"]))
    row = fitted.statistics(load(outputs={"x": ["z z"]}, references=["z z"]), runtime=Runtime(threads=1))[0, 0]
    assert row.tolist() == [2, 2, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0]


def test_texts_that_equal_the_fitted_ones_are_the_fitted_ones():
    lines = ["a b a c", "0 a b", "a b a c a"]
    fitted = Nist().prepare(load(outputs={"x": lines}, references=lines))
    copied = load(outputs={"x": lines}, references=["".join(list(line)) for line in lines])
    longer = load(outputs={"x": [*lines, "b"]}, references=[*lines, "b"])  # not equal, so it is read again
    table = fitted.statistics(copied, runtime=Runtime(threads=1))
    np.testing.assert_array_equal(fitted.statistics(longer, runtime=Runtime(threads=1))[:, :3], table)
    assert table[0, :, 2].all()


def test_fitted_references_must_be_as_many_as_the_outputs():
    weights = Nist().prepare(load(outputs={"x": ["a", "b"]}, references=["a", "b"])).weights
    with pytest.raises(ValueError, match="columns differ in length"):
        weights.statistics((("a", "b"),), (("a",),), 1)


@pytest.mark.warns("nothing was scored")
def test_empty_references_are_undefined():
    found = nist(["a", "b"], ["", "b"])
    assert math.isnan(found.segments["x"][0])
    assert found.segment_mean.estimate("x").n == 1
    empty = nist(["a"], [""]).corpus.estimate("x")
    assert math.isnan(empty.value)
    assert empty.reason == "the references have no words"


def test_several_references_pool_and_average():
    found = nist(["a b"], ["a b c"], ["a d"])
    assert found.statistics.table[0, 0, 1] == 2.5
    assert found.statistics.table[0, 0, 2] == pytest.approx(math.log2(5 / 2) + math.log2(5 / 1))


def test_case_is_ignored_by_default():
    assert nist(["A B"], ["a b c"]).corpus["x"] > 0
    assert nist(["A B"], ["a b c"], spec="nist:lowercase=no").corpus["x"] == 0
