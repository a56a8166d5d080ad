from __future__ import annotations

import numpy as np
import pytest

from assay.errors import SegmentError
from assay.metrics.dependencies import head_chains, words_and_heads
from assay.metrics.layer_metric import LayerTexts
from assay.types import as_column


def texts(*dependencies, tokens=("a b", None, "c d e")):
    layers = {"tokens": (as_column(tokens), as_column(["x"] * len(tokens))), "dependencies": (as_column(dependencies),)}
    return LayerTexts(("ref",), ("x",), layers)


def test_heads_are_places_among_all_words_of_a_column():
    tokens, (heads,) = words_and_heads(texts("2:x 0:root", None, "3:x _ 2:y"), lowercase=False)
    assert heads.tolist() == [1, -1, 4, -1, 3]
    assert [tokens.words[row] for row in tokens.rows[0]] == ["a", "b", "c", "d", "e"]
    assert words_and_heads(texts("", tokens=("",)), lowercase=True)[1][0].tolist() == []


@pytest.mark.parametrize(
    ("dependencies", "message"),
    [
        ("0:x nsubj 1:y", "'nsubj' is not a head and a relation, such as 2:nsubj"),
        ("0:x 1:y -3:dep", "'-3:dep' is not a head and a relation"),
        ("4:x 0:root 2:y", "head 4 is out of range: the segment has 3 words"),
        ("2:x 1:y 0:root", "the heads form a cycle: 1 → 2 → 1"),
        ("0:x 3:y 3:z", "the heads form a cycle: 3 → 3"),
        ("0:x 1:y", r"tokens and dependencies have different lengths \(3 and 2\)"),
    ],
)
def test_errors_name_the_segment(dependencies, message):
    with pytest.raises(SegmentError, match=f"line 3 of 'ref' has a faulty annotation: {message}") as caught:
        words_and_heads(texts("2:x 0:root", None, dependencies), lowercase=False)
    assert caught.value.hint


def test_one_word():
    with pytest.raises(SegmentError, match=r"head 2 is out of range: the segment has 1 word\n"):
        words_and_heads(texts("2:x", tokens=("a",)), lowercase=False)


def test_a_long_chain_is_no_cycle():
    size = 3000
    words, dependencies = " ".join("a" * size), " ".join(f"{i}:x" for i in range(size))
    _, (heads,) = words_and_heads(texts(dependencies, tokens=(words,)), lowercase=False)
    assert heads.tolist() == list(range(-1, size - 1))


def test_chains():
    heads = np.array([1, -1, 4, -1, 3])
    assert [places.tolist() for places in head_chains(heads, 4)] == [
        [0, 1, 2, 3, 4],
        [1, -1, 4, -1, 3],
        [-1, -1, 3, -1, -1],
        [-1, -1, -1, -1, -1],
    ]
    assert [places.tolist() for places in head_chains(np.array([], dtype=np.int64), 2)] == [[], []]
