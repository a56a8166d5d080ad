from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import SegmentError
from assay.metrics.frames import best_pairs, frames_in, products
from assay.metrics.layer_metric import LayerTexts
from assay.metrics.tokenized_texts import tokenize
from assay.types import as_column

RANGES = st.lists(st.tuples(*[st.integers(0, 3)] * 4), max_size=5)


@given(RANGES)
def test_products_are_those_of_itertools(ranges):
    bounds = np.array([(a, a + b, c, c + d) for a, b, c, d in ranges], dtype=np.int64).reshape(-1, 4).T
    found = products((bounds[0], bounds[1]), (bounds[2], bounds[3]))
    expected = [
        (group, *pair)
        for group, (a, b, c, d) in enumerate(ranges)
        for pair in itertools.product(range(a, a + b), range(c, c + d))
    ]
    assert list(zip(*(values.tolist() for values in found), strict=True)) == expected


@given(st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_best_pairs_have_the_highest_sum(rows, columns, rng):
    weights = np.array([rng.random() for _ in range(2 * rows * columns)])
    pairs = products((np.zeros(2, int), np.full(2, rows)), (np.zeros(2, int), np.full(2, columns)))
    chosen = best_pairs(pairs, weights)
    for group, matrix in enumerate(weights.reshape(2, rows, columns)):
        wide = matrix if rows <= columns else matrix.T
        best = max(
            sum(wide[i, j] for i, j in enumerate(order))
            for order in itertools.permutations(range(wide.shape[1]), wide.shape[0])
        )
        is_group = chosen & (pairs[0] == group)
        assert is_group.sum() == min(rows, columns)
        assert weights[is_group].sum() == pytest.approx(best)


def test_no_pairs():
    none = np.zeros(0, dtype=np.int64)
    assert best_pairs(products((none, none), (none, none)), np.zeros(0)).shape == (0,)


def read(source, **layers):
    columns = {name: (as_column(values),) for name, values in layers.items()}
    texts = LayerTexts((), ("x",), columns)
    return frames_in(texts, source, tokenize(columns["tokens"], "none", lowercase=False))[0]


def test_words_count_through_the_column():
    frames = read("roles", tokens=["a b", None, "", "c d e"], roles=["2:V 1:A0", None, "", "1:V 2-3:A1 | 3:V"])
    assert frames.labels == ("V", "A0", "V", "A1", "V")
    assert frames.starts.tolist() == [1, 0, 2, 3, 4]
    assert frames.ends.tolist() == [2, 1, 3, 5, 5]
    assert frames.segments.tolist() == [0, 1, 1, 1, 3]
    assert frames.coverage.tolist() == [2, 3, 1]


def test_verbs_and_what_depends_on_them():
    frames = read(
        "dependencies",
        tokens=["The old cat was seen by us today"],
        pos=["DET ADJ NOUN AUX VERB ADP PRON NOUN"],
        dependencies=["3:det 3:amod 5:nsubj:pass 5:aux:pass 0:root 7:case 5:obl:agent 5:obl:tmod"],
    )
    assert frames.labels == ("V", "ARG1", "ARG0", "ARGM-OBL")
    spans = list(zip(frames.starts.tolist(), frames.ends.tolist(), strict=True))
    assert spans == [(4, 5), (0, 3), (5, 7), (7, 8)]


def test_a_faulty_value_is_named():
    with pytest.raises(SegmentError, match="a role ends at word 3, but the segment has 1"):
        read("roles", tokens=["a", "b"], roles=["1:V", "1:V 2-3:A0"])
    with pytest.raises(SegmentError, match="have different numbers of words"):
        read("dependencies", tokens=["a b"], pos=["VERB"], dependencies=["0:root"])
