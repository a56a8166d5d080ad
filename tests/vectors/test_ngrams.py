from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.vectors.ngrams import NgramTable


def slow_buckets(word, minn, maxn, buckets):
    """fastText's Dictionary::computeSubwords and hash, in plain Python, for words of valid UTF-8."""
    if word == "</s>":
        return []
    text, found = f"<{word}>", []
    for n in range(minn, maxn + 1):
        for start in range(len(text) - n + 1):
            if n == 1 and start in (0, len(text) - 1):
                continue
            value = 2166136261
            for byte in text[start : start + n].encode():
                value = (value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * 16777619 % 2**32
            found.append(value % buckets)
    return sorted(found)


def table(minn, maxn, buckets):
    values = np.random.default_rng(1).normal(size=(buckets, 3)).astype("<f4")
    return NgramTable(minn, maxn, values.view(np.uint8)), values


@given(st.lists(st.text(max_size=6)), st.integers(1, 3), st.integers(0, 3), st.integers(1, 50))
def test_buckets(words, minn, more, buckets):
    found, counts = table(minn, minn + more, buckets)[0].buckets([word.encode("utf-8", "replace") for word in words])
    words = [word.encode("utf-8", "replace").decode() for word in words]
    ends = np.cumsum(counts)
    by_word = [sorted(found[end - count : end].tolist()) for end, count in zip(ends, counts, strict=True)]
    assert by_word == [slow_buckets(word, minn, minn + more, buckets) for word in words]


def test_means():
    ngrams, values = table(3, 4, 20)
    words = ["дома", "a", "</s>", *(f"word{i}" for i in range(3000))]
    means, has_mean = ngrams.means([word.encode() for word in words])
    assert np.flatnonzero(~has_mean).tolist() == [2]
    assert not means[2].any()
    for word in (0, 1, 3, 2000):
        expected = values[slow_buckets(words[word], 3, 4, 20)].mean(axis=0)
        assert means[word] == pytest.approx(expected, abs=1e-6)


def test_words_without_ngrams_or_without_numbers():
    ngrams, values = table(5, 6, 1)
    means, has_mean = ngrams.means([b"ab", b"abc", b""])
    assert has_mean.tolist() == [False, True, False]
    values[:] = np.nan
    means, has_mean = ngrams.means([b"abc"])
    assert (means.tolist(), has_mean.tolist()) == ([[0, 0, 0]], [False])
    assert ngrams.means([])[0].shape == (0, 3)
