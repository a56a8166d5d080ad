"""Each distinct text is encoded once, in batches of similar length."""

from __future__ import annotations

import random

import numpy as np

from assay.encoders import encode
from assay.encoders.cache import opened_cache
from assay.runtime import Runtime
from tests.encoders.made_up_encoder import MadeUpEncoder

TEXTS = [(1, 2), (3,), (4, 5, 6, 7), (1, 2), (8, 9, 1), (3,), (2, 1)]


def test_distinct_texts_are_encoded_once_and_long_ones_first():
    encoder = MadeUpEncoder()
    states = encode(encoder, TEXTS, layer=2, runtime=Runtime(batch_size=6))
    assert encoder.batches == [[4], [3, 2], [2, 1]]
    for ids, each in zip(TEXTS, states, strict=True):
        assert each.tolist() == [[i, len(ids), 2] for i in ids]


def test_batches_do_not_depend_on_the_order_of_texts():
    shuffled = TEXTS * 2
    random.Random(1).shuffle(shuffled)
    first, second = MadeUpEncoder(), MadeUpEncoder()
    encode(first, TEXTS, layer=0, runtime=Runtime(batch_size=5))
    encode(second, shuffled, layer=0, runtime=Runtime(batch_size=5))
    assert first.batches == second.batches


def test_a_text_longer_than_a_batch_is_a_batch():
    encoder = MadeUpEncoder()
    encode(encoder, [(1, 2, 3), (4, 5, 6)], layer=0, runtime=Runtime(batch_size=1))
    assert encoder.batches == [[3], [3]]


def test_a_text_without_tokens_has_no_states():
    encoder = MadeUpEncoder()
    states = encode(encoder, [(), (1,)], layer=0, runtime=Runtime())
    assert [each.shape for each in states] == [(0, 3), (1, 3)]
    assert encode(encoder, [()], layer=0, runtime=Runtime())[0].shape == (0, 0)
    assert encoder.batches == [[1]]


def test_progress_is_reported():
    seen = []
    runtime = Runtime(batch_size=4, progress=lambda task, done, total: seen.append((done, total)))
    encode(MadeUpEncoder(), [(1, 2), (3, 4), (5,)], layer=0, runtime=runtime)
    assert seen == [(0, 3), (2, 3), (3, 3)]


def test_states_in_the_cache_are_not_computed_again(tmp_path):
    encoder = MadeUpEncoder()
    with opened_cache(tmp_path, "made-up") as cache:
        before = encode(encoder, TEXTS[:3], layer=1, runtime=Runtime(), cache=cache)
    with opened_cache(tmp_path, "made-up") as cache:
        after = encode(encoder, TEXTS, layer=1, runtime=Runtime(), cache=cache)
    assert encoder.batches == [[4, 2, 1], [3, 2]]
    for one, other in zip(before, after, strict=False):
        np.testing.assert_array_equal(one, other)
