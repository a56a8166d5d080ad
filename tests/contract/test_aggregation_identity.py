"""Corpus ratios are segment ratios weighted by length, segment means weigh all alike (Cavalin et al. 2024, eq. 1-3).

BLEU of order 1 without a brevity penalty is such a ratio: matches by words.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import load, score

SPEC = "bleu:tok=none,max_order=1,smooth=none"
words = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=8)
# The output is as long as the reference, so that there is no brevity penalty.
pairs = words.flatmap(lambda w: st.tuples(st.just(w), st.permutations(w + ["x"] * len(w)).map(lambda p: p[: len(w)])))


@given(st.lists(pairs, min_size=1, max_size=12))
@settings(max_examples=200, deadline=None)
def test_identity(drawn):
    references = [" ".join(reference) for reference, _ in drawn]
    outputs = [" ".join(output) for _, output in drawn]
    run = score(load(outputs={"x": outputs}, references=references), SPEC, resamples=0)[SPEC]
    lengths = np.array([len(output) for _, output in drawn])
    weighted = (lengths / lengths.sum() * run.segments["x"]).sum()
    assert run.corpus["x"] == pytest.approx(weighted, abs=1e-9)
    assert run.segment_mean["x"] == pytest.approx(run.segments["x"].mean(), abs=1e-9)
    if len(set(lengths.tolist())) == 1:  # equal lengths: equal weights
        assert run.corpus["x"] == pytest.approx(run.segment_mean["x"], abs=1e-9)


def test_they_differ_where_lengths_do():
    testset = load(outputs={"x": ["a a a a a a", "y"]}, references=["a a a a a a", "b"])
    run = score(testset, SPEC, resamples=0)[SPEC]
    assert run.corpus["x"] == pytest.approx(100 * 6 / 7)
    assert run.segment_mean["x"] == pytest.approx(50)
    assert run.disagreement.largest == pytest.approx(100 * 6 / 7 - 50)
