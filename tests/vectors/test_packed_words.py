from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.vectors.packed_words import PackedWords, fnv1a


def slow_fnv1a(word, bits):
    value, prime = {32: (2166136261, 16777619), 64: (14695981039346656037, 1099511628211)}[bits]
    for byte in word:
        value = (value ^ byte) * prime % 2**bits
    return value


@given(st.lists(st.binary(max_size=9)))
def test_hashes(words):
    packed = PackedWords.of(words)
    assert packed.hashes(np.arange(len(words))).tolist() == [slow_fnv1a(word, 64) for word in words]
    narrow = fnv1a(packed.data.astype(np.uint32), packed.starts, packed.lengths)
    assert narrow.tolist() == [slow_fnv1a(word, 32) for word in words]


def test_the_published_example():
    """http://www.isthe.com/chongo/tech/comp/fnv: FNV-1a of "foobar"."""
    packed = PackedWords.of([b"foobar"])
    assert packed.hashes(np.array([0])).tolist() == [0x85944171F73967E8]


@given(st.lists(st.tuples(st.binary(max_size=3), st.binary(max_size=3))))
def test_equality(pairs):
    left, right = PackedWords.of([a for a, _ in pairs]), PackedWords.of([b for _, b in pairs])
    every = np.arange(len(pairs))
    assert left.equals(every, right, every).tolist() == [a == b and a != b"" for a, b in pairs]
    assert [left.word(i) for i in range(len(left))] == [a for a, _ in pairs]
